import {
  type Amount,
  amount,
  floorTo,
  formatAmount,
  isFinal,
  type Millis,
  minus,
  ORDER_STATUS,
  type OrderId,
  type OrderStatus,
  plus,
  type VenueAlgoState,
  type VenueFill,
  type VenueOrderId,
  type VenueTradeId,
  venueClientId,
  ZERO,
} from '@crossbook/domain';
import type { ListedLegs } from '@crossbook/venues/trading';
import { BTCUSDT, CALLER, type TradingWorld } from '../trading-world.fixture.ts';
import { AlgoVenue } from './algo-world.fixture.ts';

/** The buy that brings targets along: two coins at a hundred. */
export const ID = '01890000-0000-7000-8000-00000000abcd' as OrderId;
const CLIENT = venueClientId(ID);
/** How much it buys. */
export const SIZE = amount('2');

/** Who makes the leg of a pair's buy: the venue with the last fill of a list (Binance), or of what has filled by the end (OKX). */
export type PairMaker = 'list' | 'fills';

/** Where each of them is so. */
const VENUES = { list: { platform: 1, platformType: 43 }, fills: { platform: 2, platformType: 41 } } as const;

/** A venue of pairs with one order, which fills when a test says so; what sells the coins the algo venue has. */
export class PairVenue {
  readonly world: TradingWorld;
  readonly algos: AlgoVenue;
  readonly maker: PairMaker;
  readonly fills: VenueFill[] = [];
  /** What becomes of the answer of a placement: `lost`, or told. */
  fate = 'done';
  /** What the venue does with the leg once it is due. */
  activation: 'waiting' | 'refused' | 'absent' = 'waiting';
  /** How much of a thousand of what has filled the leg that the venue makes of it sells: the fee is left, or is not. */
  mille = 999n;
  #status: OrderStatus | undefined;
  /** What was asked for with the order. */
  listed: ListedLegs | undefined;

