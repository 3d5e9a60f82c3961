import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { TrustedRoot } from '@sigstore/protobuf-specs';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { Engine, ImageInfo } from '../../../cli/engine/engine.ts';
import { type Plan, type PlanInput, type Provenance, planSchema } from '../../../cli/run/plan.ts';
import { loadTrustRoot } from '../../../cli/verify/trust-root.ts';
import { verifyImage } from '../../../cli/verify/verify-image.ts';
import { prepareWorkload } from '../../../cli/workloads/prepare-workload.ts';
import { proves } from '../../requirements/proves.ts';
import { memorySecrets } from '../remote/remote-plan.ts';
import { makeHome } from '../secrets/make-home.ts';
import { digestOf, type ImageRegistry, startImageRegistry } from './image-registry.ts';
import { type Signing, startSigstore, type TestSigstore } from './start-sigstore.ts';

const DIGEST = digestOf('the image');
const SIGNING: Signing = {
  sub: 'https://github.com/acme/fetch/.github/workflows/release.yml@refs/tags/v1',
  iss: 'https://token.actions.githubusercontent.com',
  repository: 'acme/fetch',
  ref: 'refs/tags/v1',
  runner_environment: 'github-hosted',
};
const PROVENANCE: Provenance = {
  signerIdentity: '/.github/workflows/release.yml',
  certIssuer: SIGNING.iss,
  repositoryUri: 'https://github.com/acme/fetch',
  repositoryRef: 'refs/tags/v1',
  runnerEnvironment: 'github-hosted',
};

let sigstore: TestSigstore;
let registry: ImageRegistry;
beforeEach(async () => {
  sigstore = await startSigstore();
  registry = await startImageRegistry();
});

function planImage(more: Partial<PlanInput> = {}): Plan {
  return planSchema.parse({
    schemaVersion: '1',
    name: 'fetch',
    server: { kind: 'image', image: `${registry.host}/acme/fetch:1` },
    provenance: PROVENANCE,
    transport: 'stdio',
    target: {},
    proxy: {},
    network: {},
    profile: {},
    ignore: {},
    limits: {},
    ...more,
  });
}

function pulled(...digests: string[]): ImageInfo {
  const names = (digests.length > 0 ? digests : [DIGEST]).map(
    (digest) => `${registry.host}/acme/fetch@${digest}`,
  );
  return { id: 'sha256:id', digests: names, user: '', exposedPorts: [], labels: {} };
}

function makeDeps(more: Partial<Parameters<typeof verifyImage>[2]> = {}) {
  const home = makeHome();
  const file = join(home.path, 'trusted_root.json');
  writeFileSync(file, JSON.stringify(sigstore.root));
  return {
    directories: home.directories,
    env: { BERTH_SIGSTORE_TRUSTED_ROOT: file },
    now: Date.now,
    credentials: async () => undefined,
    ...more,
  };
}

const attest = async (signing = SIGNING, digest = DIGEST, type?: string) =>
  registry.attach('acme/fetch', DIGEST, await sigstore.attest(digest, signing, type));

async function signSimple(digest = DIGEST): Promise<Buffer> {
  const payload = Buffer.from(
    JSON.stringify({
      critical: {
        identity: { 'docker-reference': `${registry.host}/acme/fetch` },
        image: { 'docker-manifest-digest': digest },
        type: 'cosign container image signature',
      },
      optional: null,
    }),
  );
  registry.attachSimple('acme/fetch', DIGEST, payload, await sigstore.sign(payload, SIGNING));
  return payload;
}

