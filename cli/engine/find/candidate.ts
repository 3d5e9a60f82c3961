/** Where an engine may be. */
export type EngineAddress =
  | { readonly kind: 'socket'; readonly path: string }
  | {
      readonly kind: 'tcp';
      readonly host: string;
      readonly port: number;
      readonly tls?: { readonly ca?: Buffer; readonly cert?: Buffer; readonly key?: Buffer };
    };

export interface Candidate {
  /** As the user would write it: `unix:///var/run/docker.sock`. */
  readonly name: string;
  /** Where it was found: `DOCKER_HOST`, `docker context work`; empty for the usual places. */
  readonly from: string;
  /** Absent when it cannot be used; `problem` says why. */
  readonly address?: EngineAddress;
  readonly problem?: string;
}

export type Environment = Readonly<Record<string, string | undefined>>;
