/** What a page needs beyond files of this service. */
export interface PolicyNeeds {
  /** Source expressions of inline scripts and styles. */
  readonly scripts?: readonly string[];
  readonly styles?: readonly string[];
  readonly styleAttributes?: boolean;
  readonly wasm?: boolean;
}

/** The Content-Security-Policy of a page of the site: nothing but this service, nothing inline but what is named. */
export function writeSitePolicy(needs: PolicyNeeds = {}): string {
  const { scripts = [], styles = [] } = needs;
  return [
    "default-src 'none'",
    ["script-src 'self'", ...scripts, ...(needs.wasm ? ["'wasm-unsafe-eval'"] : [])].join(' '),
    ["style-src 'self'", ...styles].join(' '),
    `style-src-attr ${needs.styleAttributes ? "'unsafe-inline'" : "'none'"}`,
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}
