/** Checks of the suite that our client does not pass, as `scenario id`, and why. */
export const EXCEPTIONS: Readonly<Record<string, string>> = {
  'metadata-var2 resource-parameter-matches-prm':
    'Tokens are asked for the URL of the remote unless `--remote-auth-resource` says otherwise; the metadata here names the whole origin.',
  'scope-step-up scope-step-up-initial':
    'The scopes of a login are settled once, before the workload starts, from what the first request is answered; this server asks for a token only later.',
  'scope-step-up scope-step-up-escalation':
    'A supervisor without a terminal cannot ask a person for more scopes: a 403 is passed on, and `--remote-auth-scopes` gives them.',
  'scope-step-up sep-2350-scope-union-on-reauth': 'Follows from the check above.',
};
