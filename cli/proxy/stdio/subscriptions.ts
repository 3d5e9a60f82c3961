import type { Client } from './client.ts';

/** Who follows which resource. The server is asked once for each, however many clients follow it. */
export class Subscriptions {
  readonly #followers = new Map<string, Set<Client>>();

  /** True when nobody followed it before: the server has to be told. */
  isFirst(uri: string): boolean {
    return !this.#followers.has(uri);
  }

  isFollowing(client: Client, uri: string): boolean {
    return this.#followers.get(uri)?.has(client) ?? false;
  }

  add(client: Client, uri: string): void {
    const followers = this.#followers.get(uri);
    if (followers) followers.add(client);
    else this.#followers.set(uri, new Set([client]));
  }

  /** True when nobody follows it any more: the server has to be told. */
  remove(client: Client, uri: string): boolean {
    const followers = this.#followers.get(uri);
    if (!followers?.delete(client) || followers.size > 0) return false;
    this.#followers.delete(uri);
    return true;
  }

  /** Answers the resources that nobody follows any more. */
  removeAll(client: Client): string[] {
    return [...this.#followers.keys()].filter((uri) => this.remove(client, uri));
  }

  /** Who follows the resource, or one that it is a part of. */
  find(uri: string): ReadonlySet<Client> {
    const found = new Set<Client>();
    for (const [followed, followers] of this.#followers) {
      const within = followed.endsWith('/') ? followed : `${followed}/`;
      if (uri === followed || uri.startsWith(within)) for (const client of followers) found.add(client);
    }
    return found;
  }

  list(): string[] {
    return [...this.#followers.keys()];
  }
}
