import { assembleContributions } from '../../../cli/workloads/assemble-contributions.ts';
import { secretsOf } from '../../cli/proxy/secrets-of.ts';
import { startTestProxy } from '../../cli/proxy/start-test-proxy.ts';
import { makePolicies } from './make-policies.ts';

/**
 * A governed proxy as a process of its own. Arguments: URL of the server, of the issuer, of the collector, the file of
 * the audit, and which of `oidc`, `authz`, `audit`, `telemetry` are wanted, separated by commas.
 */
const [target = '', issuer = '', collector = '', logFile = '', wanted = ''] = process.argv.slice(2);
const wants = new Set(wanted.split(','));
const proxy = await startTestProxy({
  target,
  plan: {
    ...(wants.has('oidc')
      ? { oidc: { issuer, audience: 'tested', insecureAllowHttp: true, allowPrivateIp: true } }
      : {}),
    ...(wants.has('authz')
      ? { authz: { version: '1', type: 'cedarv1', cedar: { policies: makePolicies(10) } } }
      : {}),
    ...(wants.has('audit') ? { audit: { logFile } } : {}),
    ...(wants.has('telemetry')
      ? { telemetry: { endpoint: collector, insecure: true, samplingRate: 0.1 } }
      : {}),
  },
  contributions: (plan, { backend, log }) =>
    assembleContributions(plan, {
      env: {},
      log,
      output: {
        write: async (bytes) => bytes.byteLength,
        reopen: async () => undefined,
        close: async () => undefined,
      },
      secrets: secretsOf({}),
      backend,
    }),
});
process.send?.(proxy.port);
process.on('disconnect', () => process.exit(0));
