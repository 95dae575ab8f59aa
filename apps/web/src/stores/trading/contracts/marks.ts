import { type Amount, parseAmount } from '@crossbook/domain';
import { createStore } from 'zustand/vanilla';
import { now } from '../../app/clock.ts';
import { follow } from '../../market/live.ts';
import { type MarketName, marketKey, streamName } from '../../market/market.ts';

/** A mark price and when it came, ms by the browser's clock; of a pair, which has no mark, its last price. */
export interface Mark {
  readonly price: Amount;
  readonly at: number;
  /** Fraction that longs pay to shorts, and when, ms by the venue; absent until the venue has said both. */
  readonly funding?: { readonly rate: string; readonly at: number };
  /** The other prices that triggers follow; absent until the venue has said them. */
  readonly last?: string;
  readonly index?: string;
}

/** Mark prices of the markets that somebody looks at, by `marketKey`. */
export const marksStore = createStore<Readonly<Record<string, Mark>>>(() => ({}));

/** Figures that follow the mark are written at most this often: four times a second. */
export const MARKS_EVERY_MILLIS = 250;

const followed = new Map<string, { users: number; readonly stop: () => void }>();
let pending: Record<string, Mark> = {};
let timer: ReturnType<typeof setTimeout> | undefined;

function flush(): void {
  timer = undefined;
  marksStore.setState(pending);
  pending = {};
}

/** Takes a mark price; it is published with the others a little later. */
export function takeMark(market: string, text: string, beside: Omit<Mark, 'price' | 'at'> = {}): void {
  const price = parseAmount(text);
  if (price === undefined) return;
  pending[market] = { price, at: now(), ...beside };
  if (timer === undefined) timer = setTimeout(flush, MARKS_EVERY_MILLIS);
}

/** Follows the marks of markets until the returned function is called. */
export function keepMarks(markets: readonly MarketName[]): () => void {
  for (const market of markets) {
    const key = marketKey(market);
    const known = followed.get(key);
    if (known !== undefined) {
      known.users += 1;
      continue;
    }
    const stop = follow(market.platform, { ch: 'ticker', ...streamName(market) }, ({ d }) => {
      const { last, index, funding: rate, nextFunding: at } = d;
      const mark = market.symbolType === 'SPOT' ? last : d.mark;
      if (mark === undefined) return;
      const funding = rate === undefined || at === undefined ? {} : { funding: { rate, at } };
      takeMark(key, mark, { last, ...(index === undefined ? {} : { index }), ...funding });
    });
    followed.set(key, { users: 1, stop });
  }
  return () => {
    for (const market of markets) {
      const key = marketKey(market);
      const known = followed.get(key);
      if (known === undefined) continue;
      known.users -= 1;
      if (known.users > 0) continue;
      known.stop();
      followed.delete(key);
    }
  };
}
