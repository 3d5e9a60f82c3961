import { setTimeout as wait } from 'node:timers/promises';
import type { McpServer } from '@modelcontextprotocol/server';
import { PNG, WAV } from './samples.ts';

/** How tools tell that a list has changed: each transport has its own way. */
export interface Changes {
  tools(): void;
  prompts(): void;
}

export const text = (value: string) => ({ content: [{ type: 'text' as const, text: value }] });

/** The tools whose answers the suite checks: contents of every kind, errors, progress, logs and changes. */
export function addTools(server: McpServer, changes: Changes): void {
  server.registerTool('test_simple_text', { description: 'One text.' }, async () =>
    text('This is a simple text response for testing.'),
  );
  server.registerTool('test_image_content', { description: 'One image.' }, async () => ({
    content: [{ type: 'image', data: PNG, mimeType: 'image/png' }],
  }));
  server.registerTool('test_audio_content', { description: 'One sound.' }, async () => ({
    content: [{ type: 'audio', data: WAV, mimeType: 'audio/wav' }],
  }));
  const embedded = { uri: 'test://embedded-resource', mimeType: 'text/plain', text: 'An embedded resource.' };
  server.registerTool('test_embedded_resource', { description: 'One resource.' }, async () => ({
    content: [{ type: 'resource', resource: embedded }],
  }));
  const mixed = {
    uri: 'test://mixed-content-resource',
    mimeType: 'application/json',
    text: '{"test":"data","value":123}',
  };
  server.registerTool('test_multiple_content_types', { description: 'Three contents.' }, async () => ({
    content: [
      { type: 'text', text: 'Multiple content types test:' },
      { type: 'image', data: PNG, mimeType: 'image/png' },
      { type: 'resource', resource: mixed },
    ],
  }));
  server.registerTool('test_error_handling', { description: 'Always fails.' }, async () => {
    throw new Error('This tool intentionally returns an error for testing');
  });
  for (const name of ['test_tool_with_logging', 'test_logging_tool']) {
    server.registerTool(name, { description: 'Logs three times.' }, async (context) => {
      for (const step of ['started', 'processing', 'completed']) {
        await context.mcpReq.log('info', `Tool ${step}`);
        await wait(20);
      }
      return text('logged');
    });
  }
  server.registerTool('test_tool_with_progress', { description: 'Reports progress.' }, async (context) => {
    const progressToken = context.mcpReq._meta?.progressToken;
    if (progressToken !== undefined) {
      for (const progress of [0, 50, 100]) {
        await context.mcpReq.notify({
          method: 'notifications/progress',
          params: { progressToken, progress, total: 100, message: `${progress} of 100` },
        });
        await wait(20);
      }
    }
    return text('progressed');
  });
  server.registerTool('test_reconnection', { description: 'Cuts its own stream.' }, async (context) => {
    context.http?.closeSSE?.();
    await wait(100);
    return text('Answered after the stream was cut.');
  });
  server.registerTool('test_trigger_tool_change', { description: 'Changes the tools.' }, async () => {
    changes.tools();
    return text('changed');
  });
  server.registerTool('test_trigger_prompt_change', { description: 'Changes the prompts.' }, async () => {
    changes.prompts();
    return text('changed');
  });
}
