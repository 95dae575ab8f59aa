import {
  type Amount,
  decimalsOf,
  formatAmount,
  formatAmountFixed,
  notionalDown,
  platformFacts,
  stepsToAmount,
} from '@crossbook/domain';
import { createStore } from 'zustand/vanilla';
import { entryAmount } from '../../calculators/ticket/number-entry.ts';
import { formatShortTime } from '../../i18n/format.ts';
import { readStoredObject, writeStored } from '../app/browser-storage.ts';
import { now } from '../app/clock.ts';
import { noticesStore, notify } from '../app/notices.ts';
import { settingsStore } from '../app/settings.ts';
import type { ListedInstrument } from './instruments.ts';
import type { TapeStore, TapeTrade } from './tape.ts';
import { tradeOf } from './trade.ts';

const KEY = 'large trade values';
/** From which value a trade is large where the member said nothing, in coins that stand for a dollar. */
const USUAL_FLOOR = '100000';
/** A market says no more than one large trade in so long; what else is large until then is counted. */
const SAID_EVERY_MILLIS = 8_000;
/** The list of notices keeps so many of a market: a busy one must not push out what is graver. */
const KEPT_MAX = 5;

/** From which value a trade is large, by quote asset, as it was written; this browser keeps it. */
export const largeTradesStore = createStore<Readonly<Record<string, unknown>>>(() => readStoredObject(KEY));

/** The value as the member wrote it, be it none, or the usual one; empty where there is neither. */
export function writtenFloor(kept: Readonly<Record<string, unknown>>, quote: string): string {
  const written = kept[quote];
  if (typeof written === 'string') return written;
  return quote.startsWith('USD') ? USUAL_FLOOR : '';
}

/** What a text says as a value; `undefined` where that is none above zero. */
export function floorOf(written: string): Amount | undefined {
  const floor = entryAmount(written);
  return floor === undefined || floor <= 0n ? undefined : floor;
}

/** From which value trades are said now; `undefined` where the member wants to hear of none. */
function wantedFloor({ quote }: ListedInstrument): Amount | undefined {
  if (!settingsStore.getState().volumeAlert) return undefined;
  return floorOf(writtenFloor(largeTradesStore.getState(), quote));
}

/** Keeps from which value trades in a quote asset are large. */
export function keepFloor(quote: string, written: string): void {
  largeTradesStore.setState({ [quote]: written });
  writeStored(KEY, JSON.stringify(largeTradesStore.getState()));
}

function worthOf({ price, size }: TapeTrade, { tickSize, lotSize, contractValue }: ListedInstrument): Amount {
  return notionalDown(stepsToAmount(price, tickSize), stepsToAmount(size, lotSize), contractValue);
}

function say(trade: TapeTrade, more: number, instrument: ListedInstrument): void {
  const { platform, symbolType, symbol, base, quote, tickSize } = instrument;
  const key = `large ${platform} ${symbolType} ${symbol}`;
  const before = noticesStore.getState().notices.filter((notice) => notice.key === key);
  const old = before.slice(0, Math.max(0, before.length - KEPT_MAX + 1));
  if (old.length > 0)
    noticesStore.setState(({ notices }) => ({ notices: notices.filter((notice) => !old.includes(notice)) }));
  const { side, size } = tradeOf(trade, instrument);
  const price = formatAmountFixed(stepsToAmount(trade.price, tickSize), decimalsOf(tickSize));
  const value = formatAmount(worthOf(trade, instrument)).replace(/(\.\d\d)\d+$/, '$1');
  notify(
    'info',
    { id: 'largeTrade', values: { symbol, venue: platformFacts(platform).name, side, size, base, price } },
    key,
    {
      event: 'alert',
      detail: {
        id: 'largeTrade.what',
        values: { value, quote, more, time: formatShortTime(trade.time, now()) },
      },
    },
  );
}

/** Calls back after so long. @returns what takes that back. */
export type After = (millis: number, act: () => void) => () => void;

const afterTimer: After = (millis, act) => {
  const timer = setTimeout(act, millis);
  return () => clearTimeout(timer);
};

/**
 * Says trades of a market that are large: the first one at once, then the largest of each while with the number of the others.
 * The tape as it first comes is no news.
 * @returns what ends it.
 */
export function watchLargeTrades(
  tape: TapeStore,
  instrument: ListedInstrument,
  after: After = afterTimer,
): () => void {
  let newest: string | undefined;
  let begun = false;
  let gathered: { readonly largest: TapeTrade; readonly count: number } | undefined;
  let quiet: (() => void) | undefined;
  const gather = (trade: TapeTrade): void => {
    const { largest = trade, count = 0 } = gathered ?? {};
    const larger = worthOf(trade, instrument) > worthOf(largest, instrument);
    gathered = { largest: larger ? trade : largest, count: count + 1 };
  };
  const tell = (): void => {
    quiet = gathered === undefined ? undefined : after(SAID_EVERY_MILLIS, tell);
    if (gathered !== undefined) say(gathered.largest, gathered.count - 1, instrument);
    gathered = undefined;
  };
  const look = (): void => {
    if (!tape.ready()) return;
    const trades = tape.trades();
    const known = trades.findIndex(({ id }) => id === newest);
    const fresh = begun ? trades.slice(0, known < 0 ? trades.length : known) : [];
    begun = true;
    newest = trades[0]?.id ?? newest;
    const floor = wantedFloor(instrument);
    if (floor === undefined) return;
    for (const trade of fresh) if (worthOf(trade, instrument) >= floor) gather(trade);
    if (quiet === undefined) tell();
  };
  look();
  const stop = tape.subscribe(look);
  return () => {
    stop();
    quiet?.();
  };
}
