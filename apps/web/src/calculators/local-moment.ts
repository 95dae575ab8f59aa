/** The value of a `datetime-local` field: the moment by the clock of whoever looks; empty for none. */
export function fieldOfMoment(millis: number | null): string {
  if (millis === null) return '';
  const date = new Date(millis);
  return new Date(millis - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

/** The moment that such a field names; `undefined` for an empty or unfinished one. */
export function momentOfField(text: string): number | undefined {
  const millis = text === '' ? Number.NaN : new Date(text).getTime();
  return Number.isNaN(millis) ? undefined : millis;
}
