import type { AlgoPlan } from '@crossbook/domain';
import { reasonOf } from '../../trading/call-answers.ts';
import { ofEach } from '../../trading/several-cancels.ts';
import type { Timers } from '../../transport.ts';
import type { AlgoChangeOutcome, AlgoKey, FoundAlgo } from '../../venue-algos.ts';
import type { FindOutcome, VenueCredentials } from '../../venue-answers.ts';
import { asObject, type WireObject } from '../../wire/guards.ts';
import { ACCOUNT_CALLS } from '../limits.ts';
import { namesAlgo, normaliseAlgo } from './algo-shapes.ts';
import { answerOfItem, type CallAnswer, isRefusal, refusalOf, refusalOfAll } from './answers.ts';
import type { Asking, Called, CallParameters } from './calls.ts';
import { NOT_WAITING } from './errors.ts';

/** Algo orders that one call cancels (OKX v5 guide, "Cancel algo order", 2026-07). */
const NAMED_MAX = 10;
/** Behind an answer that does not come nobody waits longer to be asked for. */
const BEHIND_MILLIS_MAX = 500;

/** Kinds as the list of past ones takes them. */
const LIST_OF: Readonly<Record<AlgoPlan['kind'], string>> = {
  ...{ stop: 'conditional,oco', 'take-profit': 'conditional,oco', oco: 'conditional,oco' },
  ...{ trailing: 'move_order_stop', iceberg: 'iceberg' },
};

/** What was asked for by the venue's id where it is known: one that it attached itself may have no id of ours. */
export function idIn({ venueAlgoId, clientId }: AlgoKey): CallParameters {
  return venueAlgoId === undefined ? { algoClOrdId: clientId } : { algoId: venueAlgoId };
}

/** What a change or a cancel came to that the venue did not take. */
export function notTaken(answer: CallAnswer): AlgoChangeOutcome {
  if (isRefusal(answer, NOT_WAITING)) return { outcome: 'gone' };
  return refusalOf(answer) ?? { outcome: 'unknown', why: reasonOf(answer) };
}

type Find = (credentials: VenueCredentials, key: AlgoKey) => Promise<FindOutcome<FoundAlgo>>;

/** A cancel that waits for its turn. */
interface AskedCancel {
  readonly credentials: VenueCredentials;
  readonly key: AlgoKey;
  answer(outcome: Promise<AlgoChangeOutcome>): void;
}

/**
 * Cancels algo orders. The first of an account and instrument goes at once; those that are asked for while its call is under way
 * go together by the next one. Each has its own outcome.
 */
export class AlgoCancels {
  readonly #calls: Asking;
  readonly #timers: Timers;
  readonly #find: Find;
  /** Behind a call that is under way, by account and instrument. */
  readonly #behind = new Map<string, AskedCancel[]>();

  constructor(calls: Asking, timers: Timers, find: Find) {
    this.#calls = calls;
    this.#timers = timers;
    this.#find = find;
  }

  /** Cancels one, by a call of its own or with others. */
  cancel(credentials: VenueCredentials, key: AlgoKey): Promise<AlgoChangeOutcome> {
    const market = `${credentials.apiKey} ${key.instrument.symbol}`;
    return new Promise((answer) => {
      const asked = { credentials, key, answer };
      const behind = this.#behind.get(market);
      if (behind !== undefined) {
        behind.push(asked);
        return;
      }
      this.#behind.set(market, []);
      this.#send(market, asked, [asked]);
    });
  }

  #send(market: string, { credentials }: AskedCancel, together: readonly AskedCancel[]): void {
    const keys = together.map(({ key }) => key);
    const called = this.#call(credentials, keys);
    const outcomes = called.then(({ answer }) => this.#outcomes(credentials, keys, answer));
    for (const [at, { answer }] of together.entries())
      answer(outcomes.then((all) => all[at] ?? { outcome: 'unknown', why: 'no answer about it' }));
    let passed = false;
    const next = (): void => {
      if (passed) return;
      passed = true;
      cancelTimer();
      this.#sendNext(market);
    };
    const cancelTimer = this.#timers.after(BEHIND_MILLIS_MAX, next);
    called.then(next, next);
  }

