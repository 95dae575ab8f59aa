import {
  type Amount,
  amount,
  formatAmount,
  isFinal,
  type Millis,
  minus,
  mulDown,
  ORDER_STATUS,
  type OrderId,
  type OrderStatus,
  plus,
  type VenueFill,
  type VenueOrderId,
  type VenueOrderState,
  type VenueTradeId,
  venueClientId,
  ZERO,
} from '@crossbook/domain';
import type { AmendOutcome, OrderAmendment } from '@crossbook/venues/trading';
import { BTCUSDT, CALLER, type TradingWorld } from '../trading-world.fixture.ts';

/** What becomes of a change at the venue, and what the hub hears of it. `late`: it arrives when the test says so. */
export type AmendFate = 'done' | 'refused' | 'lost-done' | 'lost-not' | 'late' | 'broken-done' | 'broken-not';

/** The id of the one order that the venue keeps. */
export const RESTING_ID = '01890000-0000-7000-8000-00000000abcd' as OrderId;

/** OKX with one order of a pair that rests, and can be changed. */
export class RestingVenue {
  readonly #world: TradingWorld;
  clientId = venueClientId(RESTING_ID);
  /** What the member has there at first. */
  funds = ZERO;
  price = ZERO;
  quantity = ZERO;
  status: OrderStatus = ORDER_STATUS.OPEN;
  readonly fills: VenueFill[] = [];
  readonly amendments: OrderAmendment[] = [];
  fate: AmendFate = 'done';
  /** Runs while the venue is being asked for a change. */
  whileAsked: () => Promise<void> | void = () => undefined;
  #late: OrderAmendment | undefined;

  constructor(world: TradingWorld) {
    this.#world = world;
    world.second = 2;
    world.instruments.splice(0, world.instruments.length, { ...BTCUSDT, platform: 2 });
    const { answers } = world.venue;
    answers.place = async (_credentials, { clientId, price = ZERO, quantity = ZERO }) => {
      Object.assign(this, { clientId, price, quantity, status: ORDER_STATUS.OPEN });
      return { outcome: 'accepted', state: this.state(), fills: [] };
    };
    answers.amend = (_credentials, amendment) => this.#amend(amendment);
    answers.balances = async () => ({
      ok: true,
      value: [
        { asset: 'USDT', free: minus(this.funds, this.spent), locked: ZERO },
        { asset: 'BTC', free: this.executed, locked: ZERO },
      ],
    });
    answers.find = async () => ({ outcome: 'found', value: this.state() });
    answers.findTerms = async () => ({
      outcome: 'found',
      value: { state: this.state(), price: this.price, quantity: this.quantity },
    });
    answers.fillsOfOrder = async () => ({ ok: true, value: [...this.fills] });
    answers.cancel = async () => {
      if (isFinal(this.status)) return { outcome: 'gone' };
      this.status = ORDER_STATUS.CANCELLED;
      return { outcome: 'cancelled', state: this.state() };
    };
  }

  get executed(): Amount {
    return this.fills.reduce((sum, { quantity }) => plus(sum, quantity), ZERO);
  }

  get spent(): Amount {
    return this.fills.reduce((sum, { quoteQuantity }) => plus(sum, quoteQuantity), ZERO);
  }

  state(): VenueOrderState {
    return {
      ...{ clientId: this.clientId, venueOrderId: '1' as VenueOrderId, symbol: 'BTCUSDT' },
      ...{ status: this.status, cumulativeQuantity: this.executed, cumulativeQuote: this.spent },
      time: this.#world.time.clock(),
    };
  }

  /** Fills so much of what is left, at the order's price. @returns whether there was anything to fill. */
  fill(wanted: Amount, tells = true): boolean {
    const rest = minus(this.quantity, this.executed);
    const quantity = wanted < rest ? wanted : rest;
    if (quantity <= 0n || isFinal(this.status)) return false;
    const { price } = this;
    const fill: VenueFill = {
      ...{ tradeId: `t${this.fills.length}` as VenueTradeId, venueOrderId: '1' as VenueOrderId },
      ...{
        price,
        quantity,
        quoteQuantity: mulDown(price, quantity),
        fee: ZERO,
        feeAsset: 'BTC',
        maker: true,
      },
      time: this.#world.time.clock(),
    };
    this.fills.push(fill);
    const { PARTIALLY_FILLED, FILLED } = ORDER_STATUS;
    this.status = this.executed === this.quantity ? FILLED : PARTIALLY_FILLED;
    if (tells) this.#world.venue.streams.at(-1)?.onOrder({ state: this.state(), fill });
    return true;
  }

  /** What was under way arrives. */
  arrive(): void {
    if (this.#late !== undefined) this.#carryOut(this.#late);
    this.#late = undefined;
  }

  #carryOut({ price, quantity }: OrderAmendment): boolean {
    if (isFinal(this.status) || quantity <= this.executed) return false;
    Object.assign(this, { price, quantity });
    return true;
  }

  async #amend(amendment: OrderAmendment): Promise<AmendOutcome> {
    this.amendments.push(amendment);
    await this.whileAsked();
    const { fate } = this;
    if (fate === 'refused') return { outcome: 'refused', venueCode: '51000', message: 'no' };
    if (fate === 'late') this.#late = amendment;
    const takes = fate === 'done' || fate === 'lost-done' || fate === 'broken-done';
    const done = takes && this.#carryOut(amendment);
    if (fate === 'done') return done ? { outcome: 'amended', state: this.state() } : { outcome: 'gone' };
    if (fate === 'broken-done' || fate === 'broken-not') throw new Error('the line broke');
    const deadlineAt = (this.#world.time.clock() + 15_000) as Millis;
    return { outcome: 'unknown', why: 'lost', deadlineAt };
  }
}

/** Places the order: a buy of one at a hundred, of a member with so much. */
export async function placeResting(world: TradingWorld, funds = '300'): Promise<RestingVenue> {
  const venue = new RestingVenue(world);
  await world.account(CALLER.user, 2);
  venue.funds = amount(funds);
  await world.fund('USDT', funds, CALLER.user, 2);
  const placed = await world.desk.handlers['connextrade/PlaceOrder']({ ...CALLER, now: world.time.clock() }, {
    ...{ platformType: 41, tinstType: 1, symbol: 'BTCUSDT', side: 1, orderType: 1, timeInForce: 1 },
    ...{ price: amount('100'), quantity: amount('1'), clientId: RESTING_ID },
  } as never);
  if (!placed.ok) throw new Error(placed.code.error);
  return venue;
}

/** Totals of the member's wallet at the venue as text, with what is held. */
export async function okxWallet(world: TradingWorld): Promise<Readonly<Record<string, string>>> {
  const rows = await world.ledger.tradingBalances(CALLER.user, 2);
  return Object.fromEntries(
    rows.map(({ asset, total, held }) => [
      asset,
      held === 0n ? formatAmount(total) : `${formatAmount(total)} (${formatAmount(held)} held)`,
    ]),
  );
}
