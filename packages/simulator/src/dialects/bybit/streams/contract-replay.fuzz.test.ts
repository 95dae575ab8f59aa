import { type Amount, amount, formatAmount, minus, plus, ZERO } from '@crossbook/domain';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { openedOnce } from '../../../../../../tests/opened.ts';
import { runs } from '../../../../../../tests/property-runs.ts';
import { type TestSocket, unique } from '../../wire/rig.fixture.ts';
import { BTC, type Member, MemberRig } from '../perps/member-rig.fixture.ts';

const rig = openedOnce(() => MemberRig.open());

// biome-ignore lint/suspicious/noExplicitAny: rows are what is under test
type Row = any;
const FUNDS = '20000';

const side = fc.constantFrom('Buy', 'Sell');
const idx = fc.constantFrom(0, 0, 1, 2);
const qty = fc.integer({ min: 1, max: 400 }).map((lots) => (lots / 1000).toFixed(3));
const price = fc.integer({ min: 590_000, max: 610_000 }).map((ticks) => (ticks / 10).toFixed(1));
const link = fc.constantFrom('a', 'b', 'c', 'd');
const order = fc.record({
  side,
  qty,
  price,
  positionIdx: idx,
  orderType: fc.constantFrom('Limit', 'Limit', 'Market'),
  timeInForce: fc.constantFrom('GTC', 'GTC', 'IOC', 'FOK', 'PostOnly'),
  reduceOnly: fc.constantFrom(false, false, true),
  smpType: fc.constantFrom('None', 'CancelMaker', 'CancelTaker', 'CancelBoth'),
});
const kind = fc.constantFrom('LastPrice', 'MarkPrice', 'IndexPrice');
/** An order that waits, or comes with what protects its position. */
const stop = fc.record(
  {
    triggerPrice: price,
    triggerDirection: fc.constantFrom(1, 2),
    triggerBy: kind,
    closeOnTrigger: fc.boolean(),
    takeProfit: price,
    stopLoss: price,
    slTriggerBy: kind,
    tpslMode: fc.constantFrom('Full', 'Partial'),
  },
  { requiredKeys: ['triggerDirection'] },
);
const positionStops = fc.record(
  {
    tpslMode: fc.constantFrom('Full', 'Full', 'Partial'),
    positionIdx: idx,
    takeProfit: fc.oneof(price, fc.constant('0')),
    stopLoss: fc.oneof(price, fc.constant('0')),
    tpTriggerBy: kind,
    trailingStop: fc.constantFrom('50', '100', '0'),
    tpSize: fc.constant('0.001'),
  },
  { requiredKeys: ['tpslMode', 'positionIdx'] },
);
/** What members ask for near to what is sound: most of it is taken, the rest refused by name. */
const asked = fc.oneof(
  { weight: 6, arbitrary: order.map((body) => ['order/create', body] as const) },
  {
    weight: 4,
    arbitrary: fc.tuple(order, stop).map((parts) => ['order/create', Object.assign({}, ...parts)] as const),
  },
  { weight: 2, arbitrary: positionStops.map((body) => ['position/trading-stop', body] as const) },
  fc.record({ nth: fc.nat(9), triggerPrice: price }).map((body) => ['order/amend', body] as const),
  {
    weight: 2,
    arbitrary: fc
      .array(order, { minLength: 1, maxLength: 4 })
      .map(
        (orders) => ['order/create-batch', { request: orders.map((one) => ({ ...BTC, ...one })) }] as const,
      ),
  },
  fc.record({ nth: fc.nat(9), qty, price }).map((body) => ['order/amend', body] as const),
  fc.record({ nth: fc.nat(9) }).map((body) => ['order/cancel', body] as const),
  fc.constant(['order/cancel-all', {}] as const),
  link.map((leverage) => {
    const text = { a: '5', b: '10', c: '20', d: '500' }[leverage] ?? '10';
    return ['position/set-leverage', { buyLeverage: text, sellLeverage: text }] as const;
  }),
  fc.constantFrom(0, 3).map((mode) => ['position/switch-mode', { mode }] as const),
  fc
    .constantFrom('ISOLATED_MARGIN', 'REGULAR_MARGIN')
    .map((setMarginMode) => ['account/set-margin-mode', { setMarginMode }] as const),
  fc
    .record({ margin: fc.constantFrom('50', '-20', '-5000'), positionIdx: idx })
    .map((body) => ['position/add-margin', body] as const),
);
/** What happens besides: the house offers, the mark moves, funding is paid. */
const other = fc.oneof(
  fc.record({ house: side, lots: fc.integer({ min: 1, max: 300 }), at: price }),
  fc.record({ mark: fc.integer({ min: 59_000, max: 61_000 }) }),
  fc.constant({ funding: true }),
);

/** @returns the venue's code. */
async function act(member: Member, what: readonly [string, Record<string, unknown>]): Promise<number> {
  const [path, { nth, ...body }] = what;
  const open = nth === undefined ? [] : (await member.ask('GET order/realtime', BTC)).list;
  const named =
    nth === undefined ? {} : { orderId: open[Number(nth) % Math.max(1, open.length)]?.orderId ?? '1' };
  const { status, body: answer } = await member.call(`POST ${path}`, { ...BTC, ...body, ...named });
  expect(status).toBe(200);
  expect(answer.retCode).not.toBe(10_016);
  return answer.retCode;
}

