import type { PlatformSlug } from '@crossbook/domain';

/** Public market data of each venue; nothing else is forwarded. */
const PUBLIC_PATHS: Readonly<Record<PlatformSlug, RegExp>> = {
  binance:
    /^\/api\/v3\/(?:ping|time|exchangeInfo|depth|trades|klines|uiKlines|aggTrades|avgPrice|ticker(?:\/(?:24hr|price|bookTicker|tradingDay))?)$/,
  okx: /^(?!)/,
  bybit: /^(?!)/,
};
/** Longest query string, bytes: a list of a few hundred symbols. */
const QUERY_LENGTH_MAX = 8_192;
const QUERY = /^[A-Za-z0-9%._~&=+,:"[\]-]*$/;
/** Largest answer taken from a venue, bytes: all of Binance's exchangeInfo is about 15 MB. */
const ANSWER_BYTES_MAX = 32 * 1024 * 1024;
const TIMEOUT_MILLIS = 10_000;

/** What the relay answers. */
export interface RelayAnswer {
  readonly status: number;
  readonly contentType: string;
  readonly retryAfter: string | undefined;
  readonly body: Uint8Array;
}

/** Forwards public GET requests to one venue. */
export type VenueRelay = (path: string, query: string) => Promise<RelayAnswer>;

function problem(status: number, msg: string): RelayAnswer {
  const body = Buffer.from(JSON.stringify({ code: -status, msg }));
  return { status, contentType: 'application/json', retryAfter: undefined, body };
}

async function boundedBody(response: Response): Promise<Uint8Array | undefined> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    if (size > ANSWER_BYTES_MAX) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, size);
}

/**
 * Makes the relay of a venue. The caller's headers and cookies stay here; what comes back is passed on as bytes, as JSON
 * and nothing else.
 * @param restBase the venue's REST base from the configuration, the only host ever asked.
 */
export function venueRelay(slug: PlatformSlug, restBase: string): VenueRelay {
  return async (path, query) => {
    if (!PUBLIC_PATHS[slug].test(path)) return problem(404, 'This path is not relayed.');
    if (query.length > QUERY_LENGTH_MAX || !QUERY.test(query)) return problem(400, 'The query is not valid.');
    try {
      const response = await fetch(`${restBase}${path}${query === '' ? '' : `?${query}`}`, {
        redirect: 'error',
        signal: AbortSignal.timeout(TIMEOUT_MILLIS),
        headers: { accept: 'application/json' },
      });
      const body = await boundedBody(response);
      if (body === undefined) return problem(502, 'The exchange sent too much.');
      return {
        status: response.status,
        contentType: 'application/json',
        retryAfter: response.headers.get('retry-after') ?? undefined,
        body,
      };
    } catch (error) {
      const late = error instanceof DOMException && error.name === 'TimeoutError';
      return late
        ? problem(504, 'The exchange did not answer in time.')
        : problem(502, 'The exchange is out of reach.');
    }
  };
}
