/** How a workload is reached by a client: the two HTTP transports of MCP. */
export type ClientTransport = 'http' | 'sse';

/** Where a file is: below the home directory, the directory of applications, or `~/.config` and its like. */
export type PathBase = 'home' | 'applications' | 'config';

/** One AI client that reads MCP servers from a file. */
export interface AiClient {
  readonly name: string;
  readonly title: string;
  readonly format: 'json' | 'yaml' | 'toml';
  /** The first that is there counts, else the first. Each with `/`; `windows` where the place differs there. */
  readonly files: readonly { readonly base: PathBase; readonly path: string; readonly windows?: string }[];
  /** The directory, beside the file, by which the client is recognised when it has no file yet. */
  readonly mark?: string;
  /** The key of the map of servers. */
  readonly key: string;
  /** The member that holds the URL. */
  readonly url: Readonly<Record<ClientTransport, string>>;
  /** The member `type`; absent when the client wants none. */
  readonly type?: Readonly<Record<ClientTransport, string>>;
  /** Members that are always the same. */
  readonly more?: Readonly<Record<string, unknown>>;
  /** Whether the entry repeats its name inside. */
  readonly named?: boolean;
}

const URL_FIELD = { http: 'url', sse: 'url' };
const SERVER_URL = { http: 'serverUrl', sse: 'serverUrl' };
const HTTP_TYPE = { http: 'http', sse: 'sse' };
const home = (path: string) => ({ base: 'home', path }) as const;
const application = (path: string) => ({ base: 'applications', path }) as const;

/** A client of the commonest kind: a JSON file with `mcpServers`. */
function json(
  name: string,
  title: string,
  file: AiClient['files'][number],
  more: Partial<AiClient> = {},
): AiClient {
  return { name, title, format: 'json', files: [file], key: 'mcpServers', url: URL_FIELD, ...more };
}

/** The known AI clients, in the order of `client list`. */
export const AI_CLIENTS: readonly AiClient[] = [
  json('claude-code', 'Claude Code', home('.claude.json'), { type: HTTP_TYPE, mark: '.claude' }),
  json('vscode', 'Visual Studio Code', application('Code/User/mcp.json'), {
    key: 'servers',
    type: HTTP_TYPE,
  }),
  json('vscode-insider', 'Visual Studio Code Insiders', application('Code - Insiders/User/mcp.json'), {
    key: 'servers',
    type: HTTP_TYPE,
  }),
  json('vscode-server', 'Visual Studio Code Server', home('.vscode-server/data/User/mcp.json'), {
    key: 'servers',
    type: HTTP_TYPE,
  }),
  json('cursor', 'Cursor', home('.cursor/mcp.json'), { type: HTTP_TYPE }),
  json('windsurf', 'Windsurf', home('.codeium/windsurf/mcp_config.json'), {
    url: SERVER_URL,
    type: HTTP_TYPE,
  }),
  json('windsurf-jetbrains', 'Windsurf for JetBrains', home('.codeium/mcp_config.json'), {
    url: SERVER_URL,
    type: HTTP_TYPE,
  }),
  {
    name: 'codex',
    title: 'Codex',
    format: 'toml',
    files: [home('.codex/config.toml')],
    key: 'mcp_servers',
    url: URL_FIELD,
  },
  json('gemini-cli', 'Gemini CLI', home('.gemini/settings.json'), { url: { http: 'httpUrl', sse: 'url' } }),
  {
    name: 'goose',
    title: 'Goose',
    format: 'yaml',
    files: [{ base: 'config', path: 'goose/config.yaml', windows: 'Block/goose/config/config.yaml' }],
    key: 'extensions',
    url: { http: 'uri', sse: 'uri' },
    type: { http: 'streamable_http', sse: 'sse' },
    more: { enabled: true, timeout: 60 },
    named: true,
  },
  json(
    'zed',
    'Zed',
    { base: 'config', path: 'zed/settings.json', windows: 'Zed/settings.json' },
    {
      key: 'context_servers',
    },
  ),
  json('copilot-cli', 'GitHub Copilot CLI', home('.copilot/mcp-config.json'), {
    type: HTTP_TYPE,
    more: { tools: ['*'] },
  }),
  json(
    'opencode',
    'opencode',
    { base: 'config', path: 'opencode/opencode.json' },
    {
      files: [
        { base: 'config', path: 'opencode/opencode.json' },
        { base: 'config', path: 'opencode/opencode.jsonc' },
      ],
      key: 'mcp',
      type: { http: 'remote', sse: 'remote' },
      more: { enabled: true },
    },
  ),
  json('cline', 'Cline', extension('saoudrizwan.claude-dev/settings/cline_mcp_settings.json'), {
    type: { http: 'streamableHttp', sse: 'sse' },
  }),
  json('roo-code', 'Roo Code', extension('rooveterinaryinc.roo-cline/settings/mcp_settings.json'), {
    type: { http: 'streamable-http', sse: 'sse' },
  }),
  json(
    'amp-cli',
    'Amp',
    { base: 'config', path: 'amp/settings.json' },
    { key: 'amp.mcpServers', type: HTTP_TYPE },
  ),
  json('lm-studio', 'LM Studio', home('.lmstudio/mcp.json'), { type: HTTP_TYPE }),
  json('trae', 'Trae', application('Trae/User/mcp.json')),
  json('kiro', 'Kiro', home('.kiro/settings/mcp.json')),
  json('antigravity', 'Antigravity', home('.gemini/antigravity/mcp_config.json'), { url: SERVER_URL }),
  json('kimi-cli', 'Kimi CLI', home('.kimi/mcp.json')),
  json('factory', 'Factory', home('.factory/mcp.json'), { type: HTTP_TYPE }),
  json('qoder', 'Qoder', home('.qoder/mcp.json'), { type: HTTP_TYPE }),
];

/** A file of an extension of Visual Studio Code. */
function extension(path: string) {
  return application(`Code/User/globalStorage/${path}`);
}

/** What a client has in its file for a workload. */
export function makeEntry(
  client: AiClient,
  name: string,
  url: string,
  transport: ClientTransport,
): Readonly<Record<string, unknown>> {
  return {
    ...(client.named ? { name } : {}),
    ...(client.type ? { type: client.type[transport] } : {}),
    [client.url[transport]]: url,
    ...client.more,
  };
}
