import type { SymbolRow } from '@crossbook/contract';
import {
  type Amount,
  type Instrument,
  type Platform,
  type PriceBand,
  parseAmount,
  platformFacts,
  type SymbolType,
  symbolKey,
} from '@crossbook/domain';
import { createStore } from 'zustand/vanilla';
import { call } from '../member/own-service.ts';
import { symbolInfo } from './symbol-info.ts';

/** An instrument with the fees its venue charges us, as fractions. */
export interface ListedInstrument extends Instrument {
  readonly makerFee: Amount;
  readonly takerFee: Amount;
  /** Contracts that share a leverage table; the symbol itself for pairs. */
  readonly family: string;
}

/** Instruments of one platform. */
export interface InstrumentsState {
  readonly byPlatform: Readonly<
    Partial<
      Record<
        Platform,
        { readonly status: 'loading' | 'ready' | 'failed'; readonly rows: readonly ListedInstrument[] }
      >
    >
  >;
}

/** Instruments by platform. Read once per page life; call `loadInstruments` to be sure they are there. */
export const instrumentsStore = createStore<InstrumentsState>(() => ({ byPlatform: {} }));

const NONE: readonly ListedInstrument[] = [];

/** Turns a QuerySymInfo row into an instrument; `undefined` when a figure is no decimal number. */
export function instrumentOfRow(platform: Platform, row: SymbolRow): ListedInstrument | undefined {
  const info = symbolInfo(platform, row);
  if (info === undefined) return undefined;
  const { PRICE_FILTER: prices, LOT_SIZE: sizes, MARKET_LOT_SIZE: marketSizes } = info;
  const stats = {
    tickSize: parseAmount(prices.tickSize),
    lotSize: parseAmount(sizes.stepSize),
    minPrice: parseAmount(prices.minPrice),
    maxPrice: parseAmount(prices.maxPrice),
    minQty: parseAmount(sizes.minQty),
    maxQty: parseAmount(sizes.maxQty),
    maxMarketQty: parseAmount(marketSizes.maxQty),
    minNotional: parseAmount(row.tminOrderAmt),
    contractValue: parseAmount(info.ctVal),
    makerFee: parseAmount(row.tmakerFee),
    takerFee: parseAmount(row.ttakerFee),
  };
  if (Object.values(stats).some((value) => value === undefined)) return undefined;
  return {
    ...(stats as { readonly [Key in keyof typeof stats]: Amount }),
    platform: info.exchange,
    symbolType: info.symbolType,
    symbol: info.symbol,
    base: info.baseCcy,
    quote: info.quoteCcy,
    family: info.instFamily,
    ...(row.tpriceBand === undefined ? {} : { priceBand: bandOf(row.tpriceBand) }),
    maxLeverage: info.maxLever,
    status: row.tstate === 1 ? 'trading' : 'halted',
  };
}

/** An end that is no decimal bounds nothing. */
function bandOf(row: NonNullable<SymbolRow['tpriceBand']>): PriceBand {
  const ends = Object.entries(row).map(([end, share]) => [end, parseAmount(share ?? '')] as const);
  return Object.fromEntries(ends.filter(([, share]) => share !== undefined));
}

function keep(
  platform: Platform,
  status: 'loading' | 'ready' | 'failed',
  rows: readonly ListedInstrument[],
): void {
  instrumentsStore.setState(({ byPlatform }) => ({
    byPlatform: { ...byPlatform, [platform]: { status, rows } },
  }));
}

const reading = new Set<Platform>();

/**
 * Reads a platform's instruments unless they are there or on their way. Only USDT-quoted ones are kept (spec section 8).
 * @param again reads them quietly even when they are there: a venue that was away had none to tell.
 */
export async function loadInstruments(platform: Platform, again = false): Promise<void> {
  const known = instrumentsStore.getState().byPlatform[platform];
  if (reading.has(platform) || (known?.status === 'ready' && !again)) return;
  reading.add(platform);
  if (!again) keep(platform, 'loading', known?.rows ?? []);
  const answer = await call(
    'connexbasicdata/QuerySymInfo',
    { platformType: platformFacts(platform).platformType, tstate: 0 },
    { quiet: true },
  );
  reading.delete(platform);
  if (!answer.ok) {
    keep(platform, 'failed', known?.rows ?? []);
    return;
  }
  const rows = answer.data
    .filter((row) => row.tquoteCcy === 'USDT')
    .map((row) => instrumentOfRow(platform, row))
    .filter((row) => row !== undefined);
  keep(platform, 'ready', rows);
}

// A selector must answer the same array while nothing changed.
const byType = new WeakMap<readonly ListedInstrument[], Map<SymbolType, readonly ListedInstrument[]>>();

/** A platform's instruments, of one type or all; stable while they do not change. */
export function instrumentsOf(
  state: InstrumentsState,
  platform: Platform,
  symbolType?: SymbolType,
): readonly ListedInstrument[] {
  const rows = state.byPlatform[platform]?.rows ?? NONE;
  if (symbolType === undefined) return rows;
  const known = byType.get(rows) ?? new Map<SymbolType, readonly ListedInstrument[]>();
  byType.set(rows, known);
  const found = known.get(symbolType) ?? rows.filter((row) => row.symbolType === symbolType);
  known.set(symbolType, found);
  return found;
}

/** One instrument by its venue's symbol. */
export function findInstrument(
  state: InstrumentsState,
  platform: Platform,
  symbolType: SymbolType,
  symbol: string,
): ListedInstrument | undefined {
  return instrumentsOf(state, platform).find((row) => row.symbolType === symbolType && row.symbol === symbol);
}

/** The order symbol key of a member's row: `BINANCE_PERP_BTC_USDT`; empty while the platform's list does not name its symbol. */
export function orderSymbolKey(row: {
  readonly exchange: Platform;
  readonly symbolType: SymbolType;
  readonly symbol: string;
}): string {
  const found = findInstrument(instrumentsStore.getState(), row.exchange, row.symbolType, row.symbol);
  return found === undefined ? '' : symbolKey(found);
}
