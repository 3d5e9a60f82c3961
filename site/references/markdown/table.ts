/** A table of Markdown; columns that are empty in every row are left out. */
export function renderTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const kept = head.flatMap((_, index) => (rows.some((row) => (row[index] ?? '') !== '') ? [index] : []));
  if (kept.length === 0) return '';
  const line = (cells: readonly string[]) => `| ${kept.map((index) => cells[index] ?? '').join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map((row) => line(row.map(fitCell)))].join('\n');
}

/** What a cell may hold: one line, and no pipe that would end it. */
function fitCell(text: string): string {
  return text.replace(/\s*\n\s*/g, '<br>').replaceAll('|', '\\|');
}
