import { z } from 'zod';
import { isPlainObject, type PlainObject } from '../../../sources/model/plain-object.ts';
import type { PermissionLines } from '../catalog-reader.ts';
import { textsIn } from './read-item.ts';

/** The part of a profile that `berth run` obeys without being asked: what may be reached. */
const profileSchema = z.strictObject({
  name: z.string().optional(),
  network: z
    .strictObject({
      outbound: z
        .strictObject({
          insecure_allow_all: z.boolean().default(false),
          allow_host: z.array(z.string().min(1)).default([]),
          allow_port: z.array(z.int().min(1).max(65_535)).default([]),
        })
        .prefault({}),
      inbound: z.unknown().optional(),
    })
    .prefault({}),
});

/** The permission profile in a publisher's block. One that cannot be read opens nothing, as under `berth run`. */
export function describePermissions({ permissions }: PlainObject): PermissionLines | undefined {
  if (!isPlainObject(permissions)) return undefined;
  const { read, write, privileged, ...rest } = permissions;
  const parsed = profileSchema.safeParse(rest);
  const outbound = parsed.success ? parsed.data.network.outbound : undefined;
  return {
    read: textsIn(read),
    write: textsIn(write),
    hosts: outbound?.allow_host ?? [],
    ports: outbound?.allow_port ?? [],
    allowsAllHosts: outbound?.insecure_allow_all ?? false,
    asksPrivileged: privileged === true,
  };
}
