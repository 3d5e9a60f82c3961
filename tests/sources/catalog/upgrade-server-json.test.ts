import { describe, expect, it } from 'vitest';
import { upgradeServerJson } from '../../../sources/catalog/upgrade-server-json.ts';
import { validateServer } from '../../../sources/catalog/validate-server.ts';
import { SERVER_SCHEMA_URL } from '../../../sources/model/server-json.ts';
import { proves } from '../../requirements/proves.ts';

const schemaOf = (date: string) =>
  `https://static.modelcontextprotocol.io/schemas/${date}/server.schema.json`;

describe('upgradeServerJson', () => {
  it(`${proves('C-3-14')} brings the 2025-07-09 shape to today`, () => {
    const old = {
      $schema: schemaOf('2025-07-09'),
      name: 'io.github.a/b',
      description: 'Reads files',
      status: 'deprecated',
      website_url: 'https://a.example.com',
      version_detail: { version: '1.0.2', release_date: '2025-01-01T00:00:00Z', is_latest: true },
      repository: { url: 'https://github.com/a/b', source: 'github', id: '1' },
      packages: [
        {
          registry_type: 'npm',
          registry_base_url: 'https://npm.example.com',
          identifier: '@a/b',
          version: '1.0.2',
          runtime_hint: 'npx',
          runtime_arguments: [
            {
              type: 'named',
              name: '--mount',
              value: '{is_required}',
              is_repeated: true,
              variables: { is_required: { is_required: true, is_secret: false } },
            },
          ],
          package_arguments: [{ type: 'positional', value_hint: 'path', default: '/' }],
          environment_variables: [{ name: 'KEY', is_secret: true, is_required: true }],
        },
      ],
      remotes: [{ type: 'sse', url: 'https://a.example.com/sse', headers: [{ name: 'X', is_secret: true }] }],
      _meta: { 'io.modelcontextprotocol.registry/publisher-provided': { is_required: 'kept' } },
    };
    const { body, status } = upgradeServerJson(old);
    expect(status).toBe('deprecated');
    expect(body).toEqual({
      $schema: SERVER_SCHEMA_URL,
      name: 'io.github.a/b',
      description: 'Reads files',
      version: '1.0.2',
      websiteUrl: 'https://a.example.com',
      repository: old.repository,
      packages: [
        {
          registryType: 'npm',
          registryBaseUrl: 'https://npm.example.com',
          identifier: '@a/b',
          version: '1.0.2',
          runtimeHint: 'npx',
          runtimeArguments: [
            {
              type: 'named',
              name: '--mount',
              value: '{is_required}',
              isRepeated: true,
              variables: { is_required: { isRequired: true, isSecret: false } },
            },
          ],
          packageArguments: [{ type: 'positional', valueHint: 'path', default: '/' }],
          environmentVariables: [{ name: 'KEY', isSecret: true, isRequired: true }],
          transport: { type: 'stdio' },
        },
      ],
      remotes: [{ type: 'sse', url: 'https://a.example.com/sse', headers: [{ name: 'X', isSecret: true }] }],
      _meta: old._meta,
    });
    expect(validateServer(old)).toMatchObject({
      ok: true,
      entry: { version: '1.0.2', status: 'deprecated' },
    });
  });

  it(`${proves('C-3-14')} reads the first seed: registry_name, name, registry, transport_type`, () => {
    const { body } = upgradeServerJson({
      id: 'x',
      name: 'io.github.a/b',
      description: `${'word '.repeat(40)}`,
      version_detail: { version: '0.0.1-seed' },
      packages: [
        { registry_name: 'docker', name: 'ghcr.io/a/b', version: '2.0.0' },
        { registry_name: 'docker', name: 'localhost:5000/a/b:1.0', version: '2.0.0' },
        { registry_name: 'a-b', registry: 'pypi', name: 'a-b', version: '' },
      ],
      remotes: [{ transport_type: 'sse', url: 'https://a.example.com/sse' }],
    });
    expect(body).not.toHaveProperty('id');
    expect(body.packages).toEqual([
      { registryType: 'oci', identifier: 'ghcr.io/a/b:2.0.0', transport: { type: 'stdio' } },
      { registryType: 'oci', identifier: 'localhost:5000/a/b:1.0', transport: { type: 'stdio' } },
      { registryType: 'pypi', identifier: 'a-b', transport: { type: 'stdio' } },
    ]);
    expect(body.remotes).toEqual([{ type: 'sse', url: 'https://a.example.com/sse' }]);
    expect(String(body.description).length).toBeLessThanOrEqual(100);
    expect(validateServer(body).ok).toBe(true);
  });

  it(`${proves('C-3-14')} takes the status out of the 2025-09-16 shape`, () => {
    const old = {
      $schema: schemaOf('2025-09-16'),
      name: 'a/b',
      description: 'd',
      version: '1.0.0',
      status: 'deleted',
    };
    const { body, status } = upgradeServerJson(old);
    expect(status).toBe('deleted');
    expect(body).toEqual({ $schema: SERVER_SCHEMA_URL, name: 'a/b', description: 'd', version: '1.0.0' });
  });

  it('drops a repository that says nothing', () => {
    expect(upgradeServerJson({ name: 'a/b', repository: {} }).body).toEqual({ name: 'a/b' });
    expect(upgradeServerJson({ name: 'a/b', repository: { url: '', source: '' } }).body).toEqual({
      name: 'a/b',
    });
  });

  it.each([
    {
      $schema: SERVER_SCHEMA_URL,
      name: 'a/b',
      description: 'd',
      version: '1.0.0',
      status: 'active',
      packages: [{ registry_type: 'x' }],
    },
    {
      $schema: schemaOf('2025-10-17'),
      name: 'a/b',
      description: 'd',
      version: '1.0.0',
      packages: [{ registryType: 'npm', identifier: 'x' }],
    },
    { name: 'a/b', remotes: [{ variables: { is_required: { default: 'x' } } }] },
  ])('leaves what has no mark of an older schema as it is: %j', (body) => {
    expect(upgradeServerJson(body).body).toBe(body);
  });
});
