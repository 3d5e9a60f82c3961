import { z } from 'zod';

/** Text of `min` to `max` characters; characters are code points, as JSON Schema counts them. */
export function limitedText(min: number, max: number): z.ZodString {
  return z.string().refine((text) => fits(text, min, max), {
    error: (issue) =>
      typeof issue.input === 'string' && issue.input.length >= min
        ? `must have at most ${max} characters`
        : `must have at least ${min} ${min === 1 ? 'character' : 'characters'}`,
  });
}

/** The first `max` characters of a text. */
export function cutText(text: string, max: number): string {
  return text.length <= max ? text : [...text].slice(0, max).join('');
}

function fits(text: string, min: number, max: number): boolean {
  if (text.length < min) return false;
  return text.length <= max || (text.length <= 2 * max && [...text].length <= max);
}
