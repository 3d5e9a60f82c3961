import type { z } from 'zod';
import type { SiteLocals } from '../site-locals.ts';
import { ApiRefusal, acceptAnswer } from './api-refusal.ts';

/** The API as the viewer, with what it answers checked. */
export interface AdminApi {
  /** @throws ApiRefusal */
  read<T>(path: string, schema: z.ZodType<T>): Promise<T>;
  /** @returns why it was refused; undefined when it was done */
  change(method: 'POST' | 'PUT' | 'PATCH' | 'DELETE', path: string, body?: unknown): Promise<Changed>;
}

type Changed = ApiRefusal | undefined;

export function openAdminApi(api: SiteLocals['api']): AdminApi {
  return {
    read: async (path, schema) => schema.parse(acceptAnswer(await api('GET', path))),
    change: async (method, path, body) => {
      try {
        acceptAnswer(await api(method, path, body));
        return undefined;
      } catch (error) {
        if (error instanceof ApiRefusal) return error;
        throw error;
      }
    },
  };
}

/** A path with its query; members that are undefined or empty are left out. */
export function withQuery(path: string, query: Readonly<Record<string, string | undefined>>): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value) parameters.set(name, value);
  }
  return parameters.size === 0 ? path : `${path}?${parameters}`;
}
