import type { BerthError } from '../../../sources/errors.ts';
import type { Plan } from '../plan.ts';
import type { GivenSecrets } from '../store-given-secrets.ts';

/** What the argument and the flags of `run` came to. */
export interface Resolved {
  readonly plan: Plan;
  /** True when the name was made from the server, so that another may be taken when it is in use. */
  readonly nameIsDerived: boolean;
  /** To be kept with `storeGivenSecrets` once the name is final. */
  readonly given: GivenSecrets;
  /** One line each. */
  readonly warnings: readonly string[];
  /**
   * Present when the registry did not know the argument and it is tried as an image: turns what the image registry
   * answered into the error that tells both answers.
   */
  readonly onImageMissing?: (imageAnswer: string) => BerthError;
}
