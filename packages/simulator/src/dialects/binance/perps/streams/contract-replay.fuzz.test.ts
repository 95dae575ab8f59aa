import type { Millis } from '@crossbook/domain';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { openedOnce } from '../../../../../../../tests/opened.ts';
import { runs } from '../../../../../../../tests/property-runs.ts';
import { type TestSocket, unique } from '../../../wire/rig.fixture.ts';
import { type Member, MemberRig } from '../member-rig.fixture.ts';

const rig = openedOnce(() => MemberRig.open());

// biome-ignore lint/suspicious/noExplicitAny: rows are what is under test
type Row = any;
const symbol = 'BTCUSDT';
const FUNDS = 20_000;

const side = fc.constantFrom('BUY', 'SELL');
const positionSide = fc.constantFrom('BOTH', 'BOTH', 'LONG', 'SHORT');
const quantity = fc.integer({ min: 1, max: 400 }).map((lots) => (lots / 1000).toFixed(3));
const price = fc.integer({ min: 590_000, max: 610_000 }).map((ticks) => (ticks / 10).toFixed(1));
const nth = fc.nat(9);
const reduceOnly = fc.constantFrom({}, {}, { reduceOnly: 'true' });

/** What members ask for near to what is sound: most of it is taken, the rest refused by name. */
const asked = fc.oneof(
  {
    weight: 5,
    arbitrary: fc
      .tuple(
        fc.record({ side, positionSide, quantity, price }),
        fc.constantFrom('GTC', 'GTC', 'IOC', 'FOK', 'GTX'),
        reduceOnly,
      )
      .map(([order, timeInForce, more]) => ['POST order', { type: 'LIMIT', timeInForce, ...order, ...more }]),
  },
  {
    weight: 3,
    arbitrary: fc
      .tuple(fc.record({ side, positionSide, quantity }), reduceOnly)
      .map(([order, more]) => ['POST order', { type: 'MARKET', ...order, ...more }]),
  },
  {
    weight: 3,
    arbitrary: fc
      .record({
        side,
        positionSide,
        quantity,
        type: fc.constantFrom('STOP_MARKET', 'TAKE_PROFIT_MARKET'),
        triggerPrice: price,
        workingType: fc.constantFrom('MARK_PRICE', 'CONTRACT_PRICE'),
      })
      .map((order) => ['POST algoOrder', { algoType: 'CONDITIONAL', ...order }]),
  },
  fc.record({ nth, side, quantity, price }).map((change) => ['PUT order', change]),
  fc.record({ nth }).map((which) => ['DELETE order', which]),
  fc.constant(['DELETE allOpenOrders', {}]),
  fc.constant(['DELETE algoOpenOrders', {}]),
  fc.constantFrom(5, 20, 75, 500).map((leverage) => ['POST leverage', { leverage }]),
  {
    weight: 2,
    arbitrary: fc
      .constantFrom('ISOLATED', 'ISOLATED', 'CROSSED')
      .map((marginType) => ['POST marginType', { marginType }]),
  },
  fc
    .constantFrom('true', 'false')
    .map((dualSidePosition) => ['POST positionSide/dual', { dualSidePosition }]),
  fc
    .record({ amount: fc.constantFrom('50', '20', '5000'), type: fc.constantFrom(1, 2), positionSide })
    .map((moved) => ['POST positionMargin', moved]),
) as fc.Arbitrary<[string, Record<string, string | number>]>;

/** What happens besides: the house offers, the mark moves, now and then far, and funding is paid. */
const other = fc.oneof(
  { weight: 3, arbitrary: fc.record({ house: side, lots: fc.integer({ min: 1, max: 300 }), at: price }) },
  { weight: 2, arbitrary: fc.record({ mark: fc.integer({ min: 59_000, max: 61_000 }) }) },
  fc.record({ mark: fc.constantFrom(52_000, 68_000) }),
  fc.constant({ funding: true }),
);

async function act(member: Member, [route, { nth: at, ...params }]: Row): Promise<void> {
  const open = at === undefined ? [] : await member.ask('GET /fapi/v1/openOrders', { symbol });
  const named = at === undefined ? {} : { orderId: open[at % Math.max(1, open.length)]?.orderId ?? 1 };
  const [method, path] = route.split(' ');
  const { status } = await member.call(`${method} /fapi/v1/${path}`, { symbol, ...params, ...named });
  expect(status, `${route} ${JSON.stringify(params)}`).toBeLessThan(500);
}

function happen(event: Row): void {
  if ('house' in event) rig.core.house(symbol, event.house, Number(event.at), event.lots);
  else if ('mark' in event) rig.core.mark(symbol, event.mark);
  else rig.core.perps.fundNow(symbol);
}

/** Everything that the stream has reported so far. */
async function heardBy(socket: TestSocket): Promise<readonly Row[]> {
  await rig.core.quiet();
  const id = socket.heard.length + 1;
  socket.send({ id, method: 'LIST_SUBSCRIPTIONS' });
  await socket.hear((message) => message.id === id);
  return socket.heard.filter(({ e }) => e !== undefined);
}

const numbers = (row: Row, names: string) => names.split(' ').map((name) => Number(row[name]));
const byText = (left: Row, right: Row) => (String(left) < String(right) ? -1 : 1);

