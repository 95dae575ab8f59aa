import { amount, type Millis, ORDER_STATUS, POSITION_SIDE } from '@crossbook/domain';
import { describe, expect, test } from 'vitest';
import { recordedJson } from '../../../conformance/recorded.ts';
import { BTCUSDT_PERP } from '../../../conformance/sample-instruments.ts';
import { asObject } from '../../../wire/guards.ts';
import { normaliseIncome } from './income.ts';
import {
  ACCOUNT,
  ACCOUNT_UPDATE,
  BRACKETS,
  CONFIG,
  FUNDING,
  FUNDING_UPDATE,
  ORDER,
  ORDER_UPDATE,
  POSITION,
  TRADE,
} from './messages.fixture.ts';
import { normaliseFills, normaliseOrder, normaliseOrderUpdate } from './normalise.ts';
import {
  normaliseAccountUpdate,
  normalisePool,
  normalisePositions,
  normaliseSymbolConfigs,
  normaliseTiers,
} from './positions.ts';

const CONFIGS = new Map(normaliseSymbolConfigs([CONFIG])?.map((config) => [config.symbol, config]));

describe('golden messages', () => {
  test('a position in one-way mode has its sign, its figures and a rank that begins at 1', () => {
    expect(normalisePositions([POSITION], CONFIGS)).toEqual([
      {
        ...{ platform: 1, symbol: 'BTCUSDT', side: POSITION_SIDE.NET, marginMode: 'cross', leverage: 20 },
        ...{ quantity: amount('-0.5'), entryPrice: amount('60000'), markPrice: amount('60500') },
        ...{ breakEvenPrice: amount('59970'), liquidationPrice: amount('65000.1') },
        ...{
          unrealisedPnl: amount('-250'),
          initialMargin: amount('1512.5'),
          maintenanceMargin: amount('121'),
        },
        ...{ adlRank: 3, status: 'normal', version: 1_770_000_000_003, updatedAt: 1_770_000_000_003 },
      },
    ]);
  });

  test('an isolated position says what stands behind it; no price that liquidates is absent, not 0', () => {
    const configs = new Map([
      ['BTCUSDT', { symbol: 'BTCUSDT', leverage: 10, marginMode: 'isolated' as const }],
    ]);
    const row = { ...POSITION, isolatedWallet: '3000', liquidationPrice: '0' };
    const [position] = normalisePositions([row], configs) ?? [];
    expect(position).toMatchObject({ isolatedMargin: amount('3000'), marginMode: 'isolated' });
    expect(position).not.toHaveProperty('liquidationPrice');
  });

  test('a position whose symbol has no setting cannot be read: its leverage is not guessed', () => {
    expect(normalisePositions([{ ...POSITION, symbol: 'ETHUSDT' }], CONFIGS)).toBeUndefined();
  });

  test('an account update has the rows of all three sides, short legs above 0, at the time of the transaction', () => {
    const { positions, cause, time } = normaliseAccountUpdate(ACCOUNT_UPDATE) ?? {};
    expect([cause, time]).toEqual(['order', 1_770_000_000_009]);
    expect(positions?.map(({ side, quantity, version }) => [side, quantity, version])).toEqual([
      [POSITION_SIDE.NET, 0n, 1_770_000_000_009],
      [POSITION_SIDE.LONG, amount('0.3'), 1_770_000_000_009],
      [POSITION_SIDE.SHORT, amount('0.1'), 1_770_000_000_009],
    ]);
  });

  test('funding of a cross position names none: a reason to read the income list', () => {
    expect(normaliseAccountUpdate(FUNDING_UPDATE)).toEqual({
      ...{ positions: [], cause: 'funding', time: 1_770_000_000_019 },
    });
  });

  test.each(['DEPOSIT', 'WITHDRAW'])('%s is money that came or went: the pool is another one', (m) => {
    expect(normaliseAccountUpdate({ ...FUNDING_UPDATE, a: { ...FUNDING_UPDATE.a, m } })?.cause).toBe(
      'transfer',
    );
  });

  test('a pool is the row of USDT; its ratio counts cross positions alone', () => {
    expect(normalisePool(ACCOUNT)).toEqual({
      ...{ asset: 'USDT', wallet: amount('5000'), unrealisedPnl: amount('-250') },
      ...{ positionInitial: amount('1712.5'), orderInitial: amount('100'), maintenance: amount('141') },
      ...{ available: amount('2937.5'), withdrawable: amount('2937.5') },
      ratio: 121 / 4_550,
      updatedAt: 1_770_000_000_004,
    });
  });

  test('brackets come as a list or as one object, in any order', () => {
    for (const answer of [BRACKETS, [BRACKETS]]) {
      expect(normaliseTiers(answer, BTCUSDT_PERP)).toEqual([
        {
          ...{ tier: 1, unit: 'notional', floor: 0n, cap: amount('300000') },
          ...{ maintenanceRate: amount('0.004'), maxLeverage: 125, deduction: 0n },
        },
        {
          ...{ tier: 2, unit: 'notional', floor: amount('300000'), cap: amount('800000') },
          ...{ maintenanceRate: amount('0.005'), maxLeverage: 100, deduction: amount('300') },
        },
      ]);
    }
  });

  test('orders and fills', () => {
    expect(normaliseOrder(ORDER)).toMatchObject({
      clientId: 'ours',
      venueOrderId: '77',
      time: 1_770_000_000_001,
    });
    expect(normaliseFills([TRADE], BTCUSDT_PERP)).toMatchObject([
      { tradeId: '5', quoteQuantity: amount('12200'), maker: true, contract: { side: POSITION_SIDE.LONG } },
    ]);
    expect(normaliseOrderUpdate(ORDER_UPDATE)?.fill).toMatchObject({
      ...{ tradeId: '5', quantity: amount('0.2'), quoteQuantity: amount('12200') },
      contract: { cause: 'trade', realisedPnl: amount('-40.5'), side: POSITION_SIDE.LONG },
    });
  });

  const hands: [string, string, 'trade' | 'liquidation' | 'deleveraging'][] = [
    ['autoclose-1', 'CALCULATED', 'liquidation'],
    ['autoclose-1', 'TRADE', 'liquidation'],
    ['adl_autoclose', 'CALCULATED', 'deleveraging'],
    ['settlement_autoclose-1', 'CALCULATED', 'trade'],
    ['ours', 'TRADE', 'trade'],
  ];
  test.each(hands)('a fill of %s by %s is a %s', (c, x, cause) => {
    const update = normaliseOrderUpdate({ ...ORDER_UPDATE, o: { ...ORDER_UPDATE.o, c, x } });
    expect(update?.fill?.contract?.cause).toBe(cause);
  });

  test.each([
    ['autoclose-1', 'liquidation'],
    ['adl_autoclose', 'deleveraging'],
    ['ours', undefined],
  ] as const)('an order that is looked up as %s says whose hand it was', (clientOrderId, cause) => {
    expect(normaliseOrder({ ...ORDER, clientOrderId })?.cause).toBe(cause);
  });

  // What the venue leaves out of an order that has not filled: asset and amount of a fee, figures of a trailing stop.
  test.each([
    ['one that rests', { x: 'NEW', N: null, n: null, AP: null, cr: null, V: null }],
    ['one that is only to reduce', { x: 'NEW', R: true, N: undefined, n: undefined }],
    ['one that a liquidation is about to send', { c: 'autoclose-1', x: 'CALCULATED', f: 'IOC', R: true }],
    [
      'one that trails',
      { x: 'NEW', o: 'TRAILING_STOP_MARKET', p: '0', sp: '7103.04', AP: '7476.89', cr: '5.0' },
    ],
  ])('%s is open and has no fill', (_, part) => {
    const none = { X: 'NEW', l: '0', z: '0', L: '0', t: 0, ap: '0', rp: '0', n: '0' };
    const update = normaliseOrderUpdate({ ...ORDER_UPDATE, o: { ...ORDER_UPDATE.o, ...none, ...part } });
    expect(update?.state).toMatchObject({
      status: ORDER_STATUS.OPEN,
      cumulativeQuantity: 0n,
      venueOrderId: '77',
    });
    expect(update).not.toHaveProperty('fill');
  });

  test('an impossible fill makes the whole update unreadable', () => {
    for (const part of [{ L: '0' }, { ps: 'UP' }, { rp: 'NaN' }, { n: 'x' }, { m: 'yes' }]) {
      expect(normaliseOrderUpdate({ ...ORDER_UPDATE, o: { ...ORDER_UPDATE.o, ...part } })).toBeUndefined();
    }
  });

  test('entries of one tranId but of two types, and ids beyond exact integers, stay apart', () => {
    const rows = [
      FUNDING,
      { ...FUNDING, incomeType: 'API_REBATE' },
      { ...FUNDING, incomeType: 'REFERRAL_KICKBACK' },
      { ...FUNDING, tranId: 2 ** 60 },
      { ...FUNDING, tranId: 2 ** 60, time: FUNDING.time + 1 },
    ];
    const read = normaliseIncome(rows) ?? [];
    expect(new Set(read.map(({ kind, id }) => `${kind} ${id}`)).size).toBe(rows.length);
    expect(read[0]).toEqual({
      ...{ id: '9689322392', kind: 'funding', symbol: 'BTCUSDT', asset: 'USDT' },
      ...{ amount: amount('-1.5308625'), time: 1_770_000_000_005 as Millis },
    });
  });
});

