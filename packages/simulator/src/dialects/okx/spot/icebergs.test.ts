import { beforeAll, expect, test } from 'vitest';
import { openedOnce } from '../../../../../../tests/opened.ts';
import { type Key, startRig } from '../rig.fixture.ts';

/** An iceberg on a pair: its slices alone lock money, and what it asked for is what they fill. */

const rig = openedOnce(startRig);
let key: Key;
beforeAll(async () => {
  key = await rig.key('iceberg', { USDT: '100000' });
});

const post = async (path: string, body: object) =>
  (await rig.signed(key, 'POST', `/api/v5/${path}`, { body })).body;
const get = async (path: string) => (await rig.signed(key, 'GET', `/api/v5/${path}`)).body.data;
const find = async (algoId: string) => (await get(`trade/order-algo?algoId=${algoId}`))[0];
const balance = async (ccy: string) =>
  (await get(`account/balance?ccy=${ccy}`))[0].details[0] ?? { frozenBal: '0', cashBal: '0' };

test('locks a slice at a time, is paid slice by slice, and buys what was asked for less the fee', async () => {
  const [bid] = rig.venue.spot.depth('BTC-USDT', 1).bids[0] ?? [];
  const limit = String(Math.round((Number(bid) / 10) * 1.2));
  const asked = {
    instId: 'BTC-USDT',
    tdMode: 'cash',
    side: 'buy',
    ordType: 'iceberg',
    sz: '0.5',
    szLimit: '0.2',
  };
  const { data } = await post('trade/order-algo', { ...asked, pxVar: '0.0001', pxLimit: limit });
  const { algoId, sCode } = data[0];
  expect(sCode).toBe('0');
  const resting = async () => await get('trade/orders-pending?instType=SPOT');
  await expect.poll(async () => (await resting()).length, { timeout: 20_000 }).toBe(1);
  const [slice] = await resting();
  expect(slice).toMatchObject({ algoId, clOrdId: '', ordType: 'limit', side: 'buy' });
  expect(Number(slice.sz)).toBeLessThanOrEqual(0.22);
  const locked = Number((await balance('USDT')).frozenBal);
  expect(locked).toBeCloseTo(Number(slice.sz) * Number(slice.px), 6);
  const falls = async () => {
    rig.venue.spot.shock('BTC-USDT', 0.998);
    rig.advance(1_000);
    expect((await resting()).length).toBeLessThanOrEqual(1);
    return (await find(algoId)).state;
  };
  await expect.poll(falls, { timeout: 60_000 }).toBe('effective');
  const row = await find(algoId);
  expect(row).toMatchObject({
    actualSz: '0.5',
    sz: '0.5',
    pxVar: '0.0001',
    szLimit: '0.2',
    ordType: 'iceberg',
  });
  expect(row.ordIdList.length).toBeGreaterThan(1);
  expect((await balance('USDT')).frozenBal).toBe('0');
  const fills = await get('trade/fills?instType=SPOT&limit=100');
  const sum = (name: string) =>
    fills.reduce((all: number, one: Record<string, string>) => all + Number(one[name]), 0);
  expect(sum('fillSz')).toBeCloseTo(0.5, 8);
  expect(Number((await balance('BTC')).cashBal)).toBeCloseTo(0.5 + sum('fee'), 8);
});
