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

/** Hands a text to the user as a file. The byte order mark makes spreadsheets read it as UTF-8. */
export function downloadCsv(name: string, csv: string): void {
  const url = URL.createObjectURL(new Blob(['\uFEFF', csv], { type: 'text/csv;charset=utf-8' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}
