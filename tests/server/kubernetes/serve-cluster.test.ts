import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { stringify } from 'yaml';
import type { Identity } from '../../../server/auth/identity.ts';
import { readDeclarations } from '../../../server/declared-records.ts';
import { Overlay } from '../../../server/overlay/overlay.ts';
import { SqliteStore } from '../../../server/overlay/sqlite-store.ts';
import { RegistryService } from '../../../server/registry-service.ts';
import { reportSource } from '../../../server/source-report.ts';
import { listEntries } from '../../../server/view/list-entries.ts';
import { loadConfig } from '../../../sources/config/load-config.ts';
import { createCompiler } from '../../../sources/sync/compiler.ts';
import { proves } from '../../requirements/proves.ts';
import type { ApiServer } from '../../sources/kinds/kubernetes/api-server.ts';
import { exported, startCluster } from '../../sources/kinds/kubernetes/start-watch.ts';
import { makeIdentity, makeSuperAdmin } from '../../support/make-identity.ts';
import { makeDirectory } from '../../support/temporary-directory.ts';
import { waitUntil } from '../../support/wait-until.ts';

const SECONDS = 10_000;

/** The service of a configuration with one kubernetes source, `cluster`, and a file beside it. */
async function serve(api: ApiServer, block: object = {}) {
  const dir = makeDirectory();
  const file = join(dir, 'registry.config.yaml');
  writeFileSync(join(dir, 'kube.yaml'), api.kubeconfig());
  const load = (change: object, sourceMembers: object = {}, withCluster = true) => {
    const cluster = { name: 'cluster', kubernetes: { kubeconfig: 'kube.yaml', ...change }, ...sourceMembers };
    const data = [{ name: 'com.file/x', version: '1.0.0', description: 'x' }];
    const sources = [{ name: 'file', file: { data }, syncPolicy: { interval: '1h' } }];
    const config = {
      auth: { mode: 'anonymous' },
      sources: [...(withCluster ? [cluster] : []), ...sources],
      registries: [{ name: 'main', sources: [...(withCluster ? ['cluster'] : []), 'file'] }],
    };
    writeFileSync(file, stringify(config));
    return loadConfig(file);
  };
  const loaded = await load(block, { claims: { org: 'of-the-source' } });
  const store = await SqliteStore.open({ path: loaded.dataDir, configured: loaded.config.dataDir });
  const events: string[] = [];
  const service = new RegistryService({
    loaded,
    overlay: await Overlay.open(store),
    api: await readDeclarations(store),
    compiler: createCompiler(),
    events: {
      onSwap: () => undefined,
      onSynced: (source, status) =>
        events.push(
          `${source.name}: ${status.message} ${status.rejected.map(({ file: at }) => at).join()}`.trim(),
        ),
      onFailed: (source, _status, error) => events.push(`${source.name}: ${error.code}`),
      onTrouble: (source, error) => events.push(`${source}: ${error}`),
    },
  });
  onTestFinished(async () => {
    await service.close();
    await store.close();
  });
  const names = (identity: Identity = makeSuperAdmin()) => {
    const view = service.world.registries.get('main');
    if (!view) return [];
    const query = { type: 'server', includeDeleted: false, limit: 100 } as const;
    const { items } = listEntries(view.sightOf(identity), query);
    const found = items.map(({ table, row }) =>
      table.nameAt(table.nameIndexOf(row)).replace('com.toolhive.k8s.', ''),
    );
    return found.sort();
  };
  const untilNames = (...wanted: string[]) =>
    waitUntil(() => names().join() === wanted.join(), `the entries ${wanted.join(', ')}`, SECONDS);
  const status = () => {
    const source = service.findSource('cluster');
    return (source ? reportSource(source).status : {}) as Record<string, unknown>;
  };
  return { service, load, names, untilNames, status, events };
}

