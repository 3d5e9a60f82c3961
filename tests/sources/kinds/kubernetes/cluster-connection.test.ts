import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { ClusterConnection } from '../../../../sources/kinds/kubernetes/cluster-connection.ts';
import { proves } from '../../../requirements/proves.ts';
import { waitUntil } from '../../../support/wait-until.ts';
import { makeDirectory, writeFiles } from '../temporary-directory.ts';
import { exported, startCluster, startWatch } from './start-watch.ts';

afterEach(() => vi.unstubAllEnvs());

const never = new AbortController().signal;

function connect(baseDir: string, change: Partial<ConstructorParameters<typeof ClusterConnection>[0]> = {}) {
  return new ClusterConnection({
    kubeconfig: 'conf/kube.yaml',
    baseDir,
    allowPrivate: true,
    allowCommands: true,
    ...change,
  });
}

describe('a kubeconfig', () => {
  it('is found from the directory of the configuration', async () => {
    const api = await startCluster();
    const dir = makeDirectory();
    await writeFiles(dir, { 'conf/kube.yaml': api.kubeconfig() });
    const answer = await connect(dir).get('/apis/toolhive.stacklok.dev/v1beta1', never);
    expect(answer.status).toBe(200);
    answer.body.destroy();
  });

  it.each([
    ['absent', undefined, 'The path does not exist.'],
    ['not YAML', ':\n  - {', 'It is no kubeconfig'],
    ['a list', '- a', 'Its current-context names no cluster'],
    ['without a context', 'clusters: []\ncontexts: []\nusers: []', 'names no cluster with a server URL'],
  ])('that is %s is refused without naming a host path', async (_what, text, reason) => {
    const dir = makeDirectory();
    await writeFiles(dir, text === undefined ? {} : { 'conf/kube.yaml': text });
    const failed = connect(dir).get('/apis', never);
    await expect(failed).rejects.toMatchObject({
      code: 'source_kubernetes_kubeconfig',
      message: expect.stringContaining(reason),
      at: { file: 'conf/kube.yaml' },
    });
    await failed.catch((error: Error) => expect(error.message).not.toContain(dir));
  });

  it('with plain http must say so', async () => {
    const api = await startCluster();
    const dir = makeDirectory();
    const secure = api
      .kubeconfig()
      .replace('insecure-skip-tls-verify: true', 'insecure-skip-tls-verify: false');
    await writeFiles(dir, { 'conf/kube.yaml': secure });
    await expect(connect(dir).get('/apis', never)).rejects.toMatchObject({
      code: 'source_kubernetes_kubeconfig',
    });
  });

  it('of a source made through the API runs no command and reaches no private address', async () => {
    const api = await startCluster();
    const dir = makeDirectory();
    const exec = 'exec: {apiVersion: client.authentication.k8s.io/v1, command: touch, args: [ran]}';
    await writeFiles(dir, {
      'conf/kube.yaml': api.kubeconfig(),
      'conf/exec.yaml': api.kubeconfig().replace(/token: .*/, exec),
    });
    const guarded = { allowPrivate: false, allowCommands: false };
    await expect(
      connect(dir, { ...guarded, kubeconfig: 'conf/exec.yaml' }).get('/apis', never),
    ).rejects.toThrow('It names a command');
    await expect(connect(dir, guarded).get('/apis', never)).rejects.toMatchObject({
      code: 'net_private_address',
    });
    const named = api.kubeconfig().replace('127.0.0.1', 'localhost');
    await writeFiles(dir, { 'conf/named.yaml': named });
    await expect(
      connect(dir, { ...guarded, kubeconfig: 'conf/named.yaml' }).get('/apis', never),
    ).rejects.toMatchObject({ code: 'net_private_address' });
    expect(api.requests).toEqual([]);
  });

  it('is read again when the cluster refuses its token', async () => {
    const api = await startCluster();
    api.put('mcpservers', 'tools', 'fetch', exported());
    const dir = makeDirectory();
    await writeFiles(dir, { 'conf/kube.yaml': api.kubeconfig({ token: 'old' }) });
    const connection = connect(dir);
    const refused = await connection.get('/apis/toolhive.stacklok.dev/v1beta1', never);
    expect(refused.status).toBe(401);
    refused.body.destroy();
    await writeFiles(dir, { 'conf/kube.yaml': api.kubeconfig() });
    const accepted = await connection.get('/apis/toolhive.stacklok.dev/v1beta1', never);
    expect(accepted.status).toBe(200);
    accepted.body.destroy();
  });

  it('with a refused token is reported without it', async () => {
    const api = await startCluster();
    const watched = startWatch(api, {}, { kubeconfig: api.kubeconfig({ token: 'wrong-secret' }) });
    await waitUntil(() => watched.troubles.length > 0, 'the trouble');
    expect(watched.troubles[0]).toMatchObject({ code: 'source_kubernetes_unauthorized' });
    expect(watched.troubles.map((error) => error.describe()).join()).not.toContain('wrong-secret');
  });
});

describe('inside a cluster', () => {
  it(`${proves('C-2-38')} uses the service account of the pod over TLS, or else the kubeconfig`, async () => {
    const api = await startCluster();
    api.put('mcpservers', 'tools', 'fetch', exported());
    const byKubeconfig = startWatch(api);
    await byKubeconfig.untilNames('tools/fetch');

    const root = makeDirectory();
    const account = join(root, 'var/run/secrets/kubernetes.io/serviceaccount');
    mkdirSync(account, { recursive: true });
    execFileSync(
      'openssl',
      [
        ...[
          'req',
          '-x509',
          '-newkey',
          'ec',
          '-pkeyopt',
          'ec_paramgen_curve:prime256v1',
          '-nodes',
          '-days',
          '1',
        ],
        ...['-subj', '/CN=cluster', '-addext', 'subjectAltName=IP:127.0.0.1'],
        ...['-keyout', join(root, 'key.pem'), '-out', join(account, 'ca.crt')],
      ],
      { stdio: 'ignore' },
    );
    writeFileSync(join(account, 'token'), 'first-token');
    const tokens: (string | undefined)[] = [];
    const server = createServer(
      { key: readFileSync(join(root, 'key.pem')), cert: readFileSync(join(account, 'ca.crt')) },
      (request, response) => {
        tokens.push(request.headers.authorization);
        response.end('{}');
      },
    );
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    vi.stubEnv('KUBERNETES_SERVICE_HOST', '127.0.0.1');
    vi.stubEnv('KUBERNETES_SERVICE_PORT', String(port));
    const connection = connect(root, { kubeconfig: undefined, root });
    const answer = await connection.get('/apis', never);
    expect(answer.status).toBe(200);
    answer.body.destroy();
    expect(tokens).toEqual(['Bearer first-token']);
  });

  it('is told from outside', async () => {
    vi.stubEnv('KUBERNETES_SERVICE_HOST', '');
    await expect(
      connect(makeDirectory(), { kubeconfig: undefined }).get('/apis', never),
    ).rejects.toMatchObject({
      code: 'source_kubernetes_not_in_cluster',
    });
  });
});
