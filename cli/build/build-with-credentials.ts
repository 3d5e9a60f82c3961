import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { extract, type Pack, pack } from 'tar-stream';
import { BerthError } from '../../sources/errors.ts';
import {
  type ContainerSpec,
  type Engine,
  type EngineProgress,
  type ImageInfo,
  LABELS,
} from '../engine/engine.ts';
import type { BuildPlan } from './build-plan.ts';
import type { BuildSettings } from './build-settings.ts';
import { hideValues, listSecretValues } from './credentials-in-files.ts';
import { addFiles, packContext } from './pack-context.ts';
import { quoteShell } from './quote-shell.ts';

interface Target {
  readonly tag: string;
  readonly labels: Readonly<Record<string, string>>;
}

const PLACES = {
  npmrc: '/root/.npmrc',
  netrc: '/root/.netrc',
  'pip.conf': '/root/.config/pip/pip.conf',
} as const;
const LOG_LINES = 60;

/**
 * Builds when the install step needs credentials. A step of the classic builder leaves everything it sees in a layer,
 * so this one step runs in a container of its own that is thrown away, and only what it installed is copied out of it:
 * no image, no layer and no history ever held a credential.
 */
export async function buildWithCredentials(
  engine: Engine,
  plan: BuildPlan,
  target: Target,
  onProgress: (progress: EngineProgress) => void,
  signal?: AbortSignal,
): Promise<ImageInfo> {
  const { proxies } = plan.settings;
  const buildArgs = proxies && { buildArgs: proxies };
  const builder = await engine.buildImage(
    {
      context: packContext(`${plan.stages.prepare.join('\n')}\n`, plan.files),
      tag: `${target.tag}-builder`,
      labels: target.labels,
      ...buildArgs,
    },
    onProgress,
    signal,
  );
  let id: string | undefined;
  try {
    id = await engine.createContainer(describeInstall(builder.id, plan.settings, target));
    await runInstall(engine, id, plan.settings, signal);
    const dockerfile = `${plan.stages.runtime('COPY result/berth/ /opt/berth/').join('\n')}\n`;
    const tar = pack();
    addFiles(tar, dockerfile, plan.files);
    const installed = await engine.copyFromContainer(id, '/opt/berth');
    try {
      const context = Readable.from(tar);
      const [image] = await Promise.all([
        engine.buildImage({ context, ...target, ...buildArgs }, onProgress, signal),
        copyResult(installed, tar),
      ]);
      return image;
    } finally {
      installed.destroy();
    }
  } finally {
    if (id !== undefined) await engine.removeContainer(id);
    await engine.removeImage(`${target.tag}-builder`);
  }
}

function describeInstall(image: string, settings: BuildSettings, target: Target): ContainerSpec {
  const variables = { ...readPipIndexes(settings.authFiles['pip.conf']), ...settings.env };
  const secrets = listSecretValues(settings);
  const files = Object.entries(PLACES).flatMap(([name, path]) => {
    const content = Object.entries(settings.authFiles).find(([given]) => given === name)?.[1];
    return content === undefined ? [] : [{ path, content, mode: 0o600 }];
  });
  return {
    name: `berth-build-${randomBytes(6).toString('hex')}`,
    image,
    labels: { ...target.labels, [LABELS.role]: 'build' },
    user: '0:0',
    entrypoint: ['/bin/sh', '/root/install.sh'],
    // Settings travel in files: variables of a container can be read by everyone who may inspect it.
    env: { ...settings.proxies },
    files: [
      ...files,
      { path: '/root/install.sh', content: writeInstallScript(variables), mode: 0o600 },
      { path: '/root/secret-values', content: secrets.map((value) => `${value}\n`).join(''), mode: 0o600 },
    ],
    mounts: [],
    interactive: false,
    pids: 4096,
    readOnlyRoot: false,
    // What a package manager running as root uses: packages hold files of other owners.
    capabilities: ['CHOWN', 'DAC_OVERRIDE', 'FOWNER', 'FSETID', 'SETGID', 'SETUID'],
  };
}

function writeInstallScript(variables: Readonly<Record<string, string>>): string {
  const exports = Object.entries(variables).map(([name, value]) => `export ${name}=${quoteShell(value)}`);
  return `set -eu
${exports.join('\n')}
/bin/sh /berth/install.sh
if [ -s /root/secret-values ] && grep -rqF -f /root/secret-values /opt/berth; then
  echo 'a credential of the build settings is in what the package installed; the image is not made' >&2
  exit 1
fi
`;
}

/** uv reads no pip.conf; the indexes in it are what private registries need. */
function readPipIndexes(config: string | undefined): Record<string, string> {
  const variables: Record<string, string> = {};
  const index = /^\s*index-url\s*[=:]\s*(\S+)/m.exec(config ?? '')?.[1];
  const extra = /^\s*extra-index-url\s*[=:]\s*(.+(?:\n[ \t]+\S.*)*)/m.exec(config ?? '')?.[1];
  if (index !== undefined) variables.UV_DEFAULT_INDEX = index;
  if (extra !== undefined) variables.UV_INDEX = extra.trim().split(/\s+/).join(' ');
  return variables;
}

async function runInstall(
  engine: Engine,
  id: string,
  settings: BuildSettings,
  signal: AbortSignal | undefined,
): Promise<void> {
  const stop = (): void => void engine.removeContainer(id).catch(() => {});
  signal?.addEventListener('abort', stop);
  try {
    await engine.startContainer(id);
    const exitCode = await engine.waitForContainer(id);
    signal?.throwIfAborted();
    if (exitCode === 0) return;
    const log = hideValues(await engine.readLogs(id, LOG_LINES), listSecretValues(settings));
    throw new BerthError('engine_build_failed', `the install step ended with ${exitCode}\n${log.trim()}`);
  } finally {
    signal?.removeEventListener('abort', stop);
  }
}

/** Puts what was installed into the context of the last stage, below `result/`. */
async function copyResult(source: Readable, tar: Pack): Promise<void> {
  const parts = source.pipe(extract());
  source.on('error', (error) => parts.destroy(error));
  for await (const part of parts) {
    const { name, linkname, type } = part.header;
    const entry = tar.entry({
      ...part.header,
      name: `result/${name}`,
      // Hard links name their target by its place in the archive; symbolic ones stay as they are.
      ...(type === 'link' && linkname ? { linkname: `result/${linkname}` } : {}),
    });
    for await (const chunk of part) {
      if (!entry.write(chunk)) await waitForRoom(entry);
    }
    entry.end(null);
  }
  tar.finalize();
}

function waitForRoom(entry: ReturnType<Pack['entry']>): Promise<void> {
  return new Promise((resolve) => {
    entry.once('drain', () => resolve());
    entry.once('close', () => resolve());
  });
}
