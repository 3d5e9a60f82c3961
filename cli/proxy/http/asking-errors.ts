import { BerthError, messageOf } from '../../../sources/errors.ts';
import type { AskingDeps } from './asking-deps.ts';
import type { Reply } from './post-message.ts';

/** The result of an answer. @throws BerthError `server_refused`, `server_not_mcp`, `server_unauthorized` */
export function takeResult(deps: AskingDeps, reply: Reply): Record<string, unknown> {
  if (reply.answer?.result === undefined) throw explainAnswer(deps, reply);
  return reply.answer.result;
}

/** Where the server is. @throws BerthError `server_unreachable` while it is away */
export function requireTarget({ options }: AskingDeps): URL {
  const target = options.target();
  if (target) return target;
  throw new BerthError('server_unreachable', 'The server is not running.', { fix: 'Look at its log.' });
}

function placeOf({ options }: AskingDeps): { url: string } {
  const target = options.target();
  return { url: target ? target.origin + target.pathname : '' };
}

export function unreachable(deps: AskingDeps, error: unknown): BerthError {
  if (error instanceof BerthError) return error;
  return new BerthError('server_unreachable', `The server cannot be reached (${messageOf(error)}).`, {
    at: placeOf(deps),
    fix: 'Check that it listens there and speaks the chosen transport.',
    cause: error,
  });
}

export function notMcp(deps: AskingDeps, what: string): BerthError {
  return new BerthError('server_not_mcp', `The server does not speak MCP here: ${what}.`, {
    at: placeOf(deps),
    fix: 'Check the URL or port, its path, and --transport.',
  });
}

export function explainAnswer(deps: AskingDeps, { status, answer, text }: Reply): BerthError {
  if (status === 401 || status === 403) {
    return new BerthError('server_unauthorized', `The server refuses us with ${status}.`, {
      at: placeOf(deps),
      fix: 'Sign in to it with --remote-auth, or give a token.',
    });
  }
  if (answer?.error !== undefined) {
    return new BerthError('server_refused', `The server refuses: ${answer.error.message}`, {
      at: placeOf(deps),
      fix: 'Look at its log.',
    });
  }
  const shown = text.trim().replaceAll(/\s+/g, ' ').slice(0, 120);
  return notMcp(
    deps,
    `it answered ${status}${shown === '' ? '' : ` ${JSON.stringify(shown)}`} to initialize`,
  );
}
