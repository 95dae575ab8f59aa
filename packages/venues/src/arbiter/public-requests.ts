import type { SymbolType } from '@crossbook/domain';
import type { SendHttp } from '../transport.ts';
import { trimBase } from '../wire/query-url.ts';
import type { PublicLimits, PublicQuestion } from './public-limits.ts';
import type { RequestClass } from './request-class.ts';
import type { Permit, VenueArbiter } from './venue-arbiter.ts';

/** One venue's public calls before its arbiter. */
export interface PublicDoor {
  readonly arbiter: VenueArbiter;
  readonly limits: PublicLimits;
}

/** Asks for one public call. */
export function askPublic(
  { arbiter, limits }: PublicDoor,
  question: PublicQuestion,
  who: { readonly requestClass: RequestClass; readonly member?: string },
): Permit | Promise<Permit> {
  return arbiter.ask({ ...who, costs: limits.costs(question) });
}

/** Believes what an answer to a public call says about the venue's limits. @returns the silence it asks for, ms. */
export function hearPublic(
  { arbiter, limits }: PublicDoor,
  question: PublicQuestion,
  answer: { readonly status: number; readonly header: (name: string) => string | null },
): number | undefined {
  const [cost] = limits.costs(question);
  if (cost === undefined) return undefined;
  const { used, pauseMillis } = limits.heard(answer.status, answer.header);
  if (used !== undefined) arbiter.report(cost, used);
  if (pauseMillis !== undefined) arbiter.pause(cost, pauseMillis);
  return pauseMillis;
}

/** Which host the public calls go to. */
export interface PublicHost {
  readonly market: SymbolType;
  readonly restBase: string;
}

/**
 * Public calls of the hub's own feeds: each asks the arbiter before it is sent. A refusal is a rejection, as a network
 * failure would be: feeds try again by themselves.
 */
export function feedHttp(door: PublicDoor, { market, restBase }: PublicHost, sendHttp: SendHttp): SendHttp {
  const base = trimBase(restBase);
  return async (request) => {
    const [path = '', query = ''] = request.url.slice(base.length).split('?');
    const question = { market, path, query: new URLSearchParams(query) };
    const permit = await askPublic(door, question, { requestClass: 'book-feed' });
    if (!permit.granted) throw new Error('the budget of the venue is used up');
    const answer = await sendHttp(request);
    hearPublic(door, question, {
      status: answer.status,
      header: (name) => answer.headers[name] ?? null,
    });
    return answer;
  };
}
