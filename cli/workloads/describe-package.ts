import type { Plan } from '../run/plan.ts';

/** What runs, in one word for `list`. A URL goes without its query, which may hold a key. */
export function describePackage({ server }: Pick<Plan, 'server'>): string {
  switch (server.kind) {
    case 'image':
      return server.image;
    case 'protocol':
      return `${server.scheme}://${server.package}`;
    case 'remote': {
      const { origin, pathname } = new URL(server.url);
      return `${origin}${pathname}`;
    }
  }
}
