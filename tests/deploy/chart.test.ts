import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { parseAddress } from '../../server/parse-address.ts';
import { checkConfigText } from '../../sources/config/load-config.ts';
import { DEFAULT_RESOURCES } from '../../sources/kinds/kubernetes/watched-resource.ts';
import { isPlainObject, type PlainObject } from '../../sources/model/plain-object.ts';
import { answersInternally } from './answers-internally.ts';
import {
  configOf,
  EXAMPLES,
  overlay,
  readChart,
  readDocuments,
  TEMPLATES,
  VALUES,
  withoutActions,
} from './chart.ts';

const schema = z.fromJSONSchema(JSON.parse(readChart('values.schema.json')));

const probe = z.object({ httpGet: z.object({ path: z.string(), port: z.string() }) });
const deployment = z.object({
  spec: z.object({
    template: z.object({
      spec: z.object({
        securityContext: z.object({ runAsNonRoot: z.boolean(), runAsUser: z.number(), fsGroup: z.number() }),
        containers: z.tuple([
          z.object({
            args: z.array(z.string()),
            ports: z.array(z.object({ name: z.string(), containerPort: z.number() })),
            startupProbe: probe,
            livenessProbe: probe,
            readinessProbe: probe,
            securityContext: z.object({
              readOnlyRootFilesystem: z.literal(true),
              allowPrivilegeEscalation: z.literal(false),
              capabilities: z.object({ drop: z.array(z.string()) }),
            }),
            volumeMounts: z.array(z.object({ name: z.string(), mountPath: z.string() })),
          }),
        ]),
        volumes: z.array(z.object({ name: z.string() })),
      }),
    }),
  }),
});

function readTemplate(name: string): PlainObject {
  const template = TEMPLATES.find((known) => known.name === name);
  const [document] = readDocuments(withoutActions(template?.text ?? ''));
  if (!document) throw new TypeError(`no template ${name}`);
  return document;
}

const pod = deployment.parse(readTemplate('deployment.yaml')).spec.template.spec;
const [container] = pod.containers;

function hasValue(path: string): boolean {
  let at: unknown = VALUES;
  for (const key of path.split('.')) {
    if (!isPlainObject(at) || !Object.hasOwn(at, key)) return false;
    at = at[key];
  }
  return true;
}

describe('values.schema.json', () => {
  it('takes the defaults and the examples', () => {
    expect(schema.safeParse(VALUES).error).toBeUndefined();
    expect(EXAMPLES.map(({ name }) => name).sort()).toEqual(['postgres', 'sqlite']);
    for (const { values } of EXAMPLES)
      expect(schema.safeParse(overlay(VALUES, values)).error).toBeUndefined();
  });

  it.each([
    [{ replicas: 3 }],
    [{ replicaCount: '3' }],
    [{ service: { prot: 80 } }],
    [{ secretFiles: [{ secret: 'a', key: 'b', file: '../c' }] }],
    [{ terminationGracePeriodSeconds: 10 }],
    [{ config: { sources: [] } }],
  ])('refuses %j', (values) => {
    expect(schema.safeParse(overlay(VALUES, values)).success).toBe(false);
  });

  it('knows every value there is', () => {
    const { properties } = z
      .object({ properties: z.record(z.string(), z.unknown()) })
      .parse(JSON.parse(readChart('values.schema.json')));
    expect(
      Object.keys(properties)
        .filter((key) => key !== 'global')
        .sort(),
    ).toEqual(Object.keys(VALUES).sort());
  });
});

