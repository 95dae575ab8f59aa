import { beforeAll, expect, test } from 'vitest';
import { openedOnce } from '../../../../../../tests/opened.ts';
import { type Key, startRig } from '../rig.fixture.ts';

/** What an account is told of its fees and limits, in the documented shapes. */

const rig = openedOnce(startRig);
let key: Key;
beforeAll(async () => {
  key = await rig.key('alice', { USDT: '1000' });
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

test('what may leave an account: all that no order and no position holds', async () => {
  const none = { spotOffsetMaxWd: '', spotOffsetMaxWdEx: '' };
  expect(await ask('account/max-withdrawal?ccy=USDT')).toEqual([
    { ccy: 'USDT', maxWd: '1000', maxWdEx: '1000', ...none },
  ]);
  expect(await ask('account/max-withdrawal?ccy=BTC')).toEqual([]);
});

test.each([
  ['sz=0.0155&opType=open', { type: '1', px: '', sz: '1.55', unit: 'coin' }],
  ['sz=0.01555&opType=open', { type: '1', px: '', sz: '1.55', unit: 'coin' }],
  ['sz=0.01555', { type: '1', px: '', sz: '1.56', unit: 'coin' }],
  ['sz=3&type=2', { type: '2', px: '', sz: '0.03', unit: 'coin' }],
  ['sz=1200&px=60000&unit=usds&opType=open', { type: '1', px: '60000', sz: '2', unit: 'usds' }],
])('contracts and coins are made of each other: %s', async (asked, row) => {
  expect(await ask(`public/convert-contract-coin?instId=BTC-USDT-SWAP&${asked}`)).toEqual([
    { instId: 'BTC-USDT-SWAP', ...row },
  ]);
});

test.each([
  ['sz=1&px=0&unit=usds', '51000'],
  ['sz=1&unit=usds', '50014'],
  ['', '50014'],
])('and not of nothing: %s', async (asked, code) => {
  const call = `/api/v5/public/convert-contract-coin?instId=BTC-USDT-SWAP&${asked}`;
  expect((await rig.signed(key, 'GET', call)).body.code).toBe(code);
});

const ISOLATED = '/api/v5/account/set-isolated-mode';

test('isolated margin comes and goes by itself: the other ways are refused', async () => {
  const set = async (isoMode: string) =>
    (await rig.signed(key, 'POST', ISOLATED, { body: { type: 'CONTRACTS', isoMode } })).body;
  expect((await set('automatic')).data).toEqual([{ isoMode: 'automatic' }]);
  expect((await set('autonomy')).code).toBe('51000');
});
