import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, it } from 'vitest';
import { ROUTE_TEMPLATES } from '../../../server/consumer/route.ts';
import { CONSUMER_PATHS } from '../../../server/openapi/consumer-paths.ts';
import { createOpenApi, OPERATIONS } from '../../../server/openapi/create-openapi.ts';
import { writeParameters } from '../../../server/openapi/parameters.ts';
import { proves } from '../../requirements/proves.ts';
import { createAnswerCheck } from './check-answer.ts';

const document = createOpenApi({ version: '1.2.3', serverUrl: 'https://registry.example.com' });

describe('the OpenAPI document', () => {
  it(`${proves('S-4-26')} is valid OpenAPI 3.1 with every reference resolved`, async () => {
    const validator = new Validator();
    const result = await validator.validate(structuredClone(document));
    expect(result).toEqual({ valid: true });
    expect(validator.version).toBe('3.1');
    const text = JSON.stringify(document);
    const references = [...text.matchAll(/"\$ref":"#\/components\/(\w+)\/(\w+)"/g)];
    expect(references.length).toBe([...text.matchAll(/"\$ref"/g)].length);
    const { components } = JSON.parse(text);
    for (const [, kind = '', name = ''] of references) expect(components[kind]).toHaveProperty(name);
  });

  it('names the version and the server it was asked for', () => {
    expect(document).toMatchObject({
      openapi: '3.1.0',
      info: { version: '1.2.3' },
      servers: [{ url: 'https://registry.example.com' }],
    });
    expect(createOpenApi({ version: '1' })).toMatchObject({ servers: [{ url: '/' }] });
  });

  it('states the page size that is configured', () => {
    expect(createOpenApi({ version: '1', maxPageSize: 20 })).toMatchObject({
      components: { parameters: { limit: { schema: { minimum: 1, maximum: 20, default: 20 } } } },
    });
    expect(document).toMatchObject({
      components: { parameters: { limit: { schema: { maximum: 100, default: 30 } } } },
    });
  });

  it('gives every operation an id of its own', () => {
    const ids = OPERATIONS.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    const places = OPERATIONS.map(({ method, path }) => `${method} ${path}`);
    expect(new Set(places).size).toBe(places.length);
  });

  it.each(OPERATIONS)('$method $path declares each parameter of its path', ({ path, parameters = [] }) => {
    const known = writeParameters(100);
    const declared = parameters
      .map((name) => known[name])
      .filter((parameter) => parameter.in === 'path')
      .map(({ name }) => name);
    expect(declared.sort()).toEqual([...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name).sort());
  });

  it.each(OPERATIONS)('$method $path has examples its own schemas accept', (operation) => {
    const check = createAnswerCheck(document);
    for (const [status, { schema, example }] of Object.entries(operation.answers)) {
      if (!schema) continue;
      expect(example).toBeDefined();
      check(operation.method, operation.path, Number(status), example);
    }
    if (operation.body?.schema) {
      for (const example of Object.values(operation.body.examples)) {
        expect(check.body(operation.body.schema, example)).toEqual([]);
      }
    }
  });

  it('has the paths of the consumer API and no others', () => {
    const { 'skill-file': file, ...templates } = ROUTE_TEMPLATES;
    const files = ['{name}/SKILL.md', '{name}.tar.gz'].map((name) => file.replace('{file}', name));
    expect(CONSUMER_PATHS.map(({ path }) => path).sort()).toEqual(
      [...Object.values(templates), ...files].sort(),
    );
  });

  it('leaves out the internal server', () => {
    const { paths } = JSON.parse(JSON.stringify(document));
    for (const path of ['/health', '/readiness', '/version', '/metrics'])
      expect(paths).not.toHaveProperty(path);
  });

  it('asks for no token where none is needed', () => {
    const { paths, security } = JSON.parse(JSON.stringify(document));
    expect(security).toEqual([{ bearer: [] }]);
    expect(paths['/openapi.json'].get.security).toEqual([]);
    expect(paths['/.well-known/oauth-protected-resource'].get.security).toEqual([]);
    expect(paths['/v1/me'].get).not.toHaveProperty('security');
    expect(paths['/v1/me'].get.responses).toHaveProperty('401');
    expect(paths['/openapi.json'].get.responses).not.toHaveProperty('401');
  });
});
