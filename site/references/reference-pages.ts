import { renderAuditPage } from './audit/audit-page.ts';
import { renderCliPages } from './cli/cli-pages.ts';
import { renderConfigurationPage } from './configuration/configuration-page.ts';
import { linkErrorCode, renderErrorPages } from './errors/error-pages.ts';
import { listErrorCodes } from './errors/list-error-codes.ts';
import { renderProxyAnswersPage } from './errors/proxy-answers-page.ts';
import { renderHttpApiPages } from './http-api/http-api-pages.ts';
import type { Page } from './markdown/page.ts';
import { renderMetricsPage } from './metrics/metrics-page.ts';
import type { Program } from './source-code/load-program.ts';

/** Every page of the references. */
export async function renderReferences(program: Program): Promise<Page[]> {
  const codes = listErrorCodes(program);
  return [
    renderConfigurationPage(program),
    ...(await renderCliPages(program)),
    ...renderHttpApiPages((code) => linkErrorCode(codes, code)),
    ...renderErrorPages(codes),
    renderProxyAnswersPage(program),
    await renderMetricsPage(program),
    renderAuditPage(),
  ];
}
