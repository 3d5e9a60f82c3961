import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Candidate } from './candidate.ts';

/**
 * Reads an endpoint in the form of DOCKER_HOST: `unix://`, `npipe://`, `tcp://`, `http://`, `https://`.
 *
 * @param from where it was given
 * @param tlsDirectory holds `ca.pem`, `cert.pem` and `key.pem` for a TCP endpoint under TLS
 */
export async function parseEndpoint(
  endpoint: string,
  from: string,
  tlsDirectory?: string,
): Promise<Candidate> {
  const [, scheme = '', rest = ''] = /^([a-z]+):\/\/(.*)$/.exec(endpoint) ?? [];
  if (scheme === 'unix' && rest.startsWith('/')) {
    return { name: endpoint, from, address: { kind: 'socket', path: rest } };
  }
  if (scheme === 'npipe' && rest !== '') {
    return { name: endpoint, from, address: { kind: 'socket', path: rest.replaceAll('/', '\\') } };
  }
  if (scheme === 'tcp' || scheme === 'http' || scheme === 'https') {
    return readTcp(endpoint, scheme, rest, from, tlsDirectory);
  }
  return {
    name: endpoint,
    from,
    problem: 'is not of a form Berth can use: unix:///path, npipe:////./pipe/name or tcp://host:port',
  };
}

async function readTcp(
  endpoint: string,
  scheme: string,
  rest: string,
  from: string,
  tlsDirectory: string | undefined,
): Promise<Candidate> {
  const url = URL.canParse(`http://${rest}`) ? new URL(`http://${rest}`) : undefined;
  if (!url?.hostname) return { name: endpoint, from, problem: 'has no host' };
  const isTls = scheme === 'https' || tlsDirectory !== undefined;
  // Without a port in it, as `URL` drops the usual one of http.
  const given = Number(/:(\d+)(?:\/|$)/.exec(rest)?.[1]);
  try {
    return {
      name: endpoint,
      from,
      address: {
        kind: 'tcp',
        host: url.hostname.replace(/^\[|\]$/g, ''),
        port: given || (isTls ? 2376 : 2375),
        ...(isTls && { tls: tlsDirectory === undefined ? {} : await readTls(tlsDirectory) }),
      },
    };
  } catch (error) {
    return { name: endpoint, from, problem: error instanceof Error ? error.message : String(error) };
  }
}

async function readTls(directory: string): Promise<{ ca: Buffer; cert: Buffer; key: Buffer }> {
  const [ca, cert, key] = await Promise.all([
    readFile(join(directory, 'ca.pem')),
    readFile(join(directory, 'cert.pem')),
    readFile(join(directory, 'key.pem')),
  ]);
  return { ca, cert, key };
}
