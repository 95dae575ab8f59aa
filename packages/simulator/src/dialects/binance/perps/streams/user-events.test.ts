import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { amount, type Lots, type Millis, type Ticks } from '@crossbook/domain';
import { describe, expect, test } from 'vitest';
import { RECORDINGS_DIR } from '../../../../../../../tests/recordings.ts';
import type { AccountNumber, SimOrderId } from '../../../../exchange.ts';
import type {
  PerpAccountEvent,
  PerpFill,
  PerpIncome,
  PerpOrder,
  PerpOrderEvent,
  PerpPosition,
} from '../../../../perp-exchange.ts';
import { rigContract } from '../../../../perps/contract-rig.fixture.ts';
import { FormatBook } from '../../../wire/format.ts';
import { shapeOf } from '../../shape.fixture.ts';
import { UserStreams } from '../../user-stream.ts';
import { contractFormat } from '../format.ts';
import { futuresUserEvents } from './user-events.ts';

/** Golden messages of the private stream, from the facade's own values. */

const NOW = 1_800_000_000_000 as Millis;
const AT = 1_799_999_999_990 as Millis;
const ALICE = 7 as AccountNumber;
const CONTRACTS = new Map([['BTCUSDT', rigContract('binance', 'BTC')]]);
const RECORDINGS = join(RECORDINGS_DIR, 'nautilus/binance/futures');

function order(change: Partial<PerpOrder> = {}): PerpOrder {
  return {
    ...{ account: ALICE, symbol: 'BTCUSDT', side: 'SELL', positionSide: 'BOTH', marginMode: 'CROSS' },
    ...{
      kind: 'LIMIT',
      timeInForce: 'GTC',
      price: 600_005 as Ticks,
      quantity: 20 as Lots,
      reduceOnly: false,
    },
    ...{ clientId: 'mine', selfTradePrevention: 'EXPIRE_MAKER', orderId: 4242 as SimOrderId, status: 'NEW' },
    ...{ executed: 0 as Lots, executedQuote: amount('0'), realisedPnl: amount('0'), fee: amount('0') },
    ...{ leverage: 20, origin: 'MEMBER', createdAt: AT, updatedAt: AT },
    ...change,
  };
}

function fill(change: Partial<PerpFill> = {}): PerpFill {
  return {
    ...{ tradeId: 99, sequence: 1, orderId: 4242 as SimOrderId, account: ALICE, symbol: 'BTCUSDT' },
    ...{ side: 'SELL', positionSide: 'BOTH', marginMode: 'CROSS', price: 600_005 as Ticks },
    ...{ exactPrice: amount('60000.5'), quantity: 5 as Lots, quoteQuantity: amount('300.0025') },
    ...{ fee: amount('0.0600005'), realisedPnl: amount('-12.5'), closedQuantity: 5 as Lots },
    ...{ entryFee: amount('0'), maker: true, origin: 'MEMBER', time: AT },
    ...change,
  };
}

function position(change: Partial<PerpPosition> = {}): PerpPosition {
  return {
    ...{ account: ALICE, symbol: 'BTCUSDT', side: 'BOTH', marginMode: 'CROSS', positionId: 1, quantity: -15 },
    ...{
      entryPrice: amount('60123.45678901234'),
      breakEvenPrice: amount('60100'),
      markPrice: amount('60200'),
    },
    ...{
      notional: amount('903'),
      leverage: 20,
      isolatedWallet: amount('0'),
      unrealisedPnl: amount('-1.148'),
    },
    ...{
      initialMargin: amount('45.15'),
      maintenanceMargin: amount('3.612'),
      ratio: 0.1,
      tier: 1,
      adlRank: 2,
    },
    ...{ liquidationPrice: undefined, bankruptcyPrice: amount('70000'), realisedPnl: amount('-12.5') },
    ...{ feesPaid: amount('0.2'), funding: amount('0'), liquidationFee: amount('0') },
    ...{ openedAt: AT, updatedAt: AT },
    ...change,
  };
}

