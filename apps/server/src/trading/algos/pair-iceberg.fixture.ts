import {
  type Amount,
  amount,
  isFinal,
  lesser,
  type Millis,
  minus,
  ORDER_STATUS,
  type OrderId,
  type OrderStatus,
  plus,
  SIDE,
  type Side,
  type VenueFill,
  type VenueOrderId,
  type VenueOrderState,
  type VenueTradeId,
  venueClientId,
  ZERO,
} from '@crossbook/domain';
import type { OrderTerms, VenueAlgos } from '@crossbook/venues/trading';
import { BTCUSDT, CALLER, type TradingWorld } from '../trading-world.fixture.ts';
import { AlgoVenue } from './algo-world.fixture.ts';

/** An iceberg of two coins on a pair of OKX, and the exchange's own books of it: the naive model that the hub must agree with. */

/** The iceberg of these tests. */
export const ID = '01890000-0000-7000-8000-00000000abcd' as OrderId;
const CLIENT = venueClientId(ID);
export const PLATFORM = 2;
/** What calls about it name. */
export const OF = { platformType: 41, algoId: ID } as const;
export const SIZE = amount('2');
export const LIMIT = amount('100');
/** What its member has. */
export const MONEY = { USDT: amount('500'), BTC: amount('3') } as const;
export type Asset = keyof typeof MONEY;

export interface Slice {
  readonly id: VenueOrderId;
  readonly quantity: Amount;
  readonly time: Millis;
  readonly fills: VenueFill[];
  status: OrderStatus;
}

export const sum = (fills: readonly VenueFill[], name: 'quantity' | 'quoteQuantity') =>
  fills.reduce((all, fill) => plus(all, fill[name]), ZERO);

/** One of its fills: thousandths of a coin, tenths better than the limit, and what its fee is paid in. */
export interface Filling {
  readonly mille: number;
  readonly better: number;
  readonly feeAsset: Asset;
  readonly tells: boolean;
}

/** A venue of pairs with one iceberg, whose orders fill when a test says so. */
export class PairVenue {
  readonly world: TradingWorld;
  readonly algos: AlgoVenue;
  readonly side: Side;
  readonly slices: Slice[] = [];
  /** All that it ever said of its orders. */
  readonly said: { readonly state: VenueOrderState; readonly fill?: VenueFill }[] = [];

  constructor(world: TradingWorld, side: Side) {
    this.world = world;
    this.side = side;
    this.algos = new AlgoVenue(world);
    const slices: NonNullable<VenueAlgos['slices']> = async (_credentials, { venueAlgoId, since }) => {
      const ours = venueAlgoId === this.kept?.state.venueAlgoId ? this.slices : [];
      const listed = ours.filter(({ status, time }) => !isFinal(status) || time >= since - 1_000);
      const terms = (slice: Slice): OrderTerms => {
        return { state: this.stateOf(slice), price: LIMIT, quantity: slice.quantity };
      };
      return { ok: true, value: listed.map(terms) };
    };
    world.venue.algos = Object.assign(this.algos, { slices });
    this.#answer();
  }

  /** It, as the venue has it. */
  get kept() {
    return this.algos.kept.get(CLIENT);
  }

  get fills(): readonly VenueFill[] {
    return this.slices.flatMap(({ fills }) => fills);
  }

  get executed(): Amount {
    return sum(this.fills, 'quantity');
  }

  get resting(): Slice | undefined {
    return this.slices.find(({ status }) => !isFinal(status));
  }

