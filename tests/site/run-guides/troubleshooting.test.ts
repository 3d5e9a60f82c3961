import { describe, expect, it } from 'vitest';
import { listErrorCodes } from '../../../site/references/errors/list-error-codes.ts';
import { loadProgram } from '../../../site/references/source-code/load-program.ts';
import { type GuideStep, listSteps } from '../guides/list-steps.ts';
import { readGuides } from '../guides/read-guide.ts';

const PAGE = 'troubleshooting.md';
/** A part of the page, which begins with a heading. */
interface Part {
  readonly heading: string;
  readonly steps: readonly GuideStep[];
}

const codes = new Map(listErrorCodes(loadProgram()).map((code) => [code.code, code]));

/** The parts of the page about one code each. */
const parts = listParts().flatMap(({ heading, steps }) => {
  const code = /^### `(\w+)`$/.exec(heading)?.[1];
  return code === undefined ? [] : [{ code, steps }];
});

function listParts(): readonly Part[] {
  const guide = readGuides(['.']).find(({ page }) => page === PAGE);
  if (guide === undefined) throw new Error(`there is no guide ${PAGE}`);
  const steps = listSteps(guide);
  const headings = guide.text
    .split('\n')
    .flatMap((line, index) => (/^##/.test(line) ? [{ heading: line, line: index + 1 }] : []));
  return headings.map(({ heading, line }, index) => {
    const end = headings[index + 1]?.line ?? Number.POSITIVE_INFINITY;
    return { heading, steps: steps.filter((step) => step.line > line && step.line < end) };
  });
}

/** A text in which some parts may be anything: those in braces of the program's, `…` of the page's. */
function patternOf(text: string, open: RegExp): string {
  return plain(text)
    .split(open)
    .map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'))
    .join('.*');
}

function plain(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}

/** Whether the program says something so: what a run fills in may be anything, and so may what the page leaves out. */
function isSaid(shown: string, said: string): boolean {
  const program = new RegExp(`^${patternOf(said, /\{[^{}]*\}/)}$`);
  const page = new RegExp(`^${patternOf(shown, /…/)}$`);
  return program.test(plain(shown)) || page.test(plain(said));
}

describe.each(parts)('$code in the troubleshooting guide', ({ code, steps }) => {
  const says = codes.get(code)?.says ?? [];

  it('exists', () => {
    expect([...codes.keys()]).toContain(code);
  });

  it('is shown with words of the program', () => {
    const shown = steps.flatMap((step) => {
      if (step.does === 'run') return [step.output ?? ''];
      return step.does === 'read' && step.language === 'text' ? [step.text] : [];
    });
    expect(shown.length).toBeGreaterThan(0);
    // A configuration is judged line by line, in words that belong to no single code.
    if (code === 'config_invalid') return;
    const lines = shown.flatMap((text) => [...text.split('\n'), text]);
    // A problem document names its code, and its words may come from what refused.
    const isShown = lines.some(
      (text) =>
        text.startsWith(`${code}: `) ||
        says.some(
          ({ message, fix }) => isSaid(text, `{place}${message}{fix}`) || isSaid(text, `${message} ${fix}`),
        ),
    );
    expect(isShown, `${JSON.stringify(shown)} is none of ${JSON.stringify(says)}`).toBe(true);
  });

  it('says what to do as the program does, where it is not run', () => {
    for (const step of steps) {
      if (step.does !== 'read' || step.language !== 'text') continue;
      const matches = says.some(({ message, fix }) => isSaid(step.text, `${message} ${fix}`));
      expect(matches, `${step.text} is none of ${JSON.stringify(says)}`).toBe(true);
    }
  });
});

it('tells of the codes people meet most', () => {
  expect(parts.length).toBeGreaterThan(40);
});
