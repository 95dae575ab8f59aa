import { POSITION_SIDE, SIDE } from '@crossbook/domain';
import { DEFINITIVE, DEFINITIVE_ON_CONTRACTS, SET_ALREADY } from '../binance/account/errors.ts';
import {
  ACCOUNT,
  ACCOUNT_UPDATE,
  BRACKETS,
  CONFIG,
  FRAMES,
  FUNDING,
  MARGIN_CALL,
  ORDER,
  ORDER_UPDATE,
  POSITION,
  TRADE,
} from '../binance/perps/trading/messages.fixture.ts';
import { createBinanceTrading } from '../binance/trading/binance-trading.ts';
import { okAnswer, scriptedVenue } from '../trading/scripted-transport.fixture.ts';
import type { HttpAnswer, HttpRequest } from '../transport.ts';
import type { ContractKit, HeldLeg } from './contract-kit.ts';
import { BTCUSDT_PERP } from './sample-instruments.ts';

/** USD-M contracts for the claims; shapes of the official connector's types (2026-11-22). */

const refusal = (code: number, msg: string, status = 400): HttpAnswer => ({
  status,
  headers: {},
  text: JSON.stringify({ code, msg }),
});

const ALREADY = { leverage: undefined, marginMode: -4046, positionMode: -4059 };
const TYPES = {
  funding: 'FUNDING_FEE',
  commission: 'COMMISSION',
  'realised-pnl': 'REALIZED_PNL',
  insurance: 'INSURANCE_CLEAR',
  transfer: 'TRANSFER',
};

function positionRisk(held: readonly HeldLeg[]): object[] {
  return [POSITION_SIDE.LONG, POSITION_SIDE.SHORT].map((side) => {
    const quantity = held.find((leg) => leg.side === side)?.quantity ?? '0';
    const short = side === POSITION_SIDE.SHORT;
    const positionAmt = short && quantity !== '0' ? `-${quantity}` : quantity;
    return { ...POSITION, positionSide: short ? 'SHORT' : 'LONG', positionAmt };
  });
}

/** One-way and hedge, opening and closing: `reduceOnly` beside a side of a position is refused by the venue. */
const ORDERS: ContractKit['orders'] = [
  {
    says: 'opening in one-way mode',
    terms: { side: POSITION_SIDE.NET, positionMode: 'one-way', marginMode: 'cross', reduceOnly: false },
    fields: { symbol: 'BTCUSDT', side: 'BUY', positionSide: 'BOTH', timeInForce: 'GTC', quantity: '0.5' },
    absent: ['reduceOnly'],
  },
  {
    says: 'closing in one-way mode',
    terms: { side: POSITION_SIDE.NET, positionMode: 'one-way', marginMode: 'cross', reduceOnly: true },
    request: { side: SIDE.SELL },
    fields: { side: 'SELL', positionSide: 'BOTH', reduceOnly: 'true' },
    absent: [],
  },
  {
    says: 'opening the short leg in hedge mode',
    terms: { side: POSITION_SIDE.SHORT, positionMode: 'hedge', marginMode: 'isolated', reduceOnly: false },
    request: { side: SIDE.SELL },
    fields: { side: 'SELL', positionSide: 'SHORT' },
    absent: ['reduceOnly'],
  },
  {
    says: 'closing the long leg in hedge mode',
    terms: { side: POSITION_SIDE.LONG, positionMode: 'hedge', marginMode: 'cross', reduceOnly: true },
    request: { side: SIDE.SELL },
    fields: { side: 'SELL', positionSide: 'LONG' },
    absent: ['reduceOnly'],
  },
];

/** Binance USD-M contracts for the claims about contracts. */
export const BINANCE_CONTRACT_KIT: ContractKit = {
  name: 'Binance USD-M contracts',
  instrument: BTCUSDT_PERP,
  create(answer, arbiter) {
    const { options, http, sockets } = scriptedVenue();
    const requests: HttpRequest[] = [];
    const trading = createBinanceTrading({
      ...options,
      wsApiUrl: 'ws://venue/ws-api/v3',
      futures: { restBase: 'http://futures', socketBase: 'ws://futures' },
      ...(arbiter === undefined ? {} : { arbiter }),
      async sendHttp(request) {
        if (request.url.endsWith('/time')) return http.send(request);
        requests.push(request);
        return answer(request);
      },
    });
    return { trading, requests, sockets };
  },
  fieldsOf: ({ url, body }) => Object.fromEntries(new URLSearchParams(body ?? url.split('?')[1] ?? '')),
  orders: ORDERS,
  definitiveCodes: [...DEFINITIVE.keys(), ...DEFINITIVE_ON_CONTRACTS.keys()].map(String),
  otherwiseClear: (code) =>
    (Number(code) <= -1100 && Number(code) >= -1199) ||
    Object.values(SET_ALREADY).some((set) => set === Number(code)),
  answers: {
    coded: (code) => refusal(Number(code), 'No.'),
    placed: (clientOrderId) => okAnswer({ ...ORDER, clientOrderId }),
    refused: () => refusal(-2019, 'Margin is insufficient.'),
    nothingToReduce: () => refusal(-2022, 'ReduceOnly Order is rejected.'),
    serverTimeout: () => refusal(-1007, 'Timeout waiting for response from backend server.', 504),
    unheardOfCode: () => refusal(-77_777, 'Something new.'),
    alreadySo(setting) {
      const code = ALREADY[setting];
      return code === undefined ? undefined : refusal(code, 'No need to change.');
    },
    forbidden: () => refusal(-4048, 'Margin type cannot be changed if there exists position.'),
    hedgeLegs: ({ url }, held) => okAnswer(url.includes('/symbolConfig') ? [CONFIG] : positionRisk(held)),
    pool: () => okAnswer({ ...ACCOUNT, positions: [{ ...ACCOUNT.positions[0], maintMargin: '182' }] }),
    fills: () => okAnswer([TRADE]),
    income: (_request, entries) =>
      okAnswer(
        entries.map(({ kind, amount }, at) => ({
          ...{ ...FUNDING, tranId: at + 1, income: amount },
          incomeType: TYPES[kind as keyof typeof TYPES],
        })),
      ),
    tiers: () => okAnswer([BRACKETS]),
  },
  async subscribe(sockets) {
    const [, pairs] = sockets.peers;
    pairs?.open();
    pairs?.say({ id: 'subscribe', status: 200, result: { subscriptionId: 0 } });
    // The listen key comes by REST first.
    for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
    sockets.newest.open();
  },
  listenKey: () => okAnswer({ listenKey: 'a-listen-key' }),
  fillFrames: [ACCOUNT_UPDATE, ORDER_UPDATE],
  marginCall: MARGIN_CALL,
  frames: FRAMES,
};