  #answer(): void {
    const { answers } = this.world.venue;
    const byId = (id: VenueOrderId) => this.slices.find((slice) => slice.id === id);
    answers.findByVenueId = async (...given) => {
      const slice = byId(given[2]);
      return slice === undefined
        ? { outcome: 'not-found' }
        : { outcome: 'found', value: this.stateOf(slice) };
    };
    answers.fillsOfOrder = async (...given) => ({ ok: true, value: [...(byId(given[2])?.fills ?? [])] });
    answers.fillsSince = async () => ({ ok: true, value: [...this.fills] });
    answers.openOrders = async () => {
      const { resting } = this;
      return { ok: true, value: resting === undefined ? [] : [this.stateOf(resting)] };
    };
    answers.balances = async () => ({
      ok: true,
      value: Object.entries(this.owned()).map(([asset, free]) => ({
        asset,
        free: free as Amount,
        locked: ZERO,
      })),
    });
  }

  stateOf({ id, quantity, fills, status, time }: Slice): VenueOrderState {
    const executed = sum(fills, 'quantity');
    const { PARTIALLY_FILLED, FILLED } = ORDER_STATUS;
    const alive = executed === quantity ? FILLED : executed > ZERO ? PARTIALLY_FILLED : status;
    return {
      ...{ clientId: '' as VenueOrderState['clientId'], venueOrderId: id, symbol: 'BTCUSDT', time },
      ...{ status: isFinal(status) ? status : alive, cumulativeQuantity: executed },
      cumulativeQuote: sum(fills, 'quoteQuantity'),
    };
  }

  /** What the member owns by these books. */
  owned(): Record<Asset, bigint> {
    const owns: Record<Asset, bigint> = { ...MONEY };
    const sign = this.side === SIDE.BUY ? 1n : -1n;
    for (const { quantity, quoteQuantity, fee, feeAsset } of this.fills) {
      owns.BTC += sign * quantity;
      owns.USDT -= sign * quoteQuantity;
      owns[feeAsset as Asset] -= fee;
    }
    return owns;
  }

  /** It waits and nothing of it rests: the next order of it does. */
  makes(): void {
    const kept = this.kept;
    const left = minus(SIZE, this.executed);
    if (kept?.state.status !== 'waiting' || this.resting !== undefined || left <= ZERO) return;
    const quantity = lesser(amount('0.7'), left);
    const id = `s${this.slices.length}` as VenueOrderId;
    const time = this.algos.now;
    this.slices.push({ id, quantity, time, fills: [], status: ORDER_STATUS.OPEN });
  }

  fill({ mille, better, feeAsset, tells: reported }: Filling): void {
    this.makes();
    const slice = this.resting;
    const kept = this.kept;
    if (slice === undefined || kept === undefined) return;
    const rest = minus(slice.quantity, sum(slice.fills, 'quantity'));
    const quantity = lesser((BigInt(mille) * 10n ** 15n) as Amount, rest);
    const tenths = BigInt(1_000 + (this.side === SIDE.BUY ? -better : better));
    const quoteQuantity = ((quantity * tenths) / 10n) as Amount;
    const fill: VenueFill = {
      ...{
        tradeId: `t${this.fills.length}` as VenueTradeId,
        venueOrderId: slice.id,
        quantity,
        quoteQuantity,
      },
      price: (tenths * 10n ** 17n) as Amount,
      fee: ((feeAsset === 'USDT' ? quoteQuantity : quantity) / 1_000n) as Amount,
      ...{ feeAsset, maker: true, time: this.algos.now },
    };
    slice.fills.push(fill);
    slice.status = this.stateOf(slice).status;
    kept.state = { ...kept.state, executed: this.executed };
    if (this.executed === SIZE) kept.state = { ...kept.state, status: 'fired' };
    this.#say(slice, reported, fill);
  }

  /** What rests is taken back; while the iceberg waits, another rests in its place. */
  move(reported: boolean): void {
    const slice = this.resting;
    if (slice !== undefined) {
      slice.status = ORDER_STATUS.CANCELLED;
      this.#say(slice, reported);
    }
    this.makes();
  }

  #say(slice: Slice, reported: boolean, fill?: VenueFill): void {
    const event = { state: this.stateOf(slice), ...(fill === undefined ? {} : { fill }) };
    this.said.push(event);
    if (!reported) return;
    this.tell(event);
    if (this.kept !== undefined) this.world.venue.streams.at(-1)?.onAlgo?.(this.kept.state);
  }

  tell(event: (typeof this.said)[number]): void {
    this.world.venue.streams.at(-1)?.onOrder(event);
  }
}

/** A member of OKX with an account and money. */
export async function prepare(world: TradingWorld): Promise<void> {
  world.second = PLATFORM;
  world.instruments.splice(0, world.instruments.length, { ...BTCUSDT, platform: PLATFORM });
  await world.account(CALLER.user, PLATFORM);
  await world.fund('USDT', '500', CALLER.user, PLATFORM);
  await world.fund('BTC', '3', CALLER.user, PLATFORM);
}

/** Places it, or one that a test says. */
export function place(world: TradingWorld, side: Side, part: Readonly<Record<string, unknown>> = {}) {
  world.best = { bid: amount('99.9'), ask: amount('100.1'), receivedAt: world.time.clock() };
  const request = {
    ...{ platformType: OF.platformType, tinstType: 1, symbol: 'BTCUSDT', side, algoType: 'iceberg' },
    ...{ price: LIMIT, quantity: SIZE, visibleQuantity: amount('0.7'), behindRatio: amount('0.001') },
    ...{ timeInForce: 1, clientId: ID },
    ...part,
  };
  const caller = { ...CALLER, now: world.time.clock() };
  return world.desk.handlers['connextrade/PlaceAlgoOrder'](caller, request as never);
}