  constructor(world: TradingWorld, maker: PairMaker = 'list') {
    this.world = world;
    this.maker = maker;
    this.algos = new AlgoVenue(world);
    this.algos.childClientId = () => 'of the venue';
    world.venue.algos = this.algos;
    const { answers } = world.venue;
    const children = { ...answers };
    const ours = 'p1' as VenueOrderId;
    answers.place = async (_credentials, { listed }) => {
      this.#status = ORDER_STATUS.OPEN;
      this.listed = listed;
      const deadlineAt = (this.algos.now + 5_000) as Millis;
      return this.fate === 'lost'
        ? { outcome: 'unknown', why: 'lost', deadlineAt }
        : { outcome: 'accepted', state: this.#state(), fills: [] };
    };
    answers.cancel = async () => {
      if (this.#status === undefined || isFinal(this.#state().status)) return { outcome: 'gone' };
      this.end();
      return { outcome: 'cancelled', state: this.#state() };
    };
    answers.find = async (...given) =>
      given[2] === CLIENT && this.#status !== undefined
        ? { outcome: 'found', value: this.#state() }
        : (children.find?.(...given) ?? { outcome: 'not-found' });
    answers.findByVenueId = async (...given) =>
      given[2] === ours
        ? { outcome: 'found', value: this.#state() }
        : (children.findByVenueId?.(...given) ?? { outcome: 'not-found' });
    answers.fillsOfOrder = async (...given) =>
      given[2] === ours
        ? { ok: true, value: [...this.fills] }
        : (children.fillsOfOrder?.(...given) ?? { ok: true, value: [] });
    answers.openOrders = async () => ({
      ok: true,
      value: this.#status === undefined || isFinal(this.#state().status) ? [] : [this.#state()],
    });
  }

  /** One with a member who has 300 USDT there. */
  static async open(world: TradingWorld, maker: PairMaker): Promise<PairVenue> {
    const { platform } = VENUES[maker];
    if (maker === 'fills') {
      world.second = platform;
      world.instruments.splice(0, world.instruments.length, { ...BTCUSDT, platform });
    }
    await world.account(CALLER.user, platform);
    await world.fund('USDT', '300', CALLER.user, platform);
    return new PairVenue(world, maker);
  }

  get platformType() {
    return VENUES[this.maker].platformType;
  }

  /** What the member has there. */
  wallet() {
    return this.world.wallet(CALLER.user, VENUES[this.maker].platform);
  }

  /** The order ends as it is, by its member's word or by the venue's. */
  end(): void {
    this.#status = ORDER_STATUS.CANCELLED;
    if (this.maker === 'fills') this.#makeLeg(this.#madeOfFills);
  }

  /** The size of a leg that is made of what has filled. */
  get #madeOfFills(): Amount {
    return floorTo(((this.executed * this.mille) / 1_000n) as Amount, BTCUSDT.lotSize);
  }

  #makeLeg(quantity: Amount | undefined): void {
    const { listed, activation: status } = this;
    if (listed === undefined || quantity === undefined || quantity === ZERO || status === 'absent') return;
    const { clientId } = listed;
    const size = this.maker === 'fills' ? { quantity } : {};
    const state: VenueAlgoState = {
      ...{
        clientId,
        venueAlgoId: 'l1' as VenueOrderId,
        symbol: 'BTCUSDT',
        status,
        time: this.algos.now,
        ...size,
      },
    };
    const request = { ...listed, quantity, instrument: BTCUSDT };
    this.algos.kept.set(clientId, { request, state, fills: [] });
  }

  get executed(): Amount {
    return this.fills.reduce((sum, fill) => plus(sum, fill.quantity), ZERO);
  }

  /** What of it came in: a thousandth is the fee, in coins. */
  get arrived(): Amount {
    return this.fills.reduce((sum, fill) => plus(sum, minus(fill.quantity, fill.fee)), ZERO);
  }

  /** Legs that have worked, with what they sold. */
  get sold(): Amount {
    const fills = [...this.algos.kept.values()].flatMap((kept) => kept.fills);
    return fills.reduce((sum, fill) => plus(sum, fill.quantity), ZERO);
  }

  waiting() {
    return [...this.algos.kept].filter(([, { state }]) => state.status === 'waiting');
  }

  #state() {
    const { executed } = this;
    const whole = executed === SIZE ? ORDER_STATUS.FILLED : ORDER_STATUS.PARTIALLY_FILLED;
    const open = this.#status === undefined || !isFinal(this.#status);
    return {
      ...{ clientId: CLIENT, venueOrderId: 'p1' as VenueOrderId, symbol: 'BTCUSDT' },
      status: open && executed > ZERO ? whole : (this.#status ?? ORDER_STATUS.OPEN),
      cumulativeQuantity: executed,
      cumulativeQuote: (executed * 100n) as Amount,
      time: this.algos.now,
    };
  }

  fill(wanted: Amount, reported: boolean): void {
    const rest = minus(SIZE, this.executed);
    const part = wanted < rest ? wanted : rest;
    if (part <= ZERO || this.#status === undefined || isFinal(this.#state().status)) return;
    const fill: VenueFill = {
      ...{ tradeId: `b${this.fills.length}` as VenueTradeId, venueOrderId: 'p1' as VenueOrderId },
      ...{ price: amount('100'), quantity: part, quoteQuantity: (part * 100n) as Amount },
      ...{ fee: (part / 1_000n) as Amount, feeAsset: 'BTC', maker: true, time: this.algos.now },
    };
    this.fills.push(fill);
    if (this.executed === SIZE)
      this.#makeLeg(this.maker === 'fills' ? this.#madeOfFills : this.listed?.quantity);
    if (reported) this.world.venue.streams.at(-1)?.onOrder({ state: this.#state(), fill });
  }

  fire(reported: boolean): void {
    const [[clientId, kept] = []] = this.waiting();
    if (clientId === undefined || kept === undefined) return;
    this.algos.fire(clientId, formatAmount(kept.request.quantity ?? ZERO));
    if (reported) this.world.venue.streams.at(-1)?.onAlgo?.(kept.state);
  }
}
