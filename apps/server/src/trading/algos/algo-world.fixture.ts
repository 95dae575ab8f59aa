import {
  type Amount,
  amount,
  type Millis,
  ORDER_STATUS,
  type VenueAlgoState,
  type VenueClientId,
  type VenueFill,
  type VenueOrderId,
  type VenueTradeId,
} from '@crossbook/domain';
import type { AlgoChangeOutcome, AlgoKey, VenueAlgoRequest, VenueAlgos } from '@crossbook/venues/trading';
import type { TradingDesk } from '../desk.ts';
import { CALLER, openTradingWorld, type TradingWorld } from '../trading-world.fixture.ts';

/** One algo order at the venue, and the order that it became. */
interface Kept {
  readonly request: VenueAlgoRequest;
  state: VenueAlgoState;
  fills: VenueFill[];
}

/** A venue that keeps algo orders; what it answers may be lost, and it fires when a test says so. */
export class AlgoVenue implements VenueAlgos {
  readonly #world: TradingWorld;
  readonly calls: string[] = [];
  readonly kept = new Map<VenueClientId, Kept>();
  /** How the next calls end besides: `lost` is carried out, and its answer lost; `dropped` never arrives. */
  next: ('done' | 'lost' | 'dropped' | 'refused')[] = [];
  /** The client id that a child gets; by default that of the algo order, as at Binance's pairs. */
  childClientId: (request: VenueAlgoRequest) => string = ({ clientId }) => clientId;
  #count = 0;

  constructor(world: TradingWorld) {
    this.#world = world;
    const { answers } = world.venue;
    const children = () => [...this.kept.values()].filter(({ state }) => state.child !== undefined);
    const byOrder = (id: VenueOrderId) => children().find(({ state }) => state.child?.venueOrderId === id);
    answers.findByVenueId = async (_credentials, _instrument, id) => {
      const kept = byOrder(id);
      return kept === undefined ? { outcome: 'not-found' } : { outcome: 'found', value: this.orderOf(kept) };
    };
    answers.find = async (_credentials, _instrument, clientId) => {
      const kept = children().find((one) => this.childClientId(one.request) === clientId);
      return kept === undefined ? { outcome: 'not-found' } : { outcome: 'found', value: this.orderOf(kept) };
    };
    answers.fillsOfOrder = async (_credentials, _instrument, id) => ({
      ok: true,
      value: byOrder(id)?.fills ?? [],
    });
    answers.fillsSince = async () => ({ ok: true, value: children().flatMap(({ fills }) => fills) });
  }

  /** What the venue says of the child. */
  orderOf({ request, state, fills }: Kept) {
    const cumulativeQuantity = fills.reduce((sum, { quantity }) => sum + quantity, 0n) as Amount;
    const cumulativeQuote = fills.reduce((sum, fill) => sum + fill.quoteQuantity, 0n) as Amount;
    const complete = cumulativeQuantity === request.quantity || request.quantity === undefined;
    return {
      clientId: this.childClientId(request) as VenueClientId,
      venueOrderId: state.child?.venueOrderId ?? ('' as VenueOrderId),
      symbol: state.symbol,
      status: complete ? ORDER_STATUS.FILLED : ORDER_STATUS.OPEN,
      ...{ cumulativeQuantity, cumulativeQuote, time: this.now },
    };
  }

  get now(): Millis {
    return this.#world.time.clock();
  }

  readonly place: VenueAlgos['place'] = async (_credentials, request) => {
    this.calls.push('place');
    const how = this.next.shift() ?? 'done';
    const lost = { outcome: 'unknown', why: 'lost', deadlineAt: (this.now + 5_000) as Millis } as const;
    if (how === 'dropped') return lost;
    if (how === 'refused') return { outcome: 'refused', venueCode: '-2010', message: 'no' };
    const { clientId, instrument } = request;
    // An id is taken once. Binance says that it is duplicated (-4116), which our client reads as not known: it may stand.
    if (this.kept.has(clientId)) return lost;
    this.#count += 1;
    const state: VenueAlgoState = {
      ...{ clientId, venueAlgoId: `a${this.#count}` as VenueOrderId, symbol: instrument.symbol },
      ...{ status: 'waiting', time: this.now },
    };
    this.kept.set(clientId, { request, state, fills: [] });
    return how === 'lost' ? lost : { outcome: 'accepted', state };
  };

  readonly amend: VenueAlgos['amend'] = async () => this.#change('amend', () => undefined);

