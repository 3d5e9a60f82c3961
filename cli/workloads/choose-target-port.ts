import type { ImageInfo } from '../engine/engine.ts';
import type { Plan } from '../run/plan.ts';

const USUAL_PORT = 8080;

/** Where an HTTP server listens in its container: as the plan says, else the one port of the image, else 8080. */
export function chooseTargetPort(
  { target }: Pick<Plan, 'target'>,
  image: Pick<ImageInfo, 'exposedPorts'>,
): number {
  if (target.port !== undefined) return target.port;
  const [only, second] = image.exposedPorts;
  return only !== undefined && second === undefined ? only : USUAL_PORT;
}
