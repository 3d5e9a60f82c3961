import { z } from 'zod';

/**
 * Text of `min` to `max` characters; characters are code points, as JSON Schema counts them. The bounds are metadata
 * too, so that a JSON Schema made of it states them.
 */
export function limitedText(min: number, max: number): z.ZodString {
  return z
    .string()
    .refine((text) => fits(text, min, max), {
      error: (issue) =>
        typeof issue.input === 'string' && issue.input.length >= min
          ? `must have at most ${max} characters`
          : `must have at least ${min} ${min === 1 ? 'character' : 'characters'}`,
    })
    .meta({ minLength: min, maxLength: max });
}

/** A text made to fit: cut at a word boundary where one is near, with `...` behind it; at most `max` characters. */
export function cutAtWord(text: string, max: number): string {
  const characters = [...text.trim()];
  if (characters.length <= max) return characters.join('');
  const head = characters.slice(0, max - 3).join('');
  const lastBlank = head.search(/\s\S*$/u);
  return `${(lastBlank > head.length / 2 ? head.slice(0, lastBlank) : head).trimEnd()}...`;
}

function fits(text: string, min: number, max: number): boolean {
  if (text.length < min) return false;
  return text.length <= max || (text.length <= 2 * max && [...text].length <= max);
}
