import type { Attributes } from '@opentelemetry/api';
import { redact, redactText } from '../../server/observe/redact.ts';
import type { Exchange } from '../proxy/exchange.ts';
import type { Plan } from '../run/plan.ts';

const MAX_TEXT = 1024;

/** The name of a span: what is asked and of what, or method and path of HTTP. */
export function nameSpan({ mcp, request, path }: Exchange): string {
  if (mcp?.method === undefined) return `${request.method} ${path}`;
  // Resource URIs are unlimited in number, so the name does without.
  const target = mcp.method === 'tools/call' || mcp.method === 'prompts/get' ? mcp.target : undefined;
  return [mcp.method, target].filter((part) => part !== undefined).join(' ');
}

/**
 * Attributes of a span by the semantic conventions of HTTP, MCP and GenAI; the older names beside them unless the
 * user turned them off (contract 5, specification 4.2).
 */
export function describeExchange(exchange: Exchange, plan: Plan, environment: Attributes): Attributes {
  const attributes: Attributes = {
    ...environment,
    ...describeHttp(exchange),
    ...describeMcp(exchange, plan),
  };
  if (plan.telemetry?.legacyAttributes !== false) Object.assign(attributes, describeLegacy(exchange, plan));
  return withoutEmpty(attributes);
}

function describeHttp({ request, path, query, clientAddress }: Exchange): Attributes {
  const { headers, socket } = request;
  return {
    'http.request.method': request.method,
    'http.request.body.size': readSize(headers['content-length']),
    'url.path': path,
    'url.query': redactText(query.slice(1)) || undefined,
    'url.scheme': 'http',
    'server.address': headers.host,
    'user_agent.original': headers['user-agent'],
    'client.address': clientAddress,
    'client.port': socket.remotePort,
    'network.protocol.name': 'http',
    'network.protocol.version': request.httpVersion,
  };
}

function describeMcp({ mcp, request, sessionId }: Exchange, plan: Plan): Attributes {
  const isTool = mcp?.method === 'tools/call';
  return {
    'mcp.method.name': mcp?.method,
    'rpc.system.name': mcp === undefined ? undefined : 'jsonrpc',
    'jsonrpc.request.id': mcp?.id === undefined || mcp.id === null ? undefined : String(mcp.id),
    'jsonrpc.protocol.version': mcp === undefined ? undefined : '2.0',
    'mcp.is_batch': mcp?.isBatch === true ? true : undefined,
    'mcp.session.id': sessionId,
    'mcp.protocol.version': readHeader(request.headers['mcp-protocol-version']),
    'mcp.server.name': plan.name,
    'mcp.resource.uri': mcp?.method?.startsWith('resources/') ? mcp.target : undefined,
    'gen_ai.operation.name': isTool ? 'execute_tool' : undefined,
    'gen_ai.tool.name': isTool ? mcp.target : undefined,
    'gen_ai.tool.call.arguments': isTool ? describeArguments(mcp.params?.arguments) : undefined,
    'gen_ai.prompt.name': mcp?.method === 'prompts/get' ? mcp.target : undefined,
    'network.transport': plan.transport === 'stdio' ? 'pipe' : 'tcp',
  };
}

function describeLegacy({ request, path, query, mcp }: Exchange, plan: Plan): Attributes {
  const { headers } = request;
  return {
    'http.method': request.method,
    'http.target': `${path}${redactText(query)}`,
    'http.url': `http://${headers.host ?? ''}${path}`,
    'http.scheme': 'http',
    'http.host': headers.host,
    'http.user_agent': headers['user-agent'],
    'mcp.method': mcp?.method,
    'rpc.system': mcp === undefined ? undefined : 'jsonrpc',
    'rpc.service': mcp === undefined ? undefined : 'mcp',
    'mcp.request.id': mcp?.id === undefined || mcp.id === null ? undefined : String(mcp.id),
    'mcp.resource.id': mcp?.target,
    'mcp.tool.name': mcp?.method === 'tools/call' ? mcp.target : undefined,
    'mcp.tool.arguments': mcp?.method === 'tools/call' ? describeArguments(mcp.params?.arguments) : undefined,
    'mcp.prompt.name': mcp?.method === 'prompts/get' ? mcp.target : undefined,
    'mcp.transport': plan.transport,
  };
}

/** What an exchange came to. */
export function describeOutcome(
  { response, startedAt, outcome }: Exchange,
  plan: Plan,
  failed: boolean,
): Attributes {
  const status = response.statusCode;
  const error = outcome.refusal ?? (status >= 400 ? String(status) : failed ? 'jsonrpc_error' : undefined);
  const legacy =
    plan.telemetry?.legacyAttributes === false
      ? {}
      : {
          'http.status_code': status,
          'http.duration_ms': performance.now() - startedAt,
        };
  return withoutEmpty({ 'http.response.status_code': status, 'error.type': error, ...legacy });
}

function describeArguments(args: unknown): string | undefined {
  return args === undefined ? undefined : JSON.stringify(redact(args)).slice(0, MAX_TEXT);
}

function withoutEmpty(attributes: Attributes): Attributes {
  return Object.fromEntries(
    Object.entries(attributes)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => [name, typeof value === 'string' ? value.slice(0, MAX_TEXT) : value]),
  );
}

function readHeader(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value[0] : value;
}

function readSize(value: string | undefined): number | undefined {
  return value !== undefined && /^\d+$/.test(value) ? Number(value) : undefined;
}
