import type { CallAnswer, CallRequest, SymbolRow } from '@crossbook/contract';
import {
  type Amount,
  formatAmount,
  type Instrument,
  type Platform,
  platformOfType,
  type SymbolType,
} from '@crossbook/domain';
import type { VenuePublic } from '@crossbook/venues';
import type { MarketPorts } from './ports.ts';

/** A venue's fees as fractions: 0.001 = 0.1 %. */
export interface FeeRates {
  readonly maker: Amount;
  readonly taker: Amount;
}

const REFRESH_EVERY_MILLIS = 600_000;
const RETRY_DELAY_MILLIS_MAX = 10_000;

/** What one venue lists, refreshed now and then; the last good list stays while the venue does not answer. */
export class Listing {
  readonly platform: Platform;
  readonly fees: FeeRates;
  readonly #venue: VenuePublic;
  readonly #ports: MarketPorts;
  readonly #symbolTypes: readonly SymbolType[];
  #instruments = new Map<string, Instrument>();
  #failures = 0;
  #stopped = false;
  #stop = (): void => undefined;

  constructor(
    venue: VenuePublic,
    ports: MarketPorts,
    facts: { readonly symbolTypes: readonly SymbolType[]; readonly fees: FeeRates },
  ) {
    this.platform = venue.platform;
    this.fees = facts.fees;
    this.#venue = venue;
    this.#ports = ports;
    this.#symbolTypes = facts.symbolTypes;
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

  find(symbolType: SymbolType, symbol: string): Instrument | undefined {
    return this.#instruments.get(`${symbolType}:${symbol}`);
  }

  all(): readonly Instrument[] {
    return [...this.#instruments.values()];
  }

  async #load(): Promise<boolean> {
    const found = new Map<string, Instrument>();
    for (const symbolType of this.#symbolTypes) {
      const answer = await this.#venue.rest.instruments(symbolType);
      if (!answer.ok) {
        this.#ports.note('instruments not loaded', { platform: this.platform, why: answer.code });
        return false;
      }
      for (const instrument of answer.value) found.set(`${symbolType}:${instrument.symbol}`, instrument);
    }
    this.#instruments = found;
    return found.size > 0;
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
  };
}

/** QuerySymInfo: the instruments of a platform; an unknown platform or symbol gives an empty list (spec section 8). */
export function querySymbolInfo(
  listingOf: (platform: Platform) => Listing | undefined,
  request: CallRequest<'connexbasicdata/QuerySymInfo'>,
): CallAnswer<SymbolRow[]> {
  const platform = platformOfType(request.platformType)?.platform;
  const listing = platform === undefined ? undefined : listingOf(platform);
  if (listing === undefined) return { ok: true, value: [] };
  const rows = listing
    .all()
    .filter((row) => request.tstate === 0 || row.status === 'trading')
    .filter(
      (row) => request.tinstType === undefined || (row.symbolType === 'SPOT') === (request.tinstType === 1),
    )
    .filter((row) => request.tinstId === undefined || row.symbol === request.tinstId)
    .map((row) => symbolRow(row, listing.fees));
  return { ok: true, value: rows };
}
