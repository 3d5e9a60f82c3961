import { ask, type DockerContext } from './docker-context.ts';

export function describeEngine(context: DockerContext) {
  return ask(context, 'say what it is', async () => {
    const [version, info] = await Promise.all([context.docker.version(), context.docker.info()]);
    const security: unknown = info.SecurityOptions;
    return {
      version: version.Version,
      apiVersion: version.ApiVersion,
      architecture: version.Arch,
      rootless:
        Array.isArray(security) && security.some((option) => String(option).includes('name=rootless')),
    };
  });
}
