import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { checkTarget } from '../../../../server/site/export/check-target.ts';
import { ExportFolder } from '../../../../server/site/export/export-folder.ts';
import { makeDirectory } from '../../../support/temporary-directory.ts';

describe('the folder of an export', () => {
  it('replaces the export before as a whole, and only in the end', async () => {
    const parent = makeDirectory();
    const target = join(parent, 'deep', 'pub');
    for (const name of ['a', 'b']) {
      const folder = await ExportFolder.begin(target);
      await folder.write(`/${name}/`, name);
      await folder.write('/x.json', '{}');
      if (name === 'b') expect(readFileSync(join(target, 'a', 'index.html'), 'utf8')).toBe('a');
      await folder.finish();
      expect(folder).toMatchObject({ files: 3, bytes: expect.any(Number) });
      expect(readdirSync(target).sort()).toEqual(['.berth-export', name, 'x.json']);
      expect(readdirSync(join(parent, 'deep'))).toEqual(['pub']);
    }
  });

  it('leaves nothing behind when it is given up', async () => {
    const parent = makeDirectory();
    const folder = await ExportFolder.begin(join(parent, 'pub'));
    await folder.write('/a/', 'a');
    await folder.discard();
    expect(readdirSync(parent)).toEqual([]);
  });

  it('holds no path twice, and none outside', async () => {
    for (const paths of [['/a/', '/a/index.html'], ['/../x']]) {
      const folder = await ExportFolder.begin(join(makeDirectory(), 'pub'));
      for (const path of paths) await folder.write(path, '');
      await expect(folder.finish()).rejects.toMatchObject({
        code: paths.length > 1 ? 'export_name_taken' : 'export_unwritable',
      });
      await folder.discard();
    }
  });
});

describe('the target of an export', () => {
  function makeTarget(...names: readonly string[]): string {
    const target = join(makeDirectory(), 'pub');
    mkdirSync(target);
    for (const name of names) writeFileSync(join(target, name), '');
    return target;
  }

  it('may be missing, empty, or an export', async () => {
    await checkTarget(join(makeDirectory(), 'none'), [], false);
    await checkTarget(makeTarget(), [], false);
    await checkTarget(makeTarget('.berth-export', 'index.html'), [], false);
  });

  it('is refused with files of others, unless forced', async () => {
    const target = makeTarget('thesis.txt');
    await expect(checkTarget(target, [], false)).rejects.toMatchObject({ code: 'export_refused' });
    await checkTarget(target, [], true);
  });

  it.each([false, true])('is refused where more would be lost, forced: %s', async (force) => {
    const file = join(makeTarget('file'), 'file');
    await expect(checkTarget(file, [], force)).rejects.toThrow('is a file');
    await expect(checkTarget(makeTarget('.git', '.berth-export'), [], force)).rejects.toThrow('git checkout');
    const target = makeTarget('.berth-export');
    for (const kept of [target, join(target, 'registry.config.yaml')])
      await expect(checkTarget(target, [kept], force)).rejects.toThrow('holds');
    await expect(checkTarget('/', [target], force)).rejects.toThrow('holds');
    await checkTarget(target, [`${target}-other`], force);
  });
});
