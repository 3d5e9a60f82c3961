import { createHash } from 'node:crypto';
import { BerthError } from '../errors.ts';
import type { Rejection } from '../model/entry.ts';

/** Changes when the layout or what is derived from entries changes; bundles of another format are compiled anew. */
export const BUNDLE_FORMAT = 1;
const MAGIC = Buffer.from('BERTHB\x00\x01', 'latin1');
const ALIGN = 8;

export interface TableCounts {
  readonly names: number;
  readonly rows: number;
}

/** The readable part of a bundle. Offsets are relative to the first byte after the header. */
export interface BundleHeader {
  readonly format: number;
  readonly servers: TableCounts;
  readonly skills: TableCounts;
  readonly rejectedCount: number;
  readonly rejected: readonly Rejection[];
  readonly sections: Readonly<Record<string, readonly [offset: number, length: number]>>;
}

/** Lays out sections one after the other behind a header; the same sections give the same bytes. */
export function packBundle(
  info: Omit<BundleHeader, 'format' | 'sections'>,
  sections: ReadonlyMap<string, Uint8Array>,
): Buffer {
  const places: Record<string, [number, number]> = {};
  let offset = 0;
  for (const [name, bytes] of sections) {
    places[name] = [offset, bytes.byteLength];
    offset = align(offset + bytes.byteLength);
  }
  const header = Buffer.from(JSON.stringify({ format: BUNDLE_FORMAT, ...info, sections: places }));
  const start = align(MAGIC.length + 4 + header.length);
  const bundle = Buffer.alloc(start + offset);
  MAGIC.copy(bundle);
  bundle.writeUInt32LE(header.length, MAGIC.length);
  header.copy(bundle, MAGIC.length + 4);
  for (const [name, bytes] of sections) bundle.set(bytes, start + (places[name]?.[0] ?? 0));
  return bundle;
}

/** A bundle's header and its sections as views on the same memory. */
export interface OpenedSections {
  readonly header: BundleHeader;
  bytes(section: string): Buffer;
  u32(section: string): Uint32Array;
  f64(section: string): Float64Array;
  /** Texts that were joined by line feeds. */
  texts(section: string): string[];
}

/**
 * Reads the layout of a bundle whose hash was checked.
 * @param bundle must start at a multiple of 8 in its ArrayBuffer
 * @throws BerthError `bundle_unreadable` when it is no bundle of this format
 */
export function unpackBundle(bundle: Uint8Array): OpenedSections {
  const buffer = Buffer.from(bundle.buffer, bundle.byteOffset, bundle.byteLength);
  if (buffer.length < MAGIC.length + 4 || !buffer.subarray(0, MAGIC.length).equals(MAGIC))
    throw unreadable('it is no bundle');
  const headerLength = buffer.readUInt32LE(MAGIC.length);
  const headerEnd = MAGIC.length + 4 + headerLength;
  if (headerEnd > buffer.length) throw unreadable('it is cut off');
  const header: BundleHeader = JSON.parse(buffer.toString('utf8', MAGIC.length + 4, headerEnd));
  if (header.format !== BUNDLE_FORMAT)
    throw unreadable(`it has format ${header.format}, this version reads ${BUNDLE_FORMAT}`);
  const start = align(headerEnd);
  const bytes = (section: string): Buffer => {
    const place = header.sections[section];
    if (!place) throw unreadable(`section ${section} is missing`);
    return buffer.subarray(start + place[0], start + place[0] + place[1]);
  };
  return {
    header,
    bytes,
    u32: (section) => {
      const view = bytes(section);
      return new Uint32Array(view.buffer, view.byteOffset, view.byteLength / 4);
    },
    f64: (section) => {
      const view = bytes(section);
      return new Float64Array(view.buffer, view.byteOffset, view.byteLength / 8);
    },
    texts: (section) => {
      const view = bytes(section);
      return view.length === 0 ? [] : view.toString('utf8').split('\n');
    },
  };
}

/** sha256 (hex) of a bundle's bytes: its name. */
export function hashBundle(bundle: Uint8Array): string {
  return createHash('sha256').update(bundle).digest('hex');
}

function align(offset: number): number {
  return Math.ceil(offset / ALIGN) * ALIGN;
}

function unreadable(why: string): BerthError {
  return new BerthError('bundle_unreadable', `The bundle cannot be read: ${why}.`, {
    fix: 'Run `berth build` to compile it anew.',
  });
}
