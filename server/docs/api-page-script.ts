/** Starts the viewer on `/docs/api`. A file of its own, because the policy of the page allows no inline script. */
export const API_PAGE_SCRIPT = `'use strict';
const dark = window.matchMedia('(prefers-color-scheme: dark)');
const follow = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
follow();
dark.addEventListener('change', follow);

window.SwaggerUIBundle({
  url: new URL('../openapi.json', document.baseURI).href,
  dom_id: '#reference',
  deepLinking: true,
  docExpansion: 'list',
  defaultModelsExpandDepth: 0,
  displayRequestDuration: true,
  filter: true,
  persistAuthorization: false,
  validatorUrl: null,
});
`;
