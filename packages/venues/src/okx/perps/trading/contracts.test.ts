import { amount, type Instrument, type Millis, POSITION_SIDE } from '@crossbook/domain';
import { describe, expect, test } from 'vitest';
import { OKX_CONTRACT_KIT } from '../../../conformance/okx-contract-kit.ts';
import { recorded, recordedJson } from '../../../conformance/recorded.ts';
import type { HttpAnswer, HttpRequest } from '../../../transport.ts';
import { asArray, asObject } from '../../../wire/guards.ts';
import { normaliseBalances } from '../../account/balance-shapes.ts';
import { normaliseFills, normaliseOrderPush } from '../../account/order-shapes.ts';
import { okxAnswer, okxRefusal } from '../../trading/scripted-connector.fixture.ts';
import { normaliseBill } from './income.ts';
import { BALANCE, FILL, FUNDING, ORDER, ORDER_PUSH, POSITION, REASON_PUSH } from './messages.fixture.ts';
import { SWAP_SHAPE } from './normalise.ts';
import {
  normaliseBalanceAndPosition,
  normalisePool,
  normalisePosition,
  normalisePositions,
  normaliseTiers,
  normaliseWarning,
  normaliseWholePool,
} from './positions.ts';

const { instrument } = OKX_CONTRACT_KIT;
const CENT = amount('0.01');
const KEY = { apiKey: 'k', secret: 's', passphrase: 'p' };

