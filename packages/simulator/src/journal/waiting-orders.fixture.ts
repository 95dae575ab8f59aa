import { writeSync } from 'node:fs';
import { join } from 'node:path';
import type { Millis, PlatformSlug } from '@crossbook/domain';
import { TestRig as BinanceRig } from '../dialects/binance/rig.fixture.ts';
import { BybitRig } from '../dialects/bybit/rig.fixture.ts';
import { type Key as OkxKey, TestRig as OkxRig } from '../dialects/okx/rig.fixture.ts';
import { openServer, serveVenues } from '../dialects/wire/rig.fixture.ts';
import type { AccountNumber } from '../exchange.ts';
import { marketDirectory } from '../market/story/market-files.ts';
import { priceShocks } from '../market/story/price-shocks.ts';
import type { OpenedVenue } from '../open-venue.ts';
import { openQuietVenue } from '../quiet-venue.fixture.ts';

/**
 * Orders on pairs that wait for a price, of every kind that a venue has, asked for on its own wire. Run as a process it
 * places them or only opens the venues, tells what it did line by line, and lives until it is killed.
 */

/** When the orders are placed: Friday 2026-01-02. */
export const PLACED_AT = Date.UTC(2026, 0, 2, 12, 0, 0, 500);
/** What each venue's member holds. */
export const FUNDS = { USDT: '1000000', BTC: '5' };
const LABEL = 'waiter';

/** One line of the process. */
export type WaitingLine =
  | {
      readonly kind: 'sent' | 'placed';
      readonly venue: PlatformSlug;
      readonly name: string;
      readonly id: string;
    }
  | { readonly kind: 'opened'; readonly venue: PlatformSlug };

/** How an order stands, in words that all venues share. */
export type Standing = 'WAITS' | 'RESTS' | 'FILLED' | 'OTHER';

/** One order of a venue's table: a name whose number is the way in percent that the price goes until it fires. */
interface Asked {
  readonly name: string;
  /** What the venue's call says besides market, side and size. @param beside a price so many percent beside the last one. */
  params(beside: (percent: number) => string): Readonly<Record<string, string | number>>;
}

/** A venue with its member. */
export interface WaitingVenue {
  readonly slug: PlatformSlug;
  readonly symbol: string;
  readonly venue: OpenedVenue;
  readonly account: AccountNumber;
  readonly orders: readonly Asked[];
  /** @returns the venue's id of it. */
  place(order: Asked): Promise<string>;
  standing(id: string): Promise<Standing>;
  advance(millis: number): void;
  close(): Promise<void>;
}

/** Moves the price of bitcoin while nobody is there, from a time on. */
export function movePrice(directory: string, percent: number, time: number): void {
  const shocks = priceShocks(marketDirectory(join(directory, 'market')));
  shocks.add({ symbol: 'BTCUSDT', time, factor: 1 + percent / 100 });
}

const SELL = { side: 'SELL', quantity: '0.1' };
const BINANCE: readonly Asked[] = [
  { name: 'trail1', params: () => ({ type: 'STOP_LOSS', trailingDelta: 100, newClientOrderId: 'trail1' }) },
  {
    name: 'rests2',
    params: (beside) => ({
      ...{ type: 'STOP_LOSS_LIMIT', timeInForce: 'GTC', newClientOrderId: 'rests2' },
      ...{ stopPrice: beside(-2), price: beside(-1.5) },
    }),
  },
  {
    name: 'stop3',
    params: (beside) => ({ type: 'STOP_LOSS', stopPrice: beside(-3), newClientOrderId: 'stop3' }),
  },
  {
    name: 'pair4',
    params: (beside) => ({
      ...{ aboveType: 'LIMIT_MAKER', abovePrice: beside(5), aboveClientOrderId: 'pair4-above' },
      ...{ belowType: 'STOP_LOSS', belowStopPrice: beside(-4), belowClientOrderId: 'pair4-below' },
    }),
  },
  {
    name: 'far20',
    params: (beside) => ({ type: 'STOP_LOSS', stopPrice: beside(-20), newClientOrderId: 'far20' }),
  },
];

