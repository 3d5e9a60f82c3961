import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pack } from 'tar-stream';
import { BerthError, messageOf } from '../../sources/errors.ts';
import { type Engine, LABELS } from '../engine/engine.ts';

/** Debian 12 (slim), by digest: what Squid and HAProxy are installed on from its maintained packages. */
const BASE =
  'docker.io/library/debian:12-slim@sha256:abd67ffcfa541b485a3dff59865ab629aa048a6c613e639d36e7456b0b229241';

const DOCKERFILE = `FROM ${BASE}
RUN apt-get update -q && apt-get install -y -q --no-install-recommends squid haproxy && rm -rf /var/lib/apt/lists/*
USER 65534:65534
`;

/** Of the build's inputs: another Dockerfile makes another image. */
const BUILD = createHash('sha256').update(DOCKERFILE).digest('hex').slice(0, 16);
export const GATEWAY_TAG = `berth-gateway:${BUILD}`;

const BUILD_VARIABLES = ['HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY', 'http_proxy', 'https_proxy', 'no_proxy'];

/**
 * Finds the image of the gateway (contract 8): the one given, pulled when it is not there, or else our own, built once
 * from a base pinned by digest.
 *
 * @param given `BERTH_GATEWAY_IMAGE`
 * @param onFetch called before something that takes long: a pull or a build
 * @returns the reference to run
 * @throws BerthError `gateway_image_unavailable`, which says how to name another image
 */
export async function findGatewayImage(
  engine: Engine,
  given: string | undefined,
  env: Readonly<Record<string, string | undefined>>,
  signal?: AbortSignal,
  onFetch: () => void = () => {},
): Promise<string> {
  const reference = given || GATEWAY_TAG;
  const found = await engine.findImage(reference);
  // By id: what a tag names may change between here and a repair.
  if (found) return found.id;
  onFetch();
  try {
    if (given) return (await engine.pullImage(given, () => {}, signal)).id;
    const archive = pack();
    archive.entry({ name: 'Dockerfile' }, DOCKERFILE);
    archive.finalize();
    const context = Readable.from([await buffer(archive)]);
    const buildArgs: Record<string, string> = {};
    for (const name of BUILD_VARIABLES) {
      const value = env[name];
      if (value) buildArgs[name] = value;
    }
    const labels = { [LABELS.managed]: 'true', [LABELS.build]: BUILD };
    return (await engine.buildImage({ context, tag: GATEWAY_TAG, labels, buildArgs }, () => {}, signal)).id;
  } catch (cause) {
    throw new BerthError(
      'gateway_image_unavailable',
      `The image of the isolation gateway cannot be had (${given ?? BASE}): ${messageOf(cause)}`,
      {
        fix: 'Set BERTH_GATEWAY_IMAGE to an image with squid and haproxy (or socat) in its PATH, or run with --isolate-network=false.',
        cause,
      },
    );
  }
}
