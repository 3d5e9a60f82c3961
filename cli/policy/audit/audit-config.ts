import { z } from 'zod';
import { auditSchema } from '../../../sources/config/schema.ts';
import { readStrictFile } from '../read-strict-file.ts';
import { MCP_AUDIT_TYPES } from './mcp-audit-type.ts';

const auditType = z.enum(Object.keys(MCP_AUDIT_TYPES));

/** The `audit` block of the registry, and `includeResponseData` (contract 5). Giving the file is what turns audit on. */
export const mcpAuditSchema = auditSchema.extend({
  enabled: z.boolean().default(true),
  eventTypes: z.array(auditType).optional(),
  excludeEventTypes: z.array(auditType).optional(),
  includeResponseData: z.boolean().default(false),
});
export type McpAuditConfig = z.infer<typeof mcpAuditSchema>;

/**
 * Reads the file of `--audit-config` (JSON or YAML, strict).
 * @throws ConfigError `config_invalid`
 */
export function readAuditFile(text: string, file: string): McpAuditConfig {
  return readStrictFile(text, file, mcpAuditSchema);
}
