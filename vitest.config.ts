import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['tests/**/*.test.ts'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    pool: 'forks',
    maxWorkers: 2,
    // Real processes, engines and sockets on a machine that others use: one more attempt, told at the end of the run.
    // What a property test found is not such a case.
    ...(process.env.CI ? { retry: { count: 1, condition: /^(?!Property failed)/ } } : {}),
    // Its ES modules import directories, which Node itself refuses; bundled they are resolved.
    server: { deps: { inline: ['clipanion'] } },
    reporters: ['default', './tests/support/report-run.ts'],
  },
});
