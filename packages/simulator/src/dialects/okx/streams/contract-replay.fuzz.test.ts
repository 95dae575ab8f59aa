import { type Amount, amount, type Millis, minus, plus, ZERO } from '@crossbook/domain';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { openedOnce } from '../../../../../../tests/opened.ts';
import { runs } from '../../../../../../tests/property-runs.ts';
import { unique } from '../../wire/rig.fixture.ts';
import { type Member, MemberRig, SWAP } from '../perps/member-rig.fixture.ts';
import type { ChannelSocket } from '../rig.fixture.ts';

const rig = openedOnce(() => MemberRig.open());

// biome-ignore lint/suspicious/noExplicitAny: rows are what is under test
type Row = any;
const FUNDS = '20000';

const side = fc.constantFrom('buy', 'sell');
const tdMode = fc.constantFrom('cross', 'isolated', 'isolated');
const leg = fc.constantFrom({}, {}, {}, {}, { posSide: 'long' }, { posSide: 'short' });
const sz = fc.integer({ min: 1, max: 150 }).map(String);
const px = fc.integer({ min: 590_000, max: 610_000 }).map((ticks) => (ticks / 10).toFixed(1));
const nth = fc.nat(9);
const order = fc
  .tuple(
    fc.record({ side, tdMode, sz, px }),
    fc.constantFrom('limit', 'limit', 'post_only', 'ioc', 'fok', 'market'),
    leg,
    fc.constantFrom({}, {}, { reduceOnly: 'true' }),
  )
  .map(([one, ordType, named, more]) => ({ ...one, ordType, ...named, ...more }));

/** What members ask for near to what is sound: most of it is taken, the rest refused by name. */
const asked = fc.oneof(
  { weight: 7, arbitrary: order.map((one) => ['POST trade/order', one]) },
  {
    weight: 2,
    arbitrary: fc
      .tuple(fc.record({ side, tdMode, sz, triggerPx: px }), leg)
      .map(([one, named]) => [
        'POST trade/order-algo',
        { ordType: 'trigger', orderPx: '-1', ...one, ...named },
      ]),
  },
  fc.record({ nth, newSz: sz, newPx: px }).map((change) => ['POST trade/amend-order', change]),
  fc.record({ nth }).map((which) => ['POST trade/cancel-order', which]),
  fc
    .tuple(fc.record({ mgnMode: fc.constantFrom('cross', 'isolated') }), leg)
    .map(([which, named]) => ['POST trade/close-position', { ...which, ...named, autoCxl: 'true' }]),
  fc
    .record({ lever: fc.constantFrom('3', '20', '75'), mgnMode: fc.constantFrom('cross', 'isolated') })
    .map((set) => ['POST account/set-leverage', set]),
  fc
    .constantFrom('net_mode', 'long_short_mode')
    .map((posMode) => ['POST account/set-position-mode', { posMode }]),
  {
    weight: 3,
    arbitrary: fc
      .record({
        amt: fc.constantFrom('50', '20', '5000'),
        type: fc.constantFrom('add', 'add', 'reduce'),
        posSide: fc.constantFrom('net', 'net', 'long', 'short'),
      })
      .map((moved) => ['POST account/position/margin-balance', moved]),
  },
) as fc.Arbitrary<[string, Record<string, string | number>]>;

/** What happens besides: the house offers, the mark moves, now and then far, and funding is paid. */
const other = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({ house: side, lots: fc.integer({ min: 100, max: 12_000 }), at: px }),
  },
  { weight: 2, arbitrary: fc.record({ mark: fc.integer({ min: 59_000, max: 61_000 }) }) },
  { weight: 2, arbitrary: fc.record({ mark: fc.constantFrom(50_000, 70_000) }) },
  fc.constant({ funding: true }),
);

async function act(member: Member, [route, { nth: at, ...params }]: Row): Promise<void> {
  const open = at === undefined ? [] : await member.ask('GET trade/orders-pending', { instType: 'SWAP' });
  const named = at === undefined ? {} : { ordId: open[at % Math.max(1, open.length)]?.ordId ?? '1' };
  const { status } = await member.call(route, { instId: SWAP, ...params, ...named });
  expect(status, `${route} ${JSON.stringify(params)}`).toBeLessThan(500);
}

function happen(event: Row): void {
  if ('house' in event)
    rig.core.house(SWAP, event.house === 'buy' ? 'BUY' : 'SELL', Number(event.at), event.lots);
  else if ('mark' in event) rig.core.mark(SWAP, event.mark);
  else rig.core.perps.fundNow(SWAP);
}

/** Everything that the stream has reported so far, row by row. */
async function heardBy(socket: ChannelSocket): Promise<readonly Row[]> {
  await rig.core.quiet();
  const again = { channel: 'account-greeks' };
  const before = socket.heard.filter(({ event }) => event === 'subscribe').length;
  socket.subscribe(again);
  await socket.hear(() => socket.heard.filter(({ event }) => event === 'subscribe').length > before);
  return socket.heard.flatMap(({ arg, data }) =>
    data === undefined ? [] : data.map((row: Row) => ({ channel: arg.channel, ...row })),
  );
}