const USER_DATA = 'nautilus/binance/futures/user_data_json';
const recordings: [string, 'account' | 'order'][] = [
  [`${USER_DATA}/account_update.json`, 'account'],
  [`${USER_DATA}/order_update_trade.json`, 'order'],
  [`${USER_DATA}/order_update_new.json`, 'order'],
  [`${USER_DATA}/order_update_calculated_pending.json`, 'order'],
  [`${USER_DATA}/order_update_adl.json`, 'order'],
  ['nautilus/binance-py/ws_messages/ws_futures_order_update_liquidation.json', 'order'],
  ['nautilus/binance-py/ws_messages/ws_futures_order_update_settlement.json', 'order'],
  ['nautilus/binance-py/ws_messages/ws_futures_order_update_adl.json', 'order'],
  ['nautilus/binance-py/ws_messages/ws_futures_order_update_new_reduce_only_qty.json', 'order'],
];
for (const [path, kind] of recordings) {
  const message = asObject(recordedJson(path));
  test.skipIf(message === undefined)(`recorded ${path} is read`, () => {
    const event = asObject(message?.data) ?? message ?? {};
    expect(kind === 'account' ? normaliseAccountUpdate(event) : normaliseOrderUpdate(event)).toBeDefined();
  });
}

const trades = recordedJson('nautilus/binance-py/http_responses/http_futures_account_trades.json');
test.skipIf(trades === undefined)('recorded trades are read', () => {
  const fills = normaliseFills(trades, { ...BTCUSDT_PERP, symbol: 'ETHUSDT' });
  expect(fills?.map(({ contract }) => contract?.realisedPnl)).toEqual([0n, amount('-0.00325')]);
});

const tiers = asObject(recordedJson('leverage-tiers/binance-2026-07.json'));
test.skipIf(tiers === undefined)(
  'recorded brackets are continuous: what is taken off grows at each border',
  () => {
    const read = Object.entries(tiers ?? {}).map(([symbol, brackets]) =>
      normaliseTiers({ symbol, brackets }, { ...BTCUSDT_PERP, symbol }),
    );
    expect(read.length).toBeGreaterThan(0);
    for (const rows of read) {
      expect(rows?.length).toBeGreaterThan(1);
      for (const [at, tier] of (rows ?? []).entries()) {
        const before = rows?.[at - 1];
        if (before === undefined) continue;
        const step = (tier.floor * (tier.maintenanceRate - before.maintenanceRate)) / 10n ** 18n;
        expect(tier.deduction).toBe(before.deduction + step);
      }
    }
  },
);
