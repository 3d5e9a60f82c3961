import { mkdir, open, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { BerthError } from '../errors.ts';
import { hashBundle } from './format.ts';
import { type Manifest, manifestSchema, type SourceRecord } from './manifest.ts';
import { type BundleTimes, packTimes, unpackTimes } from './times.ts';

const LOCK_STALE_MS = 10_000;
const LOCK_RETRY_MS = 20;
/** A bundle is named right after it was written; one without a name for so long was left by a process that died. */
const ABANDONED_MS = 60_000;

/**
 * The content-addressed store of bundles (contract 4): `<source>-<hash>.bundle` files that never change, a manifest
 * that names the current one of each source, and per source the times its versions were seen. Written to a temporary
 * name and renamed; several processes may use one directory.
 */
export class BundleStore {
  readonly dir: string;

  constructor(dir: string) {
    this.dir = dir;
  }

  /** @throws BerthError `store_unreadable` for a manifest that is damaged */
  async readManifest(): Promise<Manifest> {
    let text: string;
    try {
      text = await readFile(this.#path('manifest.json'), 'utf8');
    } catch (error) {
      if (isMissing(error)) return { version: 1, sources: {} };
      throw unwritable('read', error);
    }
    try {
      return manifestSchema.parse(JSON.parse(text));
    } catch (error) {
      throw new BerthError('store_unreadable', 'The manifest of the bundle store is damaged.', {
        at: { file: 'bundles/manifest.json' },
        fix: 'Delete it and run `berth build`; bundles are compiled anew from their sources.',
        cause: error,
      });
    }
  }

  async readSource(source: string): Promise<SourceRecord | undefined> {
    return (await this.readManifest()).sources[source];
  }

  /** When the manifest last changed (ms), for noticing a rollback made by another process; 0 when there is none. */
  async manifestChangedAt(): Promise<number> {
    try {
      return (await stat(this.#path('manifest.json'))).mtimeMs;
    } catch {
      return 0;
    }
  }

  /**
   * Changes the record of one source under the store's lock and removes bundles it no longer names.
   * @param change undefined removes the source
   */
  async updateSource(
    source: string,
    change: (before: SourceRecord | undefined) => SourceRecord | undefined,
  ): Promise<SourceRecord | undefined> {
    return this.#locked(async () => {
      const manifest = await this.readManifest();
      const after = change(manifest.sources[source]);
      const { [source]: _old, ...others } = manifest.sources;
      const sources = after ? { ...others, [source]: after } : others;
      await this.#writeWhole(
        'manifest.json',
        JSON.stringify({ version: 1, sources: sortKeys(sources) }, null, 2),
      );
      await this.#removeUnnamed(source, manifest.sources[source], after);
      return after;
    });
  }

  /** Writes a bundle under its hash; the same bundle again writes nothing. */
  async writeBundle(source: string, bytes: Uint8Array): Promise<string> {
    const hash = hashBundle(bytes);
    const name = bundleName(source, hash);
    const known = await stat(this.#path(name)).catch(() => undefined);
    if (known?.size !== bytes.byteLength || !(await this.#isIntact(name, hash)))
      await this.#writeWhole(name, bytes);
    return hash;
  }

  /** @throws BerthError `bundle_tampered` when the bytes do not have that hash, `bundle_missing` when it is gone */
  async readBundle(source: string, hash: string): Promise<Uint8Array> {
    const name = bundleName(source, hash);
    let bytes: Buffer;
    try {
      bytes = await readFile(this.#path(name));
    } catch (error) {
      if (!isMissing(error)) throw unwritable('read', error);
      throw new BerthError('bundle_missing', `The bundle ${hash.slice(0, 12)} of source ${source} is gone.`, {
        at: { file: `bundles/${name}` },
        fix: 'Run `berth build` to compile it anew.',
      });
    }
    if (hashBundle(bytes) !== hash) {
      throw new BerthError(
        'bundle_tampered',
        `The bundle ${hash.slice(0, 12)} of source ${source} does not have the content its name says; it is not served.`,
        { at: { file: `bundles/${name}` }, fix: 'Run `berth build` to compile it anew.' },
      );
    }
    return bytes.byteOffset % 8 === 0 ? bytes : new Uint8Array(bytes);
  }

  async readTimes(source: string, hash: string, rowCount: number): Promise<BundleTimes | undefined> {
    try {
      return unpackTimes(await readFile(this.#path(timesName(source))), hash, rowCount);
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw unwritable('read', error);
    }
  }

  async writeTimes(source: string, hash: string, times: BundleTimes): Promise<void> {
    await this.#writeWhole(timesName(source), packTimes(hash, times));
  }

  /** The times of a source as their file holds them, for handing them to another store; undefined when there are none. */
  async readTimesFile(source: string): Promise<Uint8Array | undefined> {
    try {
      return await readFile(this.#path(timesName(source)));
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw unwritable('read', error);
    }
  }

  async writeTimesFile(source: string, bytes: Uint8Array): Promise<void> {
    await this.#writeWhole(timesName(source), bytes);
  }

  #path(name: string): string {
    return join(this.dir, name);
  }

  async #isIntact(name: string, hash: string): Promise<boolean> {
    return hashBundle(await readFile(this.#path(name))) === hash;
  }

  async #writeWhole(name: string, content: Uint8Array | string): Promise<void> {
    const temporary = this.#path(`.${name}.${process.pid}.${Math.random().toString(36).slice(2)}`);
    try {
      await mkdir(this.dir, { recursive: true, mode: 0o700 });
      await writeFile(temporary, content, { mode: 0o600, flush: true });
      await rename(temporary, this.#path(name));
    } catch (error) {
      await rm(temporary, { force: true }).catch(() => undefined);
      throw unwritable('write', error);
    }
  }

  /** Another process may have written a bundle that it is about to name: that one stays. */
  async #removeUnnamed(
    source: string,
    before: SourceRecord | undefined,
    after: SourceRecord | undefined,
  ): Promise<void> {
    const dropped = hashesOf(before);
    const named = hashesOf(after);
    for (const file of await readdir(this.dir)) {
      const hash = hashOfName(source, file);
      if (!hash || named.has(hash)) continue;
      if (dropped.has(hash) || (await this.#isAbandoned(file))) await rm(this.#path(file), { force: true });
    }
  }

  async #isAbandoned(file: string): Promise<boolean> {
    const found = await stat(this.#path(file)).catch(() => undefined);
    return found !== undefined && Date.now() - found.mtimeMs > ABANDONED_MS;
  }

  async #locked<T>(work: () => Promise<T>): Promise<T> {
    const lock = this.#path('.lock');
    await mkdir(this.dir, { recursive: true, mode: 0o700 }).catch((error: unknown) => {
      throw unwritable('write', error);
    });
    for (;;) {
      try {
        await (await open(lock, 'wx', 0o600)).close();
        break;
      } catch (error) {
        if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST'))
          throw unwritable('write', error);
        const held = await stat(lock).catch(() => undefined);
        if (held && Date.now() - held.mtimeMs > LOCK_STALE_MS) await rm(lock, { force: true });
        else await new Promise((resolve) => setTimeout(resolve, LOCK_RETRY_MS));
      }
    }
    try {
      return await work();
    } finally {
      await rm(lock, { force: true });
    }
  }
}

function hashesOf(record: SourceRecord | undefined): ReadonlySet<string> {
  return new Set(record?.bundles.map((bundle) => bundle.hash));
}

function bundleName(source: string, hash: string): string {
  return `${source}-${hash}.bundle`;
}

function timesName(source: string): string {
  return `manifest.${source}.times`;
}

function hashOfName(source: string, file: string): string | undefined {
  const match = /^(.+)-([0-9a-f]{64})\.bundle$/.exec(file);
  return match?.[1] === source ? match[2] : undefined;
}

function sortKeys<T>(record: Record<string, T>): Record<string, T> {
  return Object.fromEntries(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1)));
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}

function unwritable(what: 'read' | 'write', error: unknown): BerthError {
  if (error instanceof BerthError) return error;
  const code = error instanceof Error && 'code' in error ? ` (${String(error.code)})` : '';
  return new BerthError(
    `store_${what}_failed`,
    `The bundle store cannot be ${what === 'read' ? 'read' : 'written'}${code}.`,
    {
      at: { file: 'bundles' },
      fix: 'Check that the data directory exists, is writable for this user and has space left.',
      cause: error,
    },
  );
}
