import { checkAuth } from './check-auth.ts';
import { checkDatabase } from './check-database.ts';
import { checkRegistries } from './check-registries.ts';
import { checkSignIn } from './check-sign-in.ts';
import { checkSources } from './check-sources.ts';
import type { ConfigNode } from './config-tree.ts';
import type { Finding } from './locate-problem.ts';
import type { Rule } from './rule.ts';

const RULES: readonly Rule[] = [checkSources, checkRegistries, checkAuth, checkSignIn, checkDatabase];

/** Everything the rules that span fields find in a configuration (contract 2). */
export function checkReferences(root: ConfigNode): Finding[] {
  return RULES.flatMap((rule) => rule(root));
}
