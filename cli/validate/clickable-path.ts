import { isAbsolute, join, relative } from 'node:path';
import type { Location } from '../../sources/kinds/locate-path.ts';

/** A path as a terminal opens it: relative to the working directory, absolute when it lies elsewhere. */
export function showClickable(file: string, cwd: string): string {
  const inside = relative(cwd, file);
  return inside === '' || inside.startsWith('..') || isAbsolute(inside) ? file : inside;
}

/** The host path of a file that a source shows below its location. */
export function findHostPath(location: Location, shown: string): string {
  if (shown === location.shown) return location.root;
  const inner = location.shown === '' ? shown : shown.slice(location.shown.length + 1);
  return join(location.root, inner);
}
