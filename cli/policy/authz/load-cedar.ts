import { setFlagsFromString } from 'node:v8';

/**
 * Loads the Cedar engine. Node 20 inlines hot calls into WebAssembly and ends the whole process ("unreachable code")
 * when it later has to undo that; so the inlining is turned off before the engine is called first.
 */
export async function loadCedar(): Promise<typeof import('@cedar-policy/cedar-wasm/nodejs')> {
  setFlagsFromString('--no-turbo-inline-js-wasm-calls');
  return import('@cedar-policy/cedar-wasm/nodejs');
}
