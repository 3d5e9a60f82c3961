import { escapeHtml } from './escape-html.ts';

export interface ApiPageParts {
  readonly title: string;
  /** Addresses relative to `/docs/api`. */
  readonly viewerStyle: string;
  readonly viewerScript: string;
  readonly startScript: string;
  readonly icon: string;
}

/** The page `/docs/api`: a frame for the viewer, which reads `/openapi.json`. */
export function writeApiPage(parts: ApiPageParts): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>API reference - ${escapeHtml(parts.title)}</title>
<link rel="icon" type="image/svg+xml" href="${parts.icon}">
<link rel="stylesheet" href="${parts.viewerStyle}">
<style>${API_PAGE_STYLE}</style>
</head>
<body>
<header class="berth-bar"><a href="../">${escapeHtml(parts.title)}</a><span>API reference</span><a href="../openapi.json">openapi.json</a></header>
<main id="reference"><noscript><p>This page needs JavaScript. The same description is at <a href="../openapi.json">openapi.json</a>.</p></noscript></main>
<script src="${parts.viewerScript}"></script>
<script src="${parts.startScript}"></script>
</body>
</html>
`;
}

const API_PAGE_STYLE = `
body{margin:0;background:#fff}
html.dark-mode body{background:#1c2022}
.berth-bar{display:flex;gap:1rem;align-items:baseline;padding:.8rem 1.25rem;background:#0f5c63;color:#d7efec;font:15px/1.4 system-ui,sans-serif}
.berth-bar a{color:#fff;text-decoration:none;font-weight:600}
.berth-bar a:last-child{margin-left:auto;font-weight:400;text-decoration:underline}
.berth-bar a:focus-visible{outline:2px solid #fff;outline-offset:3px;border-radius:2px}
`;
