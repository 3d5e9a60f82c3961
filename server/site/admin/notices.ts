/** What a form did, told on the page it leads to. The address names one of these, so that it cannot say anything else. */
const NOTICES = {
  'sync-asked': 'The source is being synced. Reload this page to see how it went.',
  'rolled-back': 'The earlier bundle is served now. The next sync that finds a change replaces it.',
  published: 'Published. It is live for everybody whose claims fit.',
  deprecated: 'The version is deprecated. It stays listed, with this status.',
  restored: 'The version is active again.',
  'version-deleted': 'The version is deleted for good.',
  'claims-changed': 'The claims are changed, for all versions of the entry.',
} as const;

export type NoticeCode = keyof typeof NOTICES;

/** The text for the parameter `notice` of an address; undefined for none and for an unknown one. */
export function readNotice(code: string | null): string | undefined {
  return code !== null && isNotice(code) ? NOTICES[code] : undefined;
}

function isNotice(code: string): code is NoticeCode {
  return Object.hasOwn(NOTICES, code);
}
