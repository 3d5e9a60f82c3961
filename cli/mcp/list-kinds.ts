import type { Client } from '@modelcontextprotocol/client';

/** What a server can be asked to list. */
export const KINDS = ['tools', 'resources', 'prompts'] as const;
export type Kind = (typeof KINDS)[number];

export interface ListedItem {
  readonly name: string;
  readonly description: string;
  /** As the server gave it. */
  readonly item: unknown;
}

/** All pages of what a server has of a kind; nothing when it does not know the kind. */
export async function listOf(client: Client, kind: Kind, timeoutMs: number): Promise<readonly ListedItem[]> {
  if (!client.getServerCapabilities()?.[kind]) return [];
  const options = { timeout: timeoutMs };
  switch (kind) {
    case 'tools': {
      const { tools } = await client.listTools(undefined, options);
      return tools.map((item) => ({ name: item.name, description: item.description ?? '', item }));
    }
    case 'prompts': {
      const { prompts } = await client.listPrompts(undefined, options);
      return prompts.map((item) => ({ name: item.name, description: item.description ?? '', item }));
    }
    case 'resources': {
      const { resources } = await client.listResources(undefined, options);
      return resources.map((item) => ({ name: item.uri, description: item.description ?? item.name, item }));
    }
  }
}
