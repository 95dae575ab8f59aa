import type { Lots } from '@crossbook/domain';
import { beforeEach, describe, expect, test } from 'vitest';
import { openedForEach } from '../../../../../../tests/opened.ts';
import type { Params } from '../../wire/rig.fixture.ts';
import { type Member, MemberRig, SWAP } from './member-rig.fixture.ts';

/** Icebergs on contracts, in a book whose every order is the test's: one slice at a time, until all has filled. */

const rig = openedForEach(() => MemberRig.open());
let member: Member;
beforeEach(async () => {
  rig.core.marks.set(SWAP, 60_000);
  member = await rig.member('iceberg', '10000');
  quote(60_000);
});

/** The best bid and ask of the others: so much that a slice behind them never trades by itself. */
function quote(bid: number): void {
  rig.core.clearHouse(SWAP);
  rig.core.house(SWAP, 'BUY', bid, 10_000 as Lots);
  rig.core.house(SWAP, 'SELL', bid + 20, 10_000 as Lots);
}
/** Somebody sells down to a price, and the quotes come back. */
function sellsTo(price: number, lots: number): void {
  rig.core.clearHouse(SWAP);
  rig.core.house(SWAP, 'SELL', price, lots as Lots);
  quote(60_000);
}

const ASKED = {
  ...{ instId: SWAP, tdMode: 'cross', side: 'buy', ordType: 'iceberg', sz: '5', szLimit: '2' },
  ...{ pxSpread: '10', pxLimit: '60000' },
};
const place = async (more: Params = {}) => {
  const { body } = await member.call('POST trade/order-algo', { ...ASKED, ...more });
  return body.data?.[0] ?? { sCode: body.code };
};
const placed = async (more: Params = {}): Promise<string> => {
  const { sCode, sMsg, algoId } = await place(more);
  if (sCode !== '0') throw new Error(`${sCode} ${sMsg}`);
  return algoId;
};
const find = async (algoId: string) => (await member.ask('GET trade/order-algo', { algoId }))[0];
const listed = async (list: 'pending' | 'history', more: Params = {}) =>
  await member.ask(`GET trade/orders-algo-${list}`, { ordType: 'iceberg', ...more });
const open = async (): Promise<Record<string, string>[]> =>
  await member.ask('GET trade/orders-pending', { instType: 'SWAP' });
/** The slice that rests, once one does. */
const slice = async (price: string) => {
  await expect.poll(async () => (await open()).map(({ px }) => px), { timeout: 20_000 }).toEqual([price]);
  return (await open())[0] ?? {};
};

