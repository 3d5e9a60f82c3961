import { expect, it } from 'vitest';
import { MCP_AUDIT_TYPES } from '../../../cli/policy/audit/mcp-audit-type.ts';
import { AUDIT_TYPES } from '../../../server/observe/audit-event.ts';
import {
  listFields,
  writeProxyLine,
  writeServiceLine,
} from '../../../site/references/audit/example-lines.ts';
import { FIELD_MEANINGS } from '../../../site/references/audit/field-meanings.ts';
import { findRow, readPage } from './written-pages.ts';

it('has every type of event with what happened', () => {
  const text = readPage('audit-events.md');
  for (const [type, meaning] of [...Object.entries(AUDIT_TYPES), ...Object.entries(MCP_AUDIT_TYPES)])
    expect(text).toContain(`| \`${type}\` | ${meaning} |`);
  expect(findRow(text, 'mcp_tool_call')).toEqual(['`mcp_tool_call`', 'A client sent `tools/call`.']);
});

it('says something about every field, and about no field that is not there', () => {
  const fields = new Set([...listFields(writeServiceLine()), ...listFields(writeProxyLine())]);
  expect(Object.keys(FIELD_MEANINGS).sort()).toEqual([...fields].sort());
});