describe('golden messages', () => {
  test('quantities are contracts, quote amounts coins: twenty contracts of a hundredth are a fifth of a coin', () => {
    const [listed] = normaliseFills(SWAP_SHAPE, [FILL], instrument) ?? [];
    expect(listed?.fill).toMatchObject({
      ...{ quantity: amount('20'), quoteQuantity: amount('12200'), fee: amount('6.1'), maker: true },
      contract: { realisedPnl: amount('-40.5'), side: POSITION_SIDE.LONG, cause: 'trade' },
    });
    expect(normaliseOrderPush(SWAP_SHAPE, ORDER_PUSH.data[0], CENT)).toMatchObject({
      state: { cumulativeQuantity: amount('20'), cumulativeQuote: amount('12200') },
      fill: { quoteQuantity: amount('12200'), contract: { marginMode: 'cross' } },
    });
  });

  test('a rebate is a fee below 0', () => {
    const [listed] = normaliseFills(SWAP_SHAPE, [{ ...FILL, fee: '0.5' }], instrument) ?? [];
    expect(listed?.fill.fee).toBe(amount('-0.5'));
  });

  const hands: [object, 'trade' | 'liquidation' | 'deleveraging'][] = [
    [{ subType: '3' }, 'trade'],
    [{ subType: '100' }, 'liquidation'],
    [{ subType: '104' }, 'liquidation'],
    [{ subType: '126' }, 'deleveraging'],
    [{ category: 'adl', subType: undefined }, 'deleveraging'],
    [{ category: 'partial_liquidation' }, 'liquidation'],
  ];
  test.each(hands)('a fill with %o is a %s', (part, cause) => {
    const [listed] = normaliseFills(SWAP_SHAPE, [{ ...FILL, ...part }], instrument) ?? [];
    expect(listed?.fill.contract?.cause).toBe(cause);
  });

  test('a position has its figures; digits of doubles beyond ours are cut', () => {
    expect(normalisePosition({ ...POSITION, upl: '-250.00000000000000000099' })).toEqual({
      ...{ platform: 2, symbol: 'BTC-USDT-SWAP', side: POSITION_SIDE.NET, marginMode: 'cross' },
      ...{ quantity: amount('-50'), entryPrice: amount('60000'), markPrice: amount('60500'), leverage: 10 },
      ...{ unrealisedPnl: amount('-250'), initialMargin: amount('3025'), maintenanceMargin: amount('121') },
      ...{
        adlRank: 2,
        status: 'normal',
        breakEvenPrice: amount('59970'),
        liquidationPrice: amount('65000.1'),
      },
      ...{ version: 1_770_000_000_009, updatedAt: 1_770_000_000_009 },
    });
  });

  test('an isolated position has its margin for an initial one; one that was closed says only that', () => {
    const isolated = { ...POSITION, mgnMode: 'isolated', imr: '', margin: '3000', liqPx: '' };
    expect(normalisePosition(isolated)).toMatchObject({
      ...{ marginMode: 'isolated', isolatedMargin: amount('3000'), initialMargin: amount('3000') },
    });
    expect(normalisePosition(isolated)).not.toHaveProperty('liquidationPrice');
    const closed = {
      ...POSITION,
      pos: '0',
      avgPx: '',
      upl: '',
      lever: '',
      markPx: '',
      imr: '',
      mmr: '',
      adl: '',
    };
    expect(normalisePosition(closed)).toMatchObject({ quantity: 0n, entryPrice: 0n });
    expect(normalisePositions([closed])).toEqual([]);
  });

  test('a pool is the row of USDT, with the inverse of the ratio that the venue states', () => {
    expect(normalisePool(BALANCE)).toEqual({
      ...{ asset: 'USDT', wallet: amount('5000'), unrealisedPnl: amount('-250') },
      ...{ positionInitial: amount('3025'), orderInitial: amount('100'), maintenance: amount('121') },
      ...{
        available: amount('1625'),
        withdrawable: amount('1600'),
        ratio: 0.04,
        updatedAt: 1_770_000_000_008,
      },
    });
    const [row] = BALANCE.details;
    const flat = normalisePool({ details: [{ ...row, mgnRatio: '', imr: '', mmr: '' }] });
    expect(flat).toMatchObject({ positionInitial: 0n, maintenance: 0n });
    expect(flat).not.toHaveProperty('ratio');
  });

  test('what isolated positions have set aside is in the wallet, their profit is not', () => {
    const [row] = BALANCE.details;
    const isolated = { ...row, cashBal: '2000', isoEq: '3250', isoUpl: '250', upl: '250' };
    expect(normalisePool({ details: [isolated] })).toMatchObject({ wallet: amount('5000') });
    expect(normaliseBalances({ details: [{ ...isolated, availBal: '1600' }] })).toEqual([
      { asset: 'USDT', free: amount('1600'), locked: amount('3400') },
    ]);
    expect(normaliseBalances({ details: [{ ...row, cashBal: '-10', availBal: '0' }] })).toEqual([
      { asset: 'USDT', free: 0n, locked: 0n },
    ]);
  });

  test('an account that has no USDT left has an empty pool, a message of another currency none', () => {
    const other = { uTime: '1770000000009', details: [{ ccy: 'BTC' }] };
    expect(normaliseWholePool(other)).toMatchObject({ asset: 'USDT', wallet: 0n, available: 0n });
    expect(normalisePool(other)).toBeUndefined();
    expect(normaliseWholePool({ details: [] })).toBeUndefined();
  });

  test('balance and position together say why', () => {
    const row = REASON_PUSH.data[0];
    expect(normaliseBalanceAndPosition(row)).toMatchObject({
      cause: 'order',
      positions: [{ side: POSITION_SIDE.LONG, quantity: amount('30'), version: 1_770_000_000_009 }],
    });
    const causes = ['funding_fee', 'liquidation', 'adjust_margin', 'set_leverage', 'snapshot'].map(
      (eventType) => normaliseBalanceAndPosition({ ...row, eventType })?.cause,
    );
    expect(causes).toEqual(['funding', 'liquidation', 'margin', 'setting', 'other']);
  });

  test('a bill of a trade is its profit and its fee, one of funding what was paid at which mark', () => {
    const trade = { ...FUNDING, type: '2', subType: '5', pnl: '-40.5', fee: '-6.1', tradeId: '5' };
    expect(normaliseBill(trade)?.entries).toMatchObject([
      { id: '901', kind: 'realised-pnl', amount: amount('-40.5'), tradeId: '5' },
      { id: '901', kind: 'commission', amount: amount('-6.1') },
    ]);
    expect(normaliseBill(FUNDING)?.entries).toMatchObject([
      { kind: 'funding', amount: amount('-1.53'), quantity: amount('50'), markPrice: amount('61200') },
    ]);
    const forced = { ...trade, type: '5', subType: '104' };
    expect(normaliseBill(forced)?.entries.map(({ kind }) => kind)).toEqual(['realised-pnl', 'commission']);
    const fee = { ...FUNDING, type: '5', subType: '109', balChg: '-7', fee: '-7', pnl: '0' };
    expect(normaliseBill(fee)?.entries).toMatchObject([{ kind: 'liquidation-fee', amount: amount('-7') }]);
    const paid = { ...fee, subType: '110', balChg: '3', fee: '0' };
    expect(normaliseBill(paid)?.entries).toMatchObject([{ kind: 'insurance', amount: amount('3') }]);
    expect(normaliseBill({ ...FUNDING, type: '1', balChg: '5' })?.entries).toMatchObject([
      { kind: 'other', amount: amount('5') },
    ]);
  });
});

