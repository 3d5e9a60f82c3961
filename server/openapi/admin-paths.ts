import { ENTRY_PATHS } from './entry-paths.ts';
import type { Operation } from './operation.ts';
import { REGISTRY_PATHS } from './registry-paths.ts';
import { SOURCE_PATHS } from './source-paths.ts';

/** The admin API (contract 6). */
export const ADMIN_PATHS: readonly Operation[] = [...SOURCE_PATHS, ...REGISTRY_PATHS, ...ENTRY_PATHS];
