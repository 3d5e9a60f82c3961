/** JSON-RPC error codes of MCP that the stdio proxy answers with, beside those of `rpc-answer.ts`. */
export const CODES = {
  parseError: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internal: -32603,
  /** The server is away, died with the call, or is overwhelmed. */
  unavailable: -32000,
  sessionNotFound: -32001,
  /** The same number by MCP's own list: requests that time out. */
  timedOut: -32001,
  headerMismatch: -32020,
  missingCapability: -32021,
  unsupportedVersion: -32022,
} as const;
