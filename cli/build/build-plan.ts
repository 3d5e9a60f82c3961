import type { BuildSettings } from './build-settings.ts';

/** A file of a build context. */
export interface ContextFile {
  /** Relative, with `/`. */
  readonly path: string;
  /** Content, or where a symbolic link points. */
  readonly content: Buffer;
  readonly kind: 'file' | 'executable' | 'link';
}

/** How one scheme installs its package. */
export interface Recipe {
  /** As the user gave it, for messages: `npx://name@1.2.3`. */
  readonly title: string;
  /** The package without its version, for the name of the image. */
  readonly name: string;
  readonly builderImage: string;
  readonly runtimeImage: string;
  /** Shell lines that see to what the install step needs, before it. May use `add` of the prepare script. */
  readonly prepareBuilder: readonly string[];
  readonly prepareRuntime: readonly string[];
  /** Shell script that leaves the server in `/opt/berth`, with `/opt/berth/run` to start it. */
  readonly install: string;
  /** Further files of the context, below `berth/`. */
  readonly files: readonly ContextFile[];
  /** Sources of a local package. */
  readonly sources: readonly ContextFile[];
}

/** All that goes into an image of a protocol scheme. */
export interface BuildPlan {
  readonly title: string;
  /** `berth/<scheme>-<name>`; the tag is the fingerprint together with the base images. */
  readonly repository: string;
  /** Images the stages start from. */
  readonly baseImages: readonly string[];
  /** The two stages, to be joined by `joinStages` of dockerfile.ts. */
  readonly stages: Stages;
  readonly files: readonly ContextFile[];
  readonly settings: BuildSettings;
  /** Hash of everything above but the proxies. */
  readonly fingerprint: string;
}

/** The Dockerfile in parts: a build with credentials runs the install step elsewhere. */
export interface Stages {
  /** From `FROM` to just before the install step. */
  readonly prepare: readonly string[];
  readonly install: readonly string[];
  /** The last stage; `copy` in it stands for the line that brings `/opt/berth`. */
  readonly runtime: (copy: string) => readonly string[];
}
