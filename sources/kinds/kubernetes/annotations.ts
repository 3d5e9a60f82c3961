import type { CustomResource } from './custom-resource.ts';

/** The group of the resources that are watched when nothing else is configured, and the default annotation prefix. */
export const DEFAULT_GROUP = 'toolhive.stacklok.dev';

/**
 * The annotations that are read, each below `annotationPrefix` and a slash (contract 2). Only `export` is needed.
 *
 * | name | value |
 * |---|---|
 * | `registry-export` | `true` exports the resource; absent or `false` does not |
 * | `authz-claims` | JSON object: claim key to a string or a non-empty array of strings; the entry's only claims |
 * | `registry-title` | title of the entry |
 * | `registry-description` | description; cut to 100 characters |
 * | `registry-url` | where clients reach the server; the resource's `status.url` when absent |
 * | `registry-icon` | https URL of an icon |
 * | `registry-category` | becomes the entry's tag |
 * | `registry-tools` | names of its tools: a JSON array, or a list with commas |
 * | `registry-version` | version; else the tag of `spec.image`, else 1.0.0 |
 */
export const ANNOTATIONS = {
  export: 'registry-export',
  claims: 'authz-claims',
  title: 'registry-title',
  description: 'registry-description',
  url: 'registry-url',
  icon: 'registry-icon',
  category: 'registry-category',
  tools: 'registry-tools',
  version: 'registry-version',
} as const;

export type AnnotationName = keyof typeof ANNOTATIONS;

/** Reads an annotation of a resource as it was written; undefined when it is absent. */
export type ReadAnnotation = (name: AnnotationName) => string | undefined;

/** @param prefix `annotationPrefix` of the source */
export function createAnnotationReader({ metadata }: CustomResource, prefix: string): ReadAnnotation {
  return (name) => metadata.annotations?.[`${prefix}/${ANNOTATIONS[name]}`];
}
