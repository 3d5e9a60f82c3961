/** Revisions with a session, oldest first. Revisions are dates, so they compare as text. */
export const LEGACY_REVISIONS = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'] as const;
export const NEWEST_LEGACY = '2025-11-25';
/** The revision without sessions. */
export const MODERN_REVISION = '2026-07-28';

/** Members of `_meta` that MCP reserves. */
export const META = {
  protocolVersion: 'io.modelcontextprotocol/protocolVersion',
  clientInfo: 'io.modelcontextprotocol/clientInfo',
  clientCapabilities: 'io.modelcontextprotocol/clientCapabilities',
  serverInfo: 'io.modelcontextprotocol/serverInfo',
  logLevel: 'io.modelcontextprotocol/logLevel',
  subscriptionId: 'io.modelcontextprotocol/subscriptionId',
  relatedTask: 'io.modelcontextprotocol/related-task',
} as const;

/**
 * The revision a client gets: the one it asks for when the proxy knows it and the server is not older, else the
 * server's.
 */
export function agreeOnRevision(asked: string | undefined, server: string): string {
  const isKnown = LEGACY_REVISIONS.some((revision) => revision === asked);
  return asked !== undefined && isKnown && asked <= server ? asked : server;
}

/** What `server/discover` and refusals name: the stateless revision, and those the server can be asked in. */
export function listSupported(server: string): string[] {
  return [MODERN_REVISION, ...LEGACY_REVISIONS.filter((revision) => revision <= server)];
}
