import { z } from 'zod';
import { limitedText } from './limited-text.ts';
import { versionTextSchema } from './version-text.ts';

/** Longest description of a skill, in characters (Agent Skills specification). */
export const SKILL_DESCRIPTION_LIMIT = 1024;

const NAMESPACE = /^[a-zA-Z0-9](?:[a-zA-Z0-9._-]*[a-zA-Z0-9])?$/;
const namespaceOf = (min: number) =>
  limitedText(min, 128).regex(
    NAMESPACE,
    'must be letters, digits, `.`, `-` and `_`, beginning and ending with a letter or digit',
  );

const repository = z.looseObject({
  url: z.string().min(1, 'must have at least 1 character'),
  type: z.string().optional(),
});

const icon = z.looseObject({
  src: z.string().min(1, 'must have at least 1 character'),
  size: z.string().optional(),
  type: z.string().optional(),
  label: z.string().optional(),
});

const skillPackage = z.looseObject({
  registryType: z.enum(['oci', 'git']),
  identifier: z.string().optional(),
  digest: z.string().optional(),
  mediaType: z.string().optional(),
  url: z.string().optional(),
  ref: z.string().optional(),
  commit: z.string().optional(),
  subfolder: z.string().optional(),
});

/** A skill object as registries of this kind exchange it. Loose: members it does not know are kept. */
export const skillSchema = z.looseObject({
  namespace: namespaceOf(3),
  name: limitedText(1, 64).regex(
    /^[a-z0-9]+(?:-[a-z0-9]+)*$/,
    'must be lower-case letters and digits, joined by single hyphens',
  ),
  description: limitedText(1, SKILL_DESCRIPTION_LIMIT),
  version: versionTextSchema,
  status: z.enum(['active', 'deprecated', 'archived']).optional(),
  title: limitedText(1, 100).optional(),
  license: z.string().optional(),
  compatibility: limitedText(0, 500).optional(),
  allowedTools: z.array(z.string()).optional(),
  repository: repository.optional(),
  icons: z.array(icon).optional(),
  packages: z.array(skillPackage).optional(),
  metadata: z.record(z.string(), z.unknown()).optional(),
  _meta: z.record(z.string(), z.unknown()).optional(),
});

/** The same, with a namespace of one character or more: it may be a source's name (contract 3, form 4). */
export const catalogSkillSchema = skillSchema.extend({ namespace: namespaceOf(1) });

export type Skill = z.infer<typeof skillSchema>;
