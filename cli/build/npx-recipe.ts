import type { ProtocolServer } from '../run/plan.ts';
import type { Recipe } from './build-plan.ts';
import { FIND_NODE_COMMAND } from './find-node-command.ts';
import { parsePackage } from './package-names.ts';
import { quoteShell } from './quote-shell.ts';
import { readRuntimeArguments } from './runtime-arguments.ts';

const IMAGE = 'node:24-alpine';

/** `npx://PACKAGE`: npm installs it, its own command starts it. */
export function createNpxRecipe(server: ProtocolServer): Recipe {
  const { name, version } = parsePackage('npx', server.package);
  const { extra } = readRuntimeArguments(server.runtimeArguments, {
    scheme: 'npx',
    ignored: ['-y', '--yes', '-q', '--quiet', '--prefer-online', '--prefer-offline'],
    repeatable: { '-p': 'package', '--package': 'package' },
    single: {},
  });
  const packages = [version === undefined ? name : `${name}@${version}`];
  for (const other of extra.package ?? []) {
    parsePackage('npx', other);
    packages.push(other);
  }
  const image = server.runtimeImage ?? IMAGE;
  const need = 'command -v node >/dev/null 2>&1 || add nodejs nodejs';
  return {
    title: `npx://${server.package}`,
    name,
    builderImage: image,
    runtimeImage: image,
    prepareBuilder: [need, 'command -v npm >/dev/null 2>&1 || add npm npm'],
    prepareRuntime: [need],
    install: `mkdir -p /opt/berth/app
cd /opt/berth/app
echo '{"private":true}' > package.json
npm install --omit=dev --no-audit --no-fund --no-update-notifier --loglevel=error ${packages.map(quoteShell).join(' ')}
node /berth/find-node-command.cjs ${quoteShell(name)}
`,
    files: [{ path: 'berth/find-node-command.cjs', content: Buffer.from(FIND_NODE_COMMAND), kind: 'file' }],
    sources: [],
  };
}
