import {
  type Amount,
  amount,
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
import { BTCUSDT, type TradingWorld } from '../trading-world.fixture.ts';
import { AlgoVenue } from './algo-world.fixture.ts';

/** The buy that brings targets along: two coins at a hundred. */
export const ID = '01890000-0000-7000-8000-00000000abcd' as OrderId;
const CLIENT = venueClientId(ID);
/** How much it buys. */
export const SIZE = amount('2');

/** A venue of pairs with one order, which fills when a test says so; what sells the coins the algo venue has. */
export class PairVenue {
  readonly world: TradingWorld;
  readonly algos: AlgoVenue;
  readonly fills: VenueFill[] = [];
  /** What becomes of the answer of a placement: `lost`, or told. */
  fate = 'done';
  /** What the venue does with the leg of a list once its order has filled. */
  activation: 'waiting' | 'refused' | 'absent' = 'waiting';
  #status: OrderStatus | undefined;
  /** What was asked for with the order. */
  listed: ListedLegs | undefined;

  constructor(world: TradingWorld) {
    this.world = world;
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
      this.#status = ORDER_STATUS.CANCELLED;
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
    const { time } = this.#state();
    const { listed, activation: status } = this;
    if (this.executed === SIZE && listed !== undefined && status !== 'absent') {
      const { clientId } = listed;
      const state: VenueAlgoState = {
        ...{ clientId, venueAlgoId: 'l1' as VenueOrderId, symbol: 'BTCUSDT', status, time },
      };
      this.algos.kept.set(clientId, { request: { ...listed, instrument: BTCUSDT }, state, fills: [] });
    }
    if (reported) this.world.venue.streams.at(-1)?.onOrder({ state: this.#state(), fill });
  }

  fire(reported: boolean): void {
    const [[clientId, kept] = []] = this.waiting();
    if (clientId === undefined || kept === undefined) return;
    this.algos.fire(clientId, formatAmount(kept.request.quantity ?? ZERO));
    if (reported) this.world.venue.streams.at(-1)?.onAlgo?.(kept.state);
  }
}
