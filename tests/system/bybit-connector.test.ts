import { randomBytes } from 'node:crypto';
import {
  type Amount,
  amount,
  type Instrument,
  type Millis,
  minus,
  ORDER_STATUS,
  ORDER_TYPE,
  type OrderEvent,
  orderIdOfVenueClientId,
  plus,
  SIDE,
  stepsToAmount,
  TIME_IN_FORCE,
  uuidV7,
  type VenueClientId,
  type VenueFill,
  type VenueOrderState,
  venueClientId,
  ZERO,
} from '@crossbook/domain';
import { type BybitPublic, createBybitPublic } from '@crossbook/venues';
import {
  createBybitTrading,
  type VenueBalance,
  type VenueCredentials,
  type VenueMemberAccount,
  type VenueOrderWish,
  type VenueTrading,
} from '@crossbook/venues/trading';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { bybitMaster, bybitMember, bybitTradingOptions } from './bybit-venue.ts';
import { fetchText, type SimulatorVenue, startSimulator, until } from './simulator-venue.ts';

/** The trading connector against the simulator in its own process: both were written apart, from the same documents. */

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const now = (): Millis => Date.now() as Millis;
const nextId = (): VenueClientId => venueClientId(uuidV7(now(), randomBytes(10)));
let venue: SimulatorVenue;
let spot: BybitPublic;

/** Takes the value of an answer that must be good. */
function must<Value>(
  answer: { readonly ok: true; readonly value: Value } | { readonly ok: false; readonly code: string },
): Value {
  if (!answer.ok) throw new Error(answer.code);
  return answer.value;
}

beforeAll(async () => {
  venue = await startSimulator(5, 'on');
  const bases = { restBase: venue.url, socketBase: venue.socketUrl };
  spot = createBybitPublic({ category: 'spot', ...bases, fetchText, clock: now });
});
afterAll(() => venue?.stop());

