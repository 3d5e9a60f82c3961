import type { Profile } from '../../isolation/profile.ts';
import type { PlanInput, Provenance, Transport } from '../plan.ts';

/** What the argument of `run` stands for: the server, and what is known of it where flags say nothing. */
export interface ServerChoice {
  readonly derivedName: string;
  readonly server: PlanInput['server'];
  readonly transport: Transport;
  readonly origin?: NonNullable<PlanInput['origin']>;
  readonly provenance?: Provenance;
  readonly args?: readonly string[];
  readonly target?: { readonly port?: number; readonly path?: string };
  readonly proxyPort?: number;
  readonly profile?: Profile;
  readonly env?: Readonly<Record<string, string>>;
  readonly volumes?: NonNullable<PlanInput['volumes']>;
  /** Headers for a remote server, by name. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly remoteAuth?: NonNullable<PlanInput['remoteAuth']>;
}
