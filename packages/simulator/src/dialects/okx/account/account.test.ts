import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Key, startRig, type TestRig } from '../rig.fixture.ts';

/** What an account is told of its fees and limits, in the documented shapes. */

let rig: TestRig;
let key: Key;
beforeAll(async () => {
  rig = await startRig();
  key = await rig.key('alice', { USDT: '1000' });
});
afterAll(async () => {
  expect(rig.complaints).toEqual([]);
  await rig.close();
});

const ask = async (call: string) => (await rig.signed(key, 'GET', `/api/v5/${call}`)).body.data;

const PAIRS = { maker: '-0.0008', taker: '-0.001' };
const CONTRACTS = { maker: '-0.0002', taker: '-0.0005' };
const NONE = { makerU: '', takerU: '', makerUSDC: '', takerUSDC: '' };
const ALL = { makerU: '-0.0002', takerU: '-0.0005', makerUSDC: '-0.0002', takerUSDC: '-0.0005' };

test.each([
  ['SPOT', PAIRS, NONE],
  ['SPOT&instId=BTC-USDT', PAIRS, NONE],
  ['SWAP', CONTRACTS, ALL],
  ['SWAP&instId=BTC-USDT-SWAP', CONTRACTS, ALL],
])(
  'fees of %s: charges are negative, and a contract says those of every kind',
  async (choice, own, kinds) => {
    expect(await ask(`account/trade-fee?instType=${choice}`)).toEqual([
      {
        ...{ category: '1', instType: choice.slice(0, 4), level: 'Lv1', ruleType: 'normal', fiat: [] },
        ...{ ...own, ...kinds, delivery: '', exercise: '', settle: '', ts: String(rig.now) },
        feeGroup: [{ groupId: '1', ...own }],
      },
    ]);
  },
);

test('how many orders an account may send in two seconds; ratios belong to higher fee tiers', async () => {
  expect(await ask('trade/account-rate-limit')).toEqual([
    ...[
      { accRateLimit: '1000', fillRatio: '', mainFillRatio: '', nextAccRateLimit: '', ts: String(rig.now) },
    ],
  ]);
});
