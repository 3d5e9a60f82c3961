import { BundleStore } from '../../sources/bundle/bundle-store.ts';
import { type OpenBundle, openBundle } from '../../sources/bundle/open-bundle.ts';
import type { ComparedState } from './compared-state.ts';

/** The current bundles of a store. @throws BerthError for a store or bundle that is damaged */
export async function openBundles(label: string, directory: string): Promise<ComparedState> {
  const store = new BundleStore(directory);
  const { sources } = await store.readManifest();
  const bundles = new Map<string, OpenBundle>();
  for (const [source, { current }] of Object.entries(sources)) {
    bundles.set(source, await openCurrent(store, source, current));
  }
  return { label, bundles, notes: [] };
}

/** One bundle of a store; its times are no matter here. */
export async function openCurrent(store: BundleStore, source: string, hash: string): Promise<OpenBundle> {
  return openBundle(await store.readBundle(source, hash), hash, undefined, 0);
}
