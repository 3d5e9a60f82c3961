import type { BrowserContext, Page } from 'playwright';
import type { Company } from './company.ts';

/** Signs somebody in as people do: by the link of a page and the form of the provider. @returns the page they end on */
export async function signInWithWindow(
  window: BrowserContext,
  { service }: Company,
  persona: string,
): Promise<Page> {
  const page = await window.newPage();
  await page.goto(`${service.url}/account`);
  await page.getByRole('link', { name: 'Sign in' }).first().click();
  await page.getByLabel('Persona').fill(persona);
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.waitForURL(`${service.url}/**`);
  return page;
}
