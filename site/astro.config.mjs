import starlight from '@astrojs/starlight';
import { defineConfig, passthroughImageService } from 'astro/config';
import { mountedInBerth } from './adapter/mounted-in-berth.mjs';
import { searchBelowAnyPath } from './adapter/search-below-any-path.mjs';
import { focusableTables } from './markdown/focusable-tables.mjs';
import { SIDEBAR } from './sidebar.mjs';

/** All of it in one folder, so that the built site needs no package at run time. */
const withoutPackages = {
  name: 'without-packages',
  config: (_config, { command }) => (command === 'build' ? { ssr: { noExternal: true } } : {}),
};

export default defineConfig({
  output: 'server',
  outDir: process.env.BERTH_SITE_OUT ?? '../dist/site',
  adapter: mountedInBerth(),
  // Forms are checked where they are read: behind a proxy the origin of a request is not the one it has here.
  security: { checkOrigin: false },
  image: { service: passthroughImageService() },
  // A page that is hovered over is not read: it would be in the audit log.
  prefetch: false,
  build: { format: 'directory', inlineStylesheets: 'never' },
  markdown: { rehypePlugins: [focusableTables] },
  devToolbar: { enabled: false },
  vite: {
    plugins: [withoutPackages, searchBelowAnyPath()],
    build: { sourcemap: false, assetsInlineLimit: 0 },
  },
  integrations: [
    starlight({
      title: 'Berth',
      description: 'Documentation of Berth: a registry of MCP servers and skills governed from git.',
      favicon: '/favicon.svg',
      disable404Route: true,
      customCss: ['./src/styles/guides.css'],
      components: {
        Header: './src/components/guides/GuidesHeader.astro',
        MobileMenuFooter: './src/components/guides/GuidesMenuFooter.astro',
        ThemeProvider: './src/components/guides/GuidesTheme.astro',
      },
      sidebar: SIDEBAR,
    }),
  ],
});
