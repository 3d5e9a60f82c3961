import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { Command, Option } from 'clipanion';
import { parseDuration } from '../../sources/config/duration.ts';
import { BerthError } from '../../sources/errors.ts';
import { describeCommand } from '../command-table.ts';
import { isTerminal } from '../is-colorful.ts';
import { readCaBundle } from '../read-ca-bundle.ts';
import { readRegistryBase } from '../registry/registry-url.ts';
import { logInToRegistry } from '../remote/registry-login.ts';
import { showLink } from '../remote/show-link.ts';
import { SecretCommand } from '../secrets/secret-command.ts';
import { changeSettings } from '../settings/change-settings.ts';
import { readSettings } from '../settings/read-settings.ts';
import { settingsFile } from '../settings/settings.ts';
import { UsageError } from '../usage-error.ts';
import { findUserDirectories } from '../user-directories.ts';

export class RegistryLoginCommand extends SecretCommand {
  static override paths = [['registry', 'login']];
  static override usage = Command.Usage({
    ...describeCommand('registry login'),
    examples: [
      ['Log in to the configured registry', '$0 registry login'],
      ['On a machine without a browser', '$0 registry login --skip-browser --timeout 5m'],
      ['In a pipeline, with a token it already has', '$0 registry login --token-file token'],
    ],
  });

  registry = Option.String('--registry', {
    description: 'URL of the registry (default: the configured one)',
  });
  issuer = Option.String('--issuer', {
    description: 'identity provider (default: the one the registry names)',
  });
  clientId = Option.String('--client-id', { description: 'client there (default: one is registered)' });
  scopes = Option.Array('--scopes', { description: 'scopes to ask for, repeated or separated by commas' });
  callbackPort = Option.String('--callback-port', '8666', {
    description: 'port the browser comes back to (default: 8666)',
  });
  skipBrowser = Option.Boolean('--skip-browser', false, { description: 'print the link only' });
  timeout = Option.String('--timeout', '2m', { description: 'how long to wait for the login (default: 2m)' });
  tokenFile = Option.String('--token-file', {
    description: 'use the token in this file instead of logging in',
  });
  caBundle = Option.String('--berth-ca-bundle', {
    description: 'PEM file with certificate authorities to trust',
  });

  async execute(): Promise<number> {
    const timeoutMs = parseDuration(this.timeout);
    if (timeoutMs === undefined || timeoutMs <= 0) {
      throw new UsageError(`"${this.timeout}" is no duration.`, {
        at: { flag: '--timeout' },
        fix: 'Write it as 2m30s.',
      });
    }
    const port = Number(this.callbackPort);
    if (!Number.isInteger(port) || port < 1 || port > 65_535) {
      throw new UsageError(`"${this.callbackPort}" is no port.`, {
        at: { flag: '--callback-port' },
        fix: 'Use 1 to 65535.',
      });
    }
    const file = settingsFile(findUserDirectories(this.context.env));
    const base = await this.#findBase(file);
    if (this.tokenFile !== undefined) {
      await readFile(this.tokenFile, 'utf8').catch((cause: unknown) => {
        throw new BerthError('registry_token_unreadable', 'The token file cannot be read.', {
          at: { file: this.tokenFile ?? '' },
          cause,
        });
      });
      await changeSettings(file, [{ path: ['registry-token-file'], value: resolve(this.tokenFile) }]);
      this.print([`The token in ${this.tokenFile} is sent to ${base}.`]);
      return 0;
    }
    const opensBrowser = !this.skipBrowser && isTerminal(this.context.stderr);
    const issuer = await logInToRegistry(
      {
        base,
        issuer: this.issuer,
        clientId: this.clientId,
        scopes: this.scopes?.flatMap((list) => list.split(',')).filter((scope) => scope !== ''),
        callbackPort: port,
        timeoutMs,
      },
      {
        secrets: await this.openStore(),
        ca: readCaBundle(this.caBundle),
        showLink: (url) => showLink(this.context.stderr, url, opensBrowser),
      },
    );
    // A token file of before would win over the login.
    const logins = (await readSettings(file))['registry-logins'] ?? [];
    await changeSettings(file, [
      { path: ['registry-token-file'] },
      { path: ['registry-logins'], value: [...logins.filter((known) => known !== base), base] },
    ]);
    this.print([`Logged in to ${base} at ${issuer}.`]);
    return 0;
  }

  async #findBase(file: string): Promise<string> {
    const given = this.registry ?? (await readSettings(file)).registry;
    const base = given === undefined ? undefined : readRegistryBase(given);
    if (base !== undefined) return base;
    throw new BerthError(
      'registry_not_remote',
      'There is no registry to log in to: the configured one is a file.',
      {
        fix: 'Set one with berth registry set URL, or name it with --registry.',
      },
    );
  }
}
