import { describe, expect, it } from 'vitest';
import { validateSkill } from '../../../sources/catalog/validate-skill.ts';
import { publisherMeta, skill } from './fetched-text.ts';

function problems(members: Readonly<Record<string, unknown>>, fromCatalog = false): readonly string[] {
  const result = validateSkill(skill('io.team', 'notes', members), { fromCatalog });
  return result.ok ? [] : result.problems.map(({ path, message }) => `${path}: ${message}`);
}

describe('validateSkill', () => {
  it('accepts every member of the format and keeps unknown ones', () => {
    const body = skill('io.team', 'notes-2', {
      status: 'active',
      title: 'Notes',
      license: 'MIT',
      compatibility: 'x'.repeat(500),
      allowedTools: ['Read'],
      repository: { url: 'https://git.example.com/r', type: 'git' },
      icons: [{ src: 'https://x.example.com/i.png', size: '48x48', type: 'image/png', label: 'L' }],
      packages: [
        { registryType: 'oci', identifier: 'ghcr.io/a/b:1', digest: 'sha256:x', mediaType: 'm' },
        { registryType: 'git', url: 'https://git.example.com/r', ref: 'main', commit: 'c', subfolder: 's' },
      ],
      metadata: { author: 'me', nested: { a: 1 } },
      extra: true,
      _meta: publisherMeta({ tags: ['t'], tools: ['u'] }),
    });
    expect(validateSkill(body)).toEqual({
      ok: true,
      entry: {
        type: 'skill',
        name: 'io.team/notes-2',
        version: '1.0.0',
        body,
        status: 'active',
        tags: ['t'],
        tools: ['u'],
      },
    });
  });

  it.each([
    [{ namespace: undefined }, 'namespace: is missing'],
    [{ namespace: 'ab' }, 'namespace: must have at least 3 characters'],
    [{ namespace: 'a'.repeat(129) }, 'namespace: must have at most 128'],
    [{ namespace: 'a/b' }, 'namespace: must be letters'],
    [{ name: 'Notes' }, 'name: must be lower-case'],
    [{ name: 'a--b' }, 'name: must be lower-case'],
    [{ name: '-a' }, 'name: must be lower-case'],
    [{ name: 'a'.repeat(65) }, 'name: must have at most 64 characters'],
    [{ description: '' }, 'description: must have at least 1 character'],
    [{ description: 'x'.repeat(1025) }, 'description: must have at most 1024 characters'],
    [{ version: 'latest' }, 'version: must not be `latest`'],
    [{ status: 'deleted' }, 'status: must be active, deprecated or archived'],
    [{ compatibility: 'x'.repeat(501) }, 'compatibility: must have at most 500'],
    [{ allowedTools: 'Read' }, 'allowedTools: must be a list'],
    [{ packages: [{ registryType: 'npm' }] }, 'packages[0].registryType: must be oci or git'],
  ])('refuses %j', (members, expected) => {
    expect(problems(members).filter((problem) => problem.startsWith(expected))).not.toEqual([]);
  });

  it('accepts a namespace of one character in a catalog', () => {
    expect(problems({ namespace: 'a' }, true)).toEqual([]);
    expect(problems({ namespace: '' }, true)).not.toEqual([]);
  });

  it.each([
    ['active', 'active'],
    ['deprecated', 'deprecated'],
    ['archived', 'deprecated'],
  ])('takes the status %s for %s', (status, expected) => {
    expect(validateSkill(skill('io.team', 'notes', { status }))).toMatchObject({
      ok: true,
      entry: { status: expected },
    });
  });

  it('lets the official block decide, without contradicting itself', () => {
    const checked = validateSkill(skill('io.team', 'notes', { status: 'archived' }), {
      official: { status: 'active' },
    });
    expect(checked).toMatchObject({ ok: true, entry: { status: 'active' } });
    expect(checked.ok && 'status' in checked.entry.body).toBe(false);
    const agreed = validateSkill(skill('io.team', 'notes', { status: 'archived' }), {
      official: { status: 'deprecated' },
    });
    expect(agreed).toMatchObject({ ok: true, entry: { status: 'deprecated', body: { status: 'archived' } } });
  });
});
