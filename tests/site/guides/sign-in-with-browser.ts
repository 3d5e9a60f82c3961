import { expect } from 'vitest';
import type { Reader } from './reader.ts';

const SITE = 'http://127.0.0.1:8080';

/** Signs two people in to the site, one after the other, and looks at the catalog as each of them. */
export async function signInWithBrowser(reader: Reader): Promise<void> {
  expect(await listAs(reader, 'intern')).toEqual(['com.acme/wiki']);
  expect(await listAs(reader, 'data-writer')).toEqual(['com.acme.data/database', 'com.acme/wiki']);
}

/** The names that the page of the registry shows to a person; cookies of theirs are in a file, as in a browser. */
async function listAs(reader: Reader, persona: string): Promise<readonly string[]> {
  const browser = `curl -s -L -c ~/${persona}.jar -b ~/${persona}.jar`;
  const asked = await reader.run(`${browser} -o /dev/null -w '%{url_effective}' ${SITE}/sign-in`);
  await reader.run(`${browser} -o /dev/null -d persona=${persona} '${asked.output.trim()}'`);
  const { output } = await reader.run(`${browser} ${SITE}/catalog/default`);
  return [...new Set(output.match(/com\.acme[\w.]*\/\w+/g))].sort();
}
