import type { CallAnswer, CallRequest, SymbolRow } from '@crossbook/contract';
import {
  formatAmount,
  type Instrument,
  type Platform,
  type PriceBand,
  platformOfType,
  type SymbolType,
} from '@crossbook/domain';
import type { FeeRates, VenuePublic } from '@crossbook/venues';
import type { MarketPorts } from './ports.ts';

const REFRESH_EVERY_MILLIS = 600_000;
const RETRY_DELAY_MILLIS_MAX = 10_000;

/**
 * What one venue lists of one type, refreshed now and then; the last good list stays while the venue does not answer, also over a
 * start.
 */
export class Listing {
  readonly platform: Platform;
  readonly symbolType: SymbolType;
  readonly fees: FeeRates;
  readonly #venue: VenuePublic;
  readonly #ports: MarketPorts;
  #instruments = new Map<string, Instrument>();
  #byBase = new Map<string, Instrument>();
  #read = false;
  #failures = 0;
  #stopped = false;
  #stop = (): void => undefined;

  constructor(
    venue: VenuePublic,
    ports: MarketPorts,
    facts: { readonly symbolType: SymbolType; readonly fees: FeeRates },
  ) {
    this.platform = venue.platform;
    this.fees = facts.fees;
    this.#venue = venue;
    this.#ports = ports;
    this.symbolType = facts.symbolType;
    this.#take(ports.remembered?.(this.platform, this.symbolType) ?? []);
  }

  /** Whether the venue has given its list since this process began. */
  get isRead(): boolean {
    return this.#read;
  }

  /** Loads the list; resolves after the first try, whether it worked or not. */
  async start(): Promise<void> {
    const worked = await this.#load();
    if (this.#stopped) return;
    this.#failures = worked ? 0 : this.#failures + 1;
    const retry = Math.min(RETRY_DELAY_MILLIS_MAX, 250 * 2 ** Math.min(this.#failures, 10));
    this.#stop = this.#ports.after(worked ? REFRESH_EVERY_MILLIS : retry, () => void this.start());
  }

  stop(): void {
    this.#stopped = true;
    this.#stop();
  }

  find(symbol: string): Instrument | undefined {
    return this.#instruments.get(symbol);
  }

  /** The instrument of a coin against USDT that can be traded now. */
  ofBase(base: string): Instrument | undefined {
    const instrument = this.#byBase.get(base);
    return instrument?.status === 'trading' ? instrument : undefined;
  }

  all(): readonly Instrument[] {
    return [...this.#instruments.values()];
  }

  async #load(): Promise<boolean> {
    const answer = await this.#venue.rest.instruments(this.symbolType);
    if (!answer.ok) {
      this.#ports.note('instruments not loaded', { ...this.#name, why: answer.code });
      return false;
    }
    // A list that is suddenly empty is more likely a mistake than the truth.
    if (answer.value.length === 0) return false;
    this.#ports.listed?.(answer.value);
    this.#take(answer.value);
    this.#read = true;
    return true;
  }

  #take(rows: readonly Instrument[]): void {
    this.#instruments = new Map(rows.map((row) => [row.symbol, row]));
    this.#byBase = new Map();
    for (const row of rows) {
      if (row.status === 'trading' || !this.#byBase.has(row.base)) this.#byBase.set(row.base, row);
    }
  }

  get #name() {
    return { platform: this.platform, symbolType: this.symbolType };
  }
}

/** Symbol info in the field names of spec section 3. */
export function symbolRow(instrument: Instrument, fees: FeeRates): SymbolRow {
  return {
    tinstId: instrument.symbol,
    tinstType: instrument.symbolType === 'SPOT' ? 1 : 2,
    tstate: instrument.status === 'trading' ? 1 : 0,
    tbaseCcy: instrument.base,
    tquoteCcy: instrument.quote,
    ttickSz: formatAmount(instrument.tickSize),
    tlotSz: formatAmount(instrument.lotSize),
    tminSz: formatAmount(instrument.minQty),
    tmaxSz: formatAmount(instrument.maxQty),
    tminPrice: formatAmount(instrument.minPrice),
    tmaxPrice: formatAmount(instrument.maxPrice),
    tminOrderAmt: formatAmount(instrument.minNotional),
    tmaxOrderAmt: '0',
    tmaxLmtSz: formatAmount(instrument.maxQty),
    tmaxMktSz: formatAmount(instrument.maxMarketQty),
    tctVal: formatAmount(instrument.contractValue),
    tlever: instrument.maxLeverage,
    tinstFamily: `${instrument.base}-${instrument.quote}`,
    tmakerFee: formatAmount(fees.maker),
    ttakerFee: formatAmount(fees.taker),
    ...(instrument.priceBand === undefined ? {} : { tpriceBand: decimals(instrument.priceBand) }),
  };
}

function decimals(band: PriceBand): NonNullable<SymbolRow['tpriceBand']> {
  return Object.fromEntries(Object.entries(band).map(([end, share]) => [end, formatAmount(share)]));
}

/** Finds the list of a market; `undefined` where the platform has no such market. */
export type ListingOf = (platform: Platform, symbolType: SymbolType) => Listing | undefined;

const SYMBOL_TYPES = ['SPOT', 'SWAP'] as const;

/** QuerySymInfo: the instruments of a platform; an unknown platform or symbol gives an empty list (spec section 8). */
export function querySymbolInfo(
  listingOf: ListingOf,
  request: CallRequest<'connexbasicdata/QuerySymInfo'>,
): CallAnswer<SymbolRow[]> {
  const platform = platformOfType(request.platformType)?.platform;
  const rows: SymbolRow[] = [];
  for (const symbolType of SYMBOL_TYPES) {
    const listing = platform === undefined ? undefined : listingOf(platform, symbolType);
    if (listing === undefined) continue;
    for (const row of listing.all()) {
      const wanted =
        (request.tstate === 0 || row.status === 'trading') &&
        (request.tinstType === undefined || (request.tinstType === 1) === (symbolType === 'SPOT')) &&
        (request.tinstId === undefined || row.symbol === request.tinstId);
      if (wanted) rows.push(symbolRow(row, listing.fees));
    }
  }
  return { ok: true, value: rows };
}
