import { join } from 'node:path';
import type { Candidate, Environment } from './candidate.ts';

/** The places where Docker, Docker Desktop, Rancher Desktop, OrbStack, Podman and Colima put their sockets, in order. */
export function listUsualSockets(env: Environment, home: string, root: string): readonly Candidate[] {
  const runtime = env.XDG_RUNTIME_DIR;
  const paths = [
    join(root, 'var', 'run', 'docker.sock'),
    join(home, '.docker', 'run', 'docker.sock'),
    join(home, '.docker', 'desktop', 'docker.sock'),
    join(home, '.rd', 'docker.sock'),
    join(home, '.orbstack', 'run', 'docker.sock'),
    ...(runtime ? [join(runtime, 'docker.sock'), join(runtime, 'podman', 'podman.sock')] : []),
    join(root, 'run', 'podman', 'podman.sock'),
    join(home, '.colima', 'default', 'docker.sock'),
  ];
  return paths.map((path) => ({
    name: `unix://${path}`,
    from: '',
    address: { kind: 'socket', path },
  }));
}