const OKX: readonly Asked[] = [
  { name: 'trail1', params: () => ({ ordType: 'move_order_stop', callbackRatio: '0.01' }) },
  {
    name: 'rests2',
    params: (beside) => ({ ordType: 'trigger', triggerPx: beside(-2), orderPx: beside(-1.5) }),
  },
  {
    name: 'stop3',
    params: (beside) => ({ ordType: 'conditional', slTriggerPx: beside(-3), slOrdPx: '-1' }),
  },
  {
    name: 'pair4',
    params: (beside) => ({
      ...{ ordType: 'oco', tpTriggerPx: beside(5), tpOrdPx: '-1' },
      ...{ slTriggerPx: beside(-4), slOrdPx: '-1' },
    }),
  },
  {
    name: 'far20',
    params: (beside) => ({ ordType: 'conditional', slTriggerPx: beside(-20), slOrdPx: '-1' }),
  },
];

const AT_MARKET = { orderType: 'Market', orderFilter: 'tpslOrder' };
const BYBIT: readonly Asked[] = [
  {
    name: 'funded1',
    params: (beside) => ({ ...AT_MARKET, orderFilter: 'StopOrder', triggerPrice: beside(-1) }),
  },
  {
    name: 'rests2',
    params: (beside) => ({
      ...{ orderType: 'Limit', orderFilter: 'tpslOrder', timeInForce: 'GTC' },
      ...{ triggerPrice: beside(-2), price: beside(-1.5) },
    }),
  },
  { name: 'stop3', params: (beside) => ({ ...AT_MARKET, triggerPrice: beside(-3) }) },
  { name: 'stop4', params: (beside) => ({ ...AT_MARKET, triggerPrice: beside(-4) }) },
  { name: 'far20', params: (beside) => ({ ...AT_MARKET, triggerPrice: beside(-20) }) },
];

/** A price so many percent beside the last one, on every venue's tick. */
function besideLast({ spot }: OpenedVenue, symbol: string): (percent: number) => string {
  const { last } = spot.ticker(symbol);
  return (percent) => ((last * (100 + percent)) / 100).toFixed(1);
}

interface OpenedParts {
  readonly venue: OpenedVenue;
  readonly clock: { now: number };
}

async function binance({ venue, clock }: OpenedParts): Promise<WaitingVenue> {
  const complaints: unknown[] = [];
  const server = await serveVenues([venue], complaints, { limited: false });
  const rig = new BinanceRig({ venues: [venue], server, complaints, clock });
  const symbol = 'BTCUSDT';
  const account = await rig.account(LABEL, FUNDS);
  const key = await venue.spot.createKey(account);
  return {
    ...{ slug: 'binance', symbol, venue, account, orders: BINANCE },
    async place({ name, params }) {
      const asked = { symbol, ...SELL, ...params(besideLast(venue, symbol)) };
      const path = name === 'pair4' ? '/api/v3/orderList/oco' : '/api/v3/order';
      const { status, body } = await rig.signed(key, path, { method: 'POST', params: asked });
      if (status !== 200) throw new Error(`binance ${name}: ${JSON.stringify(body)}`);
      // Of a pair the stop is the one that waits.
      const reports: { clientOrderId: string; orderId: number }[] = body.orderReports ?? [body];
      return String(reports.find(({ clientOrderId }) => !clientOrderId.endsWith('above'))?.orderId);
    },
    async standing(orderId) {
      const { body } = await rig.signed(key, '/api/v3/order', { params: { symbol, orderId } });
      if (body.status !== 'NEW') return body.status === 'FILLED' ? 'FILLED' : 'OTHER';
      return body.isWorking === true ? 'RESTS' : 'WAITS';
    },
    advance: (millis) => rig.advance(millis),
    close: () => rig.close(),
  };
}

