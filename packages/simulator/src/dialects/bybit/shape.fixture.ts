/** For tests: the shape of a JSON value, that is its keys whatever their order, and the kind of every leaf. */
export function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.length === 0 ? [] : [shapeOf(value[0])];
  if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1));
    return Object.fromEntries(entries.map(([key, entry]) => [key, shapeOf(entry)]));
  }
  if (typeof value === 'string') return /^-?[0-9]+(\.[0-9]+)?$/.test(value) ? 'decimal' : 'text';
  return value === null ? 'null' : typeof value;
}
