import { amount, type Instrument, POSITION_SIDE, SIDE } from '@crossbook/domain';
import { DEFINITIVE } from '../okx/account/errors.ts';
import {
  BALANCE,
  FILL,
  FRAMES,
  FUNDING,
  INSTRUMENT,
  ORDER_PUSH,
  POSITION,
  POSITION_PUSH,
  REASON_PUSH,
  TIERS,
  WARNING_PUSH,
} from '../okx/perps/trading/messages.fixture.ts';
import { createOkxTrading } from '../okx/trading/okx-trading.ts';
import { okxAnswer, okxItemRefusal, okxRefusal } from '../okx/trading/scripted-connector.fixture.ts';
import { scriptedVenue } from '../trading/scripted-transport.fixture.ts';
import type { HttpRequest } from '../transport.ts';
import type { ContractKit } from './contract-kit.ts';
import { BTCUSDT_PERP } from './sample-instruments.ts';

/** OKX swaps for the claims; shapes of the OKX v5 guide (2026-11-22). */

const INSTRUMENT_OF_CLAIMS: Instrument = {
  ...BTCUSDT_PERP,
  ...{ platform: 2, symbol: 'BTC-USDT-SWAP', contractValue: amount('0.01'), lotSize: amount('0.01') },
};

/** One-way and hedge, opening and closing: `reduceOnly` counts in net mode alone, the margin mode is said each time. */
const ORDERS: ContractKit['orders'] = [
  {
    says: 'opening in one-way mode',
    terms: { side: POSITION_SIDE.NET, positionMode: 'one-way', marginMode: 'cross', reduceOnly: false },
    fields: {
      instId: 'BTC-USDT-SWAP',
      side: 'buy',
      tdMode: 'cross',
      ordType: 'limit',
      sz: '0.5',
      px: '61000',
    },
    absent: ['reduceOnly', 'posSide', 'tgtCcy'],
  },
  {
    says: 'closing in one-way mode',
    terms: { side: POSITION_SIDE.NET, positionMode: 'one-way', marginMode: 'cross', reduceOnly: true },
    request: { side: SIDE.SELL },
    fields: { side: 'sell', tdMode: 'cross', reduceOnly: true },
    absent: ['posSide'],
  },
  {
    says: 'opening the isolated short leg in hedge mode',
    terms: { side: POSITION_SIDE.SHORT, positionMode: 'hedge', marginMode: 'isolated', reduceOnly: false },
    request: { side: SIDE.SELL },
    fields: { side: 'sell', posSide: 'short', tdMode: 'isolated' },
    absent: ['reduceOnly'],
  },
  {
    says: 'closing the long leg in hedge mode',
    terms: { side: POSITION_SIDE.LONG, positionMode: 'hedge', marginMode: 'cross', reduceOnly: true },
    request: { side: SIDE.SELL },
    fields: { side: 'sell', posSide: 'long', tdMode: 'cross' },
    absent: ['reduceOnly'],
  },
];

/** OKX swaps for the claims about contracts. */
export const OKX_CONTRACT_KIT: ContractKit = {
  name: 'OKX swaps',
  instrument: INSTRUMENT_OF_CLAIMS,
  create(answer, arbiter) {
    const { options, sockets } = scriptedVenue();
    const requests: HttpRequest[] = [];
    const trading = createOkxTrading({
      ...{ ...options, privateSocketUrl: 'ws://venue/ws/v5/private', contracts: true },
      ...(arbiter === undefined ? {} : { arbiter }),
      async sendHttp(request) {
        if (request.url.endsWith('/public/time')) return okxRefusal('50001', 503);
        if (request.url.includes('/public/instruments'))
          return okxAnswer(...(request.url.endsWith('SWAP') ? [INSTRUMENT] : []));
        requests.push(request);
        return answer(request);
      },
    });
    return { trading, requests, sockets };
  },
  fieldsOf: ({ body }) => JSON.parse(body ?? '{}') as Record<string, unknown>,
  orders: ORDERS,
  marginModeByOrder: true,
  definitiveCodes: [...DEFINITIVE],
  otherwiseClear: () => false,
  answers: {
    coded: okxItemRefusal,
    placed: (clOrdId) =>
      okxAnswer({ ordId: '77', clOrdId, tag: '', ts: '1770000000000', sCode: '0', sMsg: '' }),
    refused: () => okxItemRefusal('51008'),
    nothingToReduce: () => okxItemRefusal('51169'),
    serverTimeout: () => okxRefusal('50004', 400),
    unheardOfCode: () => okxItemRefusal('57777'),
    // The venue answers the same again as it answers a change.
    alreadySo: (setting) => (setting === 'marginMode' ? okxRefusal('50004', 400) : undefined),
    forbidden: () => okxRefusal('59000'),
    hedgeLegs: (_request, held) =>
      okxAnswer(
        ...[POSITION_SIDE.LONG, POSITION_SIDE.SHORT].map((side) => {
          const pos = held.find((leg) => leg.side === side)?.quantity ?? '0';
          return { ...POSITION, posSide: side === POSITION_SIDE.LONG ? 'long' : 'short', pos };
        }),
      ),
    pool: () => okxAnswer(BALANCE),
    // Both lists of fills have it.
    fills: () => okxAnswer(FILL),
    income: (_request, entries) =>
      okxAnswer(
        ...entries
          .map(({ amount: pnl }, at) => ({ ...FUNDING, billId: String(901 + at), pnl, balChg: pnl }))
          .reverse(),
      ),
    tiers: () => okxAnswer(...TIERS),
  },
  async subscribe(sockets) {
    // The list of instruments comes by REST first.
    for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
    sockets.newest.open();
    sockets.newest.say({ event: 'login', code: '0', msg: '', connId: 'a4d3ae55' });
    const { args } = JSON.parse(sockets.newest.heard.at(-1) ?? '{}') as { args: object[] };
    for (const arg of args)
      sockets.newest.say({ id: 'subscribe', event: 'subscribe', arg, connId: 'a4d3ae55' });
  },
  fillFrames: [ORDER_PUSH, REASON_PUSH, POSITION_PUSH],
  marginCall: WARNING_PUSH,
  frames: FRAMES,
};
