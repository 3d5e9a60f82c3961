import { LineCounter, parseDocument } from 'yaml';
import { cutAtWord } from '../model/limited-text.ts';
import { isPlainObject, omitMembers, type PlainObject } from '../model/plain-object.ts';
import { SKILL_DESCRIPTION_LIMIT } from '../model/skill.ts';

/** The skill object a SKILL.md stands for, not yet validated; or why it stands for none. */
export type SkillMarkdown =
  | { readonly ok: true; readonly skill: PlainObject }
  | { readonly ok: false; readonly line: number; readonly reason: string };

const FRONT_MATTER = /^---[ \t]*\r?\n((?:[^\n]*\n)*?)---[ \t]*(?:\r?\n|$)/;

/**
 * Reads the YAML front matter of a SKILL.md (Agent Skills; contract 3, form 4): version from `metadata.version`, else
 * 1.0.0; namespace from `metadata.namespace`, else the source's name. Every value is taken as the text that stands
 * there, so a version `1.10` stays `1.10`. A description over 1,024 characters is cut: the file is served as it was
 * written, and one long description must not hide a skill.
 * @param directory the name of the directory the file is in; undefined when it is not known
 */
export function readSkillMarkdown(
  text: string,
  directory: string | undefined,
  sourceName: string,
): SkillMarkdown {
  const block = FRONT_MATTER.exec(text)?.[1];
  if (block === undefined)
    return { ok: false, line: 1, reason: 'SKILL.md must begin with YAML front matter between `---` lines' };
  const lines = new LineCounter();
  const document = parseDocument(block, {
    schema: 'failsafe',
    lineCounter: lines,
    prettyErrors: false,
    logLevel: 'silent',
  });
  const [error] = document.errors;
  if (error)
    return {
      ok: false,
      line: lines.linePos(error.pos[0]).line + 1,
      reason: `front matter is no valid YAML: ${error.message}`,
    };
  const front: unknown = document.toJS();
  if (!isPlainObject(front))
    return { ok: false, line: 2, reason: 'front matter must hold name and description' };
  if (directory !== undefined && front.name !== undefined && front.name !== directory) {
    return { ok: false, line: lineOfName(block), reason: `name: must equal its directory, ${directory}` };
  }
  return { ok: true, skill: toSkill(front, sourceName) };
}

function toSkill(front: PlainObject, sourceName: string): PlainObject {
  const { name, description, license, compatibility } = front;
  const metadata = isPlainObject(front.metadata) ? front.metadata : {};
  const others = omitMembers(metadata, ['version', 'namespace']);
  const allowedTools = listTools(front['allowed-tools']);
  return {
    namespace: textOr(metadata.namespace, sourceName),
    name,
    description:
      typeof description === 'string' ? cutAtWord(description, SKILL_DESCRIPTION_LIMIT) : description,
    version: textOr(metadata.version, '1.0.0'),
    ...(license === undefined || license === '' ? {} : { license }),
    ...(compatibility === undefined || compatibility === '' ? {} : { compatibility }),
    ...(allowedTools === undefined ? {} : { allowedTools }),
    ...(Object.keys(others).length > 0 ? { metadata: others } : {}),
  };
}

/** A tool per blank or comma, except inside brackets: `Bash(git add:*) Read`. */
function listTools(tools: unknown): unknown {
  if (typeof tools !== 'string') return tools;
  return tools.match(/[^\s,(]+(?:\([^)]*\))?/g) ?? undefined;
}

function textOr(value: unknown, fallback: string): unknown {
  return value === undefined || value === '' ? fallback : value;
}

function lineOfName(block: string): number {
  const before = /^(?:.*\n)*?(?=["']?name["']?[ \t]*:)/.exec(block)?.[0] ?? '';
  return before.split('\n').length + 1;
}
