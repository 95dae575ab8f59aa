function download(name: string, parts: readonly BlobPart[], type: string): void {
  const url = URL.createObjectURL(new Blob([...parts], { type: `${type};charset=utf-8` }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}

/** Hands a text to the user as a file. */
export function downloadText(name: string, text: string): void {
  download(name, [text], 'text/plain');
}

/** Hands a table to the user as a file. The byte order mark makes spreadsheets read it as UTF-8. */
export function downloadCsv(name: string, csv: string): void {
  download(name, ['\uFEFF', csv], 'text/csv');
}

/** Hands parts of lines of JSON to the user as one file. */
export function downloadJsonLines(name: string, parts: readonly Blob[]): void {
  download(name, parts, 'application/jsonl');
}
