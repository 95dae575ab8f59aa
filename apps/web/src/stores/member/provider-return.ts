/** Where the log-in service of another house sends the browser back to. */
export const PROVIDER_LANDING = '/oauth';

/** What a browser brought from there. */
export interface ProviderReturn {
  readonly code: string | undefined;
  readonly state: string | undefined;
  readonly iss: string | undefined;
}

/** Reads the page's address, and takes what stands in it away, before anything else of the page sees or keeps it. */
function readReturn(): ProviderReturn | undefined {
  const { location, history } = globalThis;
  if (location?.pathname !== PROVIDER_LANDING || location.search === '') return undefined;
  const search = new URLSearchParams(location.search);
  history.replaceState(null, '', PROVIDER_LANDING);
  const [code, state, iss] = ['code', 'state', 'iss'].map((name) => search.get(name) ?? undefined);
  return { code, state, iss };
}

let brought = readReturn();

/** What this page was opened with; once. */
export function takeReturn(): ProviderReturn | undefined {
  const taken = brought;
  brought = undefined;
  return taken;
}
