import type { MarketFacts } from '../../exchange.ts';
import type { SimulatedVenue } from '../../simulated-venue.ts';
import type { PerpFacts, PublicMarkets } from '../../venue.ts';
import { type MarketFormat, marketFormat } from './format.ts';

/** What contracts are paid in. */
export const MARGIN_ASSET = 'USDT';

/** Kinds of instruments that the simulator lists; OKX's others (MARGIN, OPTION) have empty lists here. */
export type ListedType = 'SPOT' | 'SWAP' | 'FUTURES';

/** One instrument: where its data comes from and how its numbers are written. */
export interface Listed {
  /** `BTC-USDT`, `BTC-USDT-SWAP`, `BTC-USDT-261225`. */
  readonly instId: string;
  readonly instType: ListedType;
  /** Which part of the venue has it. */
  readonly part: 'spot' | 'perps';
  /** The number by which sockets know it since 2026 (`instIdCode`). */
  readonly code: number;
  /** The index behind a contract, or the pair itself: `BTC-USDT`. */
  readonly index: string;
  readonly markets: PublicMarkets;
  readonly format: MarketFormat;
  /** Present for contracts. */
  readonly contract?: PerpFacts;
}

/** Codes of spot pairs begin after the first number, those of contracts after the second. */
const FIRST_CODES = { spot: 1_000, perps: 5_000 } as const;

/** Every instrument of the venue, in the order of listing. */
export class Listing {
  readonly #byId = new Map<string, Listed>();
  readonly #byCode = new Map<number, Listed>();
  readonly #indices = new Set<string>();

  constructor(venue: SimulatedVenue) {
    for (const facts of venue.spot.markets.values()) this.#add(venue.spot, facts);
    for (const facts of venue.perps.contracts.values()) this.#add(venue.perps, facts, facts);
  }

  find(instId: string): Listed | undefined {
    return this.#byId.get(instId);
  }

  findCode(code: number): Listed | undefined {
    return this.#byCode.get(code);
  }

  /** All of one kind. */
  ofType(instType: ListedType): readonly Listed[] {
    return [...this.#byId.values()].filter((listed) => listed.instType === instType);
  }

  /** All spot pairs and contracts. */
  all(): readonly Listed[] {
    return [...this.#byId.values()];
  }

  /** Names of the indices that contracts follow. */
  indices(): readonly string[] {
    return [...this.#indices];
  }

  #add(markets: PublicMarkets, facts: MarketFacts, contract?: PerpFacts): void {
    const instId = facts.symbol;
    const part = contract === undefined ? 'spot' : 'perps';
    const index = instId.split('-').slice(0, 2).join('-');
    const listed: Listed = {
      instId,
      instType: instTypeOf(contract),
      part,
      code: FIRST_CODES[part] + this.#byId.size,
      index,
      markets,
      format: marketFormat(facts),
      ...(contract === undefined ? {} : { contract }),
    };
    this.#byId.set(instId, listed);
    this.#byCode.set(listed.code, listed);
    if (contract !== undefined) this.#indices.add(index);
  }
}

function instTypeOf(contract: PerpFacts | undefined): ListedType {
  if (contract === undefined) return 'SPOT';
  return contract.kind === 'PERPETUAL' ? 'SWAP' : 'FUTURES';
}

/** The facts of an instrument as they are now: its state may change while it is listed. */
export function factsOf(listed: Listed): MarketFacts {
  const facts = listed.markets.markets.get(listed.instId);
  if (facts === undefined) throw new Error(`invariant broken: ${listed.instId} is listed`);
  return facts;
}