/** The account's settings as the venue keeps them, changed by the calls that change them. */
function account(kept: { acctLv: string; posMode: string; autoLoan: boolean }) {
  const changes: string[] = [];
  const answer = ({ method, url, body }: HttpRequest): HttpAnswer => {
    if (method === 'GET') return okxAnswer(kept);
    const change = JSON.parse(body ?? '{}') as Partial<typeof kept>;
    changes.push(url.split('/').at(-1) ?? '');
    Object.assign(kept, change);
    return okxAnswer(change);
  };
  return { changes, answer };
}

const states: [string, Parameters<typeof account>[0], string[]][] = [
  [
    'a new one',
    { acctLv: '1', posMode: 'long_short_mode', autoLoan: false },
    ['set-position-mode', 'set-account-level'],
  ],
  ['one that borrows', { acctLv: '2', posMode: 'net_mode', autoLoan: true }, ['set-auto-loan']],
  ['one in hedge mode by choice', { acctLv: '2', posMode: 'long_short_mode', autoLoan: false }, []],
];
test.each(states)('preparing %s does what is needed and reads it back', async (_name, kept, expected) => {
  const { changes, answer } = account(kept);
  const { trading } = OKX_CONTRACT_KIT.create(answer);
  expect(await trading.contracts?.prepare(KEY)).toEqual({ outcome: 'done' });
  trading.close();
  expect(changes).toEqual(expected);
  expect(kept).toMatchObject({ acctLv: '2', autoLoan: false });
});

test('an account that cannot be switched is refused, one that cannot be read unknown', async () => {
  const { answer } = account({ acctLv: '1', posMode: 'net_mode', autoLoan: false });
  const refusing = OKX_CONTRACT_KIT.create((request) =>
    request.method === 'POST' ? okxRefusal('59000') : answer(request),
  );
  expect(await refusing.trading.contracts?.prepare(KEY)).toMatchObject({ outcome: 'refused' });
  const silent = OKX_CONTRACT_KIT.create(() => okxRefusal('50001', 503));
  expect((await silent.trading.contracts?.prepare(KEY))?.outcome).toBe('unknown');
  refusing.trading.close();
  silent.trading.close();
});

test('the setting is that of the margin mode that is asked for; isolated legs have a leverage each', async () => {
  const { trading, requests } = OKX_CONTRACT_KIT.create(({ url }) =>
    url.includes('leverage-info')
      ? okxAnswer({ posSide: 'long', lever: '5' }, { posSide: 'short', lever: '7' })
      : okxAnswer({ acctLv: '2', posMode: 'long_short_mode', autoLoan: false }),
  );
  expect(await trading.contracts?.setting(KEY, instrument, 'isolated')).toMatchObject({
    value: { marginMode: 'isolated', positionMode: 'hedge', leverageLong: 5, leverageShort: 7 },
  });
  trading.close();
  expect(requests.at(-1)?.url).toContain('mgnMode=isolated');
});

