import { randomBytes } from 'node:crypto';
import {
  type Amount,
  amount,
  type BookLevel,
  type Instrument,
  intervalMillis,
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
  type VenueOrderState,
  venueClientId,
  ZERO,
} from '@crossbook/domain';
import {
  BookSync,
  createOkxPublic,
  type MarketChannel,
  type MarketMessage,
  type OkxPublic,
} from '@crossbook/venues';
import {
  createOkxTrading,
  type VenueBalance,
  type VenueCredentials,
  type VenueOrderWish,
  type VenueTrading,
} from '@crossbook/venues/trading';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { okxMember, okxTradingOptions } from './okx-venue.ts';
import { fetchText, type SimulatorVenue, startSimulator, until } from './simulator-venue.ts';

/** The OKX connectors against the simulator in its own process: both were written apart, from the same documents. */

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

type Kind = 'SPOT' | 'SWAP';
const SYMBOLS: Record<Kind, string> = { SPOT: 'BTC-USDT', SWAP: 'BTC-USDT-SWAP' };

const now = (): Millis => Date.now() as Millis;
const nextId = (): VenueClientId => venueClientId(uuidV7(now(), randomBytes(10)));
let venue: SimulatorVenue;
let okx: OkxPublic;
const listed = {} as Record<Kind, readonly Instrument[]>;

/** Takes the value of an answer that must be good. */
function must<Value>(
  answer: { readonly ok: true; readonly value: Value } | { readonly ok: false; readonly code: string },
): Value {
  if (!answer.ok) throw new Error(answer.code);
  return answer.value;
}

function instrumentOf(kind: Kind, symbol = SYMBOLS[kind]): Instrument {
  const found = listed[kind].find((one) => one.symbol === symbol);
  if (found === undefined) throw new Error(`${symbol} is not listed`);
  return found;
}

beforeAll(async () => {
  // Waiting here means asking again and again, faster than the venue allows: its limiter has tests of its own.
  venue = await startSimulator(6, 'off');
  okx = createOkxPublic({
    restBase: venue.url,
    publicSocketUrl: `${venue.socketUrl}/ws/v5/public`,
    businessSocketUrl: `${venue.socketUrl}/ws/v5/business`,
    fetchText,
    clock: now,
  });
  for (const kind of ['SPOT', 'SWAP'] as const) listed[kind] = must(await okx.rest.instruments(kind));
});
afterAll(() => venue?.stop());

/** Public sockets that decode everything they hear, each asked for the channels it carries. */
function follow(channels: readonly MarketChannel[]): { readonly messages: MarketMessage[]; close(): void } {
  const messages: MarketMessage[] = [];
  const sockets = [okx.socket, ...(okx.furtherSockets ?? [])].flatMap((codec) => {
    const wanted = channels.filter((channel) => codec.carries?.(channel) !== false);
    if (wanted.length === 0) return [];
    const socket = new WebSocket(codec.url());
    socket.binaryType = 'arraybuffer';
    socket.addEventListener('open', () => socket.send(codec.subscribe(wanted, 1)));
    socket.addEventListener('message', ({ data }) => {
      const frame = typeof data === 'string' ? Buffer.from(data) : new Uint8Array(data);
      messages.push(codec.decode(frame, now()));
    });
    return [socket];
  });
  return { messages, close: () => sockets.forEach((socket) => void socket.close()) };
}

/** Runs a live book as its owner would. */
function liveBook(symbol: string) {
  const sync = new BookSync({ venue: okx, symbol });
  const feed = follow([{ kind: 'book', symbol }]);
  let taken = 0;
  const seen = (): void => {
    for (; taken < feed.messages.length; taken += 1) {
      const message = feed.messages[taken];
      if (message?.kind === 'malformed') sync.malformed();
      if (message?.kind === 'book') sync.apply(message.change);
      expect(sync.book.isCrossed()).toBe(false);
    }
  };
  return { sync, seen, close: feed.close };
}

