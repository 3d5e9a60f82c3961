import { DIFFERENCES, SUBJECTS, type SubjectName } from './differences.ts';
import type { Checked, Revision } from './run-suite.ts';

/** The results of one revision. */
export interface Results {
  readonly revision: Revision;
  readonly direct: readonly Checked[];
  readonly proxied: readonly { readonly subject: SubjectName; readonly checked: readonly Checked[] }[];
}

const HEAD = `# Conformance

What the official suite (\`@modelcontextprotocol/conformance\`, in this folder with the Node it needs) says of one server,
asked directly and through the proxy of a workload. The server (\`server/\`) is ours, made with the SDK, on streamable HTTP
and on standard streams, in all revisions. \`all-revisions.test.ts\` runs every scenario of each revision and compares check
by check: what differs is listed below with its reason, and nothing else may. The suite only speaks HTTP, so what is behind
standard streams is compared with the server on HTTP.

\`\`\`
npm install --prefix tests/conformance
npx vitest run tests/conformance        # -u writes this file anew
\`\`\`

Each cell says how many checks passed, of how many that were made.
`;

/** The whole of README.md. */
export function formatReport(all: readonly Results[]): string {
  return [HEAD, ...all.map(formatRevision), formatDifferences()].join('\n');
}

function formatRevision({ revision, direct, proxied }: Results): string {
  const scenarios = [...new Set(direct.map(({ scenario }) => scenario))].sort();
  const columns = [direct, ...proxied.map(({ checked }) => checked)];
  const lines = [
    `## ${revision}\n`,
    `| scenario | direct | ${proxied.map(({ subject }) => SUBJECTS[subject]).join(' | ')} |`,
    `|---|${columns.map(() => '---|').join('')}`,
    ...scenarios.map((scenario) => {
      const cells = columns.map((checked) => count(checked.filter((one) => one.scenario === scenario)));
      return `| ${scenario} | ${cells.join(' | ')} |`;
    }),
    `| **all** | ${columns.map(count).join(' | ')} |`,
  ];
  return `${lines.join('\n')}\n`;
}

function count(checked: readonly Checked[]): string {
  return `${checked.filter(({ status }) => status === 'SUCCESS').length} of ${checked.length}`;
}

function formatDifferences(): string {
  const lines = DIFFERENCES.map(
    ({ subject, revisions, checks, reason }) =>
      `- **${SUBJECTS[subject]}, ${revisions.join(', ')}**: ${checks.map((check) => `\`${check}\``).join(', ')}. ${reason}`,
  );
  return `## Differences\n\n${lines.join('\n')}\n`;
}
