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
  plus,
  SIDE,
  stepsToAmount,
  TIME_IN_FORCE,
  uuidV7,
  type VenueClientId,
  type VenueFill,
  type VenueOrderId,
  type VenueOrderState,
  venueClientId,
  ZERO,
} from '@crossbook/domain';
import { type BinancePublic, createBinancePublic } from '@crossbook/venues';
import {
  createBinanceTrading,
  type VenueBalance,
  type VenueCredentials,
  type VenueOrderWish,
  type VenueTrading,
} from '@crossbook/venues/trading';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { fetchText, type SimulatorVenue, startSimulator, tradingOptions, until } from './simulator-venue.ts';

/** The trading connector against the simulator in its own process: both were written apart, from the same documents. */

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

let venue: SimulatorVenue;
let binance: BinancePublic;
let trading: VenueTrading;
let btc: Instrument;
let bid: Amount;
let ask: Amount;
const restOnly: VenueTrading[] = [];
let signedByRest = 0;

const nextId = (): VenueClientId => venueClientId(uuidV7(Date.now() as Millis, randomBytes(10)));

function wish(part: Partial<VenueOrderWish>): VenueOrderWish {
  return {
    clientId: nextId(),
    instrument: btc,
    side: SIDE.BUY,
    type: ORDER_TYPE.LIMIT,
    timeInForce: TIME_IN_FORCE.GTC,
    ...part,
  };
}

/** A buy that rests: a tenth below the market. */
const resting = (): VenueOrderWish =>
  wish({
    price: stepsToAmount(Number((bid * 9n) / 10n / btc.tickSize), btc.tickSize),
    quantity: amount('0.01'),
  });

const total = (fills: readonly VenueFill[], of: 'quantity' | 'quoteQuantity' | 'fee'): Amount =>
  fills.reduce((sum, fill) => plus(sum, fill[of]), ZERO);

beforeAll(async () => {
  venue = await startSimulator(1);
  binance = createBinancePublic({
    restBase: venue.url,
    socketBase: venue.socketUrl,
    fetchText,
    clock: () => Date.now() as Millis,
  });
  const listed = await binance.rest.instruments('SPOT');
  if (!listed.ok) throw new Error(listed.code);
  btc = listed.value.find((instrument) => instrument.symbol === 'BTCUSDT') as Instrument;
  // A market that stands still makes every figure below exact.
  await venue.admin('agents', { paused: true });
  const depth = await binance.rest.depth(btc, 5);
  if (!depth.ok) throw new Error(depth.code);
  bid = stepsToAmount(depth.value.bids[0]?.[0] ?? 0, btc.tickSize);
  ask = stepsToAmount(depth.value.asks[0]?.[0] ?? 0, btc.tickSize);
  const options = tradingOptions(venue);
  trading = createBinanceTrading({
    ...options,
    answerMillisMax: 3_000,
    sendHttp(request) {
      if (request.url.includes('/api/v3/') && !request.url.endsWith('/time')) signedByRest += 1;
      return options.sendHttp(request);
    },
  });
  const anybody = await venue.member('anybody', {});
  await until('calls go over the WebSocket API', async () => {
    const before = signedByRest;
    await trading.balances(anybody);
    return signedByRest === before;
  });
});

afterAll(async () => {
  for (const one of [trading, ...restOnly]) one?.close();
  await venue?.stop();
});

/** A connector whose WebSocket API cannot be reached: everything goes by REST. */
function byRest(): VenueTrading {
  const one = createBinanceTrading({
    ...tradingOptions(venue),
    wsApiUrl: 'ws://127.0.0.1:1/',
    answerMillisMax: 3_000,
  });
  restOnly.push(one);
  return one;
}

async function freeOf(credentials: VenueCredentials, asset: string): Promise<Amount> {
  const balances = await trading.balances(credentials);
  if (!balances.ok) throw new Error(balances.code);
  return balances.value.find((balance) => balance.asset === asset)?.free ?? ZERO;
}

