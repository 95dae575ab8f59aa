import type { HttpRequest, SendHttp } from '../../transport.ts';
import { trimBase } from '../../wire/query-url.ts';
import { answerOfHttp, type CallAnswer, withCounts } from './answers.ts';
import { countsOfHeaders } from './order-counts.ts';

/** What signed REST calls need. */
export interface SignedRestOptions {
  readonly restBase: string;
  readonly sendHttp: SendHttp;
  /** The venue's own count of request weight in this minute. */
  readonly reportWeight: (used: number) => void;
}

/** One REST call whose payload is signed already; it is empty where the key alone stands for the call. */
export interface SignedRequest {
  readonly method: HttpRequest['method'];
  readonly path: string;
  readonly apiKey: string;
  /** Percent-encoded parameters with their signature. */
  readonly payload: string;
  readonly timeoutMillis: number;
}

const FORM = 'application/x-www-form-urlencoded';

/** Sends one signed request once. What is not a readable answer is `lost`; nothing here ever repeats a request. */
export async function sendSigned(options: SignedRestOptions, request: SignedRequest): Promise<CallAnswer> {
  const { method, path, apiKey, payload, timeoutMillis } = request;
  const base = `${trimBase(options.restBase)}${path}`;
  const headers = { 'x-mbx-apikey': apiKey };
  const wire: HttpRequest =
    method === 'POST'
      ? { method, url: base, headers: { ...headers, 'content-type': FORM }, body: payload, timeoutMillis }
      : { method, url: payload === '' ? base : `${base}?${payload}`, headers, timeoutMillis };
  try {
    const answer = await options.sendHttp(wire);
    const used = Number(answer.headers['x-mbx-used-weight-1m']);
    if (Number.isSafeInteger(used) && used >= 0) options.reportWeight(used);
    const read = answerOfHttp(answer.status, answer.text, answer.headers['retry-after']);
    return withCounts(read, countsOfHeaders(answer.headers));
  } catch {
    // The text of a network error may contain the address with its signature: it is dropped on purpose.
    return { kind: 'lost', why: 'no answer: connection failed or timed out' };
  }
}