describe('the chart', () => {
  it.each(EXAMPLES)('makes a valid configuration of the values for $name', ({ values }) => {
    const { config, problems } = checkConfigText(configOf(values), 'values', {});
    expect(problems).toEqual([]);
    expect(config?.dataDir).toBe('/var/lib/berth/data');
  });

  it.each(TEMPLATES)('$name is YAML around its actions, which are closed', ({ text }) => {
    const opened = text.match(/\{\{-?\s*(if|with|range|define)\b/g) ?? [];
    expect(text.match(/\{\{-?\s*end\b/g) ?? []).toHaveLength(opened.length);
    const documents = readDocuments(withoutActions(text));
    expect(documents.length).toBeGreaterThan(0);
    for (const document of documents) {
      const { apiVersion, kind, metadata } = document;
      expect([typeof apiVersion, typeof kind]).toEqual(['string', 'string']);
      expect(metadata).toHaveProperty('name');
    }
  });

  it('uses only values that there are, and all of them', () => {
    const text = [...TEMPLATES.map((template) => template.text), readChart('templates/_helpers.tpl')].join(
      '\n',
    );
    const used = new Set([...text.matchAll(/\.Values\.([A-Za-z.]+)/g)].map(([, path = '']) => path));
    const known = [...used].filter((path) => !/^config\.(auth|database)$/.test(path));
    expect(known.filter((path) => !hasValue(path))).toEqual([]);
    const roots = new Set([...used].map((path) => path.split('.')[0]));
    expect(Object.keys(VALUES).filter((key) => !roots.has(key))).toEqual([]);
  });

  it('includes only what it defines', () => {
    const helpers = readChart('templates/_helpers.tpl');
    const defined = [...helpers.matchAll(/define "([^"]+)"/g)].map(([, name]) => name);
    const text = [
      ...TEMPLATES.map((template) => template.text),
      helpers,
      readChart('templates/NOTES.txt'),
    ].join('');
    const included = new Set([...text.matchAll(/include "([^"]+)"/g)].map(([, name]) => name));
    expect([...included].sort()).toEqual([...defined].sort());
  });

  it('probes the internal port where the service answers', async () => {
    const portOf = (flag: string) =>
      parseAddress(container.args[container.args.indexOf(flag) + 1] ?? '', flag).port;
    expect(container.ports).toEqual([
      { name: 'http', containerPort: portOf('--address') },
      { name: 'internal', containerPort: portOf('--internal-address') },
    ]);
    const { startupProbe, livenessProbe, readinessProbe } = container;
    const paths = [startupProbe, livenessProbe, readinessProbe].map(({ httpGet }) => httpGet.path);
    expect(paths).toEqual(['/health', '/health', '/readiness']);
    for (const path of [...paths, '/metrics']) expect(await answersInternally(path)).toBe(200);
    for (const { httpGet } of [startupProbe, livenessProbe, readinessProbe])
      expect(httpGet.port).toBe('internal');
    const ports = { 'service.yaml': 'http', 'service-internal.yaml': 'internal' };
    for (const [name, port] of Object.entries(ports))
      expect(readTemplate(name)).toMatchObject({ spec: { ports: [{ name: port, targetPort: port }] } });
    expect(readTemplate('servicemonitor.yaml')).toMatchObject({
      spec: { endpoints: [{ port: 'internal', path: '/metrics' }] },
    });
    expect(readTemplate('networkpolicy.yaml')).toMatchObject({
      spec: { ingress: [{ ports: [{ port: 'http' }] }, { ports: [{ port: 'internal' }] }] },
    });
  });

  it('runs without root on a file system it may not write, with room for its data', () => {
    expect(pod.securityContext).toEqual({ runAsNonRoot: true, runAsUser: 1000, fsGroup: 1000 });
    expect(container.securityContext.capabilities.drop).toEqual(['ALL']);
    const mounts = Object.fromEntries(container.volumeMounts.map(({ name, mountPath }) => [name, mountPath]));
    expect(mounts).toEqual({
      config: '/etc/berth',
      data: '/var/lib/berth',
      tmp: '/tmp',
      secrets: '/run/secrets/berth',
    });
    expect(pod.volumes.map(({ name }) => name)).toEqual(Object.keys(mounts));
    expect(container.args).toContain(`${mounts.config}/registry.config.yaml`);
    expect(readTemplate('configmap.yaml').data).toHaveProperty(['registry.config.yaml']);
  });

  it('lets a kubernetes source watch what it watches by default', () => {
    const wanted = DEFAULT_RESOURCES.map(({ plural }) => plural);
    const [group] = new Set(DEFAULT_RESOURCES.map((resource) => resource.group));
    expect(VALUES.kubernetesSource).toMatchObject({ resources: [{ group, plurals: wanted }] });
  });
});