async function stateOf(
  connector: VenueTrading,
  credentials: VenueCredentials,
  order: VenueOrderWish,
): Promise<VenueOrderState> {
  const found = await connector.find(credentials, order.instrument, order.clientId);
  if (found.outcome !== 'found') throw new Error(found.outcome);
  return found.value;
}

describe.each(['over the WebSocket API', 'by REST'])('orders %s', (way) => {
  let member: VenueCredentials;
  let connector: VenueTrading;
  beforeAll(async () => {
    connector = way === 'by REST' ? byRest() : trading;
    member = await venue.member(`member ${way}`.replaceAll(' ', '-'), { USDT: '100000', BTC: '2' });
  });

  test("a market buy fills at once; its fills equal the venue's list and explain the balances to the unit", async () => {
    const restBefore = signedByRest;
    const before = { usdt: await freeOf(member, 'USDT'), btc: await freeOf(member, 'BTC') };
    const bought = await connector.place(
      member,
      wish({ type: ORDER_TYPE.MARKET, quoteQuantity: amount('500') }),
    );
    if (bought.outcome !== 'accepted') throw new Error(JSON.stringify(bought));
    expect(bought.state.status).toBe(ORDER_STATUS.FILLED);
    const listed = await connector.fillsOfOrder(member, btc, bought.state.venueOrderId);
    expect(listed).toEqual({ ok: true, value: bought.fills });
    expect(total(bought.fills, 'quantity')).toBe(bought.state.cumulativeQuantity);
    expect(await freeOf(member, 'USDT')).toBe(minus(before.usdt, total(bought.fills, 'quoteQuantity')));
    expect(bought.fills.every((fill) => fill.feeAsset === 'BTC' && fill.fee > ZERO && !fill.maker)).toBe(
      true,
    );
    const gained = minus(total(bought.fills, 'quantity'), total(bought.fills, 'fee'));
    expect(await freeOf(member, 'BTC')).toBe(plus(before.btc, gained));
    if (connector === trading) expect(signedByRest).toBe(restBefore);
  });

  test('a resting order is found and listed, cancelled once, and gone afterwards', async () => {
    const order = resting();
    expect(await connector.place(member, order)).toMatchObject({
      outcome: 'accepted',
      fills: [],
      state: { status: ORDER_STATUS.OPEN },
    });
    const rests = await stateOf(connector, member, order);
    expect(await connector.findByVenueId(member, btc, rests.venueOrderId)).toEqual({
      outcome: 'found',
      value: rests,
    });
    expect(await connector.openOrders(member, [btc])).toMatchObject({
      ok: true,
      value: [{ clientId: order.clientId }],
    });
    const cancelled = { status: ORDER_STATUS.CANCELLED, clientId: order.clientId, cumulativeQuantity: ZERO };
    expect(await connector.cancel(member, btc, order.clientId)).toMatchObject({
      outcome: 'cancelled',
      state: cancelled,
    });
    expect(await connector.cancel(member, btc, order.clientId)).toEqual({ outcome: 'gone' });
    expect(await connector.find(member, btc, order.clientId)).toMatchObject({
      outcome: 'found',
      value: cancelled,
    });
    expect(await connector.openOrders(member, [btc])).toEqual({ ok: true, value: [] });
  });

  test('an order that never was is not found, nor its cancel', async () => {
    const stranger = nextId();
    expect(await connector.find(member, btc, stranger)).toEqual({ outcome: 'not-found' });
    expect(await connector.cancel(member, btc, stranger)).toEqual({ outcome: 'gone' });
  });

  test("definitive refusals carry the venue's own code", async () => {
    const refusals: [Partial<VenueOrderWish>, string][] = [
      [{ price: ask, quantity: amount('0.01'), timeInForce: TIME_IN_FORCE.POST_ONLY }, '-2010'],
      [{ price: plus(bid, 1n as Amount), quantity: amount('0.01') }, '-1111'],
      [{ price: bid, quantity: amount('0.00001') }, '-1013'],
      [{ price: bid, quantity: amount('5') }, '-2010'],
      [{ type: ORDER_TYPE.MARKET }, 'LOCAL_NOT_EXPRESSIBLE'],
      [{ instrument: { ...btc, symbol: 'NOSUCHUSDT' }, price: bid, quantity: amount('1') }, '-1121'],
    ];
    for (const [part, venueCode] of refusals) {
      expect(await connector.place(member, wish(part))).toMatchObject({ outcome: 'refused', venueCode });
    }
    const order = wish({ price: bid, quantity: amount('0.01') });
    expect(await connector.place({ ...member, secret: 'wrong' }, order)).toMatchObject({
      outcome: 'refused',
      venueCode: '-1022',
    });
    const refused = await connector.place({ ...member, apiKey: 'x'.repeat(64) }, order);
    expect(refused).toMatchObject({ outcome: 'refused', venueCode: '-2015' });
    expect(JSON.stringify(refused)).not.toContain(member.secret);
  });

  test('IOC and FOK that cannot fill end cancelled without a fill', async () => {
    const far = resting();
    for (const timeInForce of [TIME_IN_FORCE.IOC, TIME_IN_FORCE.FOK]) {
      const ended = await connector.place(member, { ...far, clientId: nextId(), timeInForce });
      expect(ended).toMatchObject({
        outcome: 'accepted',
        fills: [],
        state: { status: ORDER_STATUS.CANCELLED },
      });
    }
  });

  test('an IOC larger than the best level keeps what it executed and gives up the rest', async () => {
    const maker = await venue.member(`maker ${way}`.replaceAll(' ', '-'), { BTC: '1' });
    // With our own offer a tick above the best bid, that is the best level; the order asks for more than all of it.
    const price = plus(bid, btc.tickSize);
    const offer = wish({
      side: SIDE.SELL,
      price,
      quantity: amount('0.01'),
      timeInForce: TIME_IN_FORCE.POST_ONLY,
    });
    expect(await connector.place(maker, offer)).toMatchObject({ outcome: 'accepted', fills: [] });
    const depth = await binance.rest.depth(btc, 5_000);
    if (!depth.ok) throw new Error(depth.code);
    const there = depth.value.asks.filter(([ticks]) => stepsToAmount(ticks, btc.tickSize) <= price);
    const lots = there.reduce((sum, [, size]) => sum + size, 0);
    expect(lots).toBeGreaterThan(0);
    const quantity = plus(stepsToAmount(lots, btc.lotSize), amount('0.02'));
    const part = wish({ price, quantity, timeInForce: TIME_IN_FORCE.IOC });
    const ended = await connector.place(member, part);
    if (ended.outcome !== 'accepted') throw new Error(JSON.stringify(ended));
    const executed = total(ended.fills, 'quantity');
    expect(executed).toBe(stepsToAmount(lots, btc.lotSize));
    expect(ended.state).toMatchObject({ status: ORDER_STATUS.CANCELLED, cumulativeQuantity: executed });
    const made = await connector.fillsOfOrder(
      maker,
      btc,
      (await stateOf(connector, maker, offer)).venueOrderId,
    );
    expect(made.ok && made.value.map((fill) => [fill.maker, fill.feeAsset])).toEqual([[true, 'USDT']]);
  });

  const faults: [string, boolean][] = [
    ['timeout-after', true],
    ['reset-after', true],
    ['silence-after', true],
    ['timeout-before', false],
    ['reset-before', false],
  ];
  test.each(faults)(
    '%s leaves the outcome unknown with a fence; the look-up tells, and nothing was sent twice',
    async (kind, carriedOut) => {
      const order = resting();
      await venue.admin('faults', { kind, match: 'order.place', count: 1 });
      const outcome = await connector.place(member, order);
      expect(outcome).toMatchObject({ outcome: 'unknown' });
      if (outcome.outcome === 'unknown') expect(outcome.fenceClosesAt).toBeGreaterThan(Date.now() - 60_000);
      await venue.admin('faults', {}, 'DELETE');
      await until(
        'the venue can be asked again',
        async () => (await connector.find(member, btc, order.clientId)).outcome !== 'unknown',
      );
      const found = await connector.find(member, btc, order.clientId);
      expect(found.outcome).toBe(carriedOut ? 'found' : 'not-found');
      const open = await connector.openOrders(member, [btc]);
      expect(open.ok && open.value.filter((one) => one.clientId === order.clientId).length).toBe(
        carriedOut ? 1 : 0,
      );
      expect((await connector.cancel(member, btc, order.clientId)).outcome).toBe(
        carriedOut ? 'cancelled' : 'gone',
      );
    },
  );
});

