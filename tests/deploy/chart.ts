import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parse, parseAllDocuments, stringify } from 'yaml';
import { isPlainObject, type PlainObject } from '../../sources/model/plain-object.ts';

export const CHART = fileURLToPath(new URL('../../deploy/helm/berth/', import.meta.url));

export const readChart = (name: string): string => readFileSync(`${CHART}${name}`, 'utf8');

export function readObject(text: string): PlainObject {
  const value: unknown = parse(text);
  if (!isPlainObject(value)) throw new TypeError('no object');
  return value;
}

export const VALUES = readObject(readChart('values.yaml'));

/** The example values of `ci/`, by name. */
export const EXAMPLES = readdirSync(`${CHART}ci`).map((name) => ({
  name: name.replace('-values.yaml', ''),
  path: `${CHART}ci/${name}`,
  values: readObject(readChart(`ci/${name}`)),
}));

/** Values laid over others, as Helm does it: objects are merged, anything else is replaced. */
export function overlay(under: PlainObject, over: PlainObject): PlainObject {
  const both = Object.entries(over).map(([key, value]) => {
    const before = under[key];
    return [key, isPlainObject(before) && isPlainObject(value) ? overlay(before, value) : value] as const;
  });
  return { ...under, ...Object.fromEntries(both) };
}

/** `registry.config.yaml` of a release with these values. */
export function configOf(values: PlainObject): string {
  const config = overlay(VALUES, values).config;
  return stringify({ ...(isPlainObject(config) ? config : {}), dataDir: '/var/lib/berth/data' });
}

export const TEMPLATES = readdirSync(`${CHART}templates`)
  .filter((name) => name.endsWith('.yaml'))
  .map((name) => ({ name, text: readChart(`templates/${name}`) }));

/** The objects of YAML text of several documents. */
export function readDocuments(text: string): PlainObject[] {
  return parseAllDocuments(text, { uniqueKeys: false }).flatMap((document) => {
    if (document.errors.length > 0) throw document.errors[0];
    const value: unknown = document.toJS();
    return isPlainObject(value) ? [value] : [];
  });
}

/** A template as far as it is YAML: lines that only control are left out, every other action is a word. */
export function withoutActions(text: string): string {
  return text
    .replace(/^\s*\{\{[^}]*\}\}\s*$/gm, '')
    .replace(/^(\s*)\{\{.*$/gm, '')
    .replace(/\{\{[^}]*\}\}/g, 'x');
}
