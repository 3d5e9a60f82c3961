import { MCP_AUDIT_TYPES } from '../../../cli/policy/audit/mcp-audit-type.ts';
import { AUDIT_TYPES } from '../../../server/observe/audit-event.ts';
import { renderCode } from '../markdown/escape-text.ts';
import type { Page } from '../markdown/page.ts';
import { renderTable } from '../markdown/table.ts';
import { listFields, writeProxyLine, writeServiceLine } from './example-lines.ts';
import { FIELD_MEANINGS } from './field-meanings.ts';

/** The reference of audit lines, of the service and of the proxy of a workload. */
export function renderAuditPage(): Page {
  const service = writeServiceLine();
  const proxy = writeProxyLine();
  return {
    path: 'audit-events.md',
    title: 'Audit events',
    description:
      'Every type of event in the audit log of the service and of the proxy of a workload, and its fields.',
    order: 5,
    blocks: [
      'An audit log holds one JSON object a line. The service writes one with [`audit.enabled`](/docs/reference/configuration/#audit), the proxy of a workload with [`--audit-config`](/docs/reference/cli/run/#run--audit-config) or [`--enable-audit`](/docs/reference/cli/run/#run--enable-audit).',
      '## Events of the service',
      'For `audit.eventTypes` and `audit.excludeEventTypes`.',
      renderTypes(AUDIT_TYPES),
      '### Fields of the service',
      renderFields(service),
      renderExample(service),
      '## Events of a workload',
      'For `eventTypes` and `excludeEventTypes` in the file of `--audit-config`, which has the keys of the block [`audit`](/docs/reference/configuration/#audit) and `includeResponseData`.',
      renderTypes(MCP_AUDIT_TYPES),
      '### Fields of a workload',
      renderFields(proxy),
      renderExample(proxy),
    ],
  };
}

function renderTypes(types: Readonly<Record<string, string>>): string {
  const sorted = Object.entries(types).sort(([a], [b]) => (a < b ? -1 : 1));
  return renderTable(
    ['Type', 'What happened'],
    sorted.map(([type, meaning]) => [renderCode(type), meaning]),
  );
}

/** @throws TypeError for a field nothing is said about */
function renderFields(line: unknown): string {
  return renderTable(
    ['Field', 'Meaning'],
    listFields(line).map((field) => {
      const meaning = FIELD_MEANINGS[field];
      if (meaning === undefined) throw new TypeError(`nothing is said about the audit field ${field}`);
      return [renderCode(field), meaning];
    }),
  );
}

function renderExample(line: unknown): string {
  return `<details>\n<summary>Example</summary>\n\n\`\`\`json\n${JSON.stringify(line, null, 2)}\n\`\`\`\n\n</details>`;
}
