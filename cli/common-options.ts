import { Option } from 'clipanion';
import { suggestName } from '../sources/config/nearest-name.ts';
import { UsageError } from './usage-error.ts';

/** `--config FILE`, as every command that reads a configuration has it. */
export function configOption(): string {
  return Option.String('--config', 'registry.config.yaml', {
    description: 'the configuration file (default: registry.config.yaml)',
  });
}

/** `--format NAME`; to be read with `readFormat`. */
export function formatOption(names: readonly string[]): string {
  return Option.String('--format', names[0] ?? 'text', {
    description: `${names.join(', ')} (default: ${names[0]})`,
  });
}

/** @throws UsageError for a format that is not among `names` */
export function readFormat<Name extends string>(given: string, names: readonly Name[]): Name {
  const name = names.find((known) => known === given);
  if (name !== undefined) return name;
  throw new UsageError(`There is no format "${given}".`, {
    at: { flag: '--format' },
    fix: suggestName(given, names) ?? `Use ${names.join(', ')}.`,
  });
}
