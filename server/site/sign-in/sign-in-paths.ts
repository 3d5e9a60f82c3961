/** Where a sign-in begins. */
export const SIGN_IN_PATH = '/sign-in';
/** Where the provider sends browsers back to; registered there as redirect URI. */
export const CALLBACK_PATH = '/sign-in/callback';
/** Where a session ends. */
export const SIGN_OUT_PATH = '/sign-out';

const PATHS: ReadonlySet<string> = new Set([SIGN_IN_PATH, CALLBACK_PATH, SIGN_OUT_PATH]);

/** Whether a request is one of the sign-in itself, which begins or ends sessions and shows none. */
export function isSignInRequest(request: Request): boolean {
  return PATHS.has(new URL(request.url).pathname);
}
