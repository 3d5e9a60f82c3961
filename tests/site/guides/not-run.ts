/** A command of the guides that a test cannot run; it is checked by `bash -n` alone. */
interface NotRun {
  readonly page: string;
  /** How the command starts. */
  readonly starts: string;
  readonly why: string;
}

/** Everything else of the guides is run as it is written. */
export const NOT_RUN: readonly NotRun[] = [
  {
    page: 'registry/kubernetes.md',
    starts: 'kubectl apply',
    why: 'needs a cluster; tests/site/guides/kubernetes.test.ts checks the file',
  },
  {
    page: 'registry/kubernetes.md',
    starts: 'docker build',
    why: 'pulls images and packages; tests/deploy checks the Dockerfile',
  },
  { page: 'registry/kubernetes.md', starts: 'docker push', why: 'needs a registry of images' },
  {
    page: 'registry/kubernetes.md',
    starts: 'helm upgrade',
    why: 'needs a cluster; tests/site/guides/kubernetes.test.ts checks the values',
  },
  {
    page: 'registry/replicas.md',
    starts: 'docker compose',
    why: 'pulls images; tests/deploy checks the file, and tests/e2e runs three replicas on PostgreSQL',
  },
];

/** Commands that the reader's machine answers in its own way. */
interface StandIn {
  readonly starts: string;
  readonly instead: string;
  readonly why: string;
}

/**
 * Run instead of what is written.
 * @param root the repository under test
 * @param dist its built command
 */
export function listStandIns(root: string, dist: string): readonly StandIn[] {
  return [
    {
      starts: 'npm install',
      instead: `ln -s '${root}/node_modules' node_modules && mkdir dist && ln -s '${dist}/site' dist/site && cp -R '${dist}'/chunks '${dist}'/*.* dist/ && touch dist/berth.js`,
      why: 'downloads some hundred packages and builds: tests/e2e/package.test.ts does both',
    },
    {
      starts: 'npm link',
      instead: 'berth version',
      why: 'changes what is installed for everybody; `berth` is on the path of the test already',
    },
  ];
}
