import { renderConfigurationPage } from './configuration/configuration-page.ts';
import type { Page } from './markdown/page.ts';
import type { Program } from './source-code/load-program.ts';

/** Every page of the references. */
export async function renderReferences(program: Program): Promise<Page[]> {
  return [renderConfigurationPage(program)];
}