function income(change: Partial<PerpIncome>): PerpIncome {
  const walletAfter = amount('1000');
  return {
    sequence: 1,
    account: ALICE,
    kind: 'FUNDING',
    amount: amount('-1.5'),
    walletAfter,
    time: AT,
    ...change,
  };
}

function account(change: Partial<PerpAccountEvent> = {}): PerpAccountEvent {
  const pool = {
    ...{ account: ALICE, wallet: amount('1000'), crossWallet: amount('900.5'), unrealisedPnl: amount('0') },
    ...{ crossUnrealisedPnl: amount('0'), positionInitial: amount('0'), orderInitial: amount('0') },
    ...{
      maintenance: amount('0'),
      available: amount('0'),
      withdrawable: amount('0'),
      ratio: 0,
      updatedAt: AT,
    },
  };
  return { account: ALICE, cause: 'ORDER', positions: [], closed: [], pool, income: [], time: AT, ...change };
}

type Step =
  | readonly [kind: 'order', event: PerpOrderEvent]
  | readonly [kind: 'account', event: PerpAccountEvent];

/** What a listener hears of a step. */
async function heardOf(steps: readonly Step[], mode: 'HEDGE' | 'ONE_WAY' = 'ONE_WAY') {
  const userStreams = new UserStreams(() => NOW);
  // biome-ignore lint/suspicious/noExplicitAny: messages are what is under test
  const heard: any[] = [];
  userStreams.subscribe(ALICE, (text) => heard.push(JSON.parse(text)));
  const setting = { marginMode: 'CROSS', positionMode: mode, leverageLong: 20, leverageShort: 20 } as const;
  const listener = futuresUserEvents({
    userStreams,
    format: new FormatBook(CONTRACTS, contractFormat),
    perps: {
      ...{ contracts: CONTRACTS, now: () => NOW, perpOrder: () => undefined },
      setting: (_, symbol) => ({ symbol, ...setting }),
    },
  });
  for (const [kind, event] of steps) {
    if (kind === 'order') listener.onPerpOrder?.(event);
    else listener.onPerpAccount?.(event);
  }
  await Promise.resolve();
  return heard;
}

const partly = order({ status: 'PARTIALLY_FILLED', executed: 5 as Lots, executedQuote: amount('300.0025') });

