import type { Lots, Ticks } from '@crossbook/domain';
import { kindOfAlgo } from '../algos/algo-ids.ts';
import type { AlgoAdapter, AlgoLeg, AlgoSlice } from '../algos/algo-legs.ts';
import { type IcebergTerms, icebergTerms, sliceClientId } from '../algos/iceberg-ids.ts';
import type { Desk } from '../desk.ts';
import { factsOf, type Listed } from '../listing.ts';
import type { LiveIceberg } from '../memory/iceberg-list.ts';
import { ALGO_ADAPTERS, algosOf } from './adapters.ts';

/**
 * Icebergs (`ordType` iceberg of "Place algo order", OKX v5 guide, 2026; sizes and distances by its help page on iceberg
 * orders): one slice rests at a time, about as large as `szLimit`, a little behind the best price of its side. Once it has
 * filled another follows; where the market has gone twice as far as it was to stand, it is placed anew. Beyond `pxLimit`
 * nothing rests until the price is back. While the simulator is down what rests rests, and nothing new is placed.
 */

const LOOK_MILLIS = 250;
/** Sizes lie within so many percent of what was asked for, at random. */
const SPREAD_PERCENT = 10;
const BIPS = 10_000;

/** How far an iceberg has come. */
interface Progress {
  readonly open: AlgoSlice | undefined;
  readonly executed: number;
  readonly count: number;
}

/** Carries icebergs out. */
export class Icebergs {
  readonly #desk: Desk;
  /** What is known of those that are carried out: the rest is read from their orders once. */
  readonly #known = new Map<string, { count: number; ended: number; open?: string }>();
  #timer: NodeJS.Timeout | undefined;
  #busy = false;

  constructor(desk: Desk) {
    this.#desk = desk;
  }

