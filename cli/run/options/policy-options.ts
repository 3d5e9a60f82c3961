import { ImageOptions } from './image-options.ts';
import { listOption, switchOption, textOption } from './option-kinds.ts';

/** Which calls pass the proxy, and who is told. */
export abstract class PolicyOptions extends ImageOptions {
  tools = listOption('--tools', 'tools to expose, as clients see them; repeatable or comma-separated');
  toolsOverride = textOption('--tools-override', 'JSON file of new names and descriptions of tools');
  authzConfig = textOption('--authz-config', 'JSON or YAML file of Cedar policies');
  auditConfig = textOption('--audit-config', 'JSON or YAML file that says what is audited');
  enableAudit = switchOption('--enable-audit', 'audit with the defaults (default: false)');
  webhookConfig = listOption(
    '--webhook-config',
    'JSON or YAML file of webhooks; repeatable, the files are merged',
  );
}