describe.each(['SPOT', 'SWAP'] as const)('public data, %s', (kind) => {
  const btc = () => instrumentOf(kind);

  test('lists what trades against USDT, and leaves out the rest', () => {
    expect(listed[kind].length).toBeGreaterThanOrEqual(15);
    expect(listed[kind].every((one) => one.quote === 'USDT')).toBe(true);
    const halted = listed[kind].filter((one) => one.status === 'halted').map((one) => one.base);
    expect(halted).toEqual(['WAVES']);
    const names = listed[kind].map((one) => one.symbol);
    for (const odd of ['ETH-BTC', 'BTC-USDC-SWAP', 'BTC-USDT-270326']) expect(names).not.toContain(odd);
    expect(btc().contractValue).toBe(amount(kind === 'SPOT' ? '1' : '0.01'));
  });

  test('tickers, trades and time are read; an unknown symbol is told by name', async () => {
    const tickers = must(await okx.rest.tickers(kind));
    const one = must(await okx.rest.ticker(btc()));
    const same = tickers.find((ticker) => ticker.symbol === SYMBOLS[kind]);
    expect(Number(same?.openPrice) / Number(one.openPrice)).toBeCloseTo(1, 2);
    // Base coins, whatever a contract is: a day of BTC is thousands of them, not hundreds of thousands.
    expect(Number(one.quoteVolume) / Number(one.volume) / Number(one.lastPrice)).toBeCloseTo(1, 0);
    expect(Math.abs(must(await okx.rest.serverTime()) - now())).toBeLessThan(60_000);
    const trades = must(await okx.rest.trades(btc(), 50));
    expect(trades.every((trade) => trade.symbol === SYMBOLS[kind])).toBe(true);
    expect(trades.map((trade) => Number(trade.id))).toEqual(
      trades.map((trade) => Number(trade.id)).sort((left, right) => left - right),
    );
    const nobody = { ...btc(), symbol: kind === 'SPOT' ? 'NO-USDT' : 'NO-USDT-SWAP' };
    expect(await okx.rest.depth(nobody, 5)).toEqual({ ok: false, code: 'unknown-symbol' });
  });

  test('candle pages join without a hole or a repeated bar, built ones too', async () => {
    for (const interval of ['1m', '1h', '8h'] as const) {
      const newest = must(await okx.rest.candles(btc(), interval, { limit: 350 }));
      const first = newest[0]?.time as Millis;
      const older = must(await okx.rest.candles(btc(), interval, { limit: 120, endTime: first }));
      const times = [...older, ...newest].map((bar) => bar.time);
      const length = intervalMillis(interval) as number;
      expect(times.length).toBe(470);
      expect(times.every((time, at) => at === 0 || time === (times[at - 1] as number) + length)).toBe(true);
    }
    // A second may pass between two pages: seconds are only joined to what is before them.
    const seconds = must(await okx.rest.candles(btc(), '1s', { limit: 150 }));
    expect(new Set(seconds.map((bar) => bar.time)).size).toBe(150);
  });

  test('trades, ticker and candles arrive by socket; nothing is malformed', async () => {
    const symbol = SYMBOLS[kind];
    const feed = follow([
      { kind: 'trades', symbol },
      { kind: 'ticker', symbol },
      { kind: 'candle', symbol, interval: '1m' },
      { kind: 'candle', symbol, interval: '8h' },
      { kind: 'candle', symbol, interval: '1d' },
    ]);
    const kinds = () => new Set<string>(feed.messages.map((message) => message.kind));
    const wanted = [
      'acknowledged',
      'trades',
      'ticker',
      'candle',
      ...(kind === 'SWAP' ? ['perp-figures'] : []),
    ];
    await until('all kinds have arrived', () => wanted.every((one) => kinds().has(one)));
    const intervals = () =>
      feed.messages.flatMap((message) =>
        message.kind === 'candle'
          ? [message.interval, ...(message.further ?? []).map((one) => one.interval)]
          : [],
      );
    await until('bars of every interval have arrived', () =>
      ['1m', '4h', '1d'].every((interval) => intervals().includes(interval as never)),
    );
    feed.close();
    expect(feed.messages.filter((message) => message.kind === 'malformed')).toEqual([]);
    const told = feed.messages.find((message) => message.kind === 'acknowledged');
    expect(told).toMatchObject({ requestId: 1, accepted: true });
  });

  test("a book built from updates equals the venue's, every checksum agrees, and losses are noticed", async () => {
    const book = liveBook(SYMBOLS[kind]);
    const { sync, seen } = book;
    await until('a hundred changes were applied', () => {
      seen();
      return sync.state === 'LIVE' && sync.counters.applied >= 100;
    });
    await venue.admin('agents', { venue: 'okx', paused: true });
    const best = (levels: readonly BookLevel[]) => levels.slice(0, 400);
    let truth = must(await okx.rest.depth(btc(), 400));
    await until('the book has caught up', async () => {
      truth = must(await okx.rest.depth(btc(), 400));
      seen();
      return sync.book.lastSeq === truth.lastSeq;
    });
    expect(truth.bids.length).toBeGreaterThan(20);
    expect(sync.book.levels('bids', 400)).toEqual(best(truth.bids));
    expect(sync.book.levels('asks', 400)).toEqual(best(truth.asks));
    await venue.admin('agents', { venue: 'okx', paused: false });
    const clean = { gaps: 0, malformed: 0, crossed: 0, contradictions: 0, resyncs: 0 };
    expect(sync.counters).toMatchObject(clean);
    expect(sync.counters.checksumsCompared).toBeGreaterThanOrEqual(100);
    expect(sync.counters.checksumsWrong).toBe(0);
    await venue.admin('faults', { kind: 'skip-depth', match: `books/${SYMBOLS[kind]}`, count: 1 });
    await until('the loss was noticed', () => {
      seen();
      return sync.counters.gaps === 1;
    });
    book.close();
  });
});

