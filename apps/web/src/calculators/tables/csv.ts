/** A column of an export: its head and the text of a row. */
export interface CsvColumn<Row> {
  readonly head: string;
  readonly cell: (row: Row) => string;
}

/**
 * Writes rows as CSV (RFC 4180, CRLF). A text that a spreadsheet would run as a formula gets a leading apostrophe;
 * plain numbers, negative ones too, stay numbers.
 */
export function writeCsv<Row>(columns: readonly CsvColumn<Row>[], rows: readonly Row[]): string {
  const lines = rows.map((row) => columns.map((column) => csvCell(column.cell(row))));
  return [columns.map((column) => csvCell(column.head)), ...lines]
    .map((cells) => `${cells.join(',')}\r\n`)
    .join('');
}

function csvCell(text: string): string {
  const isNumber = /^-?[0-9]+(?:\.[0-9]+)?$/.test(text);
  const safe = !isNumber && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
