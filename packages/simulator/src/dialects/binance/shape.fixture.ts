/**
 * For tests: the shape of a JSON value, that is its keys in order, and the kind of every leaf. Decimal text
 * is told from other text, and its decimals count where there are 8 of them, as almost everywhere at Binance.
 */
export function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.length === 0 ? [] : [shapeOf(value[0])];
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, shapeOf(entry)]));
  }
  if (typeof value === 'string') {
    if (/^-?[0-9]+\.[0-9]{8}$/.test(value)) return 'decimal(8)';
    return /^-?[0-9]+(\.[0-9]+)?$/.test(value) ? 'decimal' : 'text';
  }
  return value === null ? 'null' : typeof value;
}

/** The fields of a message in its order, each with its kind: `e` a text, `E#` a number, `m?` yes or no, `b[]` a list, `k{}` more. */
export function kindsOf(message: object): string {
  const marks: Readonly<Record<string, string>> = { string: '', number: '#', boolean: '?', object: '{}' };
  const markOf = (value: unknown) => (Array.isArray(value) ? '[]' : (marks[typeof value] ?? '!'));
  return Object.entries(message)
    .map(([name, value]) => `${name}${markOf(value)}`)
    .join(' ');
}
