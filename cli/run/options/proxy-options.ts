import { listOption, switchOption, textOption } from './option-kinds.ts';
import { WorkloadOptions } from './workload-options.ts';

/** How the server talks, and how the proxy in front of it serves. */
export abstract class ProxyOptions extends WorkloadOptions {
  transport = textOption('--transport', 'how the server talks: stdio, sse or streamable-http');
  proxyMode = textOption(
    '--proxy-mode',
    'how a stdio server is served: streamable-http, or the deprecated sse (default: streamable-http)',
  );
  host = textOption('--host', 'address or name the proxy listens on (default: 127.0.0.1)');
  proxyPort = textOption('--proxy-port', 'port the proxy listens on (default: any free one)');
  targetHost = textOption('--target-host', 'host of an HTTP server to forward to (default: 127.0.0.1)');
  targetPort = textOption('--target-port', 'port an HTTP server in the container listens on');
  endpointPrefix = textOption('--endpoint-prefix', 'path put before the endpoint URLs of SSE');
  stateless = switchOption('--stateless', 'the server keeps no sessions: POST only (default: false)');
  sessionTtl = textOption(
    '--session-ttl',
    'inactivity after which a session ends, such as 30m (default: 2h)',
  );
  requestTimeout = textOption(
    '--request-timeout',
    'how long a stdio server may take for a call without progress (default: 60s)',
  );
  allowedOrigins = listOption(
    '--allowed-origins',
    'origins of browsers to let in, exactly matched; repeatable or comma-separated (default: loopback)',
  );
  trustProxyHeaders = switchOption(
    '--trust-proxy-headers',
    'believe X-Forwarded-Proto, -Host, -Port and -Prefix (default: false)',
  );
}
