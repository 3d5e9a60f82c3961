import { showText } from './show-text.ts';

export interface Column<Row> {
  readonly title: string;
  readonly of: (row: Row) => string | number;
  /** Numbers read better aligned to the right. */
  readonly align?: 'right';
}

const GAP = '  ';

/** Rows as aligned lines under their titles, for a terminal or a log. */
export function printTable<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): string[] {
  const lines = [
    columns.map(({ title }) => title),
    ...rows.map((row) => columns.map((column) => showText(String(column.of(row))))),
  ];
  const widths = columns.map((_, at) => Math.max(...lines.map((cells) => widthOf(cells[at] ?? ''))));
  return lines.map((cells) =>
    cells
      .map((cell, at) => {
        const padding = ' '.repeat((widths[at] ?? 0) - widthOf(cell));
        return columns[at]?.align === 'right' ? padding + cell : cell + padding;
      })
      .join(GAP)
      .trimEnd(),
  );
}

function widthOf(text: string): number {
  return [...text].length;
}
