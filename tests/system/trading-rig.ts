import { randomBytes } from 'node:crypto';
import {
  type Amount,
  amount,
  type Millis,
  ORDER_TYPE,
  type OrderEvent,
  plus,
  SIDE,
  stepsToAmount,
  TIME_IN_FORCE,
  uuidV7,
  type VenueAlgoState,
  type VenueClientId,
  type VenueFill,
  type VenueOrderState,
  venueClientId,
  ZERO,
} from '@crossbook/domain';
import type { VenuePublic } from '@crossbook/venues';
import type {
  AlgoKey,
  ContractEvent,
  ListedAlgo,
  VenueAlgoRequest,
  VenueBalance,
  VenueCredentials,
  VenueOrderRequest,
  VenueTrading,
} from '@crossbook/venues/trading';
import { expect } from 'vitest';
import type { StillMarket, TradingVenue } from './connector-venues.ts';
import { PUBLIC_HALVES } from './public-halves.ts';
import {
  bidBelowRoom,
  must,
  now,
  type SimulatorVenue,
  startSimulator,
  tradingOptions,
  until,
} from './simulator-venue.ts';

/** The ways an order may take. */
export type Way = 'over its socket' | 'by REST';

const NOBODY_LISTENS = 'ws://127.0.0.1:1';

/** An id for one order. */
export const nextId = (): VenueClientId => venueClientId(uuidV7(now(), randomBytes(10)));

/** Sums one figure of fills. */
export const total = (fills: readonly VenueFill[], of: 'quantity' | 'quoteQuantity' | 'fee'): Amount =>
  fills.reduce((sum, fill) => plus(sum, fill[of]), ZERO);

/** A trading connector's two ways against one venue of a simulator whose market stands still. */
export class TradingRig {
  readonly venue: TradingVenue;
  readonly simulator: SimulatorVenue;
  readonly market: StillMarket;
  readonly publicHalf: VenuePublic;
  /** Method and path of every REST request so far. */
  readonly requests: string[] = [];
  readonly #connectors: VenueTrading[] = [];
  #members = 0;

  private constructor(venue: TradingVenue, world: Pick<TradingRig, 'simulator' | 'market' | 'publicHalf'>) {
    this.venue = venue;
    this.simulator = world.simulator;
    this.market = world.market;
    this.publicHalf = world.publicHalf;
  }

  /** The best bid of a book that stands still and has room between its sides. */
  bidBelowRoom(): Promise<Amount> {
    const { simulator, publicHalf } = this;
    return bidBelowRoom({ rest: publicHalf.rest, simulator }, this.market.btc);
  }

  /** Starts the simulator and stops its market. */
  static async start(venue: TradingVenue): Promise<TradingRig> {
    const simulator = await startSimulator(venue.slug, venue.limits);
    const publicHalf = PUBLIC_HALVES[venue.slug].spot(simulator);
    const listed = must(await publicHalf.rest.instruments('SPOT'));
    const btc = listed.find(({ symbol }) => symbol === venue.symbol);
    if (btc === undefined) throw new Error(`${venue.symbol} is not listed`);
    await simulator.pause(true);
    const depth = must(await publicHalf.rest.depth(btc, 5));
    const best = (side: 'bids' | 'asks') => stepsToAmount(depth[side][0]?.[0] ?? 0, btc.tickSize);
    const taking = stepsToAmount(Number((best('asks') * 101n) / 100n / btc.tickSize), btc.tickSize);
    const market = { btc, bid: best('bids'), taking };
    return new TradingRig(venue, { simulator, market, publicHalf });
  }