test('perpetuals tell mark, index, funding and open interest, by REST and by socket', async () => {
  const btc = instrumentOf('SWAP');
  const ticker = must(await okx.rest.ticker(btc));
  for (const price of [ticker.markPrice, ticker.indexPrice]) {
    expect(Math.abs(Number(price) / Number(ticker.lastPrice) - 1)).toBeLessThan(0.05);
  }
  expect(Math.abs(Number(ticker.fundingRate))).toBeLessThan(0.01);
  expect(ticker.nextFundingTime).toBeGreaterThan(now());
  const all = must(await okx.rest.tickers('SWAP'));
  const eth = all.find((one) => one.symbol === 'ETH-USDT-SWAP');
  expect([eth?.markPrice, eth?.indexPrice, eth?.fundingRate].every((figure) => figure !== undefined)).toBe(
    true,
  );
  const held = must(await okx.rest.openInterest([btc]));
  expect(Number(held.get(btc.symbol))).toBeGreaterThan(0);
  const feed = follow([{ kind: 'ticker', symbol: btc.symbol }]);
  const figures = () =>
    feed.messages.flatMap((message) => (message.kind === 'perp-figures' ? [message.figures] : []));
  await until(
    'the mark moves and the rest is told',
    () =>
      new Set(figures().flatMap((one) => one.markPrice ?? [])).size > 1 &&
      figures().some((one) => one.indexPrice !== undefined) &&
      figures().some((one) => one.fundingRate !== undefined && one.nextFundingTime !== undefined),
  );
  feed.close();
});

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
    return okxMember(venue, `trader-${members}`, funds);
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
  const freeOf = async (credentials: VenueCredentials, asset: string): Promise<Amount> =>
    must(await trading.balances(credentials)).find((one) => one.asset === asset)?.free ?? ZERO;
  /** How an order stands; the acknowledgement does not tell. */
  const stateOf = async (credentials: VenueCredentials, order: VenueOrderWish): Promise<VenueOrderState> => {
    const found = await trading.find(credentials, order.instrument, order.clientId);
    if (found.outcome !== 'found') throw new Error(found.outcome);
    return found.value;
  };
  /** Follows an account, so that its orders go over its private socket. */
  const followed = async (credentials: VenueCredentials) => {
    const seen = {
      open: 0,
      closed: 0,
      orders: [] as OrderEvent[],
      balances: [] as VenueBalance[],
      malformed: [] as string[],
    };
    const stream = trading.userStream(credentials, {
      onOpen: () => (seen.open += 1),
      onOrder: (event) => seen.orders.push(event),
      onBalances: (balances) => seen.balances.push(...balances),
      onClosed: () => (seen.closed += 1),
      onMalformed: (why) => seen.malformed.push(why),
    });
    await until('the stream is open', () => seen.open === 1);
    return { seen, close: () => stream.close() };
  };
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

  /** Repeats a call that is safe to repeat until its outcome is this one. */
  async function eventually<Outcome extends { readonly outcome: string }>(
    wanted: Outcome['outcome'],
    ask: () => Promise<Outcome>,
  ): Promise<Outcome> {
    let outcome = await ask();
    await until(`the outcome is ${wanted}`, async () => {
      if (outcome.outcome === wanted) return true;
      outcome = await ask();
      return false;
    });
    return outcome;
  }

  beforeAll(async () => {
    btc = instrumentOf('SPOT');
    // A market that stands still makes every figure below exact.
    await venue.admin('agents', { venue: 'okx', paused: true });
    const depth = must(await okx.rest.depth(btc, 5));
    bid = stepsToAmount(depth.bids[0]?.[0] ?? 0, btc.tickSize);
    ask = stepsToAmount(depth.asks[0]?.[0] ?? 0, btc.tickSize);
    const options = okxTradingOptions(venue);
    trading = createOkxTrading({
      ...options,
      answerMillisMax: 3_000,
      sendHttp(request) {
        if (request.url.endsWith('/trade/order')) placedByRest += 1;
        return options.sendHttp(request);
      },
    });
  });
  afterAll(async () => {
    for (const one of [trading, ...others]) one?.close();
    await venue?.admin('agents', { venue: 'okx', paused: false });
  });

  describe.each(['over the private socket', 'by REST'])('orders %s', (way) => {
    let trader: VenueCredentials;
    let close = (): void => undefined;
    const viaSocket = way !== 'by REST';
    beforeAll(async () => {
      trader = await member({ USDT: '100000', BTC: '2' });
      if (!viaSocket) return;
      close = (await followed(trader)).close;
      await until('orders go over the private socket', async () => {
        const before = placedByRest;
        const order = resting();
        const placed = await trading.place(trader, order);
        await trading.cancel(trader, btc, order.clientId);
        return placed.outcome === 'accepted' && placedByRest === before;
      });
    });
    afterAll(() => close());

    test("a market buy fills at once; the venue's list of fills explains the balances to the unit", async () => {
      const restBefore = placedByRest;
      const before = { usdt: await freeOf(trader, 'USDT'), btc: await freeOf(trader, 'BTC') };
      const order = wish({ type: ORDER_TYPE.MARKET, quoteQuantity: amount('500') });
      const placed = await trading.place(trader, order);
      if (placed.outcome !== 'accepted') throw new Error(JSON.stringify(placed));
      const state = await stateOf(trader, order);
      expect(state.status).toBe(ORDER_STATUS.FILLED);
      const fills = must(await trading.fillsOfOrder(trader, btc, placed.state.venueOrderId));
      expect(total(fills, 'quantity')).toBe(state.cumulativeQuantity);
      expect(fills.every((fill) => fill.feeAsset === 'BTC' && fill.fee > ZERO && !fill.maker)).toBe(true);
      expect(await freeOf(trader, 'USDT')).toBe(minus(before.usdt, total(fills, 'quoteQuantity')));
      const gained = minus(total(fills, 'quantity'), total(fills, 'fee'));
      expect(await freeOf(trader, 'BTC')).toBe(plus(before.btc, gained));
      expect(placedByRest - restBefore).toBe(viaSocket ? 0 : 1);
    });

    test('a resting order is found and listed, cancelled once, and gone afterwards', async () => {
      const order = resting();
      expect(await trading.place(trader, order)).toMatchObject({ outcome: 'accepted', fills: [] });
      const rests = await stateOf(trader, order);
      expect(rests).toMatchObject({ status: ORDER_STATUS.OPEN });
      const byVenueId = await trading.findByVenueId(trader, btc, rests.venueOrderId);
      expect(byVenueId).toEqual({ outcome: 'found', value: rests });
      const open = must(await trading.openOrders(trader, [btc]));
      expect(open).toMatchObject([{ clientId: order.clientId }]);
      const state = { status: ORDER_STATUS.CANCELLED, clientId: order.clientId, cumulativeQuantity: ZERO };
      expect(await trading.cancel(trader, btc, order.clientId)).toMatchObject({
        outcome: 'cancelled',
        state,
      });
      expect(await trading.cancel(trader, btc, order.clientId)).toEqual({ outcome: 'gone' });
      expect(await stateOf(trader, order)).toMatchObject(state);
      expect(await trading.openOrders(trader, [btc])).toEqual({ ok: true, value: [] });
    });

    test('an order that never was is not found, nor its cancel', async () => {
      const stranger = nextId();
      expect(await trading.find(trader, btc, stranger)).toEqual({ outcome: 'not-found' });
      expect(await trading.cancel(trader, btc, stranger)).toEqual({ outcome: 'gone' });
    });

    test("definitive refusals carry the venue's own code", async () => {
      const refusals: [Partial<VenueOrderWish>, string][] = [
        [{ price: plus(bid, 1n as Amount), quantity: amount('0.01') }, '51000'],
        [{ price: bid, quantity: amount('0.000000001') }, '51121'],
        [{ price: bid, quantity: amount('0.000001') }, '51020'],
        [{ price: bid, quantity: amount('5') }, '51008'],
        [{ type: ORDER_TYPE.MARKET }, 'LOCAL_NOT_EXPRESSIBLE'],
        [{ instrument: { ...btc, symbol: 'NO-SUCH' }, price: bid, quantity: amount('1') }, '51001'],
      ];
      for (const [part, venueCode] of refusals) {
        expect(await trading.place(trader, wish(part))).toMatchObject({ outcome: 'refused', venueCode });
      }
    });

    test('orders that may not rest end cancelled without a fill: IOC, FOK, and post-only that would take', async () => {
      const none = { status: ORDER_STATUS.CANCELLED, cumulativeQuantity: ZERO };
      for (const timeInForce of [TIME_IN_FORCE.IOC, TIME_IN_FORCE.FOK]) {
        const far = { ...resting(), clientId: nextId(), timeInForce };
        expect(await trading.place(trader, far)).toMatchObject({ outcome: 'accepted' });
        expect(await stateOf(trader, far)).toMatchObject(none);
      }
      const taking = wish({ price: ask, quantity: amount('0.01'), timeInForce: TIME_IN_FORCE.POST_ONLY });
      expect(await trading.place(trader, taking)).toMatchObject({ outcome: 'accepted' });
      expect(await stateOf(trader, taking)).toMatchObject(none);
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
        const order = resting();
        await venue.admin('faults', { kind, match: 'order.place', count: 1 });
        const outcome = await trading.place(trader, order);
        await venue.admin('faults', {}, 'DELETE');
        expect(outcome).toMatchObject({ outcome: 'unknown' });
        await until(
          'the venue can be asked again',
          async () => (await trading.find(trader, btc, order.clientId)).outcome !== 'unknown',
        );
        const found = await trading.find(trader, btc, order.clientId);
        expect(found.outcome).toBe(carriedOut ? 'found' : 'not-found');
        const open = must(await trading.openOrders(trader, [btc]));
        expect(open.filter((one) => one.clientId === order.clientId).length).toBe(carriedOut ? 1 : 0);
        const cancelled = await trading.cancel(trader, btc, order.clientId);
        expect(cancelled.outcome).toBe(carriedOut ? 'cancelled' : 'gone');
      },
    );
  });

  test('a wrong secret, passphrase or key is refused by its own code, and tells no secret', async () => {
    const trader = await member({ USDT: '1000' });
    const order = resting();
    const wrongs: [Partial<VenueCredentials>, string][] = [
      [{ secret: 'wrong' }, '50113'],
      [{ passphrase: 'wrong' }, '50105'],
      [{ apiKey: 'x'.repeat(36) }, '50111'],
    ];
    for (const [wrong, venueCode] of wrongs) {
      const refused = await trading.place({ ...trader, ...wrong }, order);
      expect(refused).toMatchObject({ outcome: 'refused', venueCode });
      expect(JSON.stringify(refused)).not.toContain(trader.secret);
    }
  });

  test('the private stream tells orders, fills and balances, and comes back after the venue drops it', async () => {
    const trader = await member({ USDT: '100000' });
    const { seen, close } = await followed(trader);
    const order = wish({ type: ORDER_TYPE.MARKET, quantity: amount('0.02') });
    const placed = await trading.place(trader, order);
    if (placed.outcome !== 'accepted') throw new Error(JSON.stringify(placed));
    const fills = must(await trading.fillsOfOrder(trader, btc, placed.state.venueOrderId));
    const own = () => seen.orders.filter((event) => event.state.clientId === order.clientId);
    await until('every fill was told', () => own().filter((event) => event.fill).length === fills.length);
    expect(own().flatMap((event) => event.fill ?? [])).toEqual(fills);
    expect(own().at(-1)?.state).toEqual(await stateOf(trader, order));
    const free = await freeOf(trader, 'USDT');
    await until('balances were told', () =>
      seen.balances.some((one) => one.asset === 'USDT' && one.free === free),
    );
    await venue.admin('sockets/drop', { venue: 'okx', kind: 'api' });
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
    close();
  });

  test('fills since a moment are those of every order of the instrument, however many pages', async () => {
    const trader = await member({ USDT: '100000', BTC: '1' });
    const since = now();
    const ids: string[] = [];
    for (let count = 0; count < 4; count += 1) {
      const order = wish({ type: ORDER_TYPE.MARKET, quantity: amount('0.3') });
      const side = count % 2 === 0 ? SIDE.BUY : SIDE.SELL;
      const placed = await trading.place(trader, { ...order, side });
      if (placed.outcome === 'accepted') ids.push(placed.state.venueOrderId);
    }
    const fills = must(await trading.fillsSince(trader, btc, since));
    expect(new Set(fills.map((fill) => fill.venueOrderId))).toEqual(new Set(ids));
    expect(ids.length).toBe(4);
    expect(total(fills, 'quantity')).toBe(amount('1.2'));
    const later = (now() + 3_600_000) as Millis;
    expect(await trading.fillsSince(trader, btc, later)).toEqual({ ok: true, value: [] });
  });

  test('a member’s account is made once, funded once, trades, and lost transfers are found', async () => {
    const master = await okxMember(venue, 'master', { USDT: '50000' });
    const funds = await trading.operatorFunds(master);
    expect(funds).toMatchObject({ ok: true, value: [{ asset: 'USDT', free: amount('50000') }] });
    const opened: { accountId: string; credentials: VenueCredentials }[] = [];
    await until('the account was asked for twice', async () => {
      const answer = await trading.openMemberAccount(master, 'm-17');
      if (answer.outcome === 'found') opened.push(answer.value);
      return opened.length === 2;
    });
    const [first, again] = opened;
    if (first === undefined || again === undefined) throw new Error('both are found');
    expect(again.accountId).toBe(first.accountId);
    expect(again.credentials.apiKey).not.toBe(first.credentials.apiKey);
    const { credentials, accountId } = again;
    const move = (usdt: string) => ({
      clientId: uuidV7(now(), randomBytes(10)).replaceAll('-', ''),
      to: accountId,
      asset: 'USDT',
      amount: amount(usdt),
    });
    // Our own budget of calls may put any of these off; each is safe to repeat.
    const one = move('1000.5');
    const done = await eventually('done', () => trading.transfer(master, one));
    expect(await eventually('done', () => trading.transfer(master, one))).toEqual(done);
    await eventually('found', () => trading.findTransfer(master, one.clientId));
    await eventually('not-found', () => trading.findTransfer(master, move('1').clientId));
    const tooMuch = move('1000000');
    expect((await inTime(() => trading.transfer(master, tooMuch))).outcome).not.toBe('done');
    await eventually('not-found', () => trading.findTransfer(master, tooMuch.clientId));
    const lost = move('250');
    await venue.admin('faults', { kind: 'silence-after', match: 'transfer.place', count: 1 });
    expect(await inTime(() => trading.transfer(master, lost))).toMatchObject({ outcome: 'unknown' });
    await eventually('found', () => trading.findTransfer(master, lost.clientId));
    expect(await freeOf(credentials, 'USDT')).toBe(amount('1250.5'));
    const { to: _, ...home } = { ...move('50.5'), from: accountId };
    await eventually('done', () => trading.transfer(master, home));
    expect(await freeOf(credentials, 'USDT')).toBe(amount('1200'));
    const order = { ...resting(), quantity: amount('0.001') };
    expect(await trading.place(credentials, order)).toMatchObject({ outcome: 'accepted' });
    expect(await trading.cancel(credentials, btc, order.clientId)).toMatchObject({ outcome: 'cancelled' });
    // A member's key may not make accounts.
    expect((await trading.openMemberAccount(credentials, 'm-18')).outcome).toBe('unknown');
  });
});
