import type { Millis } from '@crossbook/domain';
import { beforeAll, describe, expect, test } from 'vitest';
import { openedOnce } from '../../../../../../tests/opened.ts';
import { BTC, type Member, MemberRig } from './member-rig.fixture.ts';

/** What a request about closed profit and the log looks at: what belongs to its span, however long an account traded. */

const DAY_MILLIS = 86_400_000;
const rig = openedOnce(() => MemberRig.open());
let member: Member;
/** What the core handed out since it was last asked. */
let rows = 0;
const taken = () => {
  const count = rows;
  rows = 0;
  return count;
};

beforeAll(async () => {
  member = await rig.member('trader', '100000');
  const { perps } = rig.core;
  const counted =
    <Asked extends readonly unknown[], Row>(list: (...asked: Asked) => readonly Row[]) =>
    (...asked: Asked) => {
      const found = list(...asked);
      rows += found.length;
      return found;
    };
  Object.assign(perps, { perpFills: counted(perps.perpFills), income: counted(perps.income) });
  for (let pair = 0; pair < 60; pair += 1) await round(60_000 + pair);
  await member.trade('Buy', '0.3', 60_000);
});

/** Buys and sells again a little dearer. @returns the order that closed. */
async function round(price: number): Promise<string> {
  rig.core.now = (rig.core.now + 1_000) as Millis;
  await member.trade('Buy', '0.1', price);
  return await member.trade('Sell', '0.1', price + 1);
}
const closed = async (params: object = {}) =>
  (await member.ask('GET position/closed-pnl', { ...BTC, ...params })).list;
const log = async (params: object = {}) => (await member.ask('GET account/transaction-log', params)).list;
const field = (name: string) => (row: Record<string, string>) => row[name];

describe('of a span', () => {
  test('nothing of another time is looked at, by a counter of what the core hands out', async () => {
    const before = rig.core.now;
    rig.core.now = (rig.core.now + 10 * DAY_MILLIS) as Millis;
    await round(60_100);
    const last = await round(60_200);
    taken();
    expect((await closed()).map(field('closedPnl'))).toHaveLength(2);
    // Four fills, and of each of the two orders its own.
    expect(taken()).toBe(6);
    const entries = await log({ type: 'TRADE' });
    expect(entries.map(field('size'))).toEqual(['0.3', '0.4', '0.3', '0.4']);
    // Four fills, what they moved (four fees, two profits), and funding of a day.
    expect(taken()).toBe(4 + 6 + 3);
    const [newest] = await closed({ limit: 1 });
    expect(newest).toMatchObject({
      orderId: last,
      closedSize: '0.1',
      fillCount: '1',
      updatedTime: String(rig.core.now),
    });
    taken();
    const old = { startTime: before - 1_000, endTime: before };
    expect((await log({ ...old, limit: 50 })).map(field('size'))).toEqual(['0.3', '0', '0.1', '0', '0.1']);
    expect(await closed(old)).toHaveLength(2);
    expect(taken()).toBeLessThan(30);
  });

  test('an order that closes in two parts is told at the time of the second, with both', async () => {
    await member.trade('Buy', '0.2', 60_000);
    rig.core.house('BTCUSDT', 'BUY', 60_300, 50);
    const { body } = await member.order('Sell', '0.2', { at: '60300', reduceOnly: true });
    const { orderId } = body.result;
    const first = rig.core.now;
    rig.core.now = (rig.core.now + DAY_MILLIS) as Millis;
    rig.core.house('BTCUSDT', 'BUY', 60_300, 150);
    const named = (list: Record<string, string>[]) => list.filter((row) => row.orderId === orderId);
    expect(named(await closed({ startTime: first, endTime: first }))).toEqual([]);
    expect(named(await closed())).toMatchObject([
      { closedSize: '0.2', fillCount: '2', updatedTime: String(rig.core.now) },
    ]);
  });

  test('the size after each fill is that which the position had, and the last balance the wallet’s', async () => {
    const span = { startTime: rig.core.now - 2 * DAY_MILLIS, endTime: rig.core.now };
    const all = await log({ ...span, type: 'TRADE', limit: 50 });
    const [position] = (await member.ask('GET position/list', BTC)).list;
    expect(all[0].size).toBe(position.size);
    for (const [at, row] of all.slice(0, -1).entries()) {
      const moved = row.side === 'Buy' ? Number(row.qty) : -Number(row.qty);
      expect(Number(row.size) - moved).toBeCloseTo(Number(all[at + 1].size), 9);
    }
    const asked = { accountType: 'UNIFIED', coin: 'USDT' };
    const { balance } = await member.ask('GET asset/transfer/query-account-coins-balance', asked);
    expect(Number(all[0].cashBalance)).toBeCloseTo(Number(balance[0].walletBalance), 8);
  });
});
