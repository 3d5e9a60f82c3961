import { formatDuration } from '../sources/config/duration.ts';
import type { SourceConfig } from '../sources/config/schema.ts';
import type { SourceStatus } from '../sources/sync/source-status.ts';

export type CreationType = 'CONFIG' | 'API';

/** A source as the service knows it. */
export interface KnownSource {
  readonly config: SourceConfig;
  readonly creationType: CreationType;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly status: SourceStatus;
}

const LISTED_REJECTIONS = 50;
const KINDS = ['file', 'git', 'api', 'kubernetes', 'managed'] as const;
const SECRET_BLOCKS = new Set(['auth', 'kubeconfig']);

export function kindOf(source: SourceConfig): (typeof KINDS)[number] {
  return KINDS.find((kind) => source[kind] !== undefined) ?? 'managed';
}

/** A source as the admin API shows it (contract 6, S): no secrets, not even where they lie. */
export function reportSource(source: KnownSource): Record<string, unknown> {
  const { config, creationType, createdAt, updatedAt } = source;
  const type = kindOf(config);
  const { interval } = config.syncPolicy ?? {};
  return {
    name: config.name,
    type,
    creationType,
    [type]: withoutSecrets(config[type] ?? {}),
    ...(config.filter ? { filter: config.filter } : {}),
    ...(interval === undefined ? {} : { syncPolicy: { interval: formatDuration(interval) } }),
    claims: config.claims ?? {},
    status: reportStatus(source.status),
    createdAt: new Date(createdAt).toISOString(),
    updatedAt: new Date(updatedAt).toISOString(),
  };
}

/** The `status` member of a source; also the answer of a manual sync. */
export function reportStatus(status: SourceStatus): Record<string, unknown> {
  const { bundle } = status;
  return {
    phase: status.phase,
    lastSyncTime: timeText(status.lastSyncTime),
    lastAttemptTime: timeText(status.lastAttemptTime),
    attempts: status.attempts,
    message: status.message,
    servers: status.servers,
    skills: status.skills,
    rejected: status.rejected.slice(0, LISTED_REJECTIONS),
    ...(bundle ? { bundle: { hash: `sha256:${bundle.hash}`, origin: bundle.origin } } : {}),
  };
}

function timeText(ms: number | undefined): string | null {
  return ms === undefined ? null : new Date(ms).toISOString();
}

/** Credentials in URLs and blocks that name secrets are left out; durations are written as in a configuration. */
function withoutSecrets(block: object): Record<string, unknown> {
  const shown: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(block)) {
    if (SECRET_BLOCKS.has(key)) continue;
    if (key === 'timeout' && typeof value === 'number') shown[key] = formatDuration(value);
    else if (typeof value === 'string') shown[key] = value.replace(/^([a-z+]+:\/\/)[^/@]*@/i, '$1');
    else if (value !== undefined) shown[key] = value;
  }
  return shown;
}