describe('a kubernetes source of the service', () => {
  it(`${proves('S-1-04', 'S-2.2-14')} supplies entries with their own claims, never those of the source`, async () => {
    const api = await startCluster();
    api.put('mcpservers', 'tools', 'labelled', exported({ 'authz-claims': '{"org":"acme"}' }));
    api.put('mcpservers', 'tools', 'unlabelled', exported());
    const { service, names, status } = await serve(api);
    expect(status()).toMatchObject({ phase: 'pending' });
    expect(service.listMissing()).toContain('source cluster has not been synchronised yet');
    await service.start();
    expect(names()).toEqual(['com.file/x', 'tools/labelled', 'tools/unlabelled']);
    expect(names(makeIdentity({ org: 'acme' }))).toEqual(['tools/labelled']);
    expect(names(makeIdentity({ org: 'of-the-source' }))).toEqual([]);
    expect(service.listMissing()).toEqual([]);
    expect(status()).toMatchObject({
      phase: 'complete',
      attempts: 0,
      message: '2 servers.',
      servers: 2,
      skills: 0,
    });
    expect(service.findSource('cluster')).toMatchObject({ config: { name: 'cluster' } });
  });

  it('shows in its status what it rejects and what the cluster lacks, and logs a rejection once', async () => {
    const api = await startCluster();
    api.undefine('virtualmcpservers');
    api.put('mcpservers', 'tools', 'bad', exported({ 'authz-claims': '[]' }));
    const { service, untilNames, status, events } = await serve(api);
    await service.start();
    const note = 'The cluster has no virtualmcpservers.toolhive.stacklok.dev (v1beta1, v1alpha1).';
    expect(status()).toMatchObject({
      phase: 'complete',
      message: `0 servers, 1 rejected. ${note}`,
      rejected: [{ file: 'tools/bad', line: 1, reason: expect.stringContaining('authz-claims') }],
    });
    await waitUntil(() => api.watchCount === 2, 'the watches');
    api.put('mcpservers', 'tools', 'good', exported());
    await untilNames('com.file/x', 'tools/good');
    expect(events.filter((line) => line.endsWith('tools/bad'))).toHaveLength(1);
    expect(events.at(-1)).toBe(`cluster: 1 server, 1 rejected. ${note}`);
  });

  it('is failed while something of it cannot be read, serves the rest, and is ready', async () => {
    const api = await startCluster();
    api.put('mcpservers', 'a', 'fetch', exported());
    api.deny('b');
    const { service, names, status, events } = await serve(api, { namespaces: ['a', 'b'] });
    await service.start();
    expect(names()).toEqual(['a/fetch', 'com.file/x']);
    expect(status()).toMatchObject({
      phase: 'failed',
      lastSyncTime: null,
      message: expect.stringMatching(/And 2 more\.$/),
    });
    expect(status().attempts).toBeGreaterThan(0);
    expect(service.listMissing()).toEqual([]);
    expect(events.filter((line) => line === 'cluster: source_kubernetes_denied')).toHaveLength(3);
    api.allow('b');
    api.put('mcpservers', 'b', 'fetch', exported());
    await waitUntil(() => status().phase === 'complete', 'completeness', SECONDS);
    expect(names()).toEqual(['a/fetch', 'b/fetch', 'com.file/x']);
  });

  it('has nothing to sync on demand', async () => {
    const { service } = await serve(await startCluster());
    await service.start();
    await expect(service.requestSync('cluster')).rejects.toMatchObject({
      status: 409,
      code: 'source_not_syncable',
    });
  });

  it('goes on over a reload, starts anew when it changed, and ends when it is taken away', async () => {
    const api = await startCluster();
    api.put('mcpservers', 'a', 'fetch', exported());
    api.put('mcpservers', 'b', 'fetch', exported());
    const { service, load, untilNames, names, status } = await serve(api);
    await service.start();
    await waitUntil(() => api.watchCount === 3, 'the watches');
    const asked = api.requests.length;
    service.reload(await load({}, { claims: { org: 'another' } }));
    expect(names()).toEqual(['a/fetch', 'b/fetch', 'com.file/x']);
    api.put('mcpservers', 'a', 'late', exported());
    await untilNames('a/fetch', 'a/late', 'b/fetch', 'com.file/x');
    expect(api.requests).toHaveLength(asked);

    service.reload(await load({ namespaces: ['b'] }));
    expect(names()).toEqual(['a/fetch', 'a/late', 'b/fetch', 'com.file/x']);
    expect(status().phase).toBe('syncing');
    await untilNames('b/fetch', 'com.file/x');
    await waitUntil(() => api.watchCount === 3, 'the new watches');

    service.reload(await load({}, {}, false));
    expect(names()).toEqual(['com.file/x']);
    await waitUntil(() => api.watchCount === 0, 'the end of the watches');
    api.put('mcpservers', 'b', 'second', exported());
    expect(service.world.segments.has('cluster')).toBe(false);
  });

  it('keeps what was served when it is changed while the cluster is away', async () => {
    const api = await startCluster();
    api.put('mcpservers', 'a', 'fetch', exported());
    const { service, load, names, untilNames, status } = await serve(api);
    await service.start();
    await api.down();
    service.reload(await load({ namespaces: ['a'] }));
    await waitUntil(() => status().phase === 'failed', 'the failure', SECONDS);
    expect(names()).toEqual(['a/fetch', 'com.file/x']);
    api.put('mcpservers', 'a', 'second', exported());
    await api.up();
    await untilNames('a/fetch', 'a/second', 'com.file/x');
  });

  it('lets a start that never listed end with the service', async () => {
    const api = await startCluster();
    const { service } = await serve(api);
    const started = service.start();
    await service.close();
    await started;
    expect(service.world.segments.has('cluster')).toBe(false);
  });
});
