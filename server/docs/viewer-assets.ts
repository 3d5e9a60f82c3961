import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { HttpError } from '../http/problem.ts';
import { makeAsset, type ServedAsset } from './served-asset.ts';

export interface ViewerAssets {
  readonly style: ServedAsset;
  readonly script: ServedAsset;
}

/** Finds a file of the viewer's package. Throws when the package is not installed. */
export type LocateViewerFile = (file: string) => string;

const require = createRequire(import.meta.url);
const locateInstalled: LocateViewerFile = (file) => require.resolve(`swagger-ui-dist/${file}`);

/**
 * Makes the reader of the viewer's files. They are read when first asked for and then kept; a failure is not kept.
 * @returns a function that throws HttpError 503 `api_page_unavailable` when the package is missing
 */
export function createViewerReader(
  locate: LocateViewerFile = locateInstalled,
  lastModified: number = Date.now(),
): () => Promise<ViewerAssets> {
  let reading: Promise<ViewerAssets> | undefined;
  const read = async (file: string) => makeAsset(file, await readFile(locate(file)), lastModified);
  const readAll = async (): Promise<ViewerAssets> => {
    try {
      const [style, script] = await Promise.all([read('swagger-ui.css'), read('swagger-ui-bundle.js')]);
      return { style, script };
    } catch (cause) {
      reading = undefined;
      throw new HttpError(
        503,
        'api_page_unavailable',
        'The viewer of the API reference is not installed (package swagger-ui-dist). Install it, or read /openapi.json.',
        { cause },
      );
    }
  };
  return () => {
    reading ??= readAll();
    return reading;
  };
}
