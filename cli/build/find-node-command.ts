/**
 * Runs in the builder: finds which command of an installed package starts it, as npx does, and writes `/opt/berth/run`.
 * The command need not be named as the package.
 */
export const FIND_NODE_COMMAND = `const { existsSync, readFileSync, writeFileSync } = require('node:fs');
const { join } = require('node:path');
const name = process.argv[2];
const root = '/opt/berth/app/node_modules';
const { bin } = JSON.parse(readFileSync(join(root, name, 'package.json'), 'utf8'));
const plain = name.replace(/^@[^/]+\\//, '');
const commands = typeof bin === 'string' ? { [plain]: bin } : (bin ?? {});
const names = Object.keys(commands);
const targets = new Set(Object.values(commands).map((path) => join('/', path)));
const chosen = commands[plain] ? plain : targets.size === 1 ? names[0] : undefined;
if (chosen === undefined) {
  console.error(
    names.length === 0
      ? 'package ' + name + ' has no command to run'
      : 'package ' + name + ' has several commands and none is named ' + plain + ': ' + names.join(', '),
  );
  process.exit(1);
}
const link = join(root, '.bin', chosen);
const target = join(root, name, commands[chosen]);
const start = existsSync(link) ? link : target;
const isScript = readFileSync(target, 'utf8').startsWith('#!');
const words = (isScript ? [start] : ['node', target]).map((word) => "'" + word.replaceAll("'", "'\\\\''") + "'");
writeFileSync('/opt/berth/run', '#!/bin/sh\\nexec ' + words.join(' ') + ' "$@"\\n', { mode: 0o755 });
`;
