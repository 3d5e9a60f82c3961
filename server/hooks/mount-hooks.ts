import { resolve } from 'node:path';
import type { Hono } from 'hono';
import type { AppEnv } from '../app-context.ts';
import { HttpError } from '../http/problem.ts';
import { readBody } from '../http/read-body.ts';
import type { RegistryService } from '../registry-service.ts';
import { isSynced } from '../registry-service.ts';
import { answerGitHook, HOOK_BODY_BYTES } from './answer-git-hook.ts';
import { readHookSecret } from './read-hook-secret.ts';
import { createRememberedDeliveries } from './remembered-deliveries.ts';

/** `POST /hooks/git/{source}` (contract 2): signed instead of authenticated; there only when `hooks` is configured. */
export function mountHooks(app: Hono<AppEnv>, service: RegistryService): void {
  const remember = createRememberedDeliveries();
  app.post('/hooks/git/:source', async (c) => {
    const { config, baseDir } = c.get('runtime').loaded;
    c.get('observed').happened = {
      route: '/hooks/git/{source}',
      event: { type: 'source.sync', resourceType: 'source', resourceName: c.req.param('source') },
    };
    if (!config.hooks) throw new HttpError(404, 'hooks_disabled', 'No hooks are configured here.');
    const source = c.req.param('source');
    const answer = answerGitHook({
      header: (name) => c.req.header(name),
      body: await readBody(c.req.raw, HOOK_BODY_BYTES),
      source,
      secret: await readHookSecret(resolve(baseDir, config.hooks.secretFile)),
      findSource: (name) => {
        const found = service.findSource(name);
        return found && (isSynced(found.config) ? 'syncable' : 'not_syncable');
      },
      remember,
    });
    if (answer.status === 'accepted') await service.requestSync(source);
    return c.json(answer, 202);
  });
  app.all('/hooks/git/:source', () => {
    throw new HttpError(405, 'method_not_allowed', 'Deliveries are POST requests.', {
      headers: { Allow: 'POST' },
    });
  });
}
