import { type Instrument, POSITION_SIDE, SIDE } from '@crossbook/domain';
import { DEFINITIVE, SET_ALREADY } from '../bybit/account/errors.ts';
import {
  EXECUTION,
  EXECUTION_MESSAGE,
  FRAMES,
  FUNDING,
  ORDER_MESSAGE,
  POSITION,
  POSITION_MESSAGE,
  TIERS,
  WALLET,
} from '../bybit/perps/trading/messages.fixture.ts';
import { createBybitTrading } from '../bybit/trading/bybit-trading.ts';
import { errorResult, okResult } from '../bybit/trading/scripted-connector.fixture.ts';
import { scriptedVenue } from '../trading/scripted-transport.fixture.ts';
import type { HttpRequest } from '../transport.ts';
import type { ContractKit } from './contract-kit.ts';
import { BTCUSDT_PERP } from './sample-instruments.ts';

/** Bybit linear contracts for the claims; shapes of bybit-exchange/docs v5 (2026-07-24). */

const INSTRUMENT: Instrument = { ...BTCUSDT_PERP, platform: 3 };
const page = (list: readonly object[]) => okResult({ category: 'linear', list, nextPageCursor: '' });
const ALREADY = { leverage: 110_043, marginMode: undefined, positionMode: 110_025 };

/** One-way and hedge, opening and closing: `positionIdx` is that of the position, and `reduceOnly` goes with it. */
const ORDERS: ContractKit['orders'] = [
  {
    says: 'opening in one-way mode',
    terms: { side: POSITION_SIDE.NET, positionMode: 'one-way', marginMode: 'cross', reduceOnly: false },
    fields: {
      category: 'linear',
      symbol: 'BTCUSDT',
      side: 'Buy',
      orderType: 'Limit',
      qty: '0.5',
      positionIdx: 0,
    },
    absent: ['reduceOnly', 'marketUnit', 'isLeverage'],
  },
  {
    says: 'closing in one-way mode',
    terms: { side: POSITION_SIDE.NET, positionMode: 'one-way', marginMode: 'cross', reduceOnly: true },
    request: { side: SIDE.SELL },
    fields: { side: 'Sell', positionIdx: 0, reduceOnly: true },
    absent: [],
  },
  {
    says: 'opening the short leg in hedge mode',
    terms: { side: POSITION_SIDE.SHORT, positionMode: 'hedge', marginMode: 'cross', reduceOnly: false },
    request: { side: SIDE.SELL },
    fields: { side: 'Sell', positionIdx: 2 },
    absent: ['reduceOnly'],
  },
  {
    says: 'closing the long leg in hedge mode',
    terms: { side: POSITION_SIDE.LONG, positionMode: 'hedge', marginMode: 'cross', reduceOnly: true },
    request: { side: SIDE.SELL },
    fields: { side: 'Sell', positionIdx: 1, reduceOnly: true },
    absent: [],
  },
];

/** Bybit linear contracts for the claims about contracts. */
export const BYBIT_CONTRACT_KIT: ContractKit = {
  name: 'Bybit linear contracts',
  instrument: INSTRUMENT,
  create(answer, arbiter) {
    const { options, sockets } = scriptedVenue();
    const requests: HttpRequest[] = [];
    const trading = createBybitTrading({
      ...{ ...options, socketBase: 'ws://venue', contracts: true },
      ...(arbiter === undefined ? {} : { arbiter }),
      async sendHttp(request) {
        if (request.url.endsWith('/time')) return errorResult(10_000, 'Server Timeout');
        // The margin mode is the account's; claims about it answer it themselves.
        if (request.url.includes('/account/info')) return okResult({ marginMode: 'REGULAR_MARGIN' });
        requests.push(request);
        return answer(request);
      },
    });
    return { trading, requests, sockets };
  },
  fieldsOf: ({ body }) => JSON.parse(body ?? '{}') as Record<string, unknown>,
  orders: ORDERS,
  definitiveCodes: [...DEFINITIVE.keys()].map(String),
  otherwiseClear: (code) => SET_ALREADY.has(Number(code)),
  answers: {
    coded: (code) => errorResult(Number(code), 'No.'),
    placed: (orderLinkId) => okResult({ orderId: '77', orderLinkId }),
    refused: () => errorResult(110_007, 'ab not enough for new order'),
    nothingToReduce: () => errorResult(110_017, 'current position is zero, cannot fix reduce-only order qty'),
    serverTimeout: () => errorResult(10_000, 'Server Timeout'),
    unheardOfCode: () => errorResult(177_777, 'Something new.'),
    alreadySo(setting) {
      const code = ALREADY[setting];
      return errorResult(code ?? 10_000, 'not modified');
    },
    forbidden: () => errorResult(110_024, 'You have an existing position, so the mode cannot be switched'),
    hedgeLegs: (_request, held) =>
      page(
        [POSITION_SIDE.LONG, POSITION_SIDE.SHORT].map((positionIdx) => {
          const size = held.find((leg) => leg.side === positionIdx)?.quantity;
          const side = positionIdx === POSITION_SIDE.LONG ? 'Buy' : 'Sell';
          // The empty leg has no side and an entry of nothing.
          return size === undefined
            ? { ...POSITION, positionIdx, side: '', size: '0', avgPrice: '0', seq: -1 }
            : { ...POSITION, positionIdx, side, size };
        }),
      ),
    pool: () => okResult({ list: [WALLET] }),
    fills: () => page([EXECUTION]),
    income: (_request, entries) =>
      page(
        entries
          .map(({ amount: funding }, at) => ({ ...FUNDING, tradeId: `f-${at}`, funding, change: funding }))
          .reverse(),
      ),
    tiers: () => page(TIERS),
  },
  async subscribe(sockets) {
    sockets.newest.open();
    sockets.newest.say({ success: true, ret_msg: '', op: 'auth', conn_id: 'c' });
    sockets.newest.say({ success: true, ret_msg: '', op: 'subscribe', conn_id: 'c', req_id: 'subscribe' });
  },
  fillFrames: [ORDER_MESSAGE, EXECUTION_MESSAGE, POSITION_MESSAGE],
  frames: FRAMES,
};
