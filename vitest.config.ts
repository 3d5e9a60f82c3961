import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['tests/**/*.test.ts'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    pool: 'forks',
    maxWorkers: 2,
    // Its ES modules import directories, which Node itself refuses; bundled they are resolved.
    server: { deps: { inline: ['clipanion'] } },
    reporters: ['default', './tests/support/report-run.ts'],
  },
});