function happen(event: object): void {
  if ('house' in event) {
    const { house, lots, at } = event as { house: string; lots: number; at: string };
    rig.core.house('BTCUSDT', house === 'Buy' ? 'BUY' : 'SELL', Number(at), lots);
  } else if ('mark' in event) rig.core.mark('BTCUSDT', (event as { mark: number }).mark);
  else rig.core.perps.fundNow('BTCUSDT');
}

/** Everything that the stream has told so far. */
async function heardBy(socket: TestSocket): Promise<readonly Row[]> {
  await rig.core.quiet();
  const id = `ping-${socket.heard.length}`;
  socket.send({ req_id: id, op: 'ping' });
  await socket.hear((message) => message.req_id === id);
  return socket.heard.flatMap(({ topic, data }: Row) =>
    topic === undefined ? [] : data.map((row: Row) => ({ topic, ...row })),
  );
}

const pick = (row: Row, names: string) => names.split(' ').map((name) => row[name]);
const POSITION =
  'positionIdx side size leverage positionBalance seq positionStatus takeProfit stopLoss trailingStop';
const MODES = new Set(['position/switch-mode', 'account/set-margin-mode']);
const OPEN = new Set(['New', 'PartiallyFilled', 'Untriggered']);
/** Of what closes all of a position the size follows that, and how far one trails is not told. */
function stated(row: Row): Row {
  if (row.tpslMode !== 'Full' || row.stopOrderType === '') return row;
  return { ...row, qty: '', leavesQty: '', leavesValue: '', updatedTime: '' };
}

describe('the stream and the lists tell the same', () => {
  test('orders, executions, positions and the wallet of a snapshot are those of all rows before it', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.oneof({ weight: 2, arbitrary: asked }, other), { minLength: 20, maxLength: 60 }),
        async (events) => {
          rig.core.clearHouse('BTCUSDT');
          rig.core.marks.set('BTCUSDT', 60_000);
          const member = await rig.member(unique('replay'), FUNDS);
          const socket = await member.listen('order', 'execution', 'position', 'wallet');
          // Of the positions of a mode that was left nothing is told any more, nor of the leverage that the new one has.
          let inThisMode = 0;
          for (const event of events) {
            if (!Array.isArray(event)) happen(event);
            else if (!MODES.has(event[0])) await act(member, event as never);
            else {
              const { length } = await heardBy(socket);
              if ((await act(member, event as never)) === 0) inThisMode = length;
            }
          }
          await expectSame(member, await heardBy(socket), inThisMode);
          socket.close();
          await member.ask('POST order/cancel-all', BTC);
        },
      ),
      { numRuns: runs(20, 10), seed: 20261122, endOnFailure: true },
    );
    expect(rig.complaints).toEqual([]);
  }, 1_200_000);
});

async function expectSame(member: Member, rows: readonly Row[], inThisMode: number): Promise<void> {
  const of = (topic: string) => rows.filter((row) => row.topic === topic);
  const last = (topic: string, name: string) => new Map(of(topic).map((row) => [row[name], row]));
  const plain = ({ topic: _, category: __, feeCurrency: ___, closedPnl: ____, ...row }: Row) => row;

  const open = (await member.ask('GET order/realtime', { ...BTC, limit: 50 })).list;
  const folded = [...last('order', 'orderId').values()].filter(({ orderStatus }) => OPEN.has(orderStatus));
  const byId = (left: Row, right: Row) => (BigInt(left.orderId) < BigInt(right.orderId) ? 1 : -1);
  expect(folded.map(plain).map(stated).sort(byId)).toEqual(open.map(stated).sort(byId));

  const executions = (await member.ask('GET execution/list', { ...BTC, limit: 100 })).list;
  const streamed = of('execution').map(({ topic: _, category: __, ...row }) => row);
  const byExecution = (left: Row, right: Row) => (left.execId < right.execId ? -1 : 1);
  // Lists tell the order as it is now: changed since, or with less left of it.
  const settled = ({ leavesQty: _, orderQty: __, orderPrice: ___, ...row }: Row) => row;
  if (executions.length < 100)
    expect(streamed.map(settled).sort(byExecution)).toEqual(executions.map(settled).sort(byExecution));

  const held = (await member.ask('GET position/list', BTC)).list;
  for (const row of held) {
    const seen = rows
      .slice(inThisMode)
      .findLast(({ topic, positionIdx }) => topic === 'position' && positionIdx === row.positionIdx);
    if (seen === undefined) continue;
    expect([seen.entryPrice, ...pick(seen, POSITION)]).toEqual([row.avgPrice, ...pick(row, POSITION)]);
  }

  const [wallet] = (await member.ask('GET account/wallet-balance', { accountType: 'UNIFIED' })).list;
  const balance = of('wallet').at(-1)?.coin[0]?.walletBalance ?? FUNDS;
  expect(balance).toBe(wallet.coin[0].walletBalance);
  let moved: Amount = ZERO;
  let cursor = '';
  do {
    const page = { category: 'linear', limit: 50, ...(cursor === '' ? {} : { cursor }) };
    const log = await member.ask('GET account/transaction-log', page);
    for (const { change } of log.list)
      moved = change.startsWith('-') ? minus(moved, amount(change.slice(1))) : plus(moved, amount(change));
    cursor = log.nextPageCursor;
  } while (cursor !== '');
  expect(formatAmount(plus(amount(FUNDS), moved))).toBe(wallet.coin[0].walletBalance);
}
