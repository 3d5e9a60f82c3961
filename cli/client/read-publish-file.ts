import { readFile } from 'node:fs/promises';
import { basename, dirname, resolve } from 'node:path';
import { parse } from 'yaml';
import { readCatalog } from '../../sources/catalog/read-catalog.ts';
import { BerthError } from '../../sources/errors.ts';
import { isPlainObject, type PlainObject } from '../../sources/model/plain-object.ts';

/** What goes into the body of a publish. */
export type PublishBody = { readonly server: PlainObject } | { readonly skill: PlainObject };

/**
 * Reads what is to be published: a server.json (as `mcp-publisher` writes it) or server.yaml, a skill object, a body
 * `{server|skill}`, or a SKILL.md.
 * @param namespace of a skill whose SKILL.md names none
 * @throws BerthError `publish_file_unreadable`, `publish_file_unknown`
 */
export async function readPublishFile(file: string, namespace: string | undefined): Promise<PublishBody> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (cause) {
    throw new BerthError('publish_file_unreadable', 'The file cannot be read.', {
      at: { file },
      fix: 'Name a server.json, server.yaml or SKILL.md.',
      cause,
    });
  }
  return basename(file) === 'SKILL.md' ? readSkillMarkdown(file, text, namespace) : readDocument(file, text);
}

function readDocument(file: string, text: string): PublishBody {
  let document: unknown;
  try {
    document = parse(text);
  } catch (cause) {
    throw new BerthError('publish_file_unreadable', 'The file is neither JSON nor YAML.', {
      at: { file },
      cause,
    });
  }
  if (isPlainObject(document)) {
    const { server, skill } = document;
    if (isPlainObject(server)) return { server };
    if (isPlainObject(skill)) return { skill };
    if (typeof document.namespace === 'string') return { skill: document };
    if (typeof document.name === 'string') return { server: document };
  }
  throw new BerthError('publish_file_unknown', 'The file holds nothing that can be published.', {
    at: { file },
    fix: 'It needs a server.json, a skill object with namespace and name, or {"server": …}.',
  });
}

function readSkillMarkdown(file: string, text: string, namespace: string | undefined): PublishBody {
  const directory = basename(dirname(resolve(file)));
  const catalog = readCatalog(
    {
      layout: 'directory',
      files: [{ path: `${directory}/SKILL.md`, bytes: Buffer.from(text) }],
      origin: { kind: 'file' },
      digest: '',
    },
    { sourceName: namespace ?? 'skills' },
  );
  const [skill] = catalog.entries;
  if (skill) return { skill: { ...skill.body } };
  const [rejected] = catalog.rejected;
  throw new BerthError('publish_file_unknown', rejected?.reason ?? 'The file holds no skill.', {
    at: { file, ...(rejected ? { line: rejected.line } : {}) },
  });
}
