import type { Identity } from '../../auth/identity.ts';

const MEMBERS = ['name', 'preferred_username', 'email'];
const MAX_LENGTH = 100;

/** How to address somebody: a name of the ID token, else of the access token, else the subject. */
export function nameViewer(
  idMembers: Readonly<Record<string, unknown>> | undefined,
  { held, subject }: Pick<Identity, 'held' | 'subject'>,
): string {
  const names = [
    ...MEMBERS.map((member) => idMembers?.[member]),
    ...MEMBERS.map((member) => held.get(member)?.[0]),
  ];
  for (const name of names) {
    const shown = typeof name === 'string' ? tidy(name) : '';
    if (shown !== '') return shown;
  }
  return tidy(subject);
}

/** One line, without characters that are not seen or turn the text around. */
function tidy(text: string): string {
  return [...text.replaceAll(/[\p{C}\s]+/gu, ' ').trim()].slice(0, MAX_LENGTH).join('');
}
