import { reasonOf } from '../../trading/call-answers.ts';
import type { VenueCredentials } from '../../venue-answers.ts';
import type { SettingOutcome } from '../../venue-contracts.ts';
import type { VenueCountdown } from '../../venue-countdown.ts';
import { ACCOUNT_CALLS } from '../limits.ts';
import { refusalOf } from './answers.ts';
import type { Calls } from './calls.ts';

/** By product: the topic that has a connection watched (websocket/private/dcp, order/dcp). */
const TOPICS: Readonly<Record<string, string>> = { SPOT: 'dcp.spot', DERIVATIVES: 'dcp.future' };

/** A private stream that may be watched. */
export interface WatchedStream {
  /** Has its connection and all that follow it subscribe to these topics besides, or no more. @returns whether the venue said so. */
  watch(topics: readonly string[]): Promise<boolean>;
}

/**
 * Disconnection protection: the venue cancels what is in the market once all private connections that subscribe to its topic
 * have been gone for the window; what waits for a price is not active. The window cannot be taken back: without the topic it
 * counts for nothing ("The timing starts from the first disconnection").
 */
export class Disconnects implements VenueCountdown {
  readonly #calls: Calls;
  readonly #streams = new Map<string, WatchedStream>();

  constructor(calls: Calls) {
    this.#calls = calls;
  }

  /** An account's stream, until what this returns is called. */
  follow({ apiKey }: VenueCredentials, stream: WatchedStream): () => void {
    this.#streams.set(apiKey, stream);
    return () => {
      if (this.#streams.get(apiKey) === stream) this.#streams.delete(apiKey);
    };
  }

  async set(
    credentials: VenueCredentials,
    { seconds }: { readonly seconds: number },
  ): Promise<SettingOutcome> {
    const products = Object.keys(TOPICS).filter(
      (product) => product === 'SPOT' || this.#calls.tradesContracts,
    );
    for (const product of seconds === 0 ? [] : products) {
      const set = await this.#setWindow(credentials, product, seconds);
      if (set.outcome !== 'done') return set;
    }
    const topics = seconds === 0 ? [] : products.flatMap((product) => TOPICS[product] ?? []);
    const stream = this.#streams.get(credentials.apiKey);
    // Without a stream there is nothing that could end.
    if (stream === undefined)
      return seconds === 0 ? { outcome: 'done' } : { outcome: 'unknown', why: 'no private stream is open' };
    const said = await stream.watch(topics);
    return said ? { outcome: 'done' } : { outcome: 'unknown', why: 'the private stream did not say so' };
  }

  async #setWindow(
    credentials: VenueCredentials,
    product: string,
    timeWindow: number,
  ): Promise<SettingOutcome> {
    const { answer } = await this.#calls.send(credentials, {
      ...{ method: 'POST', path: '/v5/order/disconnected-cancel-all', requestClass: 'countdown' },
      limit: ACCOUNT_CALLS.settings,
      parameters: { product, timeWindow },
    });
    if (answer.kind === 'result') return { outcome: 'done' };
    return refusalOf(answer) ?? { outcome: 'unknown', why: reasonOf(answer) };
  }
}
