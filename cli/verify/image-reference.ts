/** An image reference taken apart as engines do it. */
export interface ImageReference {
  /** Host of the registry API. */
  readonly host: string;
  readonly repository: string;
}

const DOCKER_HUB = 'registry-1.docker.io';

/** Host and repository of a reference; tag and digest are left out. */
export function parseImageReference(reference: string): ImageReference {
  const name = reference.replace(/@sha256:[0-9a-f]{64}$/, '').replace(/:[\w][\w.-]{0,127}$/, '');
  const slash = name.indexOf('/');
  const first = slash < 0 ? '' : name.slice(0, slash);
  const isHost = first.includes('.') || first.includes(':') || first === 'localhost';
  if (isHost) {
    const host = first === 'docker.io' || first === 'index.docker.io' ? DOCKER_HUB : first;
    const rest = name.slice(slash + 1);
    return { host, repository: host === DOCKER_HUB && !rest.includes('/') ? `library/${rest}` : rest };
  }
  return { host: DOCKER_HUB, repository: name.includes('/') ? name : `library/${name}` };
}
