import type { SymbolRow } from '@crossbook/contract';
import { amount } from '@crossbook/domain';
import { afterEach, expect, test, vi } from 'vitest';
import { noticesStore } from '../app/notices.ts';
import {
  findInstrument,
  instrumentOfRow,
  instrumentsStore,
  loadInstruments,
  orderSymbolKey,
} from './instruments.ts';

const row: SymbolRow = {
  ...{ tinstId: 'BTCUSDT', tinstType: 2, tstate: 1, tbaseCcy: 'BTC', tquoteCcy: 'USDT', ttickSz: '0.1' },
  ...{ tlotSz: '0.001', tminSz: '0.001', tmaxSz: '100', tminPrice: '1', tmaxPrice: '1000000' },
  ...{ tminOrderAmt: '5', tmaxOrderAmt: '0', tmaxLmtSz: '100', tmaxMktSz: '50', tctVal: '1', tlever: 125 },
  ...{ tinstFamily: 'BTC-USDT', tmakerFee: '0.0002', ttakerFee: '0.0005' },
};

test.each([
  ['none is named', {}, undefined],
  [
    'its ends are fractions',
    { tpriceBand: { buyMost: '1.05', sellLeast: '0.95' } },
    { buyMost: amount('1.05'), sellLeast: amount('0.95') },
  ],
  ['an end that is no decimal bounds nothing', { tpriceBand: { buyMost: 'much' } }, {}],
] as const)('of a price band %s', (_name, change, band) => {
  expect(instrumentOfRow(1, { ...row, ...change })?.priceBand).toEqual(band);
});

test.each([
  [1, 'SPOT', 'BTCUSDT', 'BINANCE_SPOT_BTC_USDT'],
  [1, 'SWAP', 'BTCUSDT', 'BINANCE_PERP_BTC_USDT'],
  [2, 'SPOT', 'BTC-USDT', 'OKX_SPOT_BTC_USDT'],
  [2, 'SWAP', 'BTC-USDT-SWAP', 'OKX_PERP_BTC_USDT'],
  [3, 'SPOT', 'BTCUSDT', 'BYBIT_SPOT_BTC_USDT'],
  [3, 'SWAP', 'BTCUSDT', 'BYBIT_PERP_BTC_USDT'],
] as const)(
  'the order symbol key at platform %i, %s, of %s is %s; of an unlisted one it is empty',
  (...listed) => {
    const [exchange, symbolType, symbol, key] = listed;
    const rows = ([1, 2] as const).flatMap((tinstType) => {
      const tinstId = tinstType === (symbolType === 'SPOT' ? 1 : 2) ? symbol : 'ETHUSDT';
      return instrumentOfRow(exchange, { ...row, tinstType, tinstId }) ?? [];
    });
    instrumentsStore.setState({ byPlatform: { [exchange]: { status: 'ready', rows } } });
    expect(orderSymbolKey({ exchange, symbolType, symbol })).toBe(key);
    expect(orderSymbolKey({ exchange, symbolType, symbol: 'GONEUSDT' })).toBe('');
  },
);

afterEach(() => vi.unstubAllGlobals());

test('a symbol-info call with another code than 1 yields an empty list, silently; asked again it may yield more', async () => {
  let answer: object = { code: 1005, msg: 'Busy', data: null };
  vi.stubGlobal('fetch', async () => new Response(JSON.stringify(answer)));
  instrumentsStore.setState({ byPlatform: {} });
  noticesStore.setState({ notices: [] });
  await loadInstruments(1);
  expect(instrumentsStore.getState().byPlatform[1]).toEqual({ status: 'failed', rows: [] });
  expect(findInstrument(instrumentsStore.getState(), 1, 'SWAP', 'BTCUSDT')).toBeUndefined();
  expect(noticesStore.getState().notices).toEqual([]);
  answer = { code: 1, msg: 'OK', data: [row, { ...row, tinstId: 'BTCUSDC', tquoteCcy: 'USDC' }] };
  await loadInstruments(1);
  const { status, rows } = instrumentsStore.getState().byPlatform[1] ?? {};
  expect([status, rows?.map(({ symbol }) => symbol)]).toEqual(['ready', ['BTCUSDT']]);
});
