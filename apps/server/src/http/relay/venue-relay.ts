import type { SymbolType } from '@crossbook/domain';
import { canonicalQuery, isCommonQuestion, type RelayProfile, type RelayRule } from '@crossbook/venues';
import { AnswerCache, type CacheStats } from './answer-cache.ts';
import { keepMillis, relayRule } from './relay-paths.ts';

/** Longest query string, bytes: a list of a few hundred symbols. */
const QUERY_LENGTH_MAX = 8_192;
const QUERY = /^[A-Za-z0-9%._~&=+,:"[\]-]*$/;
/** Largest answer taken from a venue, bytes: all of Binance's exchangeInfo is about 15 MB. */
const ANSWER_BYTES_MAX = 32 * 1024 * 1024;
const TIMEOUT_MILLIS = 10_000;
/** What is kept of one venue, and how much is asked of it at once. */
const BOUNDS = { entriesMax: 1_000, bytesMax: 48 * 1024 * 1024, askedAtOnceMax: 64 } as const;

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
  /** @param visitor the address that asks: it has a share of its own. */
  (path: string, query: string, visitor: string): Promise<RelayAnswer>;
  /** For metrics. */
  stats(): CacheStats & { readonly pauses: number; readonly refusals: number };
}

/** A question in the one way that it can be written. */
export interface RelayQuestion {
  readonly market: SymbolType;
  readonly path: string;
  readonly query: URLSearchParams;
}

/** The venue's arbiter as the relay sees it. */
export interface RelayDoor {
  /** @param visitor whose share is used; absent for what everybody asks alike. @returns ms to wait where there is no room. */
  ask(question: RelayQuestion, visitor: string | undefined): Promise<number | undefined>;
  /** Tells the arbiter what the answer says of the venue's limits. @returns the silence that the venue wants, ms. */
  hear(
    question: RelayQuestion,
    answer: { readonly status: number; readonly header: (name: string) => string | null },
  ): number | undefined;
}

/** What a relay is made of. */
export interface RelayParts {
  /** What of the venue is relayed, and how its answers are read. */
  readonly profile: RelayProfile;
  /** The venue's REST bases from the configuration, the only hosts ever asked. */
  readonly restBases: Readonly<Record<SymbolType, string>>;
  readonly door: RelayDoor;
  /** Whether an instrument is listed; `undefined` while the lists are not there yet. */
  readonly knows: (symbol: string) => boolean | undefined;
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

interface Asked {
  readonly answer: RelayAnswer;
  readonly headers?: Headers;
}

async function ask(url: string): Promise<Asked> {
  try {
    const response = await fetch(url, {
      redirect: 'error',
      signal: AbortSignal.timeout(TIMEOUT_MILLIS),
      headers: { accept: 'application/json' },
    });
    const body = await boundedBody(response);
    if (body === undefined) return { answer: problem(502, 'The exchange sent too much.') };
    const { status, headers } = response;
    const retryAfter = secondsOf(headers);
    return { answer: { status, contentType: 'application/json', retryAfter, body }, headers };
  } catch (error) {
    const late = error instanceof DOMException && error.name === 'TimeoutError';
    return {
      answer: late
        ? problem(504, 'The exchange did not answer in time.')
        : problem(502, 'The exchange is out of reach.'),
    };
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
 * and nothing else. A question is first written in the one way that it can be written. Everybody who asks the same at
 * the same moment gets the answer to one question, which asks the venue's arbiter in the last of its classes: visitors
 * have a small share of the venue's limits, and one visitor's address a part of that.
 */
export function venueRelay({ profile, restBases, clock, door, knows }: RelayParts): VenueRelay {
  const cache = new AnswerCache<RelayAnswer>(BOUNDS);
  let pauses = 0;
  let refusals = 0;

  const askVenue = async (question: RelayQuestion, url: string, visitor?: string): Promise<RelayAnswer> => {
    const wait = await door.ask(question, visitor);
    if (wait !== undefined) {
      refusals += 1;
      return problem(503, 'The share of visitors at this exchange is used up.', wait / 1_000);
    }
    const { answer, headers } = await ask(url);
    const header = (name: string) => headers?.get(name) ?? null;
    const pause = door.hear(question, { status: answer.status, header });
    if (pause === undefined) return answer;
    pauses += 1;
    return { ...answer, retryAfter: String(Math.max(1, Math.ceil(pause / 1_000))) };
  };

  const forward = (
    rule: RelayRule,
    question: RelayQuestion,
    visitor: string,
  ): Promise<RelayAnswer> | RelayAnswer => {
    const now = clock();
    const { path, query } = question;
    const key = `${restBases[rule.market]}${path}${query.size === 0 ? '' : `?${query}`}`;
    const known = cache.find(key, now);
    if (known !== undefined) return known;
    // What everybody asks alike is nobody's own: its answer serves all.
    const own = isCommonQuestion(rule.fields, query) ? undefined : visitor;
    const fresh = cache.ask({
      ...{ key, now },
      ask: () => askVenue(question, key, own),
      keepMillis: (answer) => (isSuccess(profile, answer) ? keepMillis(rule, query, now) : 0),
    });
    return fresh ?? problem(503, 'Too many requests to the exchange are under way.', 1);
  };

  const relay = async (path: string, query: string, visitor: string): Promise<RelayAnswer> => {
    const rule = relayRule(profile, path);
    if (rule === undefined) return problem(404, 'This path is not relayed.');
    if (query.length > QUERY_LENGTH_MAX || !QUERY.test(query)) return problem(400, 'The query is not valid.');
    const canonical = canonicalQuery(rule.fields, query, knows);
    if (!canonical.ok) return problem(400, `${canonical.why}.`);
    return forward(rule, { market: rule.market, path, query: canonical.query }, visitor);
  };
  return Object.assign(relay, { stats: () => ({ ...cache.stats, pauses, refusals }) });
}