describe('a fill', () => {
  test('is told in few words, then its account, then itself, in the documented shape', async () => {
    const heard = await heardOf([
      ['order', { cause: 'NEW', order: order() }],
      ['account', account({ positions: [position()], income: [income({ kind: 'COMMISSION' })] })],
      ['order', { cause: 'TRADE', order: partly, fill: fill() }],
    ]);
    expect(heard.map(({ e, o }) => o?.x ?? e)).toEqual(['NEW', 'TRADE_LITE', 'ACCOUNT_UPDATE', 'TRADE']);
    const [, lite, update, report] = heard;
    expect(lite).toEqual({
      ...{ e: 'TRADE_LITE', E: NOW, T: AT, s: 'BTCUSDT', q: '0.020', p: '60000.5', m: true, c: 'mine' },
      ...{ S: 'SELL', L: '60000.5', l: '0.005', t: 99, i: 4242 },
    });
    expect(update).toEqual({
      ...{ e: 'ACCOUNT_UPDATE', E: NOW, T: AT },
      a: {
        m: 'ORDER',
        B: [{ a: 'USDT', wb: '1000.00000000', cw: '900.50000000', bc: '0' }],
        P: [
          {
            ...{ s: 'BTCUSDT', pa: '-0.015', ep: '60123.45678901234', bep: '60100', cr: '-12.50000000' },
            ...{ up: '-1.14800000', mt: 'cross', iw: '0.00000000', ps: 'BOTH' },
          },
        ],
      },
    });
    expect(report.o).toEqual({
      ...{
        s: 'BTCUSDT',
        c: 'mine',
        S: 'SELL',
        o: 'LIMIT',
        f: 'GTC',
        q: '0.020',
        p: '60000.5',
        ap: '60000.50000',
      },
      ...{ sp: '0', x: 'TRADE', X: 'PARTIALLY_FILLED', i: 4242, l: '0.005', z: '0.005', L: '60000.5' },
      ...{
        n: '0.06000050',
        N: 'USDT',
        T: AT,
        t: 99,
        b: '0',
        a: '0',
        m: true,
        R: false,
        wt: 'CONTRACT_PRICE',
      },
      ...{ ot: 'LIMIT', ps: 'BOTH', cp: false, rp: '-12.50000000', pP: false, si: 0, ss: 0 },
      ...{ V: 'EXPIRE_MAKER', pm: 'NONE', gtd: 0, er: '0' },
    });
  });

  test('that closes in hedge mode tells all three sides of the contract, empty ones too', async () => {
    const legs = [position({ side: 'SHORT' })];
    const closed = [{ account: ALICE, symbol: 'BTCUSDT', side: 'LONG', marginMode: 'CROSS' }] as const;
    const [update] = await heardOf([['account', account({ positions: legs, closed })]], 'HEDGE');
    expect(update.a.P.map(({ ps, pa, ep }: Record<string, string>) => [ps, pa, ep])).toEqual([
      ['BOTH', '0', '0'],
      ['LONG', '0', '0'],
      ['SHORT', '-0.015', '60123.45678901234'],
    ]);
  });

  test.each([
    ['LIQUIDATION', 'autoclose-4242'],
    ['ADL', 'adl_autoclose'],
  ] as const)('of the venue by itself (%s) is calculated, and told before the account', async (origin, c) => {
    const taken = order({ ...partly, origin, clientId: 'of the core' });
    const heard = await heardOf([
      ['order', { cause: 'NEW', order: order({ origin }) }],
      ['account', account({ cause: origin })],
      ['order', { cause: 'LIQUIDATION', order: taken, fill: fill({ origin }) }],
      ['account', account({ cause: 'INSURANCE', income: [income({ kind: 'LIQUIDATION_FEE' })] })],
    ]);
    expect(heard.map(({ e, o, a }) => o?.x ?? a?.m ?? e)).toEqual([
      'NEW',
      'CALCULATED',
      'ORDER',
      'INSURANCE_CLEAR',
    ]);
    expect(heard[1].o).toMatchObject({ c, f: 'IOC' });
    expect(heard[3].a.B[0].bc).toBe('-1.50000000');
  });

  test('taken over at a price between ticks shows that price', async () => {
    const exact = fill({ origin: 'TAKEOVER', exactPrice: amount('57000.123456789') });
    const [report] = await heardOf([
      ['order', { cause: 'LIQUIDATION', order: order({ ...partly, origin: 'LIQUIDATION' }), fill: exact }],
    ]);
    expect(report.o.L).toBe('57000.123456789');
  });
});

describe('the end of an order', () => {
  test.each([
    ['CANCELED', 'CANCELED', undefined, 'CANCELED', '0'],
    ['EXPIRED', 'EXPIRED', 'IOC', 'EXPIRED', '2'],
    ['EXPIRED', 'EXPIRED', 'REDUCE_ONLY', 'EXPIRED', '4'],
    ['LIQUIDATION', 'EXPIRED', 'LIQUIDATION', 'EXPIRED', '5'],
    ['TRADE_PREVENTION', 'EXPIRED_IN_MATCH', 'SELF_TRADE', 'EXPIRED', '1'],
    ['REPLACED', 'NEW', undefined, 'AMENDMENT', '0'],
  ] as const)('%s as %s by %s is %s with er %s', async (...row) => {
    const [cause, status, endReason, x, er] = row;
    const ended = order({ status, ...(endReason === undefined ? {} : { endReason }) });
    const [report] = await heardOf([['order', { cause, order: ended }]]);
    expect(report.o).toMatchObject({ x, X: status, er, l: '0', t: 0 });
    expect(report.o).not.toHaveProperty('n');
  });
});