describe('trading', () => {
  let trading: VenueTrading;
  let btc: Instrument;
  let bid: Amount;
  let ask: Amount;
  let placedByRest = 0;
  let members = 0;
  const others: VenueTrading[] = [];

  const member = (funds: Readonly<Record<string, string>>) => {
    members += 1;
    return bybitMember(venue, `trader-${members}`, funds);
  };
  const wish = (part: Partial<VenueOrderWish>): VenueOrderWish => ({
    clientId: nextId(),
    instrument: btc,
    side: SIDE.BUY,
    type: ORDER_TYPE.LIMIT,
    timeInForce: TIME_IN_FORCE.GTC,
    ...part,
  });
  /** A buy that rests: a tenth below the market. */
  const resting = (): VenueOrderWish => {
    const price = stepsToAmount(Number((bid * 9n) / 10n / btc.tickSize), btc.tickSize);
    return wish({ price, quantity: amount('0.01') });
  };
  const total = (fills: readonly VenueFill[], of: 'quantity' | 'quoteQuantity' | 'fee'): Amount =>
    fills.reduce((sum, fill) => plus(sum, fill[of]), ZERO);
  const byTrade = (fills: readonly VenueFill[]) =>
    [...fills].sort((left, right) => (left.tradeId < right.tradeId ? -1 : 1));
  const freeOf = async (credentials: VenueCredentials, asset: string): Promise<Amount> =>
    must(await trading.balances(credentials)).find((one) => one.asset === asset)?.free ?? ZERO;
  /** How an order stands once it has ended; the acknowledgement alone does not tell. */
  const ended = async (
    connector: VenueTrading,
    credentials: VenueCredentials,
    order: VenueOrderWish,
  ): Promise<VenueOrderState> => {
    const found = await connector.find(credentials, order.instrument, order.clientId);
    if (found.outcome !== 'found') throw new Error(found.outcome);
    return found.value;
  };

  beforeAll(async () => {
    const listed = must(await spot.rest.instruments('SPOT'));
    btc = listed.find((one) => one.symbol === 'BTCUSDT') as Instrument;
    // A market that stands still makes every figure below exact.
    await venue.admin('agents', { venue: 'bybit', paused: true });
    const depth = must(await spot.rest.depth(btc, 5));
    bid = stepsToAmount(depth.bids[0]?.[0] ?? 0, btc.tickSize);
    ask = stepsToAmount(depth.asks[0]?.[0] ?? 0, btc.tickSize);
    const options = bybitTradingOptions(venue);
    trading = createBybitTrading({
      ...options,
      answerMillisMax: 3_000,
      sendHttp(request) {
        if (request.url.includes('/v5/order/create')) placedByRest += 1;
        return options.sendHttp(request);
      },
    });
  });
  afterAll(async () => {
    for (const one of [trading, ...others]) one?.close();
    await venue?.admin('agents', { venue: 'bybit', paused: false });
  });

  /** A connector whose trade socket cannot be reached: everything goes by REST. */
  function byRest(): VenueTrading {
    const one = createBybitTrading({
      ...bybitTradingOptions(venue),
      socketBase: 'ws://127.0.0.1:1',
      answerMillisMax: 3_000,
    });
    others.push(one);
    return one;
  }

  /** An account whose orders go over its trade socket: the first one opens it. */
  async function warmedUp(credentials: VenueCredentials): Promise<void> {
    await until('orders go over the trade socket', async () => {
      const before = placedByRest;
      const order = resting();
      const placed = await trading.place(credentials, order);
      await trading.cancel(credentials, btc, order.clientId);
      return placed.outcome === 'accepted' && placedByRest === before;
    });
  }

  /** Repeats what our own budget of calls puts off. */
  async function inTime<Outcome extends { readonly outcome: string }>(
    ask: () => Promise<Outcome>,
  ): Promise<Outcome> {
    let outcome = await ask();
    await until('the budget allows the call', async () => {
      if (outcome.outcome !== 'not-now') return true;
      outcome = await ask();
      return false;
    });
    return outcome;
  }

  describe.each(['over the trade socket', 'by REST'])('orders %s', (way) => {
    let connector: VenueTrading;
    let trader: VenueCredentials;
    beforeAll(async () => {
      connector = way === 'by REST' ? byRest() : trading;
      trader = await member({ USDT: '100000', BTC: '2' });
      if (connector === trading) await warmedUp(trader);
    });

    test("a market buy fills at once; the venue's list of fills explains the balances to the unit, free of fees", async () => {
      const restBefore = placedByRest;
      const before = { usdt: await freeOf(trader, 'USDT'), btc: await freeOf(trader, 'BTC') };
      const order = wish({ type: ORDER_TYPE.MARKET, quoteQuantity: amount('500') });
      const placed = await connector.place(trader, order);
      if (placed.outcome !== 'accepted') throw new Error(JSON.stringify(placed));
      const state = await ended(connector, trader, order);
      expect(state.status).toBe(ORDER_STATUS.FILLED);
      const fills = must(await connector.fillsOfOrder(trader, btc, placed.state.venueOrderId));
      expect(total(fills, 'quantity')).toBe(state.cumulativeQuantity);
      expect(total(fills, 'quoteQuantity')).toBe(state.cumulativeQuote);
      expect(total(fills, 'fee')).toBe(ZERO);
      expect(fills.every((fill) => fill.feeAsset === 'BTC' && !fill.maker)).toBe(true);
      expect(await freeOf(trader, 'USDT')).toBe(minus(before.usdt, total(fills, 'quoteQuantity')));
      expect(await freeOf(trader, 'BTC')).toBe(plus(before.btc, total(fills, 'quantity')));
      if (connector === trading) expect(placedByRest).toBe(restBefore);
    });

    test('a resting order is found and listed, cancelled once, and gone afterwards', async () => {
      const order = resting();
      expect(await connector.place(trader, order)).toMatchObject({ outcome: 'accepted', fills: [] });
      const rests = await ended(connector, trader, order);
      expect(rests).toMatchObject({ status: ORDER_STATUS.OPEN });
      const byVenueId = await connector.findByVenueId(trader, btc, rests.venueOrderId);
      expect(byVenueId).toEqual({ outcome: 'found', value: rests });
      const open = must(await connector.openOrders(trader, [btc]));
      expect(open).toMatchObject([{ clientId: order.clientId }]);
      const state = { status: ORDER_STATUS.CANCELLED, clientId: order.clientId, cumulativeQuantity: ZERO };
      expect(await connector.cancel(trader, btc, order.clientId)).toMatchObject({
        outcome: 'cancelled',
        state,
      });
      expect(await connector.cancel(trader, btc, order.clientId)).toEqual({ outcome: 'gone' });
      expect(await ended(connector, trader, order)).toMatchObject(state);
      expect(await connector.openOrders(trader, [btc])).toEqual({ ok: true, value: [] });
    });

    test('an order that never was is not found, nor its cancel', async () => {
      const stranger = nextId();
      expect(await connector.find(trader, btc, stranger)).toEqual({ outcome: 'not-found' });
      expect(await connector.cancel(trader, btc, stranger)).toEqual({ outcome: 'gone' });
    });

    test("definitive refusals carry the venue's own code", async () => {
      const refusals: [Partial<VenueOrderWish>, string][] = [
        [{ price: plus(bid, 1n as Amount), quantity: amount('0.01') }, '170134'],
        [{ price: bid, quantity: amount('0.0000001') }, '170137'],
        [{ price: bid, quantity: amount('0.000001') }, '170140'],
        [{ price: bid, quantity: amount('5') }, '170131'],
        [{ type: ORDER_TYPE.MARKET }, 'LOCAL_NOT_EXPRESSIBLE'],
        [{ instrument: { ...btc, symbol: 'NOSUCHUSDT' }, price: bid, quantity: amount('1') }, '170121'],
      ];
      for (const [part, venueCode] of refusals) {
        expect(await connector.place(trader, wish(part))).toMatchObject({ outcome: 'refused', venueCode });
      }
      const order = wish({ price: bid, quantity: amount('0.01') });
      const wrong = await byRest().place({ ...trader, secret: 'wrong' }, order);
      expect(wrong).toMatchObject({ outcome: 'refused', venueCode: '10004' });
      const unknown = await byRest().place({ ...trader, apiKey: 'x'.repeat(18) }, order);
      expect(unknown).toMatchObject({ outcome: 'refused', venueCode: '10003' });
      expect(JSON.stringify([wrong, unknown])).not.toContain(trader.secret);
    });

    test('orders that may not rest end cancelled without a fill: IOC, FOK, and post-only that would take', async () => {
      for (const timeInForce of [TIME_IN_FORCE.IOC, TIME_IN_FORCE.FOK]) {
        const far = { ...resting(), clientId: nextId(), timeInForce };
        expect(await connector.place(trader, far)).toMatchObject({ outcome: 'accepted' });
        const none = { status: ORDER_STATUS.CANCELLED, cumulativeQuantity: ZERO };
        expect(await ended(connector, trader, far)).toMatchObject(none);
      }
      const taking = wish({ price: ask, quantity: amount('0.01'), timeInForce: TIME_IN_FORCE.POST_ONLY });
      expect(await connector.place(trader, taking)).toMatchObject({ outcome: 'accepted' });
      expect(await ended(connector, trader, taking)).toMatchObject({ status: ORDER_STATUS.CANCELLED });
    });

    const faults: [string, boolean][] = [
      ['timeout-after', true],
      ['reset-after', true],
      ['silence-after', true],
      ['timeout-before', false],
      ['reset-before', false],
    ];
    test.each(faults)(
      '%s leaves the outcome unknown; the look-up tells, and nothing was sent twice',
      async (kind, carriedOut) => {
        // Calls are counted by account: each fault meets a fresh one.
        const trader = await member({ USDT: '100000' });
        if (connector === trading) await warmedUp(trader);
        const order = resting();
        await venue.admin('faults', { kind, match: 'order.create', count: 1 });
        const outcome = await connector.place(trader, order);
        await venue.admin('faults', {}, 'DELETE');
        expect(outcome).toMatchObject({ outcome: 'unknown' });
        await until(
          'the venue can be asked again',
          async () => (await connector.find(trader, btc, order.clientId)).outcome !== 'unknown',
        );
        const found = await connector.find(trader, btc, order.clientId);
        expect(found.outcome).toBe(carriedOut ? 'found' : 'not-found');
        const open = must(await connector.openOrders(trader, [btc]));
        expect(open.filter((one) => one.clientId === order.clientId).length).toBe(carriedOut ? 1 : 0);
        const cancelled = await connector.cancel(trader, btc, order.clientId);
        expect(cancelled.outcome).toBe(carriedOut ? 'cancelled' : 'gone');
      },
    );
  });

  test('the private stream tells orders, fills and balances, and comes back after the venue drops it', async () => {
    const trader = await member({ USDT: '100000' });
    const seen = {
      open: 0,
      closed: 0,
      orders: [] as OrderEvent[],
      balances: [] as VenueBalance[],
      malformed: [] as string[],
    };
    const stream = trading.userStream(trader, {
      onOpen: () => (seen.open += 1),
      onOrder: (event) => seen.orders.push(event),
      onBalances: (balances) => seen.balances.push(...balances),
      onClosed: () => (seen.closed += 1),
      onMalformed: (why) => seen.malformed.push(why),
    });
    await until('the stream is open', () => seen.open === 1);
    const order = wish({ type: ORDER_TYPE.MARKET, quantity: amount('0.02') });
    const placed = await trading.place(trader, order);
    if (placed.outcome !== 'accepted') throw new Error(JSON.stringify(placed));
    const fills = must(await trading.fillsOfOrder(trader, btc, placed.state.venueOrderId));
    const own = () => seen.orders.filter((event) => event.state.clientId === order.clientId);
    await until('every fill was told', () => own().filter((event) => event.fill).length === fills.length);
    // Fills of one moment are listed in no particular order.
    expect(byTrade(own().flatMap((event) => event.fill ?? []))).toEqual(byTrade(fills));
    const last = await ended(trading, trader, order);
    await until('the end was told', () => own().some((event) => event.state.status === ORDER_STATUS.FILLED));
    expect(
      own()
        .filter((event) => !event.fill)
        .at(-1)?.state,
    ).toEqual(last);
    const free = await freeOf(trader, 'USDT');
    await until('balances were told', () =>
      seen.balances.some((one) => one.asset === 'USDT' && one.free === free),
    );
    await venue.admin('sockets/drop', { venue: 'bybit', kind: 'api' });
    await until('the stream is open again', () => seen.open === 2);
    expect(seen.closed).toBeGreaterThanOrEqual(1);
    const second = resting();
    await trading.place(trader, second);
    await trading.cancel(trader, btc, second.clientId);
    const states = () =>
      seen.orders
        .filter((event) => event.state.clientId === second.clientId)
        .map((event) => event.state.status);
    await until('the cancel was told', () => states().includes(ORDER_STATUS.CANCELLED));
    expect(states()).toEqual([ORDER_STATUS.OPEN, ORDER_STATUS.CANCELLED]);
    expect(seen.malformed).toEqual([]);
    stream.close();
  });

  test('fills since a moment are those of every order of the instrument', async () => {
    const trader = await member({ USDT: '100000' });
    const since = now();
    const ids: string[] = [];
    for (let count = 0; count < 3; count += 1) {
      const bought = await trading.place(
        trader,
        wish({ type: ORDER_TYPE.MARKET, quantity: amount('0.001') }),
      );
      if (bought.outcome === 'accepted') ids.push(bought.state.venueOrderId);
    }
    const fills = must(await trading.fillsSince(trader, btc, since));
    expect(new Set(fills.map((fill) => fill.venueOrderId))).toEqual(new Set(ids));
    expect(ids.length).toBe(3);
    const later = (now() + 3_600_000) as Millis;
    expect(await trading.fillsSince(trader, btc, later)).toEqual({ ok: true, value: [] });
  });

  test('a member’s account is made once, funded once, trades, and lost transfers are found', async () => {
    const master = await bybitMaster(venue, { USDT: '50000' });
    const connector = byRest();
    const opened: VenueMemberAccount[] = [];
    await until('the account was asked for twice', async () => {
      const answer = await connector.openMemberAccount(master, 'm-17');
      if (answer.outcome === 'found') opened.push(answer.value);
      return opened.length === 2;
    });
    const [first, again] = opened;
    if (first === undefined || again === undefined) throw new Error('both are found');
    expect(again.accountId).toBe(first.accountId);
    const { credentials, accountId } = again;
    const move = (usdt: string) => ({
      clientId: uuidV7(now(), randomBytes(10)).replaceAll('-', ''),
      to: accountId,
      asset: 'USDT',
      amount: amount(usdt),
    });
    const one = move('1000.5');
    const done = { outcome: 'done', venueId: orderIdOfVenueClientId(one.clientId) };
    expect(await inTime(() => connector.transfer(master, one))).toEqual(done);
    expect(await inTime(() => connector.transfer(master, one))).toMatchObject({ outcome: 'unknown' });
    const find = (clientId: string, outcome: string) =>
      until(
        `${outcome} it is`,
        async () => (await connector.findTransfer(master, clientId)).outcome === outcome,
      );
    await find(one.clientId, 'found');
    await find(move('1').clientId, 'not-found');
    const refused = await inTime(() => connector.transfer(master, move('1000000')));
    expect(refused).toMatchObject({ outcome: 'refused', venueCode: '131212' });
    const lost = move('250');
    await venue.admin('faults', { kind: 'silence-after', match: 'transfer.universal', count: 1 });
    expect(await inTime(() => connector.transfer(master, lost))).toMatchObject({ outcome: 'unknown' });
    await find(lost.clientId, 'found');
    expect(await freeOf(credentials, 'USDT')).toBe(amount('1250.5'));
    const { to: _, ...home } = { ...move('50.5'), from: accountId };
    expect(await inTime(() => connector.transfer(master, home))).toMatchObject({ outcome: 'done' });
    expect(await freeOf(credentials, 'USDT')).toBe(amount('1200'));
    const order = { ...resting(), quantity: amount('0.001') };
    expect(await connector.place(credentials, order)).toMatchObject({ outcome: 'accepted' });
    expect(await connector.cancel(credentials, btc, order.clientId)).toMatchObject({ outcome: 'cancelled' });
  });
});
