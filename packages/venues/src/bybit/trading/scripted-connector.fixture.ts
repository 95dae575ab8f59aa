import {
  amount,
  type Instrument,
  ORDER_TYPE,
  SIDE,
  TIME_IN_FORCE,
  type VenueClientId,
} from '@crossbook/domain';
import { BTCUSDT } from '../../conformance/sample-instruments.ts';
import { type ScriptedSockets, scriptedVenue } from '../../trading/scripted-transport.fixture.ts';
import type { HttpAnswer } from '../../transport.ts';
import type { VenueOrderRequest } from '../../venue-orders.ts';
import { createBybitTrading } from './bybit-trading.ts';

export const CREDENTIALS = { apiKey: 'the-api-key', secret: 'the-secret' };
export const CLIENT_ID = '0190f3a0c0de7abc8def000000000001' as VenueClientId;
export const BYBIT_BTCUSDT: Instrument = { ...BTCUSDT, platform: 3 };
export const REQUEST: VenueOrderRequest = {
  clientId: CLIENT_ID,
  instrument: BYBIT_BTCUSDT,
  side: SIDE.BUY,
  type: ORDER_TYPE.LIMIT,
  timeInForce: TIME_IN_FORCE.IOC,
  price: amount('65000.1'),
  quantity: amount('0.02'),
};

/** A connector over scripted sockets, HTTP and time; no socket is open yet. */
export function scriptedConnector() {
  const { options, ...venue } = scriptedVenue();
  const trading = createBybitTrading({ ...options, socketBase: 'ws://venue/' });
  return { ...venue, trading };
}

/** The same after a first order went by REST and its account's trade socket has logged on. */
export async function connectedConnector() {
  const all = scriptedConnector();
  all.http.answer = () => okResult({ orderId: '1', orderLinkId: CLIENT_ID });
  await all.trading.place(CREDENTIALS, REQUEST);
  all.http.requests.length = 0;
  all.sockets.newest.open();
  all.sockets.newest.say({ retCode: 0, retMsg: 'OK', op: 'auth', connId: 'c' });
  all.sockets.newest.heard.length = 0;
  return all;
}

/** The newest request on a trade socket. */
export function lastRequest(sockets: ScriptedSockets): {
  readonly reqId: string;
  readonly op: string;
  readonly header: Readonly<Record<string, string>>;
  readonly args: readonly Readonly<Record<string, unknown>>[];
} {
  return JSON.parse(sockets.newest.heard.at(-1) ?? '{}') as never;
}

/** A good HTTP answer. */
export function okResult(result: object): HttpAnswer {
  return errorResult(0, 'OK', result);
}

/** An answer with a code of the venue, behind HTTP 200 as the venue sends them. */
export function errorResult(retCode: number, retMsg: string, result: object = {}): HttpAnswer {
  const body = { retCode, retMsg, result, retExtInfo: {}, time: 1_770_000_000_000 };
  return { status: 200, headers: {}, text: JSON.stringify(body) };
}

/** A spot order as the venue documents it (order/open-order); a part of the fields. */
export const ORDER = {
  orderId: '1726025498520715008',
  orderLinkId: CLIENT_ID as string,
  symbol: 'BTCUSDT',
  price: '65000.1',
  qty: '0.02',
  side: 'Buy',
  orderStatus: 'New',
  cancelType: 'UNKNOWN',
  rejectReason: 'EC_NoError',
  avgPrice: '',
  leavesQty: '0.02',
  cumExecQty: '0',
  cumExecValue: '0',
  timeInForce: 'GTC',
  orderType: 'Limit',
  stopOrderType: '',
  createdTime: '1770000000000',
  updatedTime: '1770000000001',
};

/** A spot execution as the venue documents it (order/execution); a part of the fields. */
export const EXECUTION = {
  symbol: 'BTCUSDT',
  orderId: ORDER.orderId,
  orderLinkId: CLIENT_ID as string,
  side: 'Buy',
  execFee: '0.00001',
  execId: '2290000000123456789',
  execPrice: '65000',
  execQty: '0.01',
  execType: 'Trade',
  execValue: '650',
  execTime: '1770000000002',
  feeCurrency: 'BTC',
  isMaker: false,
  leavesQty: '0.01',
};