describe('changes without a fill', () => {
  const isolated = position({ marginMode: 'ISOLATED', isolatedWallet: amount('99.5') });

  test('funding in cross is money alone, without a position; isolated it has its position', async () => {
    const paid = income({ symbol: 'BTCUSDT', marginMode: 'CROSS' });
    const cross = account({ cause: 'FUNDING', positions: [position()], income: [paid] });
    const own = account({
      cause: 'FUNDING',
      positions: [isolated],
      income: [{ ...paid, marginMode: 'ISOLATED' }],
    });
    const [first, second] = await heardOf([
      ['account', cross],
      ['account', own],
    ]);
    expect(first.a).toEqual({
      m: 'FUNDING_FEE',
      B: [{ a: 'USDT', wb: '1000.00000000', cw: '900.50000000', bc: '-1.50000000' }],
      P: [],
    });
    expect(second.a.P).toMatchObject([{ mt: 'isolated', iw: '99.50000000', ps: 'BOTH' }]);
  });

  test.each([
    ['1.5', 'DEPOSIT'],
    ['-1.5', 'WITHDRAW'],
  ])('a transfer of %s is a %s', async (text, m) => {
    const moved = income({ kind: 'TRANSFER', amount: amount(text) });
    const [update] = await heardOf([
      ['account', account({ cause: 'TRANSFER', positions: [position()], income: [moved] })],
    ]);
    expect(update.a).toMatchObject({ m, B: [{ bc: `${text}0000000` }], P: [] });
  });

  test('margin moved, margin type, leverage and margin call have words of their own; the position mode has none', async () => {
    const setting = {
      symbol: 'BTCUSDT',
      marginMode: 'ISOLATED',
      positionMode: 'ONE_WAY',
      leverageLong: 9,
      leverageShort: 9,
    } as const;
    const heard = await heardOf([
      ['account', account({ cause: 'MARGIN_MOVED', positions: [isolated] })],
      ['account', account({ cause: 'MARGIN_MODE', setting })],
      ['account', account({ cause: 'LEVERAGE', setting })],
      ['account', account({ cause: 'POSITION_MODE' })],
      ['account', account({ cause: 'MARGIN_CALL', positions: [position()] })],
    ]);
    expect(heard.map(({ e, a }) => a?.m ?? e)).toEqual([
      'MARGIN_TRANSFER',
      'MARGIN_TYPE_CHANGE',
      'ACCOUNT_CONFIG_UPDATE',
      'MARGIN_CALL',
    ]);
    expect(heard[2]).toEqual({ e: 'ACCOUNT_CONFIG_UPDATE', E: NOW, T: AT, ac: { s: 'BTCUSDT', l: 9 } });
    expect(heard[3]).toEqual({
      ...{ e: 'MARGIN_CALL', E: NOW, cw: '900.50000000' },
      p: [
        {
          ...{ s: 'BTCUSDT', ps: 'BOTH', pa: '-0.015', mt: 'CROSSED', iw: '0.00000000', mp: '60200' },
          ...{ up: '-1.14800000', mm: '3.61200000' },
        },
      ],
    });
  });
});

describe.skipIf(!existsSync(RECORDINGS))('recorded messages have the same fields', () => {
  const recorded = (name: string) =>
    JSON.parse(readFileSync(`${RECORDINGS}/user_data_json/${name}.json`, 'utf8'));
  const kinds = (value: object) =>
    Object.fromEntries(
      Object.entries(value).map(([key, entry]) => [
        key,
        typeof shapeOf(entry) === 'string' ? typeof entry : 'object',
      ]),
    );

  test('ORDER_TRADE_UPDATE, TRADE_LITE and ACCOUNT_UPDATE', async () => {
    const [lite, update, report] = await heardOf([
      ['account', account({ positions: [position()] })],
      ['order', { cause: 'TRADE', order: partly, fill: fill() }],
    ]);
    expect(kinds(lite)).toEqual(kinds(recorded('trade_lite')));
    const theirs = recorded('account_update');
    expect(kinds(update.a.B[0])).toEqual(kinds(theirs.a.B[0]));
    expect(kinds(update.a.P[0])).toEqual(kinds(theirs.a.P[0]));
    // Trailing stops alone have AP and cr.
    const { AP: _, cr: __, ...trade } = recorded('order_update_trade').o;
    expect(kinds(report.o)).toMatchObject(kinds(trade));
  });
});
