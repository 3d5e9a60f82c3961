import { createInterface } from 'node:readline';
import { z } from 'zod';
import type { Engine } from '../../../cli/engine/engine.ts';
import { makeContainer } from '../../support/engine-containers.ts';

const answerSchema = z.looseObject({
  result: z.looseObject({ tools: z.array(z.looseObject({ name: z.string() })) }),
});

/**
 * Runs an image as a stdio server without any network, initializes it and lists its tools.
 *
 * @returns names of the tools, sorted
 */
export async function listToolsOf(engine: Engine, image: string): Promise<readonly string[]> {
  const id = await makeContainer(engine, { image, interactive: true, network: 'none' });
  const streams = await engine.attachContainer(id);
  streams.stderr.resume();
  await engine.startContainer(id);
  const answers = createInterface({ input: streams.stdout })[Symbol.asyncIterator]();
  const ask = async (wanted: number, method: string, params: object): Promise<unknown> => {
    streams.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: wanted, method, params })}\n`);
    for (let next = await answers.next(); !next.done; next = await answers.next()) {
      const message: unknown = JSON.parse(next.value);
      if (typeof message === 'object' && message && 'id' in message && message.id === wanted) return message;
    }
    throw new Error(`the server ended: ${await engine.readLogs(id, 20)}`);
  };
  const clientInfo = { name: 'berth-test', version: '1' };
  await ask(1, 'initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo });
  streams.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' })}\n`);
  const { result } = answerSchema.parse(await ask(2, 'tools/list', {}));
  streams.destroy();
  return result.tools.map(({ name }) => name).sort();
}
