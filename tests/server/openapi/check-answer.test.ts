import { describe, expect, it } from 'vitest';
import { PROBLEM, SERVER_LIST, SOURCE } from '../../../server/openapi/examples.ts';
import { checkAnswer } from './check-answer.ts';

const LIST = '/registry/{registry}/v0.1/servers';

describe('the check of answers', () => {
  it('accepts what is documented', () => {
    checkAnswer('GET', LIST, 200, SERVER_LIST);
    checkAnswer('get', LIST, 400, PROBLEM);
    checkAnswer('GET', LIST, 401, { ...PROBLEM, status: 401, code: 'unauthenticated' });
    checkAnswer('GET', LIST, 304);
    checkAnswer('DELETE', '/v1/sources/{source}', 204);
  });

  it('refuses a member that is missing, wrong or not documented', () => {
    const { metadata, servers } = SERVER_LIST;
    expect(() => checkAnswer('GET', LIST, 200, { servers })).toThrow(/metadata/);
    expect(() => checkAnswer('GET', LIST, 200, { servers, metadata: { count: -1 } })).toThrow(
      /metadata\.count/,
    );
    expect(() => checkAnswer('GET', LIST, 200, { servers, metadata, more: 1 })).toThrow(/more/);
    expect(() => checkAnswer('GET', LIST, 400, { ...PROBLEM, code: 'Bad Code' })).toThrow(/code/);
    const { error: _error, ...without } = PROBLEM;
    expect(() => checkAnswer('GET', LIST, 400, without)).toThrow(/error/);
    const source = { ...SOURCE, status: { ...SOURCE.status, phase: 'sleeping' } };
    expect(() => checkAnswer('GET', '/v1/sources/{source}', 200, source)).toThrow(/status\.phase/);
    const secret = { ...SOURCE, git: { ...SOURCE.git, auth: { passwordFile: 'x' } } };
    expect(() => checkAnswer('GET', '/v1/sources/{source}', 200, secret)).toThrow(/git/);
  });

  it('refuses a status, method or path that is not documented', () => {
    expect(() => checkAnswer('GET', LIST, 418, PROBLEM)).toThrow(/not documented; documented: 200/);
    expect(() => checkAnswer('PUT', LIST, 200, SERVER_LIST)).toThrow(/not documented/);
    expect(() => checkAnswer('GET', '/v1/nothing', 200, {})).toThrow(/not documented; documented: nothing/);
  });

  it('refuses a body where there is none and none where there is one', () => {
    expect(() => checkAnswer('DELETE', '/v1/sources/{source}', 204, {})).toThrow(/without a JSON body/);
    expect(() => checkAnswer('GET', LIST, 200)).toThrow(/not as documented/);
  });
});
