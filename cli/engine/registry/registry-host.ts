/**
 * The registry of an image reference, as credentials are kept for it: the part before the first `/` when it looks like
 * a host, else Docker Hub.
 */
export function registryHostOf(reference: string): string {
  const slash = reference.indexOf('/');
  const first = slash === -1 ? '' : reference.slice(0, slash);
  const isHost = first === 'localhost' || /[.:]/.test(first);
  return isHost && first !== 'index.docker.io' ? first : 'docker.io';
}
