import { registryContract1To5 } from './registry-contract-1-to-5.ts';
import { registryContract6To12 } from './registry-contract-6-to-12.ts';
import type { Requirement } from './requirement.ts';

/** The requirements of registry-contract.md. */
export const registryContract = {
  ...registryContract1To5,
  ...registryContract6To12,
} as const satisfies Record<string, Requirement>;
