/** How long ago something was, in whole seconds; a dash where it never was. */
export function seconds(millis: number | null): string {
  return millis === null ? '-' : `${Math.round(millis / 1_000)} s`;
}
