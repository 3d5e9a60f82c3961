import { LABELS } from '../engine/engine.ts';
import type { Recipe, Stages } from './build-plan.ts';

/** Every client of ours, and every runtime's, that reads certificates from somewhere of its own. */
const CERTIFICATE_VARIABLES = {
  SSL_CERT_FILE: 'bundle',
  REQUESTS_CA_BUNDLE: 'bundle',
  CURL_CA_BUNDLE: 'bundle',
  PIP_CERT: 'bundle',
  GIT_SSL_CAINFO: 'bundle',
  NODE_EXTRA_CA_CERTS: 'own',
} as const;
const PLACES = { bundle: '/etc/ssl/certs/ca-certificates.crt', own: '/berth/ca.pem' };

/**
 * Writes the Dockerfile of a recipe in parts. No network is used before the certificates are trusted; the last stage
 * has nothing of the builder but `/opt/berth`, and runs as a user without rights.
 */
export function writeStages(recipe: Recipe, hasCertificates: boolean): Stages {
  const variables: readonly string[] = hasCertificates
    ? [
        ...Object.entries(CERTIFICATE_VARIABLES).map(([name, place]) => `${name}=${PLACES[place]}`),
        // Both names of one setting: newer releases of uv renamed it.
        'UV_NATIVE_TLS=1',
        'UV_SYSTEM_CERTS=1',
      ]
    : [];
  const stage = (image: string, role: string, script: string): string[] => [
    `FROM ${image}${role}`,
    // What is left of a builder stage can be found and pruned by it.
    `LABEL ${LABELS.managed}=true`,
    'USER 0:0',
    'COPY berth/ /berth/',
    ...(variables.length > 0 ? [`ENV ${variables.join(' ')}`] : []),
    `RUN ["/bin/sh", "/berth/${script}"]`,
  ];
  return {
    prepare: [
      ...stage(recipe.builderImage, ' AS builder', 'prepare-builder.sh'),
      ...(recipe.sources.length > 0 ? ['COPY source/ /source/'] : []),
    ],
    install: ['RUN ["/bin/sh", "/berth/install.sh"]'],
    runtime: (copy) => [
      ...stage(recipe.runtimeImage, '', 'prepare-runtime.sh'),
      copy,
      'ENV HOME=/home/berth NODE_ENV=production PYTHONUNBUFFERED=1',
      'WORKDIR /home/berth',
      'USER 10001:10001',
      'ENTRYPOINT ["/opt/berth/run"]',
    ],
  };
}

/** The whole Dockerfile, for a build whose install step needs no credentials. */
export function joinStages(stages: Stages): string {
  const lines = [
    ...stages.prepare,
    ...stages.install,
    '',
    ...stages.runtime('COPY --from=builder /opt/berth /opt/berth'),
  ];
  return `${lines.join('\n')}\n`;
}
