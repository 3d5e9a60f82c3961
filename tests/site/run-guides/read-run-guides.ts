import { type Guide, readGuides } from '../guides/read-guide.ts';

const OWN = /^(?:run\/|clients\/|troubleshooting\.md$|architecture\.md$)/;

/** The guides about running servers, about clients, about errors and about the program. */
export function readRunGuides(): readonly Guide[] {
  return readGuides(['.', 'run', 'clients']).filter(({ page }) => OWN.test(page));
}
