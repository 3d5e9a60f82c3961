import type { Outcome } from './bench-context.ts';

/** The outcomes as a Markdown table; targets are judged unless this is a smoke run. */
export function formatTable(outcomes: readonly Outcome[], judges: boolean): string {
  const head = ['| what | measured | target | |', '|---|---|---|---|'];
  const lines = outcomes.map(({ what, measured, target, isMet }) => {
    const verdict = target === undefined || !judges ? '' : isMet ? 'ok' : 'missed';
    return `| ${what} | ${measured} | ${target ?? ''} | ${verdict} |`;
  });
  return [...head, ...lines].join('\n');
}
