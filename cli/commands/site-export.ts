import { resolve } from 'node:path';
import { Command, Option } from 'clipanion';
import { openBuiltSite } from '../../server/site/built-site.ts';
import { readAudience } from '../../server/site/export/audience.ts';
import { checkTarget } from '../../server/site/export/check-target.ts';
import { ExportFolder } from '../../server/site/export/export-folder.ts';
import { exportSite } from '../../server/site/export/export-site.ts';
import { loadConfig } from '../../sources/config/load-config.ts';
import type { LoadedConfig } from '../../sources/config/schema.ts';
import { BerthError } from '../../sources/errors.ts';
import { BerthCommand } from '../berth-command.ts';
import { describeCommand } from '../command-table.ts';
import { configOption, formatOption, readFormat } from '../common-options.ts';
import { createProgress, type Progress } from '../progress.ts';
import { chooseServiceUrl } from '../site/choose-service-url.ts';
import { type ExportReport, printExport } from '../site/export-report.ts';
import { openExportWorld } from '../site/open-export-world.ts';
import { readBasePath } from '../site/read-base-path.ts';
import { readSourceDate } from '../site/read-source-date.ts';
import { runInterruptibly } from '../site/run-interruptibly.ts';
import { Interruption } from '../workloads/interruption.ts';

const FORMATS = ['text', 'json'] as const;

interface ExportRequest {
  /** Absolute. */
  readonly target: string;
  readonly basePath: string;
  /** Milliseconds since the epoch. */
  readonly seenAt: number;
}

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
    try {
      return await this.#run();
    } catch (error) {
      if (!(error instanceof Interruption)) throw error;
      this.context.stderr.write('Interrupted; the folder is as it was.\n');
      return error.exitCode;
    }
  }

  async #run(): Promise<number> {
    const format = readFormat(this.format, FORMATS);
    const started = performance.now();
    const basePath = readBasePath(this.base);
    const { env } = this.context;
    const seenAt = readSourceDate(env);
    const loaded = await loadConfig(this.config, { env });
    const target = resolve(this.out);
    await checkTarget(target, [process.cwd(), resolve(loaded.file), loaded.dataDir], this.force);
    const done = await this.#export(loaded, { target, basePath, seenAt });
    const ms = performance.now() - started;
    if (format === 'json') this.printJson({ out: this.out, ...done, seconds: Math.round(ms / 10) / 100 });
    else this.print(printExport(this.out, done, ms, this.paint));
    return 0;
  }

  async #export(loaded: LoadedConfig, { target, basePath, seenAt }: ExportRequest): Promise<ExportReport> {
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
      const { title } = config.site;
      const done = await runInterruptibly((signal) =>
        this.#withProgress('entries written', (onStart, onEntry) =>
          exportSite({
            ...{ world, audience, site, title, serviceUrl, basePath, folder },
            ...{ signal, onStart, onEntry },
          }),
        ),
      );
      await folder.finish();
      const guess = isGuessed ? [`site.baseUrl is not set, so what is to be copied names ${serviceUrl}`] : [];
      const none = done.registries === 0 ? [`no registry is exported (${audience.reason})`] : [];
      const { files, bytes } = folder;
      return { ...done, files, bytes, notes: [...notes, ...guess, ...none] };
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
