import { readGuides } from './read-guide.ts';
import type { Reader } from './reader.ts';

const SAVED = /^(?:catalog\/|review\.config\.yaml$)/;

/** Makes the catalog repository of the page about GitOps, from its own files, as it is when the next pages begin. */
export async function makeCatalogRepository(reader: Reader): Promise<void> {
  await mustRun(reader, 'git clone --quiet https://git.example.com/acme/mcp-catalog.git ~/mcp-catalog');
  await mustRun(reader, 'cd ~/mcp-catalog');
  await mustRun(reader, 'git checkout --quiet -b main');
  const guide = readGuides(['registry']).find(({ page }) => page === 'registry/gitops.md');
  for (const { title, code } of guide?.blocks ?? []) {
    if (title && SAVED.test(title)) reader.write(title, `${code}\n`);
  }
  await mustRun(reader, 'git add .');
  await mustRun(reader, 'git commit --quiet -m "Start the catalog"');
  await mustRun(reader, 'git push --quiet origin main');
  await mustRun(reader, 'cd ~');
}

/** @throws Error with what it printed, when it fails */
export async function mustRun(reader: Reader, command: string): Promise<string> {
  const { code, output } = await reader.run(command);
  if (code !== 0) throw new Error(`${command} ended with ${code}:\n${output}`);
  return output;
}
