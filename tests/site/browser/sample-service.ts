import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../../support/built-command.ts';
import { type Service, startService } from '../../support/start-service.ts';

/** Serves what `npm start` serves: the shipped configuration, with its state in a directory of its own. */
export function startSample(): Promise<Service> {
  const config = readFileSync(join(ROOT, 'registry.config.yaml'), 'utf8');
  return startService(config.replaceAll('sources/samples', join(ROOT, 'sources/samples')));
}