  async close(): Promise<void> {
    for (const connector of this.#connectors) connector.close();
    await this.simulator.stop();
  }

  /** A new connector; `by REST` it cannot reach its socket. */
  connector(way: Way): VenueTrading {
    const options = tradingOptions(this.simulator.url);
    const sendHttp: typeof options.sendHttp = (request) => {
      this.requests.push(`${request.method} ${new URL(request.url).pathname}`);
      return options.sendHttp(request);
    };
    const base = way === 'by REST' ? NOBODY_LISTENS : this.simulator.socketUrl;
    const connector = this.venue.create({ ...options, sendHttp }, base);
    this.#connectors.push(connector);
    return connector;
  }

  /** A new account. */
  member(funds: Readonly<Record<string, string>> = { USDT: '100000' }): Promise<VenueCredentials> {
    this.#members += 1;
    return this.simulator.member(`trader-${this.#members}`, funds);
  }

  /** A new account whose orders go this way; returns when they do. */
  async memberBy(
    way: Way,
    connector: VenueTrading,
    funds?: Readonly<Record<string, string>>,
  ): Promise<VenueCredentials> {
    const member = await this.member(funds);
    if (way === 'by REST') return member;
    if (this.venue.socket.followedFirst) await follow(connector, member);
    await until('orders go over the socket', async () => {
      const before = this.requests.length;
      const order = this.resting();
      const placed = await connector.place(member, order);
      await connector.cancel(member, order.instrument, order.clientId);
      return placed.outcome === 'accepted' && !this.requests.slice(before).includes(this.venue.placing);
    });
    return member;
  }

  order(part: Partial<VenueOrderRequest>): VenueOrderRequest {
    return {
      ...{ clientId: nextId(), instrument: this.market.btc, side: SIDE.BUY },
      ...{ type: ORDER_TYPE.LIMIT, timeInForce: TIME_IN_FORCE.GTC },
      ...part,
    };
  }

  /** A buy that rests: a tenth below the market. */
  resting(part: Partial<VenueOrderRequest> = {}): VenueOrderRequest {
    const { bid, btc } = this.market;
    const price = stepsToAmount(Number((bid * 9n) / 10n / btc.tickSize), btc.tickSize);
    return this.order({ price, quantity: amount('0.01'), ...part });
  }
}

/** What an account has free. */
export async function freeOf(
  connector: VenueTrading,
  member: VenueCredentials,
  asset: string,
): Promise<Amount> {
  return must(await connector.balances(member)).find((one) => one.asset === asset)?.free ?? ZERO;
}

/** How an order stands. */
export async function stateOf(
  connector: VenueTrading,
  member: VenueCredentials,
  order: VenueOrderRequest,
): Promise<VenueOrderState> {
  const found = await connector.find(member, order.instrument, order.clientId);
  if (found.outcome !== 'found') throw new Error(found.outcome);
  return found.value;
}

/** Follows an account by its private stream; resolves when it is open. The connector's end is its end. */
export async function follow(
  connector: VenueTrading,
  member: VenueCredentials,
  onContracts: (event: ContractEvent) => void = () => undefined,
) {
  const seen = { open: 0, closed: 0, orders: [] as OrderEvent[], balances: [] as VenueBalance[] };
  const algos: VenueAlgoState[] = [];
  const malformed: string[] = [];
  const stream = connector.userStream(member, {
    onOpen: () => (seen.open += 1),
    onOrder: (event) => seen.orders.push(event),
    onBalances: (balances) => seen.balances.push(...balances),
    onContracts,
    onAlgo: (state) => algos.push(state),
    onClosed: () => (seen.closed += 1),
    onMalformed: (why) => malformed.push(why),
  });
  await until('the stream is open', () => seen.open === 1);
  return { seen, algos, malformed, close: () => stream.close() };
}

/** By what one is known that has no id of ours at the venue. */
export function hangingKey(request: VenueAlgoRequest, changing = false): AlgoKey {
  const { instrument, clientId, plan, contract, side } = request;
  const key = { instrument, clientId, kind: plan.kind };
  if (plan.kind !== 'trailing' || contract === undefined) return key;
  const { trailing } = plan;
  return { ...key, hangs: { position: contract.side, side, trailing, since: 0 as Millis, changing } };
}

/** Who never placed one reads in the list what it is; one that hangs may say from where it follows besides. */
export function expectShown(
  { plan, side, quantity, contract }: VenueAlgoRequest,
  listed: ListedAlgo | undefined,
  hangs: boolean,
): void {
  const { shown } = listed ?? {};
  const far = plan.kind === 'trailing' ? expect.objectContaining(plan.trailing) : undefined;
  expect(shown).toEqual({
    ...{ side, plan: hangs ? { kind: plan.kind, trailing: far } : plan },
    ...{ position: contract?.side, reduces: true, timeInForce: expect.any(Number) },
    ...(quantity === undefined ? {} : { quantity }),
    ...(shown?.marginMode === undefined ? {} : { marginMode: contract?.marginMode }),
    ...(shown?.leverage === undefined ? {} : { leverage: expect.any(Number) }),
  });
}
