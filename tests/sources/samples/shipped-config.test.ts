import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { configSchema } from '../../../sources/config/schema.ts';

const ROOT = join(import.meta.dirname, '../../..');
const TEXT = readFileSync(join(ROOT, 'registry.config.yaml'), 'utf8');
const ANONYMOUS = 'auth:\n  mode: anonymous\n';

/** The file with every example switched on, as its own header explains; prose is `#` and one blank. */
function switchOnExamples(text: string): string {
  return text.replace(`\n${ANONYMOUS}`, '\n').replace(/^#(?=[a-z]| {2,}\S)/gm, '');
}

describe('the shipped configuration', () => {
  it('serves the samples and a managed source to anyone', () => {
    const config = configSchema.parse(parse(TEXT));
    expect(config.auth?.mode).toBe('anonymous');
    expect(config.sources.map((source) => source.name)).toEqual([
      'sample-servers',
      'sample-skills',
      'published',
    ]);
    for (const source of config.sources) {
      if (source.file?.path) expect(existsSync(join(ROOT, source.file.path)), source.name).toBe(true);
      else expect(source.managed).toEqual({});
    }
    expect(config.registries.map((registry) => registry.name)).toEqual(['default']);
    expect([...(config.registries[0]?.sources ?? [])].sort()).toEqual(
      config.sources.map((source) => source.name).sort(),
    );
  });

  it('has examples that are valid together, with claims wherever authorization needs them', () => {
    expect(TEXT).toContain(`\n${ANONYMOUS}`);
    const config = configSchema.parse(parse(switchOnExamples(TEXT)));
    expect(config.auth?.mode).toBe('oauth');
    expect(config.auth?.oauth?.providers.map((provider) => provider.name)).toEqual(['company', 'cluster']);
    expect(Object.keys(config.auth?.authz?.roles ?? {})).toEqual([
      'superAdmin',
      'manageSources',
      'manageRegistries',
      'manageEntries',
    ]);
    expect(config.sources.map((source) => source.name)).toContain('team-catalog');
    for (const resource of [...config.sources, ...config.registries]) {
      expect(Object.keys(resource.claims ?? {}), resource.name).toContain('org');
    }
    expect(config.database?.host).toBe('postgres.example.com');
    expect(config.hooks).toBeDefined();
    expect(config.audit?.enabled).toBe(true);
    expect(config.limits.rateLimit?.perMinute).toBe(600);
    expect(config.sourcesPolicy.allowedPaths).toEqual(['catalogs']);
    expect(config.site.audience).toEqual({ org: 'example' });
  });
});
