import { registryContract } from './registry-contract.ts';
import { registryService } from './registry-service.ts';
import type { Requirement } from './requirement.ts';
import { runCommand } from './run-command.ts';
import { runContract } from './run-contract.ts';

const all = { ...registryService, ...registryContract, ...runCommand, ...runContract };

export type RequirementId = keyof typeof all;

/** Every requirement of the four documents by id. */
export const requirements: Readonly<Record<RequirementId, Requirement>> = all;

/** Tells whether a text is the id of a requirement. */
export function isRequirementId(text: string): text is RequirementId {
  return Object.hasOwn(requirements, text);
}

/** The ids of all requirements in the order of their documents. */
export const requirementIds: readonly RequirementId[] = Object.keys(requirements).filter(isRequirementId);

/** The source document of each letter that begins an id. */
export const documents = {
  S: { file: 'registry-service.md', requirements: registryService },
  C: { file: 'registry-contract.md', requirements: registryContract },
  R: { file: 'run-command.md', requirements: runCommand },
  K: { file: 'run-contract.md', requirements: runContract },
} as const satisfies Record<string, { file: string; requirements: Readonly<Record<string, Requirement>> }>;
