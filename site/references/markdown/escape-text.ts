/** A flag of a command line: typographers would make one dash of its two. */
const FLAG = /(?<![\w-])--(?:[a-z][\w-]*(?:=[\w.-]+)?)?(?![\w-])/g;

/** Plain text as Markdown: what would be markup there is written as it is, flags become code. */
export function escapeText(text: string): string {
  return text
    .split(/(`[^`]*`)/)
    .map((part, index) => (index % 2 === 1 ? part : escapePlain(part)))
    .join('');
}

/** Text as code. */
export function renderCode(text: string): string {
  return text.includes('`') ? `\`\` ${text} \`\`` : `\`${text}\``;
}

/** The anchor of a heading as the site makes it. */
export function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-');
}

function escapePlain(text: string): string {
  return text
    .replace(/[\\*[\]]/g, '\\$&')
    .replaceAll('<', '&lt;')
    .replace(FLAG, '`$&`');
}
