import type { Profile } from '../../isolation/profile.ts';
import type { ForwardHeadersPlan, PlanInput, ToolsPlan, Transport } from '../plan.ts';
import type { PolicyFlags } from '../read-policy-files.ts';
import type { GivenSecrets } from '../store-given-secrets.ts';

/** What `run` itself does, rather than the workload. */
export interface CommandFlags {
  /** Absolute path. */
  readonly fromConfig?: string;
  readonly foreground: boolean;
  readonly format: 'text' | 'json';
  readonly detachTimeoutMs: number;
  readonly dryRun: boolean;
  /** Which package of a registry entry, from 1. */
  readonly package?: number;
}

/** What `uvx://`, `npx://` and `go://` are built with. */
export interface BuildFlags {
  readonly runtimeImage?: string;
  readonly addPackages?: string[];
  readonly caCert?: string;
}

/**
 * The flags of `run`, validated. What was not given is absent, so that an entry of the registry can give it and flags
 * win field by field (contract 2).
 */
export interface RunFlags extends PolicyFlags {
  readonly command: CommandFlags;
  readonly name?: string;
  readonly group?: string;
  readonly debug?: boolean;
  /** What stood after `--`. */
  readonly args: readonly string[];
  readonly transport?: Transport;
  readonly target: { readonly host?: string; readonly port?: number };
  readonly proxy: PlanInput['proxy'];
  readonly network: PlanInput['network'];
  readonly profile?: Profile;
  readonly volumes: NonNullable<PlanInput['volumes']>;
  readonly ignore: PlanInput['ignore'];
  /** `-e` over `--env-file-dir` over `--env-file`. */
  readonly env: Readonly<Record<string, string>>;
  /** `--secret`: variable to name of the secret. */
  readonly secrets: Readonly<Record<string, string>>;
  readonly labels: Readonly<Record<string, string>>;
  readonly limits: PlanInput['limits'];
  readonly tools: ToolsPlan;
  readonly build: BuildFlags;
  readonly caBundle?: string;
  readonly imageVerification?: 'warn' | 'enabled' | 'disabled';
  readonly oidc?: NonNullable<PlanInput['oidc']>;
  readonly tokenExchange?: NonNullable<PlanInput['tokenExchange']>;
  readonly remoteAuth?: NonNullable<PlanInput['remoteAuth']>;
  readonly forwardHeaders?: ForwardHeadersPlan;
  readonly telemetry?: NonNullable<PlanInput['telemetry']>;
  /** Secret values that came by flag or file; they never enter a plan. */
  readonly given: GivenSecrets;
  /** Flags that were given and matter to a container only. */
  readonly containerFlags: readonly string[];
  /** Flags that were given and matter to a remote server only. */
  readonly remoteFlags: readonly string[];
  /** Flags that were given and matter to `uvx://`, `npx://` and `go://` only. */
  readonly buildFlags: readonly string[];
  /** One line each. */
  readonly warnings: readonly string[];
}
