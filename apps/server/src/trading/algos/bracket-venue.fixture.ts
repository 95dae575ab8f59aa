import {
  type Amount,
  amount,
  isFinal,
  minus,
  ORDER_STATUS,
  ORDER_TYPE,
  type OrderId,
  type OrderStatus,
  POSITION_SIDE,
  plus,
  SIDE,
  type Side,
  TIME_IN_FORCE,
  type TriggerPlan,
  type VenueAlgoState,
  type VenueFill,
  type VenueOrderId,
  type VenueOrderState,
  venueClientId,
  ZERO,
} from '@crossbook/domain';
import type { FindOutcome, VenueOrderRequest } from '@crossbook/venues/trading';
import { openPerpsWorld, type PerpsWorld } from '../perps/perps-world.fixture.ts';
import { BTCUSDT_PERP, CALLER } from '../trading-world.fixture.ts';
import { AlgoVenue } from './algo-world.fixture.ts';

/** The order that brings targets along: a bid at a hundred that fills in parts. */
export const BRACKET_ID = '01890000-0000-7000-8000-00000000abcd' as OrderId;

const LEGS = ['take-profit', 'stop-loss'] as const;

/** The key of the account whose one wallet serves pairs and contracts. */
const SHARED = { apiKey: 'one wallet', secret: 'secret' };

/**
 * Who makes the legs: the hub (Binance), the exchange one for each part and target (Bybit), or one for both that grows (OKX); there
 * also one for each of several targets and a stop once all has filled, or a trailing stop once the order is over.
 */
export type LegMaker = 'hub' | 'a leg for each' | 'one for both' | 'several' | 'a trailing stop';

/** Where each of them is so. */
const VENUES = {
  hub: { platform: 1, platformType: 43 },
  'a leg for each': { platform: 3, platformType: 42 },
  'one for both': { platform: 2, platformType: 41 },
  several: { platform: 2, platformType: 41 },
  'a trailing stop': { platform: 2, platformType: 41 },
} as const;

/** Prices and sizes of several take-profits of the two that the order is for. */
const PARTS = [
  ['120', '1.2'],
  ['130', '0.5'],
  ['140', '0.3'],
] as const;

/** An order that the venue has, and what of it has filled. */
interface Placed {
  readonly clientId: string;
  readonly venueOrderId: VenueOrderId;
  readonly quantity: Amount;
  readonly side: Side;
  status: OrderStatus;
  readonly fills: VenueFill[];
}

/**
 * A venue of contracts with one bracket: its order fills when a test says so, its legs fire when a test says so, and
 * what only reduces is cut to the position, or refused where there is none, as the exchanges do.
 */
export class BracketVenue {
  readonly perps: PerpsWorld;
  readonly algos: AlgoVenue;
  readonly maker: LegMaker;
  readonly #placed = new Map<string, Placed>();
  /** What was asked for, in its order. */
  readonly sent: VenueOrderRequest[] = [];
  /** Children that were cut to the position: over with less than they asked for. */
  readonly #cut = new Set<VenueOrderId>();
  #count = 0;

  private constructor(perps: PerpsWorld, maker: LegMaker) {
    this.perps = perps;
    this.maker = maker;
    this.algos = new AlgoVenue(perps.world);
    this.algos.childClientId = ({ clientId }) => (this.attaches ? '' : `of the venue for ${clientId}`);
    if (this.attaches) this.algos.attaches();
    perps.world.venue.algos = this.algos;
    this.#answer();
  }

  /** One with a member who has 1,000 USDT behind contracts. */
  static async open(maker: LegMaker): Promise<BracketVenue> {
    const perps = await openPerpsWorld();
    const { world } = perps;
    const { platform } = VENUES[maker];
    if (maker !== 'hub') {
      world.second = platform;
      world.instruments.splice(0, world.instruments.length, { ...BTCUSDT_PERP, platform });
      perps.venue.setting_ = { ...perps.venue.setting_, platform };
      await world.accounts.begin(CALLER.user, platform);
      await world.accounts.complete(CALLER.user, platform, { accountId: 'sub', credentials: SHARED });
      await world.fund('USDT', '1000', CALLER.user, platform);
    }
    return new BracketVenue(perps, maker);
  }

