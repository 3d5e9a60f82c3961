import { escapeHtml } from './escape-html.ts';
import { LANDING_STYLE } from './landing-style.ts';

export interface LandingPageParts {
  readonly title: string;
  /** Whether `GET /registry` needs a token; then the page asks for one before it lists anything. */
  readonly needsToken: boolean;
  /** Addresses relative to `/`. */
  readonly script: string;
  readonly icon: string;
}

/** The page `/`: what this is, and the base URLs that clients want. Holds nothing that depends on who asks. */
export function writeLandingPage(parts: LandingPageParts): string {
  const title = escapeHtml(parts.title);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<link rel="icon" type="image/svg+xml" href="${parts.icon}">
<style>${LANDING_STYLE}</style>
</head>
<body>
<main>
<header><img src="${parts.icon}" alt="" width="48" height="48"><h1>${title}</h1></header>
<p class="lead">A registry of MCP servers and skills. Clients read its catalogs over the MCP registry API; teams decide what is in them and who may see it.</p>
<nav class="links" aria-label="Documentation"><a href="docs/api">API reference</a><a href="openapi.json">OpenAPI document</a></nav>
<section id="registries" aria-labelledby="registries-title" data-from="registry">
<h2 id="registries-title">Registries</h2>
<p>Each registry has a base URL. Give it to a client as it is.</p>
${parts.needsToken ? TOKEN_FORM : ''}
<p role="status"></p>
<ul></ul>
<noscript><p>Without JavaScript, ask for the list yourself: <a href="registry">registry</a></p></noscript>
</section>
<section aria-labelledby="use-title">
<h2 id="use-title">Use a base URL</h2>
<dl>
<div><dt>MCP clients</dt><dd>Set it as the registry or gallery URL. The client adds <code>/v0.1/servers</code> itself.</dd></div>
<div><dt>Skills</dt><dd><code>npx skills add BASE_URL</code> installs the skills of a registry.</dd></div>
<div><dt>Anything else</dt><dd><code>curl BASE_URL/v0.1/servers?search=github</code></dd></div>
</dl>
</section>
<footer>Served by Berth.</footer>
</main>
<script src="${parts.script}"></script>
</body>
</html>
`;
}

const TOKEN_FORM = `<form hidden>
<label for="token">Access token</label>
<input id="token" type="password" autocomplete="off" spellcheck="false" required aria-describedby="token-note">
<button type="submit">List my registries</button>
<p id="token-note">This service needs a token. It is used for this one request and not kept.</p>
</form>`;