describe('verifying an image', () => {
  it(`${proves('K-7-06', 'K-7-07')} takes the attestation of whom the entry names, certified and logged`, async () => {
    await attest();
    expect(await verifyImage(planImage(), pulled(), makeDeps())).toBeUndefined();
  });

  it(`${proves('K-7-06')} finds attestations by the tag schema where there is no referrers API`, async () => {
    registry = await startImageRegistry({ hasReferrers: false });
    await attest();
    expect(await verifyImage(planImage(), pulled(), makeDeps())).toBeUndefined();
  });

  it(`${proves('K-7-06')} takes a cosign signature with its certificate and log entry`, async () => {
    await signSimple();
    expect(await verifyImage(planImage(), pulled(), makeDeps())).toBeUndefined();
  });

  it.each([
    ['signer', { sub: SIGNING.sub.replace('release', 'other') }],
    ['signer', { sub: SIGNING.sub.replace('acme/fetch', 'evil/fetch') }],
    ['certificate issuer', { iss: 'https://gitlab.example' }],
    ['repository', { repository: 'evil/fetch' }],
    ['repository ref', { ref: 'refs/heads/evil' }],
    ['runner environment', { runner_environment: 'self-hosted' }],
  ])(`${proves('K-7-07')} refuses another %s (%o)`, async (what, other) => {
    await attest({ ...SIGNING, ...other });
    const problem = await verifyImage(planImage(), pulled(), makeDeps());
    expect(problem).toContain(`it was signed by another ${what} (`);
  });

  it.each([
    [SIGNING.sub, true],
    ['https://github.com/acme/fetch/.github/workflows/release.yml', true],
    ['https://github.com/acme/fetch/.github/workflows/release', false],
    ['https://github.com/acme', false],
    ['/workflows/release.yml', false],
  ])('compares the signer %s as %s', async (signerIdentity, isRight) => {
    await attest();
    const plan = planImage({ provenance: { ...PROVENANCE, signerIdentity } });
    expect((await verifyImage(plan, pulled(), makeDeps())) === undefined).toBe(isRight);
  });

  it('compares the kind of the statement when the entry names one', async () => {
    await attest(SIGNING, DIGEST, 'https://example.com/scan/v1');
    const plan = planImage({
      provenance: { ...PROVENANCE, attestation: { predicateType: 'https://slsa.dev/provenance/v1' } },
    });
    expect(await verifyImage(plan, pulled(), makeDeps())).toContain('of another kind');
  });

  it.each([
    ['attestation', () => attest(SIGNING, digestOf('another image'))],
    ['signature', () => signSimple(digestOf('another image'))],
  ])(`${proves('K-7-08')} refuses an %s about another digest`, async (_, sign) => {
    await sign();
    expect(await verifyImage(planImage(), pulled(), makeDeps())).toContain('about another image');
  });

  it(`${proves('K-7-08')} looks at the digest the engine resolved, and no other`, async () => {
    await attest();
    const moved = digestOf('what the tag means by now');
    expect(await verifyImage(planImage(), pulled(moved), makeDeps())).toBe('it is not signed');
    expect(await verifyImage(planImage(), pulled(moved, DIGEST), makeDeps())).toBeUndefined();
    const server = { kind: 'image' as const, image: `${registry.host}/acme/fetch@${moved}` };
    expect(await verifyImage(planImage({ server }), pulled(moved, DIGEST), makeDeps())).toBe(
      'it is not signed',
    );
  });

  it('refuses a signature whose bytes were changed', async () => {
    await attest();
    await signSimple();
    registry.corrupt('acme/fetch');
    expect(await verifyImage(planImage(), pulled(), makeDeps())).toBe('it is not signed');
  });

  it('refuses what another Sigstore signed', async () => {
    await attest();
    sigstore = await startSigstore();
    expect(await verifyImage(planImage(), pulled(), makeDeps())).toContain('does not hold');
  });

  it('refuses a statement that was changed after it was signed', async () => {
    const bundle = JSON.parse(JSON.stringify(await sigstore.attest(digestOf('other'), SIGNING)));
    const statement = Buffer.from(bundle.dsseEnvelope.payload, 'base64').toString();
    const changed = statement.replace(digestOf('other').slice(7), DIGEST.slice(7));
    bundle.dsseEnvelope.payload = Buffer.from(changed).toString('base64');
    registry.attach('acme/fetch', DIGEST, bundle);
    expect(await verifyImage(planImage(), pulled(), makeDeps())).toContain('does not hold');
  });

  it('takes one good signature among bad ones', async () => {
    await attest({ ...SIGNING, iss: 'https://gitlab.example' });
    await attest();
    expect(await verifyImage(planImage(), pulled(), makeDeps())).toBeUndefined();
  });

  it('says that an unsigned image and one that was built here are not verified', async () => {
    expect(await verifyImage(planImage(), pulled(), makeDeps())).toBe('it is not signed');
    const local = { ...pulled(), digests: [] };
    expect(await verifyImage(planImage(), local, makeDeps())).toContain('did not come from its registry');
    expect(registry.asked.some((path) => path.includes('manifests'))).toBe(true);
  });

  it('reads signatures of a private registry with the credentials of the user', async () => {
    const token = { status: 200, body: { token: 'pull' } };
    registry = await startImageRegistry({
      gate({ url, headers }) {
        if (url.pathname === '/token')
          return headers.authorization === `Basic ${Buffer.from('me:pw').toString('base64')}`
            ? token
            : { status: 401 };
        if (headers.authorization === 'Bearer pull') return undefined;
        const challenge = `Bearer realm="http://${headers.host}/token",service="s",scope="repository:acme/fetch:pull"`;
        return { status: 401, headers: { 'www-authenticate': challenge } };
      },
    });
    await attest();
    const mine = makeDeps({ credentials: async () => ({ username: 'me', password: 'pw' }) });
    expect(await verifyImage(planImage(), pulled(), mine)).toBeUndefined();
    expect(await verifyImage(planImage(), pulled(), makeDeps())).toContain('cannot be checked');
  });

  it('says so when the registry is away', async () => {
    registry = await startImageRegistry({ gate: () => ({ status: 503 }) });
    expect(await verifyImage(planImage(), pulled(), makeDeps())).toContain('cannot be checked');
  });
});