  readonly cancel: VenueAlgos['cancel'] = async (_credentials, key) => {
    const kept = this.#keptBy(key);
    if (kept?.state.status !== 'waiting') {
      this.calls.push('cancel');
      return { outcome: 'gone' };
    }
    return this.#change('cancel', () => {
      kept.state = { ...kept.state, status: 'cancelled' };
    });
  };

  #change(name: string, change: () => void): AlgoChangeOutcome {
    this.calls.push(name);
    const how = this.next.shift() ?? 'done';
    if (how === 'refused') return { outcome: 'refused', venueCode: '-1', message: 'no' };
    if (how !== 'dropped') change();
    return how === 'done' ? { outcome: 'done' } : { outcome: 'unknown', why: 'lost' };
  }

  readonly find: VenueAlgos['find'] = async (_credentials, key) => {
    this.calls.push('find');
    const kept = this.#keptBy(key);
    return kept === undefined ? { outcome: 'not-found' } : { outcome: 'found', value: kept.state };
  };

  /** By our id, or by the venue's where it has none of ours. */
  #keptBy({ clientId, venueAlgoId }: AlgoKey): Kept | undefined {
    return (
      this.kept.get(clientId) ??
      [...this.kept.values()].find(({ state }) => state.venueAlgoId === venueAlgoId)
    );
  }

  /** Only where a test says that the venue makes the legs of an order: what it has made. */
  attached?: NonNullable<VenueAlgos['attached']>;

  /** From here on it is one that makes them, when the test says so. */
  attaches(): void {
    this.attached = async (_credentials, { clientId }) => {
      this.calls.push('attached');
      const states = [...this.kept.values()].map(({ state }) => state);
      return { ok: true, value: states.filter(({ parent }) => parent === clientId) };
    };
  }

  /** Makes a leg of an order, under an id of its own. */
  make(
    request: Omit<VenueAlgoRequest, 'clientId' | 'childClientIds'>,
    state: Pick<VenueAlgoState, 'parent' | 'leg' | 'part'>,
  ) {
    this.#count += 1;
    const venueAlgoId = `a${this.#count}` as VenueOrderId;
    const clientId = `made ${this.#count}` as VenueClientId;
    const { instrument, quantity } = request;
    const kept: Kept = {
      request: { ...request, clientId, childClientIds: [clientId, clientId] },
      state: {
        ...{ clientId: '' as VenueClientId, venueAlgoId, symbol: instrument.symbol, status: 'waiting' },
        ...(quantity === undefined ? {} : { quantity }),
        ...{ ...state, time: this.now },
      },
      fills: [],
    };
    this.kept.set(clientId, kept);
    return { kept, clientId };
  }

  readonly waiting: VenueAlgos['waiting'] = async () => {
    this.calls.push('waiting');
    const states = [...this.kept.values()].map(({ state }) => state);
    return { ok: true, value: states.filter(({ status }) => status === 'waiting' || status === 'firing') };
  };

  /** Fires one, its child filled by so much at 90. What is told of it a test says. */
  fire(clientId: VenueClientId, filled: string, part: Partial<VenueFill> = {}): Kept {
    const kept = this.kept.get(clientId);
    if (kept === undefined) throw new Error('nothing waits by that id');
    this.#count += 1;
    const venueOrderId = `o${this.#count}` as VenueOrderId;
    kept.state = { ...kept.state, status: 'fired', child: { venueOrderId }, time: this.now };
    const quantity = amount(filled);
    const fill: VenueFill = {
      ...{ tradeId: `t${this.#count}` as VenueTradeId, venueOrderId, price: amount('90'), quantity },
      ...{ quoteQuantity: (quantity * 90n) as Amount, fee: amount('0.09'), feeAsset: 'USDT' },
      ...{ maker: false, time: this.now },
      ...part,
    };
    if (quantity > 0n) kept.fills = [fill];
    return kept;
  }
}

/** A trading world whose venue keeps algo orders. */
export interface AlgoWorld {
  readonly world: TradingWorld;
  readonly venue: AlgoVenue;
  close(): Promise<void>;
}

/** A member with an account, 2 BTC and 300 USDT. */
export async function openAlgoWorld(): Promise<AlgoWorld> {
  const world = await openTradingWorld();
  const venue = new AlgoVenue(world);
  world.venue.algos = venue;
  await world.account();
  await world.fund('BTC', '2');
  await world.fund('USDT', '300');
  return { world, venue, close: () => world.close() };
}

/** Places a stop of one BTC at 90 under a market of 100, or what a test says. */
export function placeStop(
  { world, desk = world.desk }: Pick<AlgoWorld, 'world'> & { readonly desk?: TradingDesk },
  part: Readonly<Record<string, unknown>> = {},
) {
  world.best = { bid: amount('99.9'), ask: amount('100.1'), receivedAt: world.time.clock() };
  const request = {
    ...{ platformType: 43, tinstType: 1, symbol: 'BTCUSDT', side: 2, algoType: 'stop' },
    ...{ triggerPrice: amount('90'), quantity: amount('1'), timeInForce: 1 },
    ...part,
  };
  const caller = { ...CALLER, now: world.time.clock() };
  return desk.handlers['connextrade/PlaceAlgoOrder'](caller, request as never);
}

/**
 * Cancels are carried out once so many are asked for: who asks for the next one after an answer alone waits.
 * @returns what carries them out all the same.
 */
export function cancelsTogether(venue: AlgoVenue, count: number): () => void {
  const all = Promise.withResolvers<void>();
  const { cancel } = venue;
  let asked = 0;
  Object.assign(venue, {
    cancel: async (...given: Parameters<typeof cancel>) => {
      asked += 1;
      if (asked === count) all.resolve();
      await all.promise;
      return cancel(...given);
    },
  });
  return all.resolve;
}