const pick = (row: Row, names: string) => names.split(' ').map((name) => row[name]);
const byText = (left: unknown, right: unknown) => (String(left) < String(right) ? -1 : 1);

describe('the stream and the lists tell the same', () => {
  test('orders, fills, positions and the balance are those of all rows before', async () => {
    const reported = new Set<string>();
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.oneof({ weight: 2, arbitrary: asked }, other), { minLength: 20, maxLength: 60 }),
        async (events) => {
          rig.core.now = (rig.core.now + 61_000) as Millis;
          rig.core.clearHouse(SWAP);
          rig.core.mark(SWAP, 60_000);
          const member = await rig.member(unique('replay'), FUNDS);
          for (const mgnMode of ['cross', 'isolated'])
            await member.ask('POST account/set-leverage', { instId: SWAP, lever: '50', mgnMode });
          const socket = await member.listen(
            { channel: 'orders', instType: 'SWAP' },
            { channel: 'balance_and_position' },
            { channel: 'account' },
            { channel: 'positions', instType: 'SWAP' },
          );
          for (const event of events) {
            if (Array.isArray(event)) await act(member, event);
            else happen(event);
          }
          const rows = await heardBy(socket);
          for (const { channel, eventType, category, state } of rows)
            reported.add(`${channel} ${eventType ?? category ?? ''} ${state ?? ''}`.trim());
          await expectSame(member, rows);
          socket.close();
          for (const { ordId } of await member.ask('GET trade/orders-pending', { instType: 'SWAP' }))
            await member.call('POST trade/cancel-order', { instId: SWAP, ordId });
        },
      ),
      { numRuns: runs(30, 3), seed: 20261124, endOnFailure: true },
    );
    expect(rig.complaints).toEqual([]);
    for (const kind of ['filled', 'funding_fee', 'set_leverage', 'adjust_margin', 'liquidation'])
      expect(reported, [...reported].join(', ')).toContain(`balance_and_position ${kind}`);
    for (const kind of ['normal live', 'normal filled', 'normal canceled', 'full_liquidation filled'])
      expect(reported, [...reported].join(', ')).toContain(`orders ${kind}`);
  }, 1_200_000);
});

async function expectSame(member: Member, rows: readonly Row[]): Promise<void> {
  const of = (channel: string) => rows.filter((row) => row.channel === channel);
  const orders = of('orders');
  const ORDER = 'ordId state side posSide tdMode reduceOnly sz accFillSz px avgPx lever';
  const open = await member.ask('GET trade/orders-pending', { instType: 'SWAP' });
  const last = new Map(orders.map((row) => [row.ordId, row]));
  const folded = [...last.values()].filter(({ state }) => state === 'live' || state === 'partially_filled');
  expect(folded.map((row) => pick(row, ORDER)).sort(byText)).toEqual(
    open.map((row: Row) => pick(row, ORDER)).sort(byText),
  );

  const fills = await member.ask('GET trade/fills', { instType: 'SWAP', limit: '100' });
  const streamed = orders.filter(({ tradeId, fillSz }) => tradeId !== '' && Number(fillSz) > 0);
  if (fills.length < 100)
    expect(
      streamed.map((row) => pick(row, 'ordId tradeId fillSz fillPx fillPnl fillFee')).sort(byText),
    ).toEqual(fills.map((row: Row) => pick(row, 'ordId tradeId fillSz fillPx fillPnl fee')).sort(byText));

  const POSITION = 'mgnMode posSide pos avgPx lever margin realizedPnl';
  const held = await member.ask('GET account/positions', { instType: 'SWAP' });
  const positions = new Map(of('positions').map((row) => [`${row.mgnMode} ${row.posSide}`, row]));
  const alive = [...positions.values()].filter(({ pos }) => Number(pos) !== 0);
  expect(alive.map((row) => pick(row, POSITION)).sort(byText)).toEqual(
    held.map((row: Row) => pick(row, POSITION)).sort(byText),
  );

  const [{ details }] = await member.ask('GET account/balance');
  const balance = of('account').at(-1)?.details[0]?.cashBal ?? FUNDS;
  expect(balance).toBe(details[0]?.cashBal ?? '0');
  let moved: Amount = ZERO;
  let after: string | undefined;
  for (;;) {
    const bills = await member.ask('GET account/bills', after === undefined ? {} : { after });
    for (const { type, balChg } of bills)
      if (type !== '1')
        moved = balChg.startsWith('-') ? minus(moved, amount(balChg.slice(1))) : plus(moved, amount(balChg));
    if (bills.length < 100) break;
    after = bills.at(-1).billId;
  }
  // What isolated positions have set aside is no cash, and no bill.
  const aside = held
    .filter(({ mgnMode }: Row) => mgnMode === 'isolated')
    .reduce((sum: Amount, { margin }: Row) => plus(sum, amount(margin)), ZERO);
  expect(plus(amount(FUNDS), moved)).toBe(plus(amount(details[0]?.cashBal ?? '0'), aside));
}
