import { createHash } from 'node:crypto';
import type { ProtocolServer } from '../run/plan.ts';
import type { BuildPlan, ContextFile, Recipe } from './build-plan.ts';
import type { BuildSettings } from './build-settings.ts';
import { joinStages, writeStages } from './dockerfile.ts';
import { createGoRecipe } from './go-recipe.ts';
import { createNpxRecipe } from './npx-recipe.ts';
import { checkSystemPackages } from './package-names.ts';
import { writePrepareScript } from './prepare-script.ts';
import { readCertificates } from './read-certificates.ts';
import { createUvxRecipe } from './uvx-recipe.ts';

const HOME = '/root';

/**
 * Decides everything about the image of a protocol scheme (contract 2). Reads the local package and the certificates;
 * asks neither the network nor the engine.
 *
 * @throws UsageError for a package or system package that is none; BerthError `ca_cert_invalid`, `go_path_invalid`,
 *   `runtime_argument_unsupported`
 */
export async function planBuild(server: ProtocolServer, settings: BuildSettings): Promise<BuildPlan> {
  checkSystemPackages(server.addPackages);
  const recipe = await createRecipe(server);
  const certificates = server.caCert === undefined ? undefined : await readCertificates(server.caCert);
  const script = (name: string, text: string): ContextFile => ({
    path: `berth/${name}`,
    content: Buffer.from(text),
    kind: 'file',
  });
  const files: ContextFile[] = [
    script('prepare-builder.sh', writePrepareScript(recipe.prepareBuilder, server.addPackages)),
    script('prepare-runtime.sh', writePrepareScript(recipe.prepareRuntime, server.addPackages)),
    script('install.sh', `set -eu\nexport HOME=${HOME}\n${recipe.install}`),
    ...(certificates === undefined ? [] : [script('ca.pem', certificates)]),
    ...recipe.files,
    ...recipe.sources.map((file) => ({ ...file, path: `source/${file.path}` })),
  ];
  const stages = writeStages(recipe, certificates !== undefined);
  return {
    title: recipe.title,
    repository: `berth/${server.scheme}-${toImageName(recipe.name)}`,
    baseImages: [...new Set([recipe.builderImage, recipe.runtimeImage])],
    stages,
    files,
    settings,
    fingerprint: hashInputs(joinStages(stages), files, settings),
  };
}

function createRecipe(server: ProtocolServer): Recipe | Promise<Recipe> {
  if (server.scheme === 'npx') return createNpxRecipe(server);
  return server.scheme === 'uvx' ? createUvxRecipe(server) : createGoRecipe(server);
}

function toImageName(name: string): string {
  const plain = name.toLowerCase().replace(/[^a-z0-9]+/g, '-');
  return plain.slice(0, 100).replace(/^-|-$/g, '') || 'package';
}

function hashInputs(dockerfile: string, files: readonly ContextFile[], settings: BuildSettings): string {
  const hash = createHash('sha256').update(dockerfile);
  for (const { path, content, kind } of files) {
    hash.update(`\0${path}\0${kind}\0${content.length}\0`).update(content);
  }
  hash.update(JSON.stringify([sortEntries(settings.env), sortEntries(settings.authFiles)]));
  return hash.digest('hex');
}

function sortEntries(record: Readonly<Record<string, string | undefined>>): [string, string | undefined][] {
  return Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1));
}
