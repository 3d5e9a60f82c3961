import { describe, expect, it } from 'vitest';
import { proves } from '../../../requirements/proves.ts';
import { waitUntil } from '../../../support/wait-until.ts';
import { GROUP } from './api-server.ts';
import { exported, startCluster, startWatch } from './start-watch.ts';

const THREE = 3;

describe('following a cluster', () => {
  it(`${proves('C-2-42')} sees entries appear, change and go`, async () => {
    const api = await startCluster();
    const watched = startWatch(api);
    await waitUntil(() => watched.states.length > 0, 'the first state');
    expect(watched.state()).toMatchObject({
      entries: [],
      rejected: [],
      notes: [],
      failures: [],
      isComplete: true,
    });
    api.put('mcpservers', 'tools', 'fetch', exported());
    await watched.untilNames('tools/fetch');
    api.put('mcpservers', 'tools', 'fetch', exported({ 'registry-title': 'Fetch' }));
    await waitUntil(() => watched.state().entries[0]?.body.title === 'Fetch', 'the title');
    api.put('mcpservers', 'tools', 'fetch', { annotations: {} });
    await watched.untilNames();
    api.put('mcpservers', 'tools', 'fetch', exported());
    await watched.untilNames('tools/fetch');
    api.put('mcpservers', 'tools', 'fetch', { ...exported(), deletionTimestamp: '2026-02-01T00:00:00Z' });
    await watched.untilNames();
    api.put('mcpservers', 'tools', 'other', exported());
    await watched.untilNames('tools/other');
    api.remove('mcpservers', 'tools', 'other');
    await watched.untilNames();
    expect(watched.troubles).toEqual([]);
    expect(api.count('list')).toBe(THREE);
  });

  it('lists page by page, and again when the cluster forgot where it was', async () => {
    const api = await startCluster();
    api.pageSize = 7;
    api.expiredPages = 1;
    for (let i = 0; i < 40; i++) api.put('mcpservers', `ns${i % 3}`, `server-${i}`, exported());
    const watched = startWatch(api);
    await waitUntil(() => watched.state().entries.length === 40, 'all entries');
    expect(new Set(watched.names()).size).toBe(40);
    expect(watched.names()).toEqual([...watched.names()].sort());
    expect(watched.troubles).toEqual([]);
  });

  it('tells a burst of changes as few', async () => {
    const api = await startCluster();
    const watched = startWatch(api);
    await waitUntil(() => api.watchCount === THREE, 'the watches');
    for (let i = 0; i < 200; i++) api.put('mcpservers', 'tools', `server-${i}`, exported());
    await waitUntil(() => watched.state().entries.length === 200, 'all entries');
    expect(watched.states.length).toBeLessThan(100);
  });

  it('is silent once it was stopped', async () => {
    const api = await startCluster();
    const watched = startWatch(api);
    await waitUntil(() => api.watchCount === THREE && watched.states.length > 0, 'the watches');
    watched.watch.stop();
    await waitUntil(() => api.watchCount === 0, 'the end of the watches');
    const told = watched.states.length;
    const asked = api.requests.length;
    api.put('mcpservers', 'tools', 'fetch', exported());
    const second = startWatch(api);
    await second.untilNames('tools/fetch');
    expect(watched.states.length).toBe(told);
    expect(watched.troubles).toEqual([]);
    expect(api.requests.slice(asked).filter(({ verb }) => verb === 'list')).toHaveLength(THREE);
  });
});