describe('an iceberg', () => {
  test('shows one slice behind the best price, and another once that has filled, until all has', async () => {
    const algoId = await placed({ algoClOrdId: 'berg1', tag: 'mark1' });
    let left = 500;
    const sizes: number[] = [];
    while (left > 0) {
      const { sz = '', clOrdId, algoId: of, algoClOrdId } = await slice('59990');
      expect([clOrdId, of, algoClOrdId]).toEqual(['', algoId, 'berg1']);
      const lots = Math.round(Number(sz) * 100);
      sizes.push(lots);
      left -= lots;
      expect(await find(algoId)).toMatchObject({
        state: 'live',
        actualSz: String((500 - left - lots) / 100),
      });
      sellsTo(59_990, lots);
    }
    expect(left).toBe(0);
    expect(sizes.slice(0, -1).every((lots) => lots >= 180 && lots <= 220)).toBe(true);
    await expect.poll(async () => (await find(algoId)).state, { timeout: 20_000 }).toBe('effective');
    expect(await open()).toEqual([]);
    expect(await listed('pending')).toEqual([]);
    const [row] = await listed('history', { state: 'effective' });
    expect(row).toMatchObject({
      ...{ algoId, algoClOrdId: 'berg1', ordType: 'iceberg', sz: '5', actualSz: '5', tag: 'mark1' },
      ...{ szLimit: '2', pxSpread: '10', pxVar: '', pxLimit: '60000', slTriggerPx: '', triggerPx: '' },
    });
    expect(row.ordIdList).toHaveLength(sizes.length);
    expect(row.ordId).toBe(row.ordIdList.at(-1));
    expect(await member.held()).toEqual([`${SWAP} cross net 5`]);
    expect(await listed('history', { state: 'canceled' })).toEqual([]);
  });

  test('follows the market at twice its distance, by a share as well, and a sell from above', async () => {
    await placed({ side: 'sell', pxSpread: '', pxVar: '0.001', pxLimit: '50000' });
    const { ordId } = await slice('60080.1');
    quote(60_050);
    // Another one has been looked at meanwhile: they are carried on one after the other.
    const other = await placed({ pxSpread: '5', pxLimit: '70000' });
    await expect.poll(async () => (await find(other)).ordIdList.length, { timeout: 20_000 }).toBe(1);
    expect((await open()).map((row) => row.ordId)).toContain(ordId);
    await member.call('POST trade/cancel-algos', [{ instId: SWAP, algoId: other }]);
    quote(59_800);
    await slice('59879.9');
  });

  test('rests nowhere beyond its price limit, and goes on when the price is back', async () => {
    const algoId = await placed({ pxLimit: '59995' });
    await slice('59990');
    quote(60_100);
    await expect.poll(open, { timeout: 20_000 }).toEqual([]);
    expect(await find(algoId)).toMatchObject({ state: 'live' });
    quote(60_000);
    await slice('59990');
  });

  test('takes its slice along when it is cancelled, by its name, and is cancelled once', async () => {
    const algoId = await placed({ algoClOrdId: 'berg2' });
    await slice('59990');
    const cancel = { instId: SWAP, algoClOrdId: 'berg2' };
    expect((await member.call('POST trade/cancel-algos', [cancel])).body.data[0]).toMatchObject({
      sCode: '0',
    });
    await expect.poll(open, { timeout: 20_000 }).toEqual([]);
    expect(await find(algoId)).toMatchObject({ state: 'canceled', actualSz: '0' });
    expect((await member.call('POST trade/cancel-algos', [cancel])).body.data[0]).toMatchObject({
      sCode: '51401',
    });
    expect(await listed('history', { state: 'canceled' })).toMatchObject([{ algoId }]);
  });

  test('goes on after a restart with what is left', async () => {
    const algoId = await placed();
    const { sz } = await slice('59990');
    const lots = Math.round(Number(sz) * 100);
    await rig.restarted(() => sellsTo(59_990, lots));
    await slice('59990');
    expect(await find(algoId)).toMatchObject({ state: 'live', actualSz: String(lots / 100) });
    await rig.restarted(() => undefined);
    const sold = async () => {
      sellsTo(59_990, 500);
      return (await find(algoId)).state;
    };
    await expect.poll(sold, { timeout: 20_000 }).toBe('effective');
    expect(await find(algoId)).toMatchObject({ actualSz: '5' });
    expect(await member.held()).toEqual([`${SWAP} cross net 5`]);
  });

  test('is told on the channel of its kind alone', async () => {
    const advanced = await member.listenAt('business', { channel: 'algo-advance', instType: 'SWAP' });
    const ordinary = await member.listenAt('business', { channel: 'orders-algo', instType: 'SWAP' });
    const algoId = await placed();
    await advanced.hear(({ data }) => data?.[0]?.algoId === algoId && data[0].state === 'live');
    await member.call('POST trade/cancel-algos', [{ instId: SWAP, algoId }]);
    await advanced.hear(({ data }) => data?.[0]?.state === 'canceled');
    expect(ordinary.pushes('orders-algo')).toEqual([]);
  });

  test('ends where nothing can be sent', async () => {
    const poor = await rig.member('poor', '1');
    member = poor;
    const algoId = await placed();
    await expect.poll(async () => (await find(algoId)).state, { timeout: 20_000 }).toBe('canceled');
    expect(await open()).toEqual([]);
  });
});

describe('what is refused', () => {
  test.each<[string, Params, string]>([
    ['no size of a slice', { szLimit: '' }, '50014'],
    ['a slice larger than all', { szLimit: '6' }, '51000'],
    ['a slice between lots', { szLimit: '0.015' }, '51121'],
    ['a slice of 0', { szLimit: '0' }, '51000'],
    ['no distance', { pxSpread: '' }, '50015'],
    ['two distances', { pxVar: '0.001' }, '51000'],
    ['a share too small', { pxSpread: '', pxVar: '0.00005' }, '51000'],
    ['a share too large', { pxSpread: '', pxVar: '0.02' }, '51000'],
    ['no price limit', { pxLimit: '' }, '50014'],
    ['a price limit between ticks', { pxLimit: '60000.05' }, '51000'],
    ['all of a position', { sz: '', closeFraction: '1', reduceOnly: true }, '51330'],
  ])('%s', async (_, more, code) => {
    expect((await place(more)).sCode).toBe(code);
    expect(await listed('pending')).toEqual([]);
  });

  test('a name that one has, and a change of one', async () => {
    const algoId = await placed({ algoClOrdId: 'berg3' });
    expect((await place({ algoClOrdId: 'berg3' })).sCode).toBe('51065');
    const change = await member.call('POST trade/amend-algos', { instId: SWAP, algoId, newSz: '4' });
    expect(change.body.data[0].sCode).toBe('51503');
  });
});
