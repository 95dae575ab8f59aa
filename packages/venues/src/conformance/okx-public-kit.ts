import { amount, type Instrument, type SymbolType } from '@crossbook/domain';
import { createOkxPublic } from '../okx/market/okx-public.ts';
import { BTC_USDT } from '../okx/market/sample-instruments.fixture.ts';
import {
  type DecimalLevels,
  NOON,
  type PerpetualWords,
  type PublicKit,
  type ReportedStats,
} from './venue-kit.ts';

/** OKX's words for the claims about market data; shapes from the OKX v5 guide (2026) and recorded messages. */

const INSTRUMENTS: Readonly<Record<SymbolType, Instrument>> = {
  SPOT: BTC_USDT,
  SWAP: {
    ...BTC_USDT,
    symbolType: 'SWAP',
    symbol: 'BTC-USDT-SWAP',
    contractValue: amount('0.01'),
    maxLeverage: 100,
  },
};

/** A good REST answer. */
export const okxEnvelope = (...data: readonly unknown[]): string =>
  JSON.stringify({ code: '0', msg: '', data });

const STEPS = {
  tickSz: '0.01',
  lotSz: '0.00001',
  minSz: '0.00001',
  maxLmtSz: '9999999999.0000000000000000',
  maxMktSz: '1000000',
};

const spotRow = (baseCcy: string, quoteCcy: string, state: string): object => ({
  ...STEPS,
  instType: 'SPOT',
  instId: `${baseCcy}-${quoteCcy}`,
  baseCcy,
  quoteCcy,
  state,
  ctVal: '',
  lever: '10',
});

const swapRow = (ctValCcy: string, settleCcy: string, state: string): object => ({
  ...STEPS,
  instType: 'SWAP',
  instId: `${ctValCcy}-${settleCcy}-SWAP`,
  baseCcy: '',
  quoteCcy: '',
  settleCcy,
  ctType: 'linear',
  ctVal: '0.01',
  ctMult: '1',
  ctValCcy,
  state,
  lever: '100',
});

const rows = (levels: DecimalLevels): readonly (readonly string[])[] =>
  levels.map(([price, size]) => [price, size, '0', '1']);

function books(
  instId: string,
  action: 'snapshot' | 'update',
  ids: readonly [previous: number, last: number],
  [bids, asks]: readonly [DecimalLevels, DecimalLevels],
): string {
  const [prevSeqId, seqId] = ids;
  const row = { asks: rows(asks), bids: rows(bids), ts: String(NOON), checksum: 0, seqId, prevSeqId };
  return JSON.stringify({ arg: { channel: 'books', instId }, action, data: [row] });
}

/** What OKX tells of its perpetual, each list at its own path. */
function perpetualAnswer(url: string, reported: ReportedStats): string {
  const named = { instType: 'SWAP', instId: 'BTC-USDT-SWAP', ts: String(NOON) };
  if (url.includes('/mark-price')) return okxEnvelope({ ...named, markPx: reported.mark });
  if (url.includes('/index-tickers')) return okxEnvelope({ instId: 'BTC-USDT', idxPx: reported.index });
  if (url.includes('/funding-rate')) {
    const fundingTime = String(reported.nextFunding);
    return okxEnvelope({ ...named, fundingRate: reported.funding, fundingTime });
  }
  const day = { last: '10.01', open24h: '10.09', high24h: '11', low24h: '9.5' };
  return okxEnvelope({ ...named, ...day, vol24h: '10000', volCcy24h: '100' });
}

/** What only the perpetual market is asked for. */
const PERPETUAL: PerpetualWords = {
  // `oi` counts contracts of 0.01: only `oiCcy` may be shown.
  openInterest: (oiCcy) =>
    okxEnvelope({ instType: 'SWAP', instId: 'BTC-USDT-SWAP', oi: '987654', oiCcy, oiUsd: '1', ts: '1' }),
  tickers: perpetualAnswer,
};

/** OKX's spot or perpetual market for the claims about market data. */
export function okxPublicKit(symbolType: SymbolType, name: string): PublicKit {
  const instrument = INSTRUMENTS[symbolType];
  const instId = instrument.symbol;
  const rowOf = symbolType === 'SPOT' ? spotRow : swapRow;
  const inverse = { ...swapRow('BTC', 'BTC', 'live'), instId: 'BTC-USD-SWAP', ctType: 'inverse' };
  return {
    name,
    instrument,
    createPublic: (fetchText) =>
      createOkxPublic({
        restBase: 'http://venue',
        publicSocketUrl: 'ws://venue/ws/v5/public',
        businessSocketUrl: 'ws://venue/ws/v5/business',
        fetchText,
        clock: () => NOON,
        instruments: [instrument],
      }),
    rest: {
      instruments: () =>
        okxEnvelope(
          rowOf('BTC', 'USDT', 'live'),
          rowOf('XYZ', 'USDT', 'suspend'),
          rowOf('ETH', 'USDC', 'live'),
          inverse,
        ),
      depth: (seqId, bids, asks) =>
        okxEnvelope({ asks: rows(asks), bids: rows(bids), ts: String(NOON), seqId }),
      candles: (times) =>
        okxEnvelope(
          ...times.map((time) => [String(time), '1', '2', '0.5', '1.5', '7', '7', '9', '1']).reverse(),
        ),
    },
    ...(symbolType === 'SPOT' ? {} : { perpetual: PERPETUAL }),
    frames: {
      snapshot: (seq, bids, asks) => books(instId, 'snapshot', [-1, seq], [bids, asks]),
      delta: (first, last, bids, asks) => books(instId, 'update', [first - 1, last], [bids, asks]),
      trade: (px, sz, side) =>
        JSON.stringify({
          arg: { channel: 'trades', instId },
          data: [{ instId, tradeId: '1040968613', px, sz, side, ts: String(NOON), count: '1' }],
        }),
      strangeDelta: () => books('ABC-USDT', 'update', [1, 2], [[], []]),
      acknowledged: (id) =>
        JSON.stringify({
          id: String(id),
          event: 'subscribe',
          arg: { channel: 'books', instId },
          connId: 'a4d3ae55',
        }),
    },
  };
}
