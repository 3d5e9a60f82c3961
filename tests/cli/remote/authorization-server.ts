import { createHash, randomBytes } from 'node:crypto';
import { type Answer, type Asked, serve } from './serve.ts';

export interface AuthorizationServerOptions {
  /** Seconds an access token lives. */
  readonly expiresIn?: number | undefined;
  /** Members put over those of its metadata; undefined takes one away. */
  readonly metadata?: (origin: string) => Readonly<Record<string, unknown>>;
  /** Members of each token answer besides the usual. */
  readonly tokens?: Readonly<Record<string, unknown>>;
  /** The `iss` of its authorization answers. */
  readonly iss?: string;
  /** The path its metadata is at. */
  readonly place?: string;
}

/** An authorization server that approves at once, and remembers what it was asked. */
export interface TestAuthorizationServer {
  readonly issuer: string;
  readonly registrations: Record<string, unknown>[];
  readonly authorizations: Record<string, string>[];
  readonly tokens: (Record<string, string> & { authorization: string })[];
  /** Access tokens that are good. */
  readonly valid: Set<string>;
  /** Refresh tokens that are good. */
  readonly refreshes: Set<string>;
  /** Taken before the token endpoint answers, when set. */
  gate: (() => Promise<Answer | undefined>) | undefined;
}

export async function startAuthorizationServer(
  options: AuthorizationServerOptions = {},
): Promise<TestAuthorizationServer> {
  const codes = new Map<string, Record<string, string>>();
  const secret = () => randomBytes(12).toString('hex');
  const server: TestAuthorizationServer & { issuer: string } = {
    issuer: '',
    registrations: [],
    authorizations: [],
    tokens: [],
    valid: new Set(),
    refreshes: new Set(),
    gate: undefined,
  };
  const describe = () => ({
    issuer: server.issuer,
    authorization_endpoint: `${server.issuer}/authorize`,
    token_endpoint: `${server.issuer}/token`,
    registration_endpoint: `${server.issuer}/register`,
    response_types_supported: ['code'],
    code_challenge_methods_supported: ['S256'],
    token_endpoint_auth_methods_supported: ['none', 'client_secret_basic', 'client_secret_post'],
    authorization_response_iss_parameter_supported: true,
    ...options.metadata?.(server.issuer),
  });
  const authorize = (url: URL): Answer => {
    const query = Object.fromEntries(url.searchParams);
    server.authorizations.push(query);
    const code = secret();
    codes.set(code, query);
    const to = new URL(query.redirect_uri ?? '');
    to.search = String(
      new URLSearchParams({ code, state: query.state ?? '', iss: options.iss ?? server.issuer }),
    );
    return { status: 302, headers: { location: to.href } };
  };
  const issue = (): Answer => {
    const [access, refresh] = [`at-${secret()}`, `rt-${secret()}`];
    server.valid.add(access);
    server.refreshes.add(refresh);
    const expires = options.expiresIn === undefined ? {} : { expires_in: options.expiresIn };
    return {
      body: {
        access_token: access,
        token_type: 'Bearer',
        refresh_token: refresh,
        ...expires,
        ...options.tokens,
      },
    };
  };
  const answerToken = async ({ body, headers }: Asked): Promise<Answer> => {
    const form = Object.fromEntries(new URLSearchParams(body));
    server.tokens.push({ ...form, authorization: headers.authorization ?? '' });
    const early = await server.gate?.();
    if (early !== undefined) return early;
    if (form.grant_type === 'refresh_token') {
      return server.refreshes.delete(form.refresh_token ?? '') ? issue() : refuse('invalid_grant');
    }
    const asked = codes.get(form.code ?? '');
    const hash = createHash('sha256')
      .update(form.code_verifier ?? '')
      .digest('base64url');
    const isRight = asked?.code_challenge === hash && asked.redirect_uri === form.redirect_uri;
    codes.delete(form.code ?? '');
    return isRight ? issue() : refuse('invalid_grant');
  };
  const places = [options.place ?? '/.well-known/oauth-authorization-server'];
  server.issuer = await serve((asked) => {
    const { pathname } = asked.url;
    if (places.includes(pathname)) return { body: describe() };
    if (pathname === '/register') {
      server.registrations.push(JSON.parse(asked.body));
      return { status: 201, body: { client_id: `client-${server.registrations.length}` } };
    }
    if (pathname === '/authorize') return authorize(asked.url);
    return pathname === '/token' ? answerToken(asked) : { status: 404 };
  });
  return server;
}

function refuse(error: string): Answer {
  return { status: 400, body: { error } };
}

/** Does what a browser does with the link of a login: follows it to its end, with cookies. Answers the last status. */
export async function browse(link: string): Promise<number> {
  const cookies = new Map<string, string>();
  let url = link;
  for (let hop = 0; hop < 12; hop += 1) {
    const response = await fetch(url, {
      redirect: 'manual',
      headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
    });
    for (const cookie of response.headers.getSetCookie()) {
      const [pair = ''] = cookie.split(';');
      const at = pair.indexOf('=');
      const [name, value] = [pair.slice(0, at), pair.slice(at + 1)];
      if (value === '') cookies.delete(name);
      else cookies.set(name, value);
    }
    const location = response.headers.get('location');
    await response.body?.cancel();
    if (location === null) return response.status;
    url = new URL(location, url).href;
  }
  throw new Error('too many redirects');
}
