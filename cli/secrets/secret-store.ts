/** Where secret values live. Names are what plans, state and exports hold. */
export interface SecretStore {
  readonly provider: 'encrypted' | 'environment' | '1password';
  /** undefined when there is no such secret. */
  get(name: string): Promise<string | undefined>;
  /** @throws BerthError `secrets_read_only` for providers that cannot be written */
  set(name: string, value: string): Promise<void>;
  /** Answers whether there was one. */
  remove(name: string): Promise<boolean>;
  /** Names in order, those of the tool itself (`isSystemSecret`) included. @throws BerthError `secrets_no_list` when the provider cannot list */
  list(): Promise<readonly string[]>;
}

/** Secrets the tool keeps for itself (values given by flags, refresh tokens); `secret list` hides them. */
export const SYSTEM_PREFIX = 'berth.';

export function isSystemSecret(name: string): boolean {
  return name.startsWith(SYSTEM_PREFIX);
}