describe('preparing an image', () => {
  const prepare = async (plan: Plan, image = pulled()) => {
    const warnings: string[] = [];
    const home = makeHome();
    const file = join(home.path, 'root.json');
    writeFileSync(file, JSON.stringify(sigstore.root));
    const pullImage = vi.fn(async () => image);
    const engine: Partial<Engine> = { findImage: async () => undefined, pullImage };
    const outcome = await prepareWorkload(plan, {
      // biome-ignore lint/suspicious/noExplicitAny: only these two are asked
      findEngine: async () => engine as any,
      directories: home.directories,
      env: { ...home.env, BERTH_SIGSTORE_TRUSTED_ROOT: file },
      signal: new AbortController().signal,
      openSecrets: async () => memorySecrets(),
      onProgress: () => {},
      onWarning: (line) => warnings.push(line),
      isTerminal: false,
      showLink: () => {},
    }).catch((error: unknown) => error);
    return { outcome, warnings, pullImage };
  };

  it(`${proves('K-7-08', 'R-4.1-41')} hands on exactly the image that was verified`, async () => {
    await attest();
    const { outcome, warnings } = await prepare(planImage({ imageVerification: 'enabled' }));
    expect(outcome).toEqual({ imageId: 'sha256:id' });
    expect(warnings).toEqual([]);
  });

  it(`${proves('K-7-09', 'R-4.1-41')} refuses an image without provenance before it is pulled, when enabled`, async () => {
    const { outcome, pullImage } = await prepare(
      planImage({ imageVerification: 'enabled', provenance: undefined }),
    );
    expect(outcome).toMatchObject({
      code: 'image_unverified',
      message: expect.stringContaining('no provenance'),
    });
    expect(pullImage).not.toHaveBeenCalled();
  });

  it(`${proves('R-4.1-41')} refuses an image that is not signed, when enabled`, async () => {
    const { outcome } = await prepare(planImage({ imageVerification: 'enabled' }));
    expect(outcome).toMatchObject({
      code: 'image_unverified',
      message: expect.stringContaining('not signed'),
    });
  });

  it(`${proves('K-7-10', 'R-4.1-41')} warns in one line by default`, async () => {
    const { outcome, warnings } = await prepare(planImage({ provenance: undefined }));
    expect(outcome).toEqual({ imageId: 'sha256:id' });
    expect(warnings).toEqual([
      expect.stringMatching(/^\S+acme\/fetch:1 is not verified: .*no provenance.*\.$/),
    ]);
    expect((await prepare(planImage())).warnings).toEqual([expect.stringContaining('not signed')]);
  });

  it(`${proves('R-4.1-41')} says and asks nothing when disabled`, async () => {
    const { outcome, warnings } = await prepare(planImage({ imageVerification: 'disabled' }));
    expect(outcome).toEqual({ imageId: 'sha256:id' });
    expect(warnings).toEqual([]);
    expect(registry.asked).toEqual([]);
  });

  it('does not take a workflow of any repository for a signer', async () => {
    await attest();
    const { warnings } = await prepare(
      planImage({ provenance: { signerIdentity: '/.github/workflows/release.yml' } }),
    );
    expect(warnings).toEqual([expect.stringContaining('not of which repository')]);
  });
});

describe('the trust root', () => {
  const away = () => Promise.reject(new Error('no network'));

  it(`${proves('K-7-11')} is cached, and served from there without a network`, async () => {
    const { directories } = makeDeps();
    const root = TrustedRoot.fromJSON(sigstore.root);
    const fetchRoot = vi.fn(async () => root);
    const deps = { directories, env: {}, now: () => 1_000_000_000 };
    await loadTrustRoot(undefined, { ...deps, fetchRoot });
    expect(fetchRoot.mock.calls[0]).toMatchObject([{ forceCache: false }]);
    await loadTrustRoot(undefined, { ...deps, fetchRoot });
    expect(fetchRoot.mock.calls[1]).toMatchObject([{ forceCache: true }]);
    const offline = await loadTrustRoot(undefined, { ...deps, now: () => 9e12, fetchRoot: away });
    expect(TrustedRoot.toJSON(offline)).toEqual(sigstore.root);
  });

  it(`${proves('K-7-11')} comes with the package for a first use without a network`, async () => {
    const { directories } = makeDeps();
    const root = await loadTrustRoot(undefined, { directories, env: {}, now: Date.now, fetchRoot: away });
    expect(root.certificateAuthorities.length).toBeGreaterThan(0);
    expect(root.tlogs.length).toBeGreaterThan(0);
  });

  it('is not guessed for a Sigstore nobody told about', async () => {
    const { directories } = makeDeps();
    await expect(
      loadTrustRoot('tuf.example.com', { directories, env: {}, now: Date.now, fetchRoot: away }),
    ).rejects.toMatchObject({ code: 'trust_root_unknown' });
  });

  it('is an error when its file is none', async () => {
    const file = join(makeHome().path, 'broken.json');
    writeFileSync(file, '{');
    const deps = makeDeps({ env: { BERTH_SIGSTORE_TRUSTED_ROOT: file } });
    await expect(loadTrustRoot(undefined, deps)).rejects.toMatchObject({ code: 'trust_root_unreadable' });
  });
});