describe('going on after an interruption', () => {
  it(`${proves('C-2-41')} resumes without listing when a watch ends or breaks`, async () => {
    const api = await startCluster();
    api.put('mcpservers', 'tools', 'fetch', exported());
    const watched = startWatch(api);
    await waitUntil(() => api.watchCount === THREE, 'the watches');
    for (const [late, interrupt] of [
      ['after-end', () => api.endWatches()],
      ['after-break', () => api.breakConnections()],
    ] as const) {
      const before = api.requests.length;
      await interrupt();
      // These happen while nobody watches: none may be lost.
      api.put('mcpservers', 'tools', late, exported());
      api.remove('mcpservers', 'tools', 'fetch');
      await waitUntil(() => watched.names().includes(`tools/${late}`), 'the late entry');
      await waitUntil(() => api.watchCount === THREE, 'the watches again');
      const since = api.requests.slice(before);
      expect(since.map(({ verb }) => verb)).toEqual(Array(THREE).fill('watch'));
      expect(since.every(({ from }) => Number(from) >= 100)).toBe(true);
    }
    expect(watched.names()).not.toContain('tools/fetch');
    expect(watched.troubles).toEqual([]);
  });

  it('resumes from a bookmark although everything before it is forgotten', async () => {
    const api = await startCluster();
    api.put('mcpservers', 'tools', 'fetch', exported());
    const watched = startWatch(api);
    await waitUntil(() => api.watchCount === THREE, 'the watches');
    api.skipVersions(1000);
    api.bookmark();
    // Told behind the bookmark, so that it is known to have arrived.
    api.put('mcpservers', 'tools', 'after', exported());
    await watched.untilNames('tools/after', 'tools/fetch');
    const marked = api.version - 1;
    api.endWatches();
    await waitUntil(() => api.count('watch') >= 2 * THREE && api.watchCount === THREE, 'the watches again');
    const resumed = api.requests.filter(({ verb }) => verb === 'watch').slice(THREE);
    expect(
      resumed.filter(({ plural }) => plural !== 'mcpservers').every(({ from }) => from === String(marked)),
    ).toBe(true);
    expect(api.count('list')).toBe(THREE);
  });

  it('lists again when the cluster answers 410 to a resumed watch', async () => {
    const api = await startCluster();
    api.put('mcpservers', 'tools', 'gone', exported());
    api.put('mcpservers', 'tools', 'kept', exported());
    const watched = startWatch(api);
    await waitUntil(() => api.watchCount === THREE, 'the watches');
    await watched.untilNames('tools/gone', 'tools/kept');
    await api.down();
    api.remove('mcpservers', 'tools', 'gone');
    api.put('mcpservers', 'tools', 'new', exported());
    api.compact();
    await api.up();
    await watched.untilNames('tools/kept', 'tools/new');
    await waitUntil(() => api.watchCount === THREE, 'the watches again');
    expect(api.count('list')).toBe(2 * THREE);
  });

  it('lists again when 410 comes as an event', async () => {
    const api = await startCluster();
    const watched = startWatch(api);
    await waitUntil(() => api.watchCount === THREE && watched.states.length > 0, 'the watches');
    api.sendLine(
      JSON.stringify({ type: 'ERROR', object: { kind: 'Status', code: 410, message: 'too old' } }),
    );
    await waitUntil(
      () => api.count('list') === 2 * THREE && api.watchCount === THREE,
      'lists and watches again',
    );
    api.put('mcpservers', 'tools', 'fetch', exported());
    await watched.untilNames('tools/fetch');
    expect(watched.troubles).toEqual([]);
  });

  it.each([
    ['an error event', JSON.stringify({ type: 'ERROR', object: { code: 500, message: 'etcd is ill' } })],
    ['what is no event', '{"type":"SOMETHING"}'],
    ['what is no JSON', '<html>'],
  ])('reports %s, lists again and recovers', async (_what, line) => {
    const api = await startCluster();
    const watched = startWatch(api);
    await waitUntil(() => api.watchCount === THREE && watched.states.length > 0, 'the watches');
    api.sendLine(line);
    await waitUntil(() => watched.troubles.length > 0, 'the trouble');
    expect(watched.troubles[0]).toMatchObject({ code: 'source_kubernetes_failed' });
    await waitUntil(() => watched.state().failures.length === 0 && api.watchCount === THREE, 'the recovery');
    expect(watched.state().attempts).toBe(0);
    api.put('mcpservers', 'tools', 'fetch', exported());
    await watched.untilNames('tools/fetch');
  });

  it('keeps what is known while the cluster is away, says so once, and catches up', async () => {
    const api = await startCluster();
    api.put('mcpservers', 'tools', 'fetch', exported());
    const watched = startWatch(api);
    await watched.untilNames('tools/fetch');
    await waitUntil(() => api.watchCount === THREE, 'the watches');
    await api.down();
    await waitUntil(() => watched.state().attempts > 3, 'several attempts');
    expect(watched.names()).toEqual(['tools/fetch']);
    expect(watched.state().failures).toHaveLength(1);
    expect(watched.troubles.map(({ code }) => code)).toEqual(['source_kubernetes_unreachable']);
    expect(watched.troubles[0]?.message).toContain('the connection was refused');
    const lists = api.count('list');
    api.put('mcpservers', 'tools', 'second', exported());
    await api.up();
    await watched.untilNames('tools/fetch', 'tools/second');
    await waitUntil(() => watched.state().failures.length === 0, 'the recovery');
    expect(api.count('list')).toBe(lists);
  });

  it('resumes without listing when the cluster was too busy for a while', async () => {
    const api = await startCluster();
    const watched = startWatch(api);
    await waitUntil(() => api.watchCount === THREE && watched.states.length > 0, 'the watches');
    api.busyWatches = 2 * THREE;
    api.endWatches();
    api.put('mcpservers', 'tools', 'fetch', exported());
    await watched.untilNames('tools/fetch');
    await waitUntil(() => watched.state().failures.length === 0, 'the recovery');
    expect(api.busyWatches).toBe(0);
    expect(api.count('list')).toBe(THREE);
    expect(watched.troubles[0]).toMatchObject({ code: 'source_kubernetes_busy' });
  });

  it('starts when the cluster is not there yet', async () => {
    const api = await startCluster();
    api.put('mcpservers', 'tools', 'fetch', exported());
    await api.down();
    const watched = startWatch(api);
    await waitUntil(() => watched.troubles.length > 0, 'the trouble');
    expect(watched.state()).toMatchObject({ entries: [], isComplete: false });
    await api.up();
    await watched.untilNames('tools/fetch');
    await waitUntil(() => watched.state().isComplete, 'all lists');
  });
});

