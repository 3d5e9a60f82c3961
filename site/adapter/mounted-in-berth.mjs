import { fileURLToPath } from 'node:url';

/**
 * Astro's adapter for the server of Berth, which loads `server/entry.mjs` and calls what `render-page.mjs` makes of it.
 * @returns {import('astro').AstroIntegration}
 */
export function mountedInBerth() {
  return {
    name: 'mounted-in-berth',
    hooks: {
      'astro:config:done': ({ setAdapter }) => {
        setAdapter({
          name: 'mounted-in-berth',
          serverEntrypoint: fileURLToPath(new URL('./render-page.mjs', import.meta.url)),
          exports: ['renderPage'],
          supportedAstroFeatures: { staticOutput: 'stable', hybridOutput: 'stable', serverOutput: 'stable' },
        });
      },
    },
  };
}
