/** The guides that start containers; tests/engine/guides follows them, everything else is followed beside this file. */
export const ENGINE_PAGES: readonly string[] = [
  'run/from-your-registry.md',
  'run/index.md',
  'run/lifecycle.md',
  'run/permissions.md',
  'run/secrets.md',
  'run/share.md',
  'run/verification.md',
];