describe('which resources are watched', () => {
  it(`${proves('C-2-37')} watches the namespaces it is given, and all without any`, async () => {
    const api = await startCluster();
    for (const namespace of ['a', 'b', 'c']) api.put('mcpservers', namespace, 'fetch', exported());
    const some = startWatch(api, { namespaces: ['a', 'b'] });
    await some.untilNames('a/fetch', 'b/fetch');
    const asked = new Set(
      api.requests.filter(({ verb }) => verb !== 'discover').map(({ namespace }) => namespace),
    );
    expect(asked).toEqual(new Set(['a', 'b']));
    const all = startWatch(api, { namespaces: [] });
    await all.untilNames('a/fetch', 'b/fetch', 'c/fetch');
    await waitUntil(() => api.watchCount === 3 * THREE, 'the watches');
    api.put('mcpservers', 'c', 'second', exported());
    await all.untilNames('a/fetch', 'b/fetch', 'c/fetch', 'c/second');
    expect(some.names()).toEqual(['a/fetch', 'b/fetch']);
  });

  it('touches nothing of one namespace when another is listed again, emptied or denied', async () => {
    const api = await startCluster();
    api.put('mcpservers', 'a', 'fetch', exported());
    api.put('mcpservers', 'b', 'fetch', exported());
    const watched = startWatch(api, { namespaces: ['a', 'b'] });
    await watched.untilNames('a/fetch', 'b/fetch');
    await waitUntil(() => api.watchCount === 2 * THREE, 'the watches');
    api.remove('mcpservers', 'a', 'fetch');
    await watched.untilNames('b/fetch');
    api.put('mcpservers', 'a', 'other', exported());
    await watched.untilNames('a/other', 'b/fetch');
    api.deny('a');
    await waitUntil(() => watched.troubles.length > 0, 'the trouble');
    api.put('mcpservers', 'b', 'second', exported());
    await watched.untilNames('a/other', 'b/fetch', 'b/second');
    expect(
      watched.states.slice(-3).every(({ entries }) => entries.some(({ file }) => file === 'b/fetch')),
    ).toBe(true);
  });

  it('names resource, namespace and verbs when a namespace is denied, and recovers by itself', async () => {
    const api = await startCluster();
    api.put('mcpservers', 'a', 'fetch', exported());
    api.put('mcpservers', 'b', 'fetch', exported());
    api.deny('b');
    const watched = startWatch(api, { namespaces: ['a', 'b'] });
    await watched.untilNames('a/fetch');
    await waitUntil(() => watched.troubles.length === THREE, 'one trouble for each resource');
    expect(watched.troubles.map(({ code }) => code)).toEqual(Array(THREE).fill('source_kubernetes_denied'));
    const text = watched.troubles.map((error) => error.describe()).join('\n');
    expect(text).toContain(`list mcpservers.${GROUP} in namespace b`);
    expect(text).toContain('verbs get, list and watch');
    api.allow('b');
    await watched.untilNames('a/fetch', 'b/fetch');
    await waitUntil(() => watched.state().failures.length === 0, 'the recovery');
  });

  it('stays failed while it may list but not watch', async () => {
    const api = await startCluster();
    api.deniesWatches = true;
    api.put('mcpservers', 'tools', 'fetch', exported());
    const watched = startWatch(api, {
      resources: [{ group: GROUP, version: 'v1beta1', plural: 'mcpservers' }],
    });
    await waitUntil(() => watched.states.some(({ attempts }) => attempts >= 4), 'several attempts');
    expect(watched.names()).toEqual(['tools/fetch']);
    const failed = watched.states.slice(watched.states.findIndex(({ failures }) => failures.length > 0));
    expect(failed.every(({ failures }) => failures.length === 1)).toBe(true);
    expect(watched.troubles.map((error) => error.message)).toEqual([
      `The cluster does not allow to watch mcpservers.${GROUP} in all namespaces (403).`,
    ]);
    api.deniesWatches = false;
    await waitUntil(() => watched.state().failures.length === 0 && api.watchCount === 1, 'the recovery');
  });

  it(`${proves('C-2-39')} watches the configured resources instead of the default ones`, async () => {
    const api = await startCluster();
    api.define('gateways', 'Gateway', ['v1', 'v2'], 'example.com');
    api.put('gateways', 'edge', 'main', exported());
    api.put('mcpservers', 'tools', 'fetch', exported());
    const own = startWatch(api, { resources: [{ group: 'example.com', version: 'v2', plural: 'gateways' }] });
    await own.untilNames('edge/main');
    expect(own.state().entries[0]?.body.description).toBe('Gateway main in namespace edge');
    expect(new Set(api.requests.map(({ version }) => version))).toEqual(new Set(['v2']));
    api.put('mcpremoteproxies', 'tools', 'proxy', exported());
    api.put('virtualmcpservers', 'tools', 'virtual', exported());
    const byDefault = startWatch(api);
    await byDefault.untilNames('tools/fetch', 'tools/proxy', 'tools/virtual');
  });

  it('takes v1beta1 where the cluster has it, else v1alpha1, and follows an upgrade', async () => {
    const api = await startCluster();
    api.define('mcpservers', 'MCPServer', ['v1alpha1']);
    api.define('mcpremoteproxies', 'MCPRemoteProxy', ['v1beta1', 'v1alpha1']);
    api.put('mcpservers', 'tools', 'fetch', exported());
    api.put('mcpremoteproxies', 'tools', 'proxy', exported());
    const watched = startWatch(api);
    await watched.untilNames('tools/fetch', 'tools/proxy');
    const versionOf = (plural: string) =>
      new Set(api.requests.filter((request) => request.plural === plural).map(({ version }) => version));
    expect(versionOf('mcpservers')).toEqual(new Set(['v1alpha1']));
    expect(versionOf('mcpremoteproxies')).toEqual(new Set(['v1beta1']));
    await waitUntil(() => api.watchCount === THREE, 'the watches');
    api.define('mcpservers', 'MCPServer', ['v1beta1']);
    api.endWatches();
    await waitUntil(
      () => versionOf('mcpservers').has('v1beta1') && api.watchCount === THREE,
      'the new version',
    );
    expect(watched.names()).toEqual(['tools/fetch', 'tools/proxy']);
    expect(watched.state()).toMatchObject({ notes: [], failures: [] });
  });

  it('notes a definition the cluster lacks, and goes on when it comes, goes and comes back', async () => {
    const api = await startCluster();
    api.undefine('virtualmcpservers');
    api.put('mcpservers', 'tools', 'fetch', exported());
    const watched = startWatch(api, { namespaces: ['tools', 'more'] });
    await watched.untilNames('tools/fetch');
    expect(watched.state().notes).toEqual([
      `The cluster has no virtualmcpservers.${GROUP} (v1beta1, v1alpha1).`,
    ]);
    expect(watched.state()).toMatchObject({ failures: [], isComplete: true });
    api.define('virtualmcpservers', 'VirtualMCPServer');
    api.put('virtualmcpservers', 'tools', 'virtual', exported());
    await watched.untilNames('tools/fetch', 'tools/virtual');
    await waitUntil(() => watched.state().notes.length === 0, 'no note');
    await waitUntil(() => api.watchCount === 2 * THREE, 'the watches');
    api.undefine('mcpservers');
    await watched.untilNames('tools/virtual');
    await waitUntil(() => watched.state().notes.join().includes('mcpservers.'), 'the note');
    expect(watched.troubles).toEqual([]);
  });

  it('lets the first kind keep a name that two kinds have', async () => {
    const api = await startCluster();
    api.put('mcpremoteproxies', 'tools', 'same', {
      ...exported({ 'registry-title': 'Proxy', 'authz-claims': '{"org":"b"}', 'registry-version': '2.0.0' }),
    });
    api.put(
      'mcpservers',
      'tools',
      'same',
      exported({ 'registry-title': 'Server', 'authz-claims': '{"org":"a"}' }),
    );
    const watched = startWatch(api);
    await watched.untilNames('tools/same');
    expect(watched.state().entries[0]).toMatchObject({ body: { title: 'Server' }, claims: { org: 'a' } });
    expect(watched.state().rejected).toEqual([
      {
        file: 'tools/same',
        line: 1,
        reason:
          'mcpremoteproxies tools/same has the name of mcpservers tools/same, which is exported; rename one of them',
      },
    ]);
    await waitUntil(() => api.watchCount === THREE, 'the watches');
    api.remove('mcpservers', 'tools', 'same');
    await waitUntil(() => watched.state().entries[0]?.body.title === 'Proxy', 'the other one');
    expect(watched.state()).toMatchObject({ rejected: [], entries: [{ claims: { org: 'b' } }] });
  });

  it('hides an entry while its claims annotation is invalid, and reports it', async () => {
    const api = await startCluster();
    api.put('mcpservers', 'tools', 'fetch', exported({ 'authz-claims': '{"team":"data"}' }));
    const watched = startWatch(api);
    await watched.untilNames('tools/fetch');
    await waitUntil(() => api.watchCount === THREE, 'the watches');
    api.put('mcpservers', 'tools', 'fetch', exported({ 'authz-claims': '{"team":' }));
    await watched.untilNames();
    expect(watched.state().rejected).toEqual([
      {
        file: 'tools/fetch',
        line: 1,
        reason: `annotation ${GROUP}/authz-claims is no claims object: is not JSON`,
      },
    ]);
    api.put('mcpservers', 'tools', 'fetch', exported({ 'authz-claims': '{"team":["x","data"]}' }));
    await watched.untilNames('tools/fetch');
    expect(watched.state()).toMatchObject({ rejected: [], entries: [{ claims: { team: ['x', 'data'] } }] });
  });

  it('leaves out what the filter of the source leaves out', async () => {
    const api = await startCluster();
    api.put('mcpservers', 'tools', 'fetch', exported({ 'registry-category': 'web' }));
    api.put('mcpservers', 'tools', 'shell', exported({ 'registry-category': 'danger' }));
    api.put('mcpservers', 'other', 'fetch', exported({ 'authz-claims': 'broken' }));
    const filter = { names: { exclude: ['*.other/*'] }, tags: { exclude: ['danger'] } };
    const watched = startWatch(api, {}, { source: { filter } });
    await watched.untilNames('tools/fetch');
    expect(watched.state().rejected).toEqual([]);
  });
});
