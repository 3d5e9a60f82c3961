import { dirname, resolve } from 'node:path';
import { type McpAuditConfig, readAuditFile } from '../policy/audit/audit-config.ts';
import { readAuthzFile } from '../policy/authz/read-authz-file.ts';
import { readWebhookFiles } from '../policy/webhooks/webhook-config.ts';
import { readNamedFile } from './flags/read-files.ts';
import { readSwitch } from './flags/read-values.ts';
import type { RunOptionValues } from './run-options.ts';

/** The policy of a workload as the plan holds it: the content of files, checked. */
export interface PolicyFlags {
  readonly authz?: unknown;
  readonly audit?: unknown;
  readonly webhooks?: unknown;
}

/**
 * Reads the files of `--authz-config`, `--audit-config` and `--webhook-config`, so that a mistake stops `run` with its
 * file and line before anything starts. Paths in them start at the directory of the file: the supervisor works in
 * another. `--enable-audit` alone audits with the defaults.
 * @throws BerthError `file_unreadable`, ConfigError `config_invalid`
 */
export async function readPolicyFiles(options: RunOptionValues, cwd: string): Promise<PolicyFlags> {
  const read = (flag: string, given: string) => ({
    text: readNamedFile(flag, given, cwd),
    file: resolve(cwd, given),
  });
  const audits = readSwitch('--enable-audit', options.enableAudit) === true;
  const authz = options.authzConfig === undefined ? undefined : read('--authz-config', options.authzConfig);
  const audit = options.auditConfig === undefined ? undefined : read('--audit-config', options.auditConfig);
  const webhooks = options.webhookConfig?.map((given) => read('--webhook-config', given));
  return {
    ...(authz === undefined ? {} : { authz: await readAuthzFile(authz.text, authz.file) }),
    ...(audit === undefined ? {} : { audit: placeLog(readAuditFile(audit.text, audit.file), audit.file) }),
    ...(audit === undefined && audits ? { audit: {} } : {}),
    ...(webhooks === undefined ? {} : { webhooks: readWebhookFiles(webhooks) }),
  };
}

function placeLog(audit: McpAuditConfig, file: string): McpAuditConfig {
  return audit.logFile === undefined ? audit : { ...audit, logFile: resolve(dirname(file), audit.logFile) };
}