  /** Takes up what a former process left, then looks at all of them again and again. */
  start(): void {
    const { venue, icebergs, listing } = this.#desk;
    for (const { account } of venue.spot.accounts())
      for (const adapter of ALGO_ADAPTERS)
        for (const leg of adapter.waiting(this.#desk, account)) {
          const { symbol } = leg.sends;
          if (kindOfAlgo(leg) !== 'iceberg' || listing.find(symbol) === undefined) continue;
          icebergs.add({ account, instId: symbol, algoId: leg.algoId });
        }
    this.#timer = setInterval(() => void this.#look(), LOOK_MILLIS);
    this.#timer.unref();
  }

  close(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  async #look(): Promise<void> {
    if (this.#busy) return;
    this.#busy = true;
    try {
      for (const one of this.#desk.icebergs.all()) {
        if (this.#timer === undefined) break;
        await this.#carryOn(one);
      }
    } catch (fault) {
      if (this.#timer !== undefined) this.#desk.onFault(fault);
    } finally {
      this.#busy = false;
    }
  }

  async #carryOn(one: LiveIceberg): Promise<void> {
    const listed = this.#desk.listing.find(one.instId);
    const adapter = listed && algosOf(listed);
    const leg = listed && adapter?.byId(this.#desk, one.account, adapter.idOf(listed, one));
    const terms = leg && icebergTerms(leg);
    if (listed === undefined || adapter === undefined || leg === undefined || terms === undefined)
      return this.#drop(one);
    const at = { listed, adapter, leg };
    const progress = this.#progressOf(one, at);
    if (leg.state !== 'WAITING') {
      if (progress.open !== undefined) await adapter.cancelSlice(this.#desk, leg, progress.open);
      return this.#drop(one);
    }
    const rest = Number(leg.sends.quantity ?? 0) - progress.executed;
    if (rest <= 0) {
      await adapter.cancel(this.#desk, leg);
      return;
    }
    const place = placeOf(at, terms);
    if (progress.open === undefined) {
      if (place === undefined) return;
      await this.#send(one, at, { terms, place, rest, count: progress.count });
      return;
    }
    // It is placed anew by the next look.
    if (place === undefined || Math.abs(place.price - progress.open.price) > 2 * place.back)
      await adapter.cancelSlice(this.#desk, leg, progress.open);
  }

  async #send(
    one: LiveIceberg,
    { listed, adapter, leg }: Place,
    asked: {
      readonly terms: IcebergTerms;
      readonly place: { readonly price: Ticks };
      readonly rest: number;
      readonly count: number;
    },
  ): Promise<void> {
    const { price } = asked.place;
    const quantity = sizeOf(asked, factsOf(listed), this.#desk.randomText(2));
    const clientId = sliceClientId(leg, asked.count);
    const sent = await adapter.sendSlice(this.#desk, leg, { price, quantity, clientId });
    const known = this.#known.get(keyOf(one));
    // What cannot be sent ends it: there is no money for it, or the market is closed.
    if (sent === undefined) await adapter.cancel(this.#desk, leg);
    else if (known !== undefined) Object.assign(known, { count: asked.count + 1, open: sent });
  }

  #progressOf(one: LiveIceberg, { listed, adapter, leg }: Place): Progress {
    const key = keyOf(one);
    let known = this.#known.get(key);
    if (known === undefined) {
      const all = adapter.slices(this.#desk, listed, leg);
      const open = all.find((slice) => slice.open);
      const ended = all.reduce((sum, slice) => sum + (slice.open ? 0 : slice.executed), 0);
      known = { count: all.length, ended, ...(open === undefined ? {} : { open: open.clientId }) };
      this.#known.set(key, known);
    }
    const slice = known.open === undefined ? undefined : adapter.slice(this.#desk, leg, known.open);
    if (slice?.open === true)
      return { open: slice, executed: known.ended + slice.executed, count: known.count };
    known.ended += slice?.executed ?? 0;
    delete known.open;
    return { open: undefined, executed: known.ended, count: known.count };
  }

  #drop(one: LiveIceberg): void {
    this.#desk.icebergs.delete(one);
    this.#known.delete(keyOf(one));
  }
}

interface Place {
  readonly listed: Listed;
  readonly adapter: AlgoAdapter;
  readonly leg: AlgoLeg;
}

function keyOf({ instId, algoId }: LiveIceberg): string {
  return `${instId} ${algoId}`;
}

/** Where a slice would rest now, and how far behind that is, in ticks; nowhere beyond the price limit. */
function placeOf(
  { listed, leg }: Pick<Place, 'listed' | 'leg'>,
  { back }: IcebergTerms,
): { readonly price: Ticks; readonly back: number } | undefined {
  const { side, price: limit } = leg.sends;
  const depth = listed.markets.depth(listed.instId, 1);
  const best = (side === 'BUY' ? depth.bids : depth.asks)[0]?.[0];
  if (best === undefined || limit === undefined) return undefined;
  const far = 'ticks' in back ? back.ticks : (best * back.bips) / BIPS;
  const price = (side === 'BUY' ? Math.floor(best - far) : Math.ceil(best + far)) as Ticks;
  const within = side === 'BUY' ? price <= limit : price >= limit;
  return within && price > 0 ? { price, back: Math.max(1, far) } : undefined;
}

/** About what was asked for; the last one is what is left, and none leaves less than an order may be. */
function sizeOf(
  { terms, rest }: { readonly terms: IcebergTerms; readonly rest: number },
  { minQty, lotSize }: { readonly minQty: bigint; readonly lotSize: bigint },
  random: string,
): Lots {
  const dice = [...random].reduce((sum, letter) => sum + letter.charCodeAt(0), 0);
  const share = 100 - SPREAD_PERCENT + (dice % (2 * SPREAD_PERCENT + 1));
  const least = Number((minQty + lotSize - 1n) / lotSize);
  const size = Math.max(least, Math.round((terms.visible * share) / 100));
  return Math.min(rest, rest - size < least ? rest : size) as Lots;
}
