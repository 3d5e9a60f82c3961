import type { Writable } from 'node:stream';
import pc from 'picocolors';
import { isColorful } from './is-colorful.ts';

export type Paint = ReturnType<typeof pc.createColors>;

/** The colours for a stream; they change nothing where there are none. */
export function createPaint(stream: Writable, env: Readonly<Record<string, string | undefined>>): Paint {
  return pc.createColors(isColorful(stream, env));
}
