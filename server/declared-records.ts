import { z } from 'zod';
import {
  type RegistryConfig,
  registrySchema,
  type SourceConfig,
  sourceSchema,
} from '../sources/config/schema.ts';
import type { Declarations, Declared } from './declared.ts';
import type { OverlayStore } from './overlay/overlay-store.ts';

export const SOURCE_RECORD = 'source';
export const REGISTRY_RECORD = 'registry';

const times = { createdAt: z.number(), updatedAt: z.number() };
const sourceRecord = z.object({ body: z.unknown(), ...times });
const registryRecord = z.object({ body: registrySchema, ...times });

/** The sources and registries that were made through the API. */
export async function readDeclarations(store: Pick<OverlayStore, 'listRecords'>): Promise<Declarations> {
  const sources = new Map<string, Declared<SourceConfig>>();
  for (const { name, json } of await store.listRecords(SOURCE_RECORD)) {
    const { body, ...at } = sourceRecord.parse(JSON.parse(json));
    sources.set(name, { config: sourceSchema.parse(body), creationType: 'API', ...at });
  }
  const registries = new Map<string, Declared<RegistryConfig>>();
  for (const { name, json } of await store.listRecords(REGISTRY_RECORD)) {
    const { body, ...at } = registryRecord.parse(JSON.parse(json));
    registries.set(name, { config: body, creationType: 'API', ...at });
  }
  return { sources, registries };
}

/** @param body as it was sent, `name` included: it is read by the schema again when the store is opened */
export function recordOf(body: unknown, createdAt: number, updatedAt: number): string {
  return JSON.stringify({ body, createdAt, updatedAt });
}
