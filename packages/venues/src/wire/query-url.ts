/** A base without trailing slashes. */
export function trimBase(base: string): string {
  return base.replace(/\/+$/, '');
}

/** Builds `name=value&…`, percent-encoded, in the order given. */
export function queryString(parameters: Readonly<Record<string, string | number | boolean>>): string {
  return Object.entries(parameters)
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
    .join('&');
}

/** A full URL of a public call. */
export function publicUrl(
  base: string,
  path: string,
  parameters: Readonly<Record<string, string | number>> = {},
): string {
  const query = queryString(parameters);
  return `${trimBase(base)}${path}${query === '' ? '' : `?${query}`}`;
}