  get platform() {
    return VENUES[this.maker].platform;
  }

  get platformType() {
    return VENUES[this.maker].platformType;
  }

  /** What the order brings along, by the fields of its call. */
  get targets() {
    const stopLoss = amount('80');
    if (this.maker === 'a trailing stop') return { trailingRatio: amount('0.05') };
    return this.maker === 'several'
      ? { takeProfits: PARTS.map(([price, size]) => [amount(price), amount(size)]), stopLoss }
      : { takeProfit: amount('120'), stopLoss };
  }

  /** Whether it makes nothing of an order that is over before all of it has filled. */
  get leaves(): boolean {
    return this.maker === 'several' && this.executed < amount('2');
  }

  /** Whether the venue makes the legs. */
  get attaches(): boolean {
    return this.maker !== 'hub';
  }

  /** What the member holds there. */
  get position(): Amount {
    return this.perps.venue.open.get(POSITION_SIDE.NET)?.quantity ?? ZERO;
  }

  /** What has filled of the bracket's order. */
  get executed(): Amount {
    return executedOf(this.#placed.get(venueClientId(BRACKET_ID)));
  }

  /** Legs that wait. */
  waiting() {
    return [...this.algos.kept].filter(([, { state }]) => state.status === 'waiting');
  }

  #answer(): void {
    const { answers } = this.perps.world.venue;
    const algos = { ...answers };
    const found = (order: Placed) => ({ outcome: 'found', value: this.#stateOf(order) }) as const;
    const byVenueId = (id: VenueOrderId) =>
      [...this.#placed.values()].find(({ venueOrderId }) => venueOrderId === id);
    answers.place = async (_credentials, request) => {
      const { clientId, quantity = ZERO, side } = request;
      this.sent.push(request);
      this.#count += 1;
      const venueOrderId = `p${this.#count}` as VenueOrderId;
      const order: Placed = { clientId, venueOrderId, quantity, side, status: ORDER_STATUS.OPEN, fills: [] };
      this.#placed.set(clientId, order);
      if (side === SIDE.SELL) this.#trade(order, this.#reducing(quantity));
      else if (request.type === ORDER_TYPE.MARKET) this.#trade(order, quantity);
      return { outcome: 'accepted', state: this.#stateOf(order), fills: [...order.fills] };
    };
    answers.cancel = async (_credentials, _instrument, clientId) => {
      const order = this.#placed.get(clientId);
      if (order === undefined || isFinal(order.status)) return { outcome: 'gone' };
      order.status = ORDER_STATUS.CANCELLED;
      this.#trail(order);
      return { outcome: 'cancelled', state: this.#stateOf(order) };
    };
    const cut = (child: FindOutcome<VenueOrderState>) => {
      const over = child.outcome === 'found' && this.#cut.has(child.value.venueOrderId);
      return over ? { ...child, value: { ...child.value, status: ORDER_STATUS.CANCELLED } } : child;
    };
    answers.find = async (...given) => {
      const order = this.#placed.get(given[2]);
      if (order !== undefined) return found(order);
      return cut(await (algos.find?.(...given) ?? { outcome: 'not-found' as const }));
    };
    answers.findByVenueId = async (...given) => {
      const order = byVenueId(given[2]);
      if (order !== undefined) return found(order);
      return cut(await (algos.findByVenueId?.(...given) ?? { outcome: 'not-found' as const }));
    };
    answers.fillsOfOrder = async (...given) => {
      const order = byVenueId(given[2]);
      if (order !== undefined) return { ok: true, value: [...order.fills] };
      return algos.fillsOfOrder?.(...given) ?? { ok: true, value: [] };
    };
    answers.fillsSince = async (_credentials, _instrument, since) => ({
      ok: true,
      value: this.perps.venue.fills.filter(({ time }) => time >= since),
    });
    // Where one wallet serves both markets it is that behind the contracts.
    answers.balances = async ({ apiKey }) => ({
      ok: true,
      value: apiKey === SHARED.apiKey ? [{ asset: 'USDT', free: this.perps.venue.wallet, locked: ZERO }] : [],
    });
    answers.openOrders = async () => ({
      ok: true,
      value: [...this.#placed.values()]
        .filter(({ status }) => !isFinal(status))
        .map((order) => this.#stateOf(order)),
    });
  }

  #stateOf({ clientId, venueOrderId, status, fills, quantity }: Placed): VenueOrderState {
    const executed = executedOf({ fills });
    const filled = executed === quantity ? ORDER_STATUS.FILLED : ORDER_STATUS.PARTIALLY_FILLED;
    return {
      ...{ clientId: clientId as VenueOrderState['clientId'], venueOrderId, symbol: 'BTCUSDT' },
      status: isFinal(status) || executed === ZERO ? status : filled,
      cumulativeQuantity: executed,
      cumulativeQuote: fills.reduce((sum, { quoteQuantity }) => plus(sum, quoteQuantity), ZERO),
      time: this.perps.venue.now,
    };
  }

  #trade(order: Placed, quantity: Amount): VenueFill | undefined {
    if (quantity <= 0n) {
      order.status = ORDER_STATUS.CANCELLED;
      return undefined;
    }
    const { side } = order;
    const fill = this.perps.venue.trade(side, quantity, { order: order.venueOrderId });
    order.fills.push(fill);
    if (executedOf(order) === order.quantity) order.status = ORDER_STATUS.FILLED;
    else if (side === SIDE.SELL) order.status = ORDER_STATUS.CANCELLED;
    return fill;
  }

  #reducing(quantity: Amount): Amount {
    const { position } = this;
    if (position <= 0n) return ZERO;
    return position < quantity ? position : quantity;
  }

  /** What it says of an order of ours. */
  stateOf(id: OrderId): VenueOrderState {
    const order = this.#placed.get(venueClientId(id));
    if (order === undefined) throw new Error('no such order');
    return this.#stateOf(order);
  }

  /** So much of the bracket's order fills, or of another one, where it rests still. */
  fill(wanted: Amount, tells: boolean, id: OrderId = BRACKET_ID): void {
    const order = this.#placed.get(venueClientId(id));
    if (order === undefined || isFinal(order.status)) return;
    const rest = minus(order.quantity, executedOf(order));
    const quantity = wanted < rest ? wanted : rest;
    const fill = this.#trade(order, quantity);
    if (fill === undefined) return;
    if (this.maker === 'a leg for each')
      for (const leg of LEGS) this.#make(leg === 'stop-loss' ? STOP : targetAt('120'), quantity, { leg });
    if (this.maker === 'one for both') this.#grow(quantity);
    if (this.maker === 'several' && order.status === ORDER_STATUS.FILLED) this.#split(order);
    if (order.status === ORDER_STATUS.FILLED) this.#trail(order);
    if (tells) this.perps.world.venue.streams.at(-1)?.onOrder({ state: this.#stateOf(order), fill });
  }

  /** The venue makes a leg of the order, or of a part of it. */
  #make(plan: TriggerPlan, quantity: Amount, of: Pick<VenueAlgoState, 'leg' | 'part'> = {}): void {
    const contract = {
      ...({ side: POSITION_SIDE.NET, positionMode: 'one-way', marginMode: 'cross' } as const),
      reduceOnly: true,
    };
    const instrument = { ...BTCUSDT_PERP, platform: this.platform };
    this.algos.make(
      { instrument, side: SIDE.SELL, quantity, contract, timeInForce: TIME_IN_FORCE.GTC, plan },
      { parent: venueClientId(BRACKET_ID), ...of },
    );
  }

  /** One for each of several targets, and a stop for all of them. */
  #split({ quantity }: Placed): void {
    for (const [at, [price, size]] of PARTS.entries())
      this.#make(targetAt(price), amount(size), { leg: 'take-profit', part: at + 1 });
    this.#make(STOP, quantity, { leg: 'stop-loss' });
  }

  /** A trailing stop for what has filled of an order that is over. */
  #trail(order: Placed): void {
    const filled = executedOf(order);
    const ours = order.clientId === venueClientId(BRACKET_ID);
    if (this.maker !== 'a trailing stop' || !ours || filled === ZERO) return;
    this.#make({ kind: 'trailing', trailing: { ratio: amount('0.05'), by: 'last' } }, filled);
  }

  /** What waits is for this much more; once it has worked, what fills later has another. */
  #grow(quantity: Amount): void {
    const [standing] = this.waiting();
    if (standing === undefined) {
      const [takeProfit, stopLoss] = [targetAt('120').leg, STOP.leg];
      this.#make({ kind: 'oco', takeProfit, stopLoss }, quantity);
      return;
    }
    const [clientId, kept] = standing;
    const grown = plus(kept.request.quantity ?? ZERO, quantity);
    const request = { ...kept.request, quantity: grown };
    this.algos.kept.set(clientId, { ...kept, request, state: { ...kept.state, quantity: grown } });
  }

  /** One of the legs that wait reaches its price; where the venue made it, it ends the other of its part. */
  fire(which: number, tells: boolean): void {
    const waiting = this.waiting();
    const [clientId, kept] = waiting[which % Math.max(1, waiting.length)] ?? [];
    if (clientId === undefined || kept === undefined) return;
    const { quantity = ZERO } = kept.request;
    const closes = this.#reducing(quantity);
    if (closes === ZERO) {
      kept.state = { ...kept.state, status: 'refused', reason: 'it would not reduce' };
    } else {
      this.algos.fire(clientId, '0');
      const venueOrderId = kept.state.child?.venueOrderId ?? ('' as VenueOrderId);
      kept.fills = [this.perps.venue.trade(SIDE.SELL, closes, { order: venueOrderId })];
      if (closes < quantity) this.#cut.add(venueOrderId);
    }
    if (this.maker === 'a leg for each') this.#endOther(clientId);
    if (this.maker === 'several' && kept.state.parent !== undefined) this.#fired(kept.state, quantity);
    if (tells) this.perps.world.venue.streams.at(-1)?.onAlgo?.(kept.state);
  }

  /** A target that fires makes the stop smaller; the last one ends it, and it ends those that are left. */
  #fired({ leg }: VenueAlgoState, quantity: Amount): void {
    for (const [clientId, kept] of this.waiting()) {
      const { state, request } = kept;
      if (state.parent === undefined || state.leg === leg) continue;
      const rest = leg === 'stop-loss' ? ZERO : minus(state.quantity ?? ZERO, quantity);
      const status = rest === ZERO ? 'cancelled' : 'waiting';
      const left = rest === ZERO ? {} : { quantity: rest };
      this.algos.kept.set(clientId, {
        ...{ ...kept, request: { ...request, ...left }, state: { ...state, ...left, status } },
      });
    }
  }

  /** Legs of a part are made one after the other. */
  #endOther(clientId: string): void {
    const names = [...this.algos.kept.keys()];
    const at = names.indexOf(clientId as (typeof names)[number]);
    const name = names[at % 2 === 0 ? at + 1 : at - 1];
    const other = name === undefined ? undefined : this.algos.kept.get(name);
    if (other?.state.status === 'waiting') other.state = { ...other.state, status: 'cancelled' };
  }
}

const STOP = { kind: 'stop', leg: { trigger: { price: amount('80'), by: 'last' } } } as const;

function targetAt(price: string) {
  const trigger = { price: amount(price), by: 'last' } as const;
  return { kind: 'take-profit', leg: { trigger } } as const;
}

function executedOf(order: Pick<Placed, 'fills'> | undefined): Amount {
  return (order?.fills ?? []).reduce((sum, { quantity }) => plus(sum, quantity), ZERO);
}
