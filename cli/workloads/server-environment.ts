import type { Plan } from '../run/plan.ts';

/**
 * The environment of the server: what tells it how it is served, under what the user wants, under the values of the
 * secrets. The result holds secret values; it goes to the engine and nowhere else.
 *
 * @param port where an HTTP server is to listen; ignored for stdio
 * @throws what `readSecret` throws for a name there is none of
 */
export async function buildServerEnvironment(
  plan: Pick<Plan, 'transport' | 'env' | 'secrets'>,
  port: number,
  readSecret: (name: string) => Promise<string>,
): Promise<Readonly<Record<string, string>>> {
  const serving: Record<string, string> = { MCP_TRANSPORT: plan.transport };
  if (plan.transport !== 'stdio') {
    Object.assign(serving, { MCP_PORT: String(port), FASTMCP_PORT: String(port), MCP_HOST: '0.0.0.0' });
  }
  const secrets: Record<string, string> = {};
  for (const [variable, name] of Object.entries(plan.secrets)) secrets[variable] = await readSecret(name);
  return { ...serving, ...plan.env, ...secrets };
}
