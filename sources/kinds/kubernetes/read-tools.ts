import { z } from 'zod';

const namesSchema = z.array(z.string());

/**
 * Reads a `registry-tools` annotation: a JSON array of names, or names with commas between them.
 * @returns undefined when it is neither
 */
export function readTools(text: string): readonly string[] | undefined {
  const names = text.trim().startsWith('[') ? readNames(text) : text.split(',');
  return names?.map((name) => name.trim()).filter((name) => name !== '');
}

function readNames(text: string): string[] | undefined {
  try {
    return namesSchema.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}