async function okx({ venue, clock }: OpenedParts): Promise<WaitingVenue> {
  const complaints: unknown[] = [];
  const server = await serveVenues([venue], complaints, { limited: false });
  const rig = new OkxRig({ venues: [venue], server, complaints, clock });
  const symbol = 'BTC-USDT';
  const account = await rig.account(LABEL, FUNDS);
  const passphrase = 'Pass-phrase1';
  const key: OkxKey = { account, passphrase, ...(await venue.spot.createKey(account, passphrase)) };
  const find = async (path: string) => (await rig.signed(key, 'GET', `/api/v5/trade/${path}`)).body.data[0];
  return {
    ...{ slug: 'okx', symbol, venue, account, orders: OKX },
    async place({ name, params }) {
      const body = {
        ...{ instId: symbol, tdMode: 'cash', side: 'sell', sz: '0.1', algoClOrdId: name },
        ...params(besideLast(venue, symbol)),
      };
      const answer = await rig.signed(key, 'POST', '/api/v5/trade/order-algo', { body });
      if (answer.body.code !== '0') throw new Error(`okx ${name}: ${JSON.stringify(answer.body)}`);
      return answer.body.data[0].algoId;
    },
    async standing(algoId) {
      const row = await find(`order-algo?algoId=${algoId}`);
      if (row?.state === 'live') return 'WAITS';
      if (row?.state !== 'effective') return 'OTHER';
      const sent = await find(`order?instId=${symbol}&ordId=${row.ordId}`);
      return sent?.state === 'live' ? 'RESTS' : sent?.state === 'filled' ? 'FILLED' : 'OTHER';
    },
    advance: (millis) => rig.advance(millis),
    close: () => rig.close(),
  };
}

async function bybit({ venue, clock }: OpenedParts): Promise<WaitingVenue> {
  const rig = new BybitRig({ venues: [venue], server: await openServer(), clock }).start({});
  const symbol = 'BTCUSDT';
  const account = await rig.account(LABEL, FUNDS);
  const key = await venue.spot.createKey(account);
  const states: Readonly<Record<string, Standing>> = { Untriggered: 'WAITS', New: 'RESTS', Filled: 'FILLED' };
  return {
    ...{ slug: 'bybit', symbol, venue, account, orders: BYBIT },
    async place({ name, params }) {
      const body = {
        ...{ category: 'spot', symbol, side: 'Sell', qty: '0.1', orderLinkId: name },
        ...params(besideLast(venue, symbol)),
      };
      const answer = await rig.signed(key, '/v5/order/create', { body });
      if (answer.body.retCode !== 0) throw new Error(`bybit ${name}: ${JSON.stringify(answer.body)}`);
      return answer.body.result.orderId;
    },
    async standing(orderId) {
      const params = { category: 'spot', symbol, orderId };
      const { body } = await rig.signed(key, '/v5/order/realtime', { params });
      return states[body.result.list[0]?.orderStatus] ?? 'OTHER';
    },
    advance: (millis) => rig.advance(millis),
    close: () => rig.close(),
  };
}

const OPENERS = { binance, okx, bybit } as const satisfies Readonly<
  Record<PlatformSlug, (parts: OpenedParts) => Promise<WaitingVenue>>
>;

/** Opens the venues of a directory one after the other, each as it is at a time. @param opened hears of each. */
export async function openWaiting(
  directory: string,
  now: number,
  opened: (venue: PlatformSlug) => void = () => undefined,
): Promise<WaitingVenue[]> {
  const venues: WaitingVenue[] = [];
  for (const slug of ['binance', 'okx', 'bybit'] as const) {
    const clock = { now };
    const options = { clock: () => clock.now as Millis, coins: ['BTC'], data: directory };
    const venue = await openQuietVenue(slug, options);
    opened(slug);
    venues.push(await OPENERS[slug]({ venue, clock }));
  }
  return venues;
}

// Written at once and whole: what the parent reads had happened before the kill.
function tell(line: WaitingLine): void {
  writeSync(1, `${JSON.stringify(line)}\n`);
}

/** Places every order of a venue, one after the other. */
async function placeAll({ slug, symbol, venue, orders, place, advance }: WaitingVenue): Promise<void> {
  venue.spot.depth(symbol, 5);
  advance(1_000);
  for (const order of orders) {
    tell({ kind: 'sent', venue: slug, name: order.name, id: '' });
    tell({ kind: 'placed', venue: slug, name: order.name, id: await place(order) });
  }
}

const [, script, directory, now, what] = process.argv;
if (script?.endsWith('waiting-orders.fixture.ts') && directory !== undefined) {
  const venues = await openWaiting(directory, Number(now), (venue) => tell({ kind: 'opened', venue }));
  if (what === 'place') await Promise.all(venues.map(placeAll));
  // Whoever started it kills it.
  setInterval(() => undefined, 60_000);
}
