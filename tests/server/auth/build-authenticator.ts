import {
  type AuthenticatorDeps,
  createAuthenticator,
  type RecallingAuthenticator,
} from '../../../server/auth/authenticator.ts';
import {
  type AuthFailure,
  type AuthResult,
  type Identity,
  isFailure,
} from '../../../server/auth/identity.ts';
import { type AuthConfig, authSchema, type ProviderConfig } from '../../../sources/config/schema.ts';

export const RESOURCE = 'https://registry.example';

export interface LogLine {
  readonly level: string;
  readonly fields: Readonly<Record<string, unknown>>;
  readonly message: string;
}

/** An authenticator under test: an injected clock, its log, and calls that insist on one kind of answer. */
export interface Bench {
  readonly authenticator: RecallingAuthenticator;
  readonly log: LogLine[];
  /** Moves the clock. */
  advance(milliseconds: number): void;
  ask(token: string, path?: string): AuthResult | Promise<AuthResult>;
  admit(token: string): Promise<Identity>;
  refuse(token: string): Promise<AuthFailure>;
}

export function build(
  providers: readonly ProviderConfig[],
  more: Partial<AuthConfig> & { oauth?: never } = {},
  deps: Partial<AuthenticatorDeps> & { publicPaths?: string[] } = {},
): Bench {
  const log: LogLine[] = [];
  let shift = 0;
  const { publicPaths = [], ...rest } = deps;
  const config = {
    ...authSchema.parse({ oauth: { resourceUrl: RESOURCE, providers, publicPaths } }),
    ...more,
  };
  const authenticator = createAuthenticator(config, {
    baseDir: '/nowhere',
    now: () => Date.now() + shift,
    log: (level, fields, message) => log.push({ level, fields, message }),
    ...rest,
  });
  const ask: Bench['ask'] = (token, path = '/v1/me') => authenticator.authenticate(`Bearer ${token}`, path);
  return {
    authenticator,
    log,
    ask,
    advance: (milliseconds) => {
      shift += milliseconds;
    },
    async admit(token) {
      const result = await ask(token);
      if (isFailure(result)) throw new Error(`refused: ${result.reason}`);
      return result;
    },
    async refuse(token) {
      const result = await ask(token);
      if (!isFailure(result)) throw new Error(`admitted: ${result.subject}`);
      return result;
    },
  };
}
