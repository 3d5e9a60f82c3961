import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { checkConfigText } from '../../sources/config/load-config.ts';
import { CHART, EXAMPLES, readChart, readDocuments, readObject } from './chart.ts';

const KUBERNETES = '1.30.0';
const ALWAYS = ['ConfigMap', 'Deployment', 'NetworkPolicy', 'Service', 'Service', 'ServiceAccount'];
const KINDS: Readonly<Record<string, readonly string[]>> = {
  sqlite: ['PersistentVolumeClaim'],
  postgres: [
    'HorizontalPodAutoscaler',
    'Ingress',
    'PodDisruptionBudget',
    'Role',
    'Role',
    'RoleBinding',
    'RoleBinding',
    'ServiceMonitor',
  ],
};

const PACKAGE = z.object({ version: z.string() });
const configMap = z.object({ data: z.object({ 'registry.config.yaml': z.string() }) });
const labelled = z.object({
  spec: z.object({
    template: z.object({ metadata: z.object({ labels: z.record(z.string(), z.string()) }) }),
  }),
});

function run(command: string, words: readonly string[], input?: string) {
  const { status, stdout, stderr, error } = spawnSync(command, words, {
    encoding: 'utf8',
    ...(input === undefined ? {} : { input }),
  });
  return { status: error ? undefined : status, text: `${stdout ?? ''}${stderr ?? ''}`, stdout: stdout ?? '' };
}

function render(...words: string[]) {
  const fixed = ['--namespace', 'apps', '--kube-version', KUBERNETES];
  return run('helm', ['template', 'release', CHART, ...fixed, ...words]);
}

/** Whether the program is there to ask; what needs none of them is checked in `chart.test.ts`. */
const hasHelm = run('helm', ['version']).status === 0;
const hasKubeconform = run('kubeconform', ['-v']).status === 0;

describe('the chart', () => {
  it('is of the version of the program', () => {
    const { version } = PACKAGE.parse(JSON.parse(readChart('../../../package.json')));
    expect(readObject(readChart('Chart.yaml'))).toMatchObject({ apiVersion: 'v2', appVersion: version });
  });
});

// A condition instead of a skip: a machine without Helm lacks nothing.
if (hasHelm) {
  describe('the chart, rendered by Helm', () => {
    it.each(EXAMPLES)('is whole with the values for $name', ({ name, path }) => {
      const lint = run('helm', ['lint', '--strict', '--kube-version', KUBERNETES, CHART, '--values', path]);
      expect(lint, lint.text).toMatchObject({ status: 0 });
      const rendered = render('--values', path);
      expect(rendered, rendered.text).toMatchObject({ status: 0 });
      const documents = readDocuments(rendered.stdout);
      const kinds = documents.map(({ kind }) => String(kind)).sort();
      expect(kinds).toEqual([...ALWAYS, ...(KINDS[name] ?? [])].sort());
      const find = (kind: string) => documents.filter((document) => document.kind === kind);
      const text = configMap.parse(find('ConfigMap')[0]).data['registry.config.yaml'];
      expect(checkConfigText(text, 'rendered', {}).problems).toEqual([]);
      const { labels } = labelled.parse(find('Deployment')[0]).spec.template.metadata;
      for (const service of find('Service')) expect(service).toMatchObject({ spec: { selector: labels } });
      if (hasKubeconform) {
        const checked = run('kubeconform', ['-strict', '-ignore-missing-schemas', '-'], rendered.stdout);
        expect(checked, checked.text).toMatchObject({ status: 0 });
      }
    });

    it.each([
      [[], 'config.auth is not set'],
      [
        ['--set', 'config.auth.mode=anonymous', '--set', 'replicaCount=2'],
        'replicaCount over 1 needs config.database',
      ],
      [
        ['--set', 'config.auth.mode=anonymous', '--set', 'autoscaling.enabled=true'],
        'autoscaling needs config.database',
      ],
      [
        ['--set', 'config.auth.mode=anonymous', '--set', 'config.dataDir=/x'],
        'config.dataDir is set by the chart',
      ],
      [['--set', 'config.auth.mode=anonymous', '--set', 'replicas=2'], 'replicas'],
    ])('is refused with %j', (words, message) => {
      const { status, text } = render(...words);
      expect(text).toContain(message);
      expect(status).toBe(1);
    });
  });
}
