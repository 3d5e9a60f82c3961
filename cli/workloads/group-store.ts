import { readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { z } from 'zod';
import { suggestName } from '../../sources/config/nearest-name.ts';
import { BerthError, messageOf } from '../../sources/errors.ts';
import { WORKLOAD_NAME } from '../run/plan.ts';
import { UsageError } from '../usage-error.ts';
import { hasCode } from './has-code.ts';
import { withFileLock } from './with-file-lock.ts';
import type { WorkloadPaths } from './workload-paths.ts';
import { makePrivateDirectory } from './workload-store.ts';

export const DEFAULT_GROUP = 'default';

const groupsSchema = z.strictObject({
  groups: z.array(z.strictObject({ name: z.string().min(1), created: z.string() })),
});
type Groups = z.infer<typeof groupsSchema>;

/** The groups of a user, in one file. `default` is always there and in no file. */
export class GroupStore {
  readonly #file: string;

  constructor({ groups }: Pick<WorkloadPaths, 'groups'>) {
    this.#file = groups;
  }

  /** In order, `default` first. */
  async list(): Promise<readonly string[]> {
    const names = (await this.#read()).groups.map(({ name }) => name).sort();
    return [DEFAULT_GROUP, ...names.filter((name) => name !== DEFAULT_GROUP)];
  }

  /** @throws BerthError `group_unknown` with the nearest name */
  async require(name: string): Promise<void> {
    const known = await this.list();
    if (known.includes(name)) return;
    throw new BerthError('group_unknown', `There is no group "${name}".`, {
      at: { flag: '--group' },
      fix: suggestName(name, known) ?? `Create it with \`berth group create ${name}\`.`,
    });
  }

  /**
   * @throws UsageError for a name that is none
   * @throws BerthError `group_exists`
   */
  async create(name: string, now: Date = new Date()): Promise<void> {
    if (!WORKLOAD_NAME.test(name)) {
      throw new UsageError(`"${name}" cannot be the name of a group.`, {
        fix: 'Use up to 100 letters, digits, dots, hyphens and underscores, beginning with a letter or digit.',
      });
    }
    await this.#change((groups) => {
      if (name === DEFAULT_GROUP || groups.some((group) => group.name === name)) {
        throw new BerthError('group_exists', `There is already a group "${name}".`);
      }
      return [...groups, { name, created: now.toISOString() }];
    });
  }

  /** @throws BerthError `group_protected` for `default`, `group_unknown` */
  async remove(name: string): Promise<void> {
    if (name === DEFAULT_GROUP) {
      throw new BerthError('group_protected', 'The group default is always there and cannot be removed.');
    }
    await this.require(name);
    await this.#change((groups) => groups.filter((group) => group.name !== name));
  }

  async #change(change: (groups: Groups['groups']) => Groups['groups']): Promise<void> {
    const { default: writeFileAtomic } = await import('write-file-atomic');
    await makePrivateDirectory(dirname(this.#file));
    await withFileLock(this.#file, async () => {
      const groups = change((await this.#read()).groups);
      await writeFileAtomic(this.#file, `${JSON.stringify({ groups }, null, 2)}\n`, { mode: 0o600 });
    });
  }

  async #read(): Promise<Groups> {
    try {
      return groupsSchema.parse(JSON.parse(await readFile(this.#file, 'utf8')));
    } catch (cause) {
      if (hasCode(cause, 'ENOENT')) return { groups: [] };
      throw new BerthError('groups_corrupt', `The groups cannot be read (${messageOf(cause)}).`, {
        at: { file: this.#file },
        fix: 'Repair the file or remove it.',
        cause,
      });
    }
  }
}
