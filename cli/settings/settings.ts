import { join } from 'node:path';
import { z } from 'zod';
import type { UserDirectories } from '../user-directories.ts';

/** Files with credentials of package registries that a build may need, and what they are called there. */
export const BUILD_AUTH_FILES = ['npmrc', 'netrc', 'pip-conf'] as const;
export type BuildAuthFile = (typeof BUILD_AUTH_FILES)[number];

const absolutePath = z.string().startsWith('/', 'must be an absolute path');

/** Where the value of a build variable comes from when something is built. */
export const buildVariableSchema = z.union([
  z.string(),
  /** The name of a secret in the store. */
  z.strictObject({ secret: z.string().min(1) }),
  /** The variable of this name in the environment of `berth run`. */
  z.strictObject({ env: z.string().min(1) }),
]);
export type BuildVariable = z.infer<typeof buildVariableSchema>;

/** `config.yaml` of a user. */
export const settingsSchema = z.strictObject({
  /** URL of a registry, or the absolute path of a catalog or bundle file; absent: the shipped sample catalog. */
  registry: z.string().min(1).optional(),
  /** File with the access token that is sent to that registry. */
  'registry-token-file': absolutePath.optional(),
  /** Base URLs of the registries `registry login` got a token for; the tokens themselves are secrets. */
  'registry-logins': z.array(z.string()).optional(),
  /** URL of a Client ID Metadata Document for logins at remote servers. */
  'client-metadata-url': z.url({ protocol: /^https$/ }).optional(),
  /** PEM file for builds, unless `--ca-cert` names another. */
  'ca-cert': absolutePath.optional(),
  'build-env': z.record(z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/), buildVariableSchema).optional(),
  'build-auth-file': z.partialRecord(z.enum(BUILD_AUTH_FILES), absolutePath).optional(),
  /** Where secrets are kept; written by `secret setup`. */
  secrets: z.unknown().optional(),
});
export type Settings = z.infer<typeof settingsSchema>;

/** The settings file of a user. */
export function settingsFile(directories: Pick<UserDirectories, 'config'>): string {
  return join(directories.config, 'config.yaml');
}