describe('the stream and the lists tell the same', () => {
  test('orders, trades, positions and the wallet are those of all events before', async () => {
    const reported = new Set<string>();
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.oneof({ weight: 2, arbitrary: asked }, other), { minLength: 20, maxLength: 60 }),
        async (events) => {
          rig.core.now = (rig.core.now + 61_000) as Millis;
          rig.core.clearHouse(symbol);
          rig.core.mark(symbol, 60_000);
          const member = await rig.member(unique('replay'), String(FUNDS));
          const socket = await member.listen();
          for (const event of events) {
            if (Array.isArray(event)) await act(member, event);
            else happen(event);
          }
          const rows = await heardBy(socket);
          for (const { e, a, o } of rows) reported.add(`${e} ${a?.m ?? o?.x ?? o?.X ?? ''}`);
          await expectSame(member, rows);
          socket.close();
          await member.ask('DELETE /fapi/v1/allOpenOrders', { symbol });
          await member.ask('DELETE /fapi/v1/algoOpenOrders', { symbol });
        },
      ),
      { numRuns: runs(20, 20), seed: 20261124, endOnFailure: true },
    );
    expect(rig.complaints).toEqual([]);
    for (const kind of ['ORDER', 'FUNDING_FEE', 'MARGIN_TYPE_CHANGE', 'MARGIN_TRANSFER'])
      expect(reported, [...reported].join(', ')).toContain(`ACCOUNT_UPDATE ${kind}`);
    for (const kind of ['NEW', 'TRADE', 'CANCELED', 'EXPIRED', 'CALCULATED', 'AMENDMENT'])
      expect(reported, [...reported].join(', ')).toContain(`ORDER_TRADE_UPDATE ${kind}`);
  }, 1_200_000);
});

async function expectSame(member: Member, rows: readonly Row[]): Promise<void> {
  const of = (kind: string) => rows.filter(({ e }) => e === kind);
  const orders = of('ORDER_TRADE_UPDATE').map(({ o }) => o);
  const open = await member.ask('GET /fapi/v1/openOrders', { symbol });
  const last = new Map(orders.map((order) => [order.i, order]));
  const folded = [...last.values()].filter(({ X }) => X === 'NEW' || X === 'PARTIALLY_FILLED');
  expect(folded.map((o) => [o.i, o.X, o.S, o.ps, o.R, ...numbers(o, 'q z p ap')]).sort(byText)).toEqual(
    open
      .map((row: Row) => [
        ...[row.orderId, row.status, row.side, row.positionSide, row.reduceOnly],
        ...numbers(row, 'origQty executedQty price avgPrice'),
      ])
      .sort(byText),
  );

  const waiting = await member.ask('GET /fapi/v1/openAlgoOrders', { symbol });
  const algos = new Map(of('ALGO_UPDATE').map(({ o }) => [o.aid, o]));
  const stillWait = [...algos.values()].filter(({ X }) => X === 'NEW');
  expect(stillWait.map(({ aid }) => aid).sort(byText)).toEqual(
    waiting
      .filter(({ algoStatus }: Row) => algoStatus === 'NEW')
      .map(({ algoId }: Row) => algoId)
      .sort(byText),
  );

  const trades = await member.ask('GET /fapi/v1/userTrades', { symbol, limit: 1_000 });
  const fills = orders.filter(({ x, l }) => (x === 'TRADE' || x === 'CALCULATED') && Number(l) > 0);
  expect(fills.map((o) => [o.i, o.t, ...numbers(o, 'l L n rp')].join(' ')).sort()).toEqual(
    trades
      .map((row: Row) => [row.orderId, row.id, ...numbers(row, 'qty price commission realizedPnl')].join(' '))
      .sort(),
  );

  const updates = of('ACCOUNT_UPDATE').map(({ a }) => a);
  const sides = new Map<string, Row>(updates.flatMap(({ P }) => P.map((row: Row) => [row.ps, row])));
  const held = await member.ask('GET /fapi/v3/positionRisk', { symbol });
  const alive = held.filter((row: Row) => Number(row.positionAmt) !== 0);
  expect(
    [...sides.values()]
      .filter(({ pa }) => Number(pa) !== 0)
      .map(stated)
      .sort(byText),
  ).toEqual(
    alive
      .map((row: Row) => [row.positionSide, ...numbers(row, 'positionAmt entryPrice isolatedWallet')])
      .sort(byText),
  );

  const [{ balance }] = await member.ask('GET /fapi/v3/balance');
  const money = updates.findLast(({ B }) => B.length > 0)?.B[0].wb ?? FUNDS;
  expect(Number(money)).toBe(Number(balance));
  const income = await member.ask('GET /fapi/v1/income', { limit: 1_000 });
  const earned = income
    .filter(({ incomeType }: Row) => incomeType !== 'TRANSFER')
    .reduce((sum: number, row: Row) => sum + Number(row.income), 0);
  if (income.length < 1_000) expect(FUNDS + earned).toBeCloseTo(Number(balance), 6);
}

function stated(row: Row): unknown[] {
  return [row.ps, ...numbers(row, 'pa ep iw')];
}
