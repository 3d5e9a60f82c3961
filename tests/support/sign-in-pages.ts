/** The pages of the provider that the tests of sign-in use: plain forms, no script, nothing from elsewhere. */

const page = (title: string, body: string): string =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title}</title></head><body><main><h1>${title}</h1>${body}</main></body></html>`;

/** Asks who signs in; `problem` says what was wrong with the answer before. */
export function writePersonaPage(personas: readonly string[], problem = ''): string {
  const options = personas.map((name) => `<option value="${name}"></option>`).join('');
  return page(
    'Sign in to the test provider',
    `<p>${problem}</p><form method="post"><label>Persona <input name="persona" list="personas" autofocus></label><datalist id="personas">${options}</datalist><button name="answer" value="continue">Continue</button><button name="answer" value="cancel">Cancel</button></form>`,
  );
}

/** Asks whether to sign out; `form` has the id `op.logoutForm`. */
export function writeLogoutPage(form: string): string {
  return page(
    'Sign out of the test provider',
    `${form}<button type="submit" form="op.logoutForm" name="logout" value="yes">Sign out</button>`,
  );
}

export const SIGNED_OUT_PAGE = page('Signed out of the test provider', '<p>Goodbye.</p>');
