import { App } from 'astro/app';

/**
 * What the built site exports.
 * @param {import('astro').SSRManifest} manifest
 */
export function createExports(manifest) {
  // What goes wrong is told by the page 500, which hands it to the log of the service.
  const app = new App(manifest);
  app.getAdapterLogger().options.level = 'silent';
  return {
    /**
     * Renders the page of a request.
     * @param {Request} request its URL decides on the page; an unknown path gives the page that says so, as 404
     * @param {App.Locals} locals what the page is given
     * @returns {Promise<Response>}
     */
    renderPage: (request, locals) => app.render(request, { locals }),
  };
}
