import { Command, Option } from 'clipanion';
import { BerthCommand } from '../berth-command.ts';
import { describeCommand } from '../command-table.ts';
import { findCertificates, findNamedFile } from '../run/flags/read-files.ts';
import { changeSettings } from '../settings/change-settings.ts';
import { setRegistry } from '../settings/set-registry.ts';
import { readAuthFileKind, readSettingKey, readVariableName } from '../settings/setting-keys.ts';
import { type BuildVariable, settingsFile } from '../settings/settings.ts';
import { UsageError } from '../usage-error.ts';
import { findUserDirectories } from '../user-directories.ts';

export class ConfigSetCommand extends BerthCommand {
  static override paths = [['config', 'set']];
  static override usage = Command.Usage({
    ...describeCommand('config set'),
    details: `
      registry URL_OR_FILE: where servers are looked up. ca-cert FILE: certificate authorities for builds. build-env
      NAME VALUE: a variable of builds, which may come from a secret or from your environment. build-auth-file KIND FILE:
      credentials of package registries for builds; KIND is npmrc, netrc or pip-conf. Secrets never end in an image.
      client-metadata-url URL: the document that describes us as client to authorization servers that take such.
    `,
    examples: [
      [
        'A private registry of packages',
        '$0 config set build-env NPM_CONFIG_REGISTRY https://npm.example.com',
      ],
      ['Its token out of the secrets', '$0 config set build-env NPM_TOKEN --from-secret npm_token'],
      ['Credentials in a file', '$0 config set build-auth-file npmrc ~/.npmrc'],
    ],
  });

  key = Option.String({ name: 'KEY' });
  name = Option.String({ name: 'NAME_OR_VALUE' });
  value = Option.String({ name: 'VALUE', required: false });
  fromSecret = Option.String('--from-secret', {
    description: 'for build-env: the secret that holds the value',
  });
  fromEnv = Option.String('--from-env', {
    description:
      'for build-env: the variable of your environment that holds the value when something is built',
  });

  async execute(): Promise<number> {
    const key = readSettingKey(this.key);
    const file = settingsFile(findUserDirectories(this.context.env));
    if (key !== 'build-env' && (this.fromSecret ?? this.fromEnv) !== undefined) {
      throw new UsageError('--from-secret and --from-env are for build-env.');
    }
    if (key === 'build-env') {
      const [name, variable] = this.#readVariable();
      await changeSettings(file, [{ path: [key, name], value: variable }]);
    } else if (key === 'build-auth-file') {
      const kind = readAuthFileKind(this.name);
      const path = findNamedFile(key, this.#readOnly('FILE', this.value), process.cwd());
      await changeSettings(file, [{ path: [key, kind], value: path }]);
    } else {
      if (this.value !== undefined) throw new UsageError(`${key} takes one value.`);
      if (key === 'registry') await setRegistry(file, this.name, undefined);
      else if (key === 'client-metadata-url')
        await changeSettings(file, [{ path: [key], value: readMetadataUrl(this.name) }]);
      else
        await changeSettings(file, [{ path: [key], value: findCertificates(key, this.name, process.cwd()) }]);
    }
    return 0;
  }

  /** `NAME VALUE`, `NAME=VALUE`, or `NAME` with where its value comes from. */
  #readVariable(): [string, BuildVariable] {
    const at = this.value === undefined ? this.name.indexOf('=') : -1;
    const name = readVariableName(at < 0 ? this.name : this.name.slice(0, at));
    const literal = at < 0 ? this.value : this.name.slice(at + 1);
    const given: BuildVariable[] = [];
    if (literal !== undefined) given.push(literal);
    if (this.fromSecret !== undefined) given.push({ secret: this.fromSecret });
    if (this.fromEnv !== undefined) given.push({ env: this.fromEnv });
    const [variable, ...others] = given;
    if (variable !== undefined && others.length === 0) return [name, variable];
    throw new UsageError(`Give ${name} a value: NAME VALUE, --from-secret or --from-env, one of them.`);
  }

  #readOnly(what: string, value: string | undefined): string {
    if (value !== undefined) return value;
    throw new UsageError(`The ${what} is missing.`, { fix: 'Write `config set build-auth-file KIND FILE`.' });
  }
}

/** Such a document has an https address with a path: the address is the client id. */
function readMetadataUrl(given: string): string {
  const url = URL.canParse(given) ? new URL(given) : undefined;
  if (url?.protocol === 'https:' && url.pathname !== '/' && url.hash === '') return given;
  throw new UsageError(`"${given}" cannot be the address of a client metadata document.`, {
    fix: 'It is an https URL with a path.',
  });
}
