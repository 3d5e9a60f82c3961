import { readFile } from 'node:fs/promises';
import { outlineJwt } from '../../server/auth/jwt-outline.ts';
import { isPlainObject, type PlainObject } from '../../sources/model/plain-object.ts';
import { UsageError } from '../usage-error.ts';

/** The caller of `berth explain`: the members of a token, and what is to be said of them. */
export interface Caller {
  readonly members: PlainObject;
  readonly notes: readonly string[];
}

export interface CallerOptions {
  /** JSON, or `@file` that holds it. */
  readonly claims: string | undefined;
  readonly token: string | undefined;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/**
 * Reads who is asked about (contract 1, `explain`).
 * @throws UsageError unless exactly one of claims and token is given and can be read
 */
export async function readCaller({ claims, token, now }: CallerOptions): Promise<Caller> {
  if ((claims === undefined) === (token === undefined)) {
    throw new UsageError('Whose sight is to be explained?', {
      fix: 'Give either --claims JSON (or --claims @file) or --token JWT.',
    });
  }
  if (token !== undefined) return readToken(token.trim(), now);
  return { members: await readClaims(claims ?? ''), notes: [] };
}

function readToken(token: string, now: number): Caller {
  const outline = outlineJwt(token);
  if (!outline) {
    throw new UsageError('The token is no JWT, so its claims cannot be read here.', {
      at: { flag: '--token' },
      fix: 'For an opaque token, give what its introspection answers with --claims.',
    });
  }
  const { exp } = outline.members;
  const notes = ['the token was decoded, not verified: signature, issuer and audience are not looked at'];
  if (typeof exp === 'number' && exp * 1000 < now) {
    notes.push(`the token ended at ${new Date(exp * 1000).toISOString()}: the service would answer 401`);
  }
  return { members: outline.members, notes };
}

async function readClaims(given: string): Promise<PlainObject> {
  const file = given.startsWith('@') ? given.slice(1) : undefined;
  const at = { flag: '--claims' };
  const text =
    file === undefined
      ? given
      : await readFile(file, 'utf8').catch((cause: unknown) => {
          throw new UsageError(`The file ${file} cannot be read.`, { at, cause });
        });
  try {
    const claims: unknown = JSON.parse(text);
    if (isPlainObject(claims)) return claims;
  } catch {
    // Said below, as for JSON that is no object.
  }
  throw new UsageError('The claims are no JSON object.', { at, fix: 'Write them as \'{"org":"acme"}\'.' });
}
