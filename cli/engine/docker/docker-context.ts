import type Dockerode from 'dockerode';
import { explainFailure } from '../engine-failure.ts';
import type { FindCredentials } from '../registry/find-credentials.ts';

/** What every part of the engine works with. */
export interface DockerContext {
  readonly docker: Dockerode;
  /** Where the engine is, for messages. */
  readonly address: string;
  readonly findCredentials: FindCredentials;
}

/**
 * Runs a request to the engine.
 *
 * @param doing what it is for, for the message of a failure
 * @throws BerthError `engine_unavailable` or `engine_failed`
 */
export async function ask<T>(context: DockerContext, doing: string, request: () => Promise<T>): Promise<T> {
  try {
    return await request();
  } catch (error) {
    throw explainFailure(error, doing, context.address);
  }
}
