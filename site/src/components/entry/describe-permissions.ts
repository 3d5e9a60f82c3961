import type { PermissionLines } from '../../../../server/site/catalog-reader.ts';

/** Something an entry may do, and with what. */
export interface Permission {
  readonly may: string;
  readonly values: readonly string[];
}

/** A permission profile in words, as `berth run` follows it. */
export function describePermissions(lines: PermissionLines): Permission[] {
  const ports = lines.ports.length > 0 ? ` on port ${lines.ports.join(', ')}` : '';
  return [
    ...describeReach(lines, ports),
    ...(lines.read.length > 0 ? [{ may: 'May read', values: lines.read }] : []),
    ...(lines.write.length > 0 ? [{ may: 'May read and change', values: lines.write }] : []),
    ...(lines.read.length + lines.write.length === 0
      ? [{ may: 'May use no files of the machine it runs on.', values: [] }]
      : []),
    ...(lines.asksPrivileged
      ? [{ may: 'Asks for a privileged container. Only who runs it can allow that.', values: [] }]
      : []),
  ];
}

function describeReach({ allowsAllHosts, hosts, ports }: PermissionLines, where: string): Permission[] {
  if (allowsAllHosts || (hosts.length === 0 && ports.length > 0))
    return [{ may: `May reach every public host${where}.`, values: [] }];
  if (hosts.length === 0) return [{ may: 'May reach no host.', values: [] }];
  return [{ may: `May reach these hosts${where}`, values: hosts }];
}
