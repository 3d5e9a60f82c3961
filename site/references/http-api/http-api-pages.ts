import { anchorOf, renderCode } from '../markdown/escape-text.ts';
import type { Page } from '../markdown/page.ts';
import { renderTable } from '../markdown/table.ts';
import { type ApiDocument, readDocument } from './document.ts';
import { type LinkCode, renderOperation } from './render-operation.ts';
import { renderShapesPage } from './shapes-page.ts';

/** The reference of the HTTP API: an overview, a page for each group of calls, and the shapes. */
export function renderHttpApiPages(linkCode: LinkCode): Page[] {
  const document = readDocument();
  const groups = document.tags.map(({ name }, index) => renderGroup(document, name, index + 2, linkCode));
  return [renderOverview(document, linkCode), ...groups, renderShapesPage(document)];
}

function renderOverview(document: ApiDocument, linkCode: LinkCode): Page {
  const codes = /`([a-z]+_[a-z_]+)`/g;
  return {
    path: 'http-api/index.md',
    title: 'HTTP API',
    description: 'Every call of the HTTP API in groups, with what they have in common.',
    order: 1,
    blocks: [
      'The calls that the main port of a service answers. The same as an OpenAPI document: [`/openapi.json`](/openapi.json) of your service, and to try out: [`/docs/api`](/docs/api).',
      document.info.description.replace(codes, (_, code: string) => linkCode(code)),
      ...document.tags.flatMap(({ name, description }) => [
        `## ${name}`,
        description,
        renderTable(
          ['Call', 'Method', 'Path'],
          listOperations(document, name).map(({ method, path, operation: { summary } }) => [
            `[${summary}](/docs/reference/http-api/${anchorOf(name)}/#${anchorOf(summary)})`,
            renderCode(method.toUpperCase()),
            renderCode(path),
          ]),
        ),
      ]),
      '## Headers of answers',
      renderTable(
        ['Header', 'Meaning'],
        Object.entries(document.components.headers).map(([name, { description }]) => [
          renderCode(headerName(document, name)),
          description,
        ]),
      ),
    ],
  };
}

function renderGroup(document: ApiDocument, tag: string, order: number, linkCode: LinkCode): Page {
  const description = document.tags.find(({ name }) => name === tag)?.description ?? '';
  return {
    path: `http-api/${anchorOf(tag)}.md`,
    title: tag,
    description: `Calls of the HTTP API: ${tag.toLowerCase()}. ${description}`,
    order,
    blocks: [
      description,
      ...listOperations(document, tag).flatMap((one) => renderOperation(document, one, linkCode)),
    ],
  };
}

function listOperations({ paths }: ApiDocument, tag: string) {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, { tags }]) => tags.includes(tag))
      .map(([method, operation]) => ({ method, path, operation })),
  );
}

/** How a header is spelled in answers: the document's own name for it has no hyphens. */
function headerName({ paths, components }: ApiDocument, key: string): string {
  const responses = [
    ...Object.values(components.responses),
    ...Object.values(paths).flatMap((methods) =>
      Object.values(methods).flatMap(({ responses }) => Object.values(responses)),
    ),
  ];
  for (const response of responses) {
    if (!('headers' in response)) continue;
    for (const [name, header] of Object.entries(response.headers))
      if ('$ref' in header && header.$ref.endsWith(`/${key}`)) return name;
  }
  return key;
}
