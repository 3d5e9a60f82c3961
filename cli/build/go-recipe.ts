import { basename } from 'node:path';
import type { ProtocolServer } from '../run/plan.ts';
import type { Recipe } from './build-plan.ts';
import { readGoSource } from './go-source.ts';
import { parsePackage } from './package-names.ts';
import { quoteShell } from './quote-shell.ts';

const BUILDER = 'golang:1.26-alpine';
const RUNTIME = 'alpine:3.23';
const ENVIRONMENT = `export CGO_ENABLED=0 GOBIN=/opt/berth/bin GOFLAGS="\${GOFLAGS:-} -buildvcs=false"
if [ -d /usr/local/go/bin ]; then PATH=$PATH:/usr/local/go/bin; fi
mkdir -p /opt/berth/bin
`;
/** Strips what only a debugger reads, and the builder's paths. */
const OPTIONS = `-trimpath -ldflags='-s -w'`;

/** `go://MODULE` and `go://./path`: a static binary, alone in a small stage. */
export async function createGoRecipe(server: ProtocolServer): Promise<Recipe> {
  const shared = {
    title: `go://${server.package}`,
    // The image that was given is the one that is surely there.
    builderImage: server.runtimeImage ?? BUILDER,
    runtimeImage: server.runtimeImage ?? RUNTIME,
    prepareBuilder: [
      'add_certificates',
      '[ -x /usr/local/go/bin/go ] || command -v go >/dev/null 2>&1 || add golang-go go',
    ],
    prepareRuntime: ['add_certificates'],
    files: [],
  };
  if (server.local) {
    const { files, directory } = await readGoSource(server.package);
    return {
      ...shared,
      name: basename(server.package),
      install: `${ENVIRONMENT}cd ${quoteShell(`/source/${directory}`)}
go build ${OPTIONS} -o /opt/berth/run .
`,
      sources: files,
    };
  }
  const { name, version } = parsePackage('go', server.package);
  return {
    ...shared,
    name,
    install: `${ENVIRONMENT}go install ${OPTIONS} ${quoteShell(`${name}@${version ?? 'latest'}`)}
mv /opt/berth/bin/* /opt/berth/run
rmdir /opt/berth/bin
`,
    sources: [],
  };
}
