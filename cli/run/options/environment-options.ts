import { ContainerOptions } from './container-options.ts';
import { listOption, textOption } from './option-kinds.ts';

/** What is in the environment of the server. */
export abstract class EnvironmentOptions extends ContainerOptions {
  env = listOption('-e,--env', 'environment variable, as KEY=VALUE; repeatable');
  envFile = textOption('--env-file', 'file with lines KEY=VALUE');
  envFileDir = textOption('--env-file-dir', 'directory of such files, taken by name; the later file wins');
  secret = listOption(
    '--secret',
    'secret of the store as environment variable, as NAME,target=VARIABLE; repeatable',
  );
}
