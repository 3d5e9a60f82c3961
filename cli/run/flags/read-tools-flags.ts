import { resolve } from 'node:path';
import { z } from 'zod';
import { readStrictFile } from '../../policy/read-strict-file.ts';
import type { ToolsPlan } from '../plan.ts';
import type { RunOptionValues } from '../run-options.ts';
import { readNamedFile } from './read-files.ts';
import { readList } from './read-values.ts';
import { withoutAbsent } from './without-absent.ts';

const overrideSchema = z.strictObject({
  toolsOverride: z.record(
    z.string(),
    z
      .strictObject({ name: z.string().min(1).optional(), description: z.string().optional() })
      .refine((tool) => tool.name !== undefined || tool.description !== undefined, {
        error: 'needs a name or a description',
      }),
  ),
});

/** `--tools` and the file of `--tools-override` (contract 5). @throws UsageError, BerthError, ConfigError */
export function readToolsFlags(options: RunOptionValues, cwd: string): ToolsPlan {
  return withoutAbsent({
    allow: readList('--tools', options.tools),
    override: readOverride(options.toolsOverride, cwd),
  });
}

function readOverride(given: string | undefined, cwd: string): ToolsPlan['override'] {
  if (given === undefined) return undefined;
  const text = readNamedFile('--tools-override', given, cwd);
  return readStrictFile(text, resolve(cwd, given), overrideSchema).toolsOverride;
}
