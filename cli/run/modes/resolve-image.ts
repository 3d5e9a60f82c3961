import { BerthError } from '../../../sources/errors.ts';
import type { RunFlags } from '../flags/run-flags.ts';
import { composePlan, findIdleFlags } from './compose-plan.ts';
import { deriveNameOfImage } from './derive-name.ts';
import { readImageReference } from './image-reference.ts';
import type { Resolved } from './resolved.ts';
import type { ServerChoice } from './server-choice.ts';

/** An image reference. Without `--transport` a target port tells an HTTP server. @throws BerthError `image_invalid` */
export function resolveImage(argument: string, flags: RunFlags): Resolved {
  const reference = readImageReference(argument);
  if (reference === undefined) {
    throw new BerthError('image_invalid', `"${argument}" cannot be an image.`, {
      fix: 'Images are written [host/]path[:tag][@digest], the path in lower case.',
    });
  }
  const choice: ServerChoice = {
    derivedName: deriveNameOfImage(reference.repository),
    server: { kind: 'image', image: argument },
    transport: flags.target.port === undefined ? 'stdio' : 'streamable-http',
  };
  return {
    plan: composePlan(choice, flags),
    nameIsDerived: flags.name === undefined,
    given: flags.given,
    warnings: findIdleFlags(choice.server, flags),
  };
}
