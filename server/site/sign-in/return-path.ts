const MAX_LENGTH = 1000;
/** Back to these, a sign-in would begin or end again at once. */
const OWN = /^\/sign-(?:in|out)(?:[/?#]|$)/;
// Control characters and blanks are left out by browsers before they read an address.
const LOCAL = /^\/(?!\/)[\x21-\x5b\x5d-\x7e]*$/;

/**
 * Where to go after a sign-in: the path that was asked for when it can only lead to a page of this service, else `/`.
 * @param wanted path and query, percent-encoded, as a link to the sign-in gave it
 */
export function chooseReturnPath(wanted: string | null): string {
  if (wanted === null || wanted.length > MAX_LENGTH || !LOCAL.test(wanted) || OWN.test(wanted)) return '/';
  return wanted;
}
