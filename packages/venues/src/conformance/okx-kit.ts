import { createOkxTrading } from '../okx/trading/okx-trading.ts';
import { standingVenue } from '../trading/scripted-transport.fixture.ts';
import type { HttpAnswer } from '../transport.ts';
import { okxPublicKit } from './okx-public-kit.ts';
import { NOON, type VenueKit } from './venue-kit.ts';

/** OKX's words for the claims about trading; shapes from the OKX v5 guide (2026). */

const answered = (body: object, status = 200): HttpAnswer => ({
  status,
  headers: {},
  text: JSON.stringify(body),
});

/** A request of one item that the venue refused for that item. */
const refusedItem = (sCode: string, sMsg: string): HttpAnswer =>
  answered({
    code: '1',
    msg: 'All operations failed',
    data: [{ ordId: '', clOrdId: '', tag: '', ts: String(NOON), sCode, sMsg }],
    inTime: '1770000000000000',
    outTime: '1770000000000001',
  });

const STATES = { open: 'live', filled: 'filled', cancelled: 'canceled' } as const;

/** OKX spot for the conformance claims. */
export const OKX_KIT: VenueKit = {
  ...okxPublicKit('SPOT', 'OKX spot'),
  createTrading(answer, arbiter) {
    let count = 0;
    const trading = createOkxTrading({
      ...standingVenue(() => NOON),
      privateSocketUrl: 'ws://venue/ws/v5/private',
      ...(arbiter === undefined ? {} : { arbiter }),
      async sendHttp(request) {
        if (request.method === 'POST' && request.url.endsWith('/api/v5/trade/order')) count += 1;
        return request.url.includes('/public/') ? { status: 503, headers: {}, text: '' } : answer();
      },
    });
    return { trading, placings: () => count };
  },
  placementsAreBare: true,
  answers: {
    placed: ({ clientId }) =>
      answered({
        code: '0',
        msg: '',
        data: [
          { ordId: '312269865356374016', clOrdId: clientId, tag: '', ts: String(NOON), sCode: '0', sMsg: '' },
        ],
      }),
    queried: (order, id) =>
      answered({
        code: '0',
        msg: '',
        data: [
          {
            instType: 'SPOT',
            instId: 'BTC-USDT',
            ordId: id,
            clOrdId: order.clientId,
            state: STATES[order.status],
            accFillSz: order.executed,
            avgPx: Number(order.executed) > 0 ? '10' : '',
            uTime: String(NOON),
          },
        ],
      }),
    insufficientBalance: () => refusedItem('51008', 'Order failed. Insufficient USDT balance in account.'),
    duplicateId: () => refusedItem('51016', 'Client order ID already exists.'),
    serverTimeout: () => answered({ code: '50004', msg: 'API endpoint request timeout.', data: [] }, 400),
    unheardOfCode: () => refusedItem('57777', 'Something new.'),
    unknownOrderOnCancel: () =>
      refusedItem('51400', 'Cancellation failed as the order has been filled, canceled or does not exist.'),
    unknownOrderOnQuery: () => answered({ code: '51603', msg: 'Order does not exist', data: [] }),
  },
};