/** What a delisted swap was settled at: a bill without an order or a trade. */
const DELIVERY = {
  ...FUNDING,
  ...{
    billId: '902',
    type: '3',
    subType: '113',
    px: '61250.5',
    sz: '50',
    pnl: '12.5',
    fee: '0',
    balChg: '12.5',
  },
};
const modes: [string, number][] = [
  ['net_mode', POSITION_SIDE.NET],
  ['long_short_mode', POSITION_SIDE.SHORT],
];
test.each(modes)(
  'in %s what a delisted swap was settled at is a fill under the id of its bill',
  async (posMode, side) => {
    const { trading, requests } = OKX_CONTRACT_KIT.create(({ url }) => {
      if (url.includes('/trade/fills')) return okxAnswer();
      // A clawback closes nothing.
      if (url.includes('/account/bills'))
        return okxAnswer(DELIVERY, { ...DELIVERY, billId: '903', subType: '117' });
      return okxAnswer({ acctLv: '2', posMode, autoLoan: false });
    });
    const since = (Number(DELIVERY.ts) - 60_000) as Millis;
    expect(await trading.fillsSince(KEY, instrument, since)).toEqual({
      ok: true,
      value: [
        {
          ...{ tradeId: '902', venueOrderId: '902', price: amount('61250.5'), quantity: amount('50') },
          ...{ quoteQuantity: amount('30625.25'), fee: 0n, feeAsset: 'USDT', maker: false },
          time: Number(DELIVERY.ts),
          contract: { realisedPnl: amount('12.5'), side, buys: true, cause: 'trade', marginMode: 'cross' },
        },
      ],
    });
    trading.close();
    expect(requests.find(({ url }) => url.includes('/account/bills'))?.url).toContain('type=3');
    // The list of income names it by the same id, so that its fill is searched for.
    expect(normaliseBill(DELIVERY)?.entries).toMatchObject([
      { kind: 'realised-pnl', tradeId: '902', amount: amount('12.5') },
    ]);
  },
);

test.each([{ px: '0' }, { sz: '' }, { pnl: 'x' }, { instId: 'ETH-USDT-SWAP' }, { type: '2' }])(
  'a settlement with %o cannot be read, and nothing is missing for that',
  async (part) => {
    const { trading } = OKX_CONTRACT_KIT.create(({ url }) =>
      url.includes('/account/bills') ? okxAnswer({ ...DELIVERY, ...part }) : okxAnswer(),
    );
    expect(await trading.fillsSince(KEY, instrument, 0 as Millis)).toMatchObject({ code: 'malformed' });
    trading.close();
  },
);

const ROOT = 'nautilus/okx';
const pushes: [string, string][] = [
  [`${ROOT}/ws_orders_liquidation.json`, 'liquidation'],
  [`${ROOT}/ws_orders_adl.json`, 'deleveraging'],
];
for (const [path, cause] of pushes) {
  const row = asArray(asObject(recordedJson(path))?.data)?.[0];
  test.skipIf(row === undefined)(`recorded ${path} is a ${cause}`, () => {
    expect(normaliseOrderPush(SWAP_SHAPE, row, CENT)?.fill?.contract?.cause).toBe(cause);
  });
}

const warned = recorded('okx.net/Subscriptions/Unified/Trading/LiquidationWarning.txt')?.toString('utf8');
test.skipIf(warned === undefined)('the documented warning is read: who is near liquidation', () => {
  const body: unknown = JSON.parse((warned ?? '').slice((warned ?? '').indexOf('\n=') + 2));
  expect(normaliseWarning(asArray(asObject(body)?.data)?.[0])).toMatchObject({
    ...{ cause: 'margin-call', symbols: ['ETH-USD-210430'], time: 1_619_507_761_462 },
  });
});

const positions = asArray(asObject(recordedJson(`${ROOT}/http_get_positions.json`))?.data);
test.skipIf(positions === undefined)('recorded positions are read', () => {
  expect(normalisePositions(positions ?? [])).toMatchObject([
    { side: POSITION_SIDE.LONG, quantity: amount('0.5'), leverage: 10, isolatedMargin: amount('0.5') },
  ]);
});

const tiers = asObject(recordedJson('leverage-tiers/okx-2026-05.json'));
test.skipIf(tiers === undefined)('recorded tiers are read, each beginning where the one before ends', () => {
  for (const rows of Object.values(tiers ?? {})) {
    const read = normaliseTiers(asArray(rows) ?? []) ?? [];
    expect(read.length).toBeGreaterThan(0);
    for (const [at, tier] of read.entries()) expect(tier.floor).toBe(read[at - 1]?.cap ?? 0n);
  }
});

test('an order of another market is not read as one of swaps', () => {
  expect(normaliseOrderPush(SWAP_SHAPE, { ...ORDER, instType: 'SPOT' }, CENT)).toBeUndefined();
  const other: Instrument = { ...instrument, symbol: 'ETH-USDT-SWAP' };
  expect(normaliseFills(SWAP_SHAPE, [FILL], other)).toBeUndefined();
});
