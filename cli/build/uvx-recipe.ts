import type { ProtocolServer } from '../run/plan.ts';
import { UsageError } from '../usage-error.ts';
import type { Recipe } from './build-plan.ts';
import { type PackageName, parsePackage } from './package-names.ts';
import { quoteShell } from './quote-shell.ts';
import { readRuntimeArguments } from './runtime-arguments.ts';

const IMAGE = 'python:3.14-slim';
const NEED = ['add_certificates', 'command -v python3 >/dev/null 2>&1 || add python3 python3'];

/** `uvx://PACKAGE`: uv installs it as a tool, its own console script starts it. */
export function createUvxRecipe(server: ProtocolServer): Recipe {
  const given = parsePackage('uvx', server.package);
  const { extra } = readRuntimeArguments(server.runtimeArguments, {
    scheme: 'uvx',
    ignored: ['-q', '--quiet', '--refresh', '--isolated', '--no-progress'],
    repeatable: { '--with': 'with' },
    single: { '--from': 'from', '--python': 'python', '-p': 'python', '--prerelease': 'prerelease' },
  });
  const from = extra.from?.[0];
  // `uvx --from PACKAGE COMMAND`: what would be the package is the command.
  const installed = from === undefined ? given : parsePackage('uvx', from);
  const options = [
    ...(extra.with ?? []).flatMap((other) => ['--with', writeRequirement(parsePackage('uvx', other))]),
    ...readWord(extra.python?.[0], '--python'),
    ...readWord(extra.prerelease?.[0], '--prerelease'),
  ];
  const command = plainName(given.name);
  const image = server.runtimeImage ?? IMAGE;
  return {
    title: `uvx://${server.package}`,
    name: installed.name,
    builderImage: image,
    runtimeImage: image,
    prepareBuilder: [
      ...NEED,
      'command -v uv >/dev/null 2>&1 || python3 -m pip --version >/dev/null 2>&1 || add python3-pip py3-pip',
    ],
    prepareRuntime: NEED,
    install: `export UV_TOOL_DIR=/opt/berth/tools UV_TOOL_BIN_DIR=/opt/berth/bin UV_LINK_MODE=copy UV_NO_PROGRESS=1 UV_PYTHON_DOWNLOADS=never
export PIP_BREAK_SYSTEM_PACKAGES=1 PIP_ROOT_USER_ACTION=ignore PIP_DISABLE_PIP_VERSION_CHECK=1
mkdir -p /opt/berth
command -v uv >/dev/null 2>&1 || python3 -m pip install --quiet --no-cache-dir uv
uv tool install ${[...options, writeRequirement(installed)].map(quoteShell).join(' ')}
# What uv remembers of the way it was called may name a private index.
rm -f /opt/berth/tools/*/uv-receipt.toml
cd /opt/berth/bin
chosen=
for candidate in ${[command, command.replaceAll('_', '-'), command.replaceAll('-', '_')].map(quoteShell).join(' ')}; do
  if [ -z "$chosen" ] && [ -e "$candidate" ]; then chosen=$candidate; fi
done
if [ -z "$chosen" ]; then
  set -- *
  if [ $# -ne 1 ]; then
    echo "package ${plainName(installed.name)} has several commands and none is named ${command}: $*" >&2
    exit 1
  fi
  chosen=$1
fi
printf '#!/bin/sh\\nexec "/opt/berth/bin/%s" "$@"\\n' "$chosen" > /opt/berth/run
chmod 755 /opt/berth/run
`,
    files: [],
    sources: [],
  };
}

function plainName(name: string): string {
  return name.replace(/\[.*/, '');
}

function writeRequirement({ name, version }: PackageName): string {
  return version === undefined || version === 'latest' ? name : `${name}==${version}`;
}

function readWord(value: string | undefined, option: string): string[] {
  if (value === undefined) return [];
  if (!/^[\w][\w.+:@<>=-]*$/.test(value))
    throw new UsageError(`${JSON.stringify(value)} is no value for ${option}.`);
  return [option, value];
}
