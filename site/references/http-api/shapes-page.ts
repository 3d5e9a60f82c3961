import { renderCode } from '../markdown/escape-text.ts';
import type { Page } from '../markdown/page.ts';
import { renderTable } from '../markdown/table.ts';
import { describeType, describeValue } from './describe-type.ts';
import type { ApiDocument, JsonSchema } from './document.ts';

/** Members of members are shown up to here. */
const DEEPEST = 4;

/** Every shape the API has a name for. */
export function renderShapesPage({ components }: ApiDocument): Page {
  const shapes = Object.entries(components.schemas).sort(([a], [b]) => (a < b ? -1 : 1));
  return {
    path: 'http-api/shapes.md',
    title: 'Shapes',
    description: 'Every JSON shape that the HTTP API takes and gives, member by member.',
    order: 90,
    blocks: [
      'The JSON that the HTTP API takes and gives. `a.b` is member `b` of member `a`, `[]` stands for each element of a list.',
      ...shapes.flatMap(([name, schema]) => renderShape(name, schema)),
    ],
  };
}

function renderShape(name: string, schema: JsonSchema): string[] {
  const rows = listMembers(schema, '', 0);
  const is = rows.length === 0 ? `Is ${describeType(schema)}.` : '';
  return [
    `## ${name}`,
    [schema.description ?? '', is].filter((text) => text !== '').join(' '),
    renderTable(['Member', 'Value', 'Meaning'], rows),
  ];
}

function listMembers(schema: JsonSchema, prefix: string, depth: number): string[][] {
  const alternatives = schema.anyOf ?? schema.oneOf;
  if (alternatives && depth < DEEPEST) {
    const rows = alternatives.flatMap((one) => listMembers(one, prefix, depth));
    return [...new Map(rows.map((row) => [row[0], row])).values()];
  }
  return Object.entries(schema.properties ?? {}).flatMap(([name, member]) => {
    const path = `${prefix}${name}`;
    const inner = member.items ?? member;
    const below = depth < DEEPEST ? listMembers(inner, `${path}${member.items ? '[]' : ''}.`, depth + 1) : [];
    const isRequired = schema.required?.includes(name) ?? false;
    const shown = `${renderCode(path)}${isRequired ? '<br>**required**' : ''}`;
    return [[shown, describeValue(member), member.description ?? ''], ...below];
  });
}
