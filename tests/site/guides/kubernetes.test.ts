import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { parse } from 'yaml';
import { prepareFilter } from '../../../sources/catalog/entry-filter.ts';
import { loadConfig } from '../../../sources/config/load-config.ts';
import { customResourceSchema } from '../../../sources/kinds/kubernetes/custom-resource.ts';
import { translateResource } from '../../../sources/kinds/kubernetes/translate-resource.ts';
import { configOf, readChart, readDocuments, readObject, VALUES } from '../../deploy/chart.ts';
import { readGuides } from './read-guide.ts';

const guide = readGuides(['registry']).find(({ page }) => page === 'registry/kubernetes.md');

/** A file of the page about Kubernetes, by its title. */
function read(file: string): string {
  const code = guide?.blocks.find(({ title }) => title === file)?.code;
  if (code === undefined) throw new Error(`the page has no ${file}`);
  return code;
}

it('the resource of the guide becomes the entry that the guide says', () => {
  const translated = translateResource(customResourceSchema.parse(parse(read('mail.yaml'))), {
    annotationPrefix: 'toolhive.stacklok.dev',
    filter: prepareFilter(undefined),
    maxMetaBytes: 262_144,
    kind: 'MCPServer',
  });
  expect(translated).toMatchObject({
    outcome: 'exported',
    entry: {
      name: 'com.toolhive.k8s.tools/mail',
      version: '2.1.0',
      claims: { org: 'acme', team: ['support', 'sales'] },
    },
  });
});

it('the values of the guide are values of the chart, with a configuration that is valid', async () => {
  const values = readObject(read('values.yaml'));
  const known = Object.keys(VALUES);
  expect(Object.keys(values).filter((key) => !known.includes(key))).toEqual([]);
  const directory = mkdtempSync(join(tmpdir(), 'berth-guide-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const file = join(directory, 'registry.config.yaml');
  writeFileSync(file, configOf(values));
  const { config } = await loadConfig(file, { env: {} });
  expect(config.sources.map(({ name }) => name)).toEqual(['cluster']);
});

it('the role of the guide permits what that of the chart does', () => {
  const chart = /verbs: (\[.*\])/.exec(readChart('templates/rbac.yaml'))?.[1];
  const [role, binding] = readDocuments(read('rbac.yaml'));
  expect(role).toMatchObject({
    kind: 'Role',
    rules: [
      { resources: ['mcpservers', 'mcpremoteproxies', 'virtualmcpservers'], verbs: parse(chart ?? '') },
    ],
  });
  expect(binding).toMatchObject({ roleRef: { kind: 'Role', name: 'berth' } });
});
