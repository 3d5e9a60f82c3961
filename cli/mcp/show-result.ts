import type { CallToolResult } from '@modelcontextprotocol/client';

/** What a tool answered, as lines for a person: texts as they are, a note for what is no text. */
export function showResult({ content, structuredContent }: CallToolResult): string[] {
  const lines = content.map(showBlock);
  return lines.length === 0 && structuredContent !== undefined
    ? [JSON.stringify(structuredContent, null, 2)]
    : lines;
}

function showBlock(block: CallToolResult['content'][number]): string {
  switch (block.type) {
    case 'text':
      return block.text;
    case 'image':
    case 'audio':
      return `[${block.type} ${block.mimeType}, ${Buffer.byteLength(block.data, 'base64')} bytes]`;
    case 'resource_link':
      return `[resource ${block.uri}]`;
    case 'resource':
      return 'text' in block.resource ? block.resource.text : `[resource ${block.resource.uri}]`;
  }
}
