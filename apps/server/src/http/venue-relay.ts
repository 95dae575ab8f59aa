import type { SymbolType } from '@crossbook/domain';
import type { RelayProfile, RelayRule } from '@crossbook/venues';
import { AnswerCache, type CacheFigures } from './answer-cache.ts';
import { keepMillis, relayRule } from './relay-paths.ts';

/** Longest query string, bytes: a list of a few hundred symbols. */
const QUERY_LENGTH_MAX = 8_192;
const QUERY = /^[A-Za-z0-9%._~&=+,:"[\]-]*$/;
/** Largest answer taken from a venue, bytes: all of Binance's exchangeInfo is about 15 MB. */
const ANSWER_BYTES_MAX = 32 * 1024 * 1024;
const TIMEOUT_MILLIS = 10_000;
/** What is kept of one venue, and how much is asked of it at once. */
const BOUNDS = { entriesMax: 1_000, bytesMax: 48 * 1024 * 1024, askedAtOnceMax: 64 } as const;
/** A venue that wants fewer requests and does not say for how long is left alone for this long. */
const PAUSE_SECONDS_USUAL = 5;
const PAUSE_SECONDS_MAX = 3_600;

/** What the relay answers. */
export interface RelayAnswer {
  readonly status: number;
  readonly contentType: string;
  /** Seconds. */
  readonly retryAfter: string | undefined;
  readonly body: Uint8Array;
}

/** Forwards public GET requests to one venue. */
export interface VenueRelay {
  (path: string, query: string): Promise<RelayAnswer>;
  /** For metrics. */
  figures(): CacheFigures & { readonly pauses: number };
}

/** What a relay is made of. */
export interface RelayParts {
  /** What of the venue is relayed, and how its answers are read. */
  readonly profile: RelayProfile;
  /** The venue's REST bases from the configuration, the only hosts ever asked. */
  readonly restBases: Readonly<Record<SymbolType, string>>;
  readonly clock: () => number;
}

function problem(status: number, msg: string, retryAfter?: number): RelayAnswer {
  const body = Buffer.from(JSON.stringify({ code: -status, msg }));
  const wait = retryAfter === undefined ? undefined : String(Math.max(1, Math.ceil(retryAfter)));
  return { status, contentType: 'application/json', retryAfter: wait, body };
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

async function ask(url: string): Promise<RelayAnswer> {
  try {
    const response = await fetch(url, {
      redirect: 'error',
      signal: AbortSignal.timeout(TIMEOUT_MILLIS),
      headers: { accept: 'application/json' },
    });
    const body = await boundedBody(response);
    if (body === undefined) return problem(502, 'The exchange sent too much.');
    const { status, headers } = response;
    return { status, contentType: 'application/json', retryAfter: secondsOf(headers), body };
  } catch (error) {
    const late = error instanceof DOMException && error.name === 'TimeoutError';
    return late
      ? problem(504, 'The exchange did not answer in time.')
      : problem(502, 'The exchange is out of reach.');
  }
}

/** Retry-After in seconds; a date, which no venue sends, is not read. */
function secondsOf(headers: Headers): string | undefined {
  const given = headers.get('retry-after');
  return given !== null && /^[0-9]{1,9}$/.test(given) ? given : undefined;
}

function isSuccess(relay: RelayProfile, { status, body }: RelayAnswer): boolean {
  return status === 200 && relay.success.test(Buffer.from(body.subarray(0, 300)).toString('latin1'));
}

/**
 * Makes the relay of a venue. The caller's headers and cookies stay here; what comes back is passed on as bytes, as JSON
 * and nothing else. Everybody who asks the same at the same moment gets the answer to one question; a venue that wants
 * fewer requests gets none until the time that it named has passed.
 */
export function venueRelay({ profile, restBases, clock }: RelayParts): VenueRelay {
  const cache = new AnswerCache<RelayAnswer>(BOUNDS);
  /** By host: spot and futures of one venue count apart. */
  const pausedUntil = new Map<string, number>();
  let pauses = 0;

  const pause = (base: string, answer: RelayAnswer): RelayAnswer => {
    if (!profile.fewerRequestsStatuses.includes(answer.status)) return answer;
    const named = Number(answer.retryAfter ?? PAUSE_SECONDS_USUAL);
    const seconds = Math.min(PAUSE_SECONDS_MAX, Math.max(1, named));
    pausedUntil.set(base, clock() + seconds * 1_000);
    pauses += 1;
    return { ...answer, retryAfter: String(seconds) };
  };

  const forward = (rule: RelayRule, path: string, query: string): Promise<RelayAnswer> | RelayAnswer => {
    const now = clock();
    const base = restBases[rule.market];
    const key = `${base}${path}${query === '' ? '' : `?${query}`}`;
    const known = cache.find(key, now);
    if (known !== undefined) return known;
    const wait = (pausedUntil.get(base) ?? 0) - now;
    if (wait > 0) return problem(503, 'The exchange wants fewer requests.', wait / 1_000);
    const fresh = cache.ask({
      ...{ key, now },
      ask: () => ask(key).then((answer) => pause(base, answer)),
      keepMillis: (answer) =>
        isSuccess(profile, answer) ? keepMillis(rule, new URLSearchParams(query), now) : 0,
    });
    return fresh ?? problem(503, 'Too many requests to the exchange are under way.', 1);
  };

  const relay = async (path: string, query: string): Promise<RelayAnswer> => {
    const rule = relayRule(profile, path);
    if (rule === undefined) return problem(404, 'This path is not relayed.');
    if (query.length > QUERY_LENGTH_MAX || !QUERY.test(query)) return problem(400, 'The query is not valid.');
    return forward(rule, path, query);
  };
  return Object.assign(relay, { figures: () => ({ ...cache.figures, pauses }) });
}