  #sendNext(market: string): void {
    const together = this.#behind.get(market)?.splice(0, NAMED_MAX) ?? [];
    const [first] = together;
    if (first === undefined) this.#behind.delete(market);
    else this.#send(market, first, together);
  }

  #call(credentials: VenueCredentials, keys: readonly AlgoKey[]): Promise<Called> {
    return this.#calls.send(credentials, {
      ...{ method: 'POST', path: '/api/v5/trade/cancel-algos', requestClass: 'cancel' },
      limit: ACCOUNT_CALLS.cancelAlgo,
      limitOf: keys[0]?.instrument.symbol ?? '',
      weight: keys.length,
      parameters: keys.map((key) => ({ instId: key.instrument.symbol, ...idIn(key) })),
    });
  }

  /** A cancel that was taken is believed once the venue shows it: the order may have fired at that moment. */
  async #outcomes(
    credentials: VenueCredentials,
    keys: readonly AlgoKey[],
    answer: CallAnswer,
  ): Promise<readonly AlgoChangeOutcome[]> {
    if (answer.kind !== 'result') {
      if (keys.length === 1) return [notTaken(answer)];
      return ofEach(keys, refusalOfAll(answer) ?? { outcome: 'unknown', why: reasonOf(answer) });
    }
    const rows = answer.rows.map(asObject);
    const answered = keys.map((key) => ({ key, said: saidOf(rows, key) }));
    const taken = answered.flatMap((one) => (one.said === 'taken' ? [one.key] : []));
    const ended = await this.#ended(credentials, taken);
    return Promise.all(
      answered.map(async ({ key, said }): Promise<AlgoChangeOutcome> => {
        if (said !== 'taken') return said;
        const isSeen = ended.some((row) => namesAlgo(row, key) && isCancelled(row, key));
        return isSeen ? { outcome: 'done' } : afterCancel(await this.#find(credentials, key));
      }),
    );
  }

  /** Rows of those that were cancelled last, where one question spares several lookups. */
  async #ended(credentials: VenueCredentials, keys: readonly AlgoKey[]): Promise<readonly WireObject[]> {
    const lists = Map.groupBy(keys, ({ kind }) => LIST_OF[kind]);
    const asked = [...lists].flatMap(([ordType, [first, ...others]]) =>
      first === undefined || others.length === 0 ? [] : [{ ordType, instId: first.instrument.symbol }],
    );
    const answers = await Promise.all(
      asked.map(async (of) => {
        const { answer } = await this.#calls.send(credentials, {
          ...{ method: 'GET', path: '/api/v5/trade/orders-algo-history', requestClass: 'lookup' },
          limit: ACCOUNT_CALLS.pastAlgos,
          parameters: { ...of, state: 'canceled' },
        });
        return answer.kind === 'result' ? answer.rows : [];
      }),
    );
    return answers.flatMap((rows) => rows.map(asObject).filter((row) => row !== undefined));
  }
}

/** What an answer says of one that its call named; `taken`: acknowledged, and not yet seen done. */
function saidOf(rows: readonly (WireObject | undefined)[], key: AlgoKey): AlgoChangeOutcome | 'taken' {
  const row = rows.find((one) => namesAlgo(one, key));
  if (row === undefined) return { outcome: 'unknown', why: 'no answer about it' };
  const answer = answerOfItem(row);
  return answer.kind === 'result' ? 'taken' : notTaken(answer);
}

function isCancelled(row: WireObject, { instrument }: AlgoKey): boolean {
  const state = normaliseAlgo(row);
  return state?.symbol === instrument.symbol && state.status === 'cancelled';
}

function afterCancel(found: FindOutcome<FoundAlgo>): AlgoChangeOutcome {
  if (found.outcome === 'unknown') return found;
  if (found.outcome === 'not-found') return { outcome: 'gone' };
  if (found.value.status === 'cancelled') return { outcome: 'done' };
  return found.value.status === 'waiting'
    ? { outcome: 'unknown', why: 'cancel under way' }
    : { outcome: 'gone' };
}