describe('the private stream', () => {
  test('tells orders, fills and balances as the answers do, and comes back after the venue drops it', async () => {
    const member = await venue.member('streamed', { USDT: '100000' });
    const seen: {
      open: number;
      closed: string[];
      orders: OrderEvent[];
      balances: VenueBalance[];
      malformed: string[];
    } = {
      open: 0,
      closed: [],
      orders: [],
      balances: [],
      malformed: [],
    };
    const stream = trading.userStream(member, {
      onOpen: () => (seen.open += 1),
      onOrder: (event) => seen.orders.push(event),
      onBalances: (balances) => seen.balances.push(...balances),
      onClosed: (why) => seen.closed.push(why),
      onMalformed: (why) => seen.malformed.push(why),
    });
    await until('the stream is open', () => seen.open === 1);
    const bought = await trading.place(member, wish({ type: ORDER_TYPE.MARKET, quantity: amount('0.02') }));
    if (bought.outcome !== 'accepted') throw new Error(JSON.stringify(bought));
    const own = () => seen.orders.filter((event) => event.state.clientId === bought.state.clientId);
    await until(
      'every fill was told',
      () => own().filter((event) => event.fill).length === bought.fills.length,
    );
    expect(own().flatMap((event) => event.fill ?? [])).toEqual(bought.fills);
    expect(own().at(-1)?.state).toEqual(bought.state);
    const free = await freeOf(member, 'USDT');
    await until('balances were told', () =>
      seen.balances.some((one) => one.asset === 'USDT' && one.free === free),
    );

    await venue.admin('sockets/drop', { kind: 'api' });
    await until('the stream is open again', () => seen.open === 2);
    expect(seen.closed.length).toBeGreaterThanOrEqual(1);
    const order = resting();
    await trading.place(member, order);
    await trading.cancel(member, btc, order.clientId);
    const states = () =>
      seen.orders
        .filter((event) => event.state.clientId === order.clientId)
        .map((event) => event.state.status);
    await until("the cancel was told under the order's own id", () =>
      states().includes(ORDER_STATUS.CANCELLED),
    );
    expect(states()).toEqual([ORDER_STATUS.OPEN, ORDER_STATUS.CANCELLED]);
    expect(seen.malformed).toEqual([]);
    stream.close();
  });

  test('a refused key is told each time and does not end the attempts', async () => {
    const closed: string[] = [];
    const ignore = () => undefined;
    const stream = trading.userStream(
      { apiKey: 'y'.repeat(64), secret: 'never shown' },
      {
        onOpen: ignore,
        onOrder: ignore,
        onBalances: ignore,
        onMalformed: ignore,
        onClosed: (why) => closed.push(why),
      },
    );
    await until('two attempts were refused', () => closed.length >= 2);
    stream.close();
    expect(closed[0]).toBe('subscription refused: -2015');
  });
});

test('fills since a moment are those of every order of the instrument', async () => {
  const member = await venue.member('historian', { USDT: '100000' });
  const since = Date.now() as Millis;
  const orders: VenueOrderId[] = [];
  for (let count = 0; count < 2; count += 1) {
    const bought = await trading.place(member, wish({ type: ORDER_TYPE.MARKET, quantity: amount('0.001') }));
    if (bought.outcome === 'accepted') orders.push(bought.state.venueOrderId);
  }
  const fills = await trading.fillsSince(member, btc, since);
  expect(fills.ok && new Set(fills.value.map((fill) => fill.venueOrderId))).toEqual(new Set(orders));
  expect(orders.length).toBe(2);
  expect(await trading.fillsSince(member, btc, (Date.now() + 3_600_000) as Millis)).toEqual({
    ok: true,
    value: [],
  });
});
