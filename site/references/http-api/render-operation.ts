import { renderCode } from '../markdown/escape-text.ts';
import { renderTable } from '../markdown/table.ts';
import { describeType, describeValue } from './describe-type.ts';
import {
  type ApiContent,
  type ApiDocument,
  type ApiOperation,
  type ApiResponse,
  lookUp,
} from './document.ts';

/** Links to a code, by the page it is explained on. */
export type LinkCode = (code: string) => string;

/** One call of the API as blocks of Markdown. */
export function renderOperation(
  { components }: ApiDocument,
  { method, path, operation }: { method: string; path: string; operation: ApiOperation },
  linkCode: LinkCode,
): string[] {
  const parameters = operation.parameters.map((one) => {
    const { name, in: place, required, description, schema } = lookUp(components.parameters, one.$ref);
    const where = required ? `${place}, **required**` : place;
    return [`${renderCode(name)}<br>${where}`, describeValue(schema), description];
  });
  const responses = Object.entries(operation.responses).map(
    ([status, one]) => [status, '$ref' in one ? lookUp(components.responses, one.$ref) : one] as const,
  );
  const answers = responses.filter(([status]) => Number(status) < 400);
  return [
    `## ${operation.summary}`,
    `\`\`\`http\n${method.toUpperCase()} ${path}\n\`\`\``,
    operation.description,
    operation.security?.length === 0 ? 'Needs no token, in every mode.' : '',
    '**Parameters**',
    renderTable(['Parameter', 'Value', 'Meaning'], parameters),
    ...renderBody(operation),
    '**Answers**',
    renderTable(['Status', 'Body', 'Headers', 'Meaning'], answers.map(renderAnswer)),
    ...answers.flatMap(([status, { content }]) => renderExamples(`Example of ${status}`, content)),
    '**Problems**',
    renderTable(
      ['Status', 'Codes'],
      responses.filter(([status]) => Number(status) >= 400).map(renderProblem(linkCode)),
    ),
  ];
}

function renderBody({ requestBody }: ApiOperation): string[] {
  const content = requestBody?.content;
  if (!content) return [];
  const media = Object.entries(content).map(([type, { schema }]) => `\`${type}\`: ${describeType(schema)}`);
  return [`**Body**: ${media.join(', ')}`, ...renderExamples('Example', content)];
}

function renderAnswer([status, { description, headers, content }]: readonly [string, ApiResponse]): string[] {
  const bodies = Object.entries(content ?? {}).map(([type, { schema }]) => {
    const shape = describeType(schema);
    return type === 'application/json' ? shape : `\`${type}\``;
  });
  return [`\`${status}\``, bodies.join(', '), Object.keys(headers).map(renderCode).join(', '), description];
}

function renderProblem(linkCode: LinkCode) {
  return ([status, { description }]: readonly [string, ApiResponse]): string[] => [
    `\`${status}\``,
    description.replace(/`([a-z0-9_]+)`/g, (_, code: string) => linkCode(code)),
  ];
}

/** Examples behind a fold: they are long, and most readers look for one thing. */
function renderExamples(title: string, content: ApiContent): string[] {
  return Object.values(content ?? {}).flatMap(({ example, examples }) => {
    const named = Object.entries(examples ?? {}).map(
      ([name, { value }]) => [`${title}: ${name}`, value] as const,
    );
    const all = example === undefined ? named : [[title, example] as const, ...named];
    return all.map(
      ([summary, value]) =>
        `<details>\n<summary>${summary}</summary>\n\n\`\`\`json\n${JSON.stringify(value, null, 2)}\n\`\`\`\n\n</details>`,
    );
  });
}
