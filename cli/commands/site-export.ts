import { resolve } from 'node:path';
import { Command, Option } from 'clipanion';
import { openBuiltSite } from '../../server/site/built-site.ts';
import { readAudience } from '../../server/site/export/audience.ts';
import { checkTarget } from '../../server/site/export/check-target.ts';
import { ExportFolder } from '../../server/site/export/export-folder.ts';
import { exportSite, type SiteExport } from '../../server/site/export/export-site.ts';
import { loadConfig } from '../../sources/config/load-config.ts';
import type { LoadedConfig } from '../../sources/config/schema.ts';
import { BerthError } from '../../sources/errors.ts';
import { BerthCommand } from '../berth-command.ts';
import { describeCommand } from '../command-table.ts';
import { configOption, formatOption, readFormat } from '../common-options.ts';
import { countWords, formatBytes, formatTime } from '../format-numbers.ts';
import { createProgress, type Progress } from '../progress.ts';
import { chooseServiceUrl } from '../site/choose-service-url.ts';
import { openExportWorld } from '../site/open-export-world.ts';
import { readBasePath } from '../site/read-base-path.ts';
import { readSourceDate } from '../site/read-source-date.ts';

const FORMATS = ['text', 'json'] as const;

export class SiteExportCommand extends BerthCommand {
  static override paths = [['site', 'export']];
  static override usage = Command.Usage({
    ...describeCommand('site export'),
    details: `
      For GitHub Pages and the like: the guides, and the catalog as a caller sees it who holds exactly the claims of
      site.audience and no role. What they may not see is in no file. Without site.audience it is what is seen without a
      token: everything in anonymous mode, nothing of a catalog that claims protect.

      Sources are fetched and compiled first, as berth build does; when one fails, nothing is exported and the exit code
      is 1. Published entries are exported too where their SQLite file is in dataDir. Entries of kubernetes sources, and
      sources and registries made through the API, are not.

      DIR is replaced as a whole, once all is written. The same input gives the same bytes; entries without a date of
      their own get that of SOURCE_DATE_EPOCH (seconds), or none. Links are relative, so the files work below any path.
      Lists can be searched and filtered without a server.
    `,
    examples: [
      ['What the configuration lets the audience see', '$0 site export --out public'],
      [
        'In the pipeline of the catalog, after each push, for https://acme.github.io/catalog/',
        'SOURCE_DATE_EPOCH=$(git log -1 --format=%ct) $0 site export --out public --base /catalog/',
      ],
      [
        'Of the bundles that are there, without fetching',
        '$0 site export --out public --no-build --format json',
      ],
    ],
  });

  out = Option.String('--out', {
    required: true,
    description: 'the folder to write; an earlier export is replaced',
  });
  base = Option.String('--base', '/', {
    description: 'the path the export will be below, for its page of unknown paths (default: /)',
  });
  noBuild = Option.Boolean('--no-build', false, { description: 'take the bundles that are kept' });
  force = Option.Boolean('--force', false, { description: 'replace a folder that no export made' });
  config = configOption();
  format = formatOption(FORMATS);

  async execute(): Promise<number> {
    const format = readFormat(this.format, FORMATS);
    const started = performance.now();
    const basePath = readBasePath(this.base);
    const { env } = this.context;
    const seenAt = readSourceDate(env);
    const loaded = await loadConfig(this.config, { env });
    const target = resolve(this.out);
    await checkTarget(target, [process.cwd(), resolve(loaded.file), loaded.dataDir], this.force);
    const { done, notes, folder } = await this.#export(loaded, target, basePath, seenAt);
    const { files, bytes } = folder;
    const ms = performance.now() - started;
    const seconds = Math.round(ms / 10) / 100;
    if (format === 'json') this.printJson({ out: this.out, ...done, files, bytes, seconds, notes });
    else {
      this.print([
        ...notes.map((note) => `${this.paint.yellow('note')} ${note}`),
        `${this.out}: ${countWords(done.entries, 'entry', 'entries')} of ${countWords(done.registries, 'registry', 'registries')} on ${countWords(done.pages, 'page')}, ${countWords(files, 'file')}, ${formatBytes(bytes)}, ${formatTime(ms)}`,
      ]);
    }
    return 0;
  }

  async #export(
    loaded: LoadedConfig,
    target: string,
    basePath: string,
    seenAt: number,
  ): Promise<{
    readonly done: SiteExport;
    readonly notes: readonly string[];
    readonly folder: ExportFolder;
  }> {
    const { config } = loaded;
    const site = await openBuiltSite();
    if (!site)
      throw new BerthError('site_not_built', 'The pages of the site were not built.', {
        fix: 'Run `npm run build` where Berth was installed from.',
      });
    const { world, notes } = await this.#withProgress('sources compiled', (begin, step) =>
      openExportWorld(loaded, { build: !this.noBuild, seenAt, onStart: begin, onDone: step }),
    );
    const audience = readAudience(config);
    const { serviceUrl, isGuessed } = chooseServiceUrl(config);
    const folder = await ExportFolder.begin(target);
    try {
      const done = await this.#withProgress('entries written', (onStart, onEntry) =>
        exportSite({
          ...{ world, audience, site, serviceUrl, basePath, folder, onStart, onEntry },
          title: config.site.title,
        }),
      );
      await folder.finish();
      const guess = isGuessed ? [`site.baseUrl is not set, so what is to be copied names ${serviceUrl}`] : [];
      const none = done.registries === 0 ? [`no registry is exported (${audience.reason})`] : [];
      return { done, notes: [...notes, ...guess, ...none], folder };
    } catch (error) {
      await folder.discard();
      throw error;
    }
  }

  async #withProgress<T>(
    what: string,
    work: (begin: (total: number) => void, step: () => void) => Promise<T>,
  ): Promise<T> {
    let progress: Progress | undefined;
    const begin = (total: number) => {
      progress = createProgress(this.context.stderr, total, what);
    };
    try {
      return await work(begin, () => progress?.step());
    } finally {
      progress?.end();
    }
  }
}
