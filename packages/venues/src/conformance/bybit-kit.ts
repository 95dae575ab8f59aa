import { createBybitTrading } from '../bybit/trading/bybit-trading.ts';
import { standingVenue } from '../trading/scripted-transport.fixture.ts';
import type { HttpAnswer } from '../transport.ts';
import { bybitPublicKit, envelope } from './bybit-public-kit.ts';
import { NOON, type VenueKit } from './venue-kit.ts';

/** Bybit spot's words for the claims about trading; shapes from bybit-exchange/docs v5 (2026-07-24). */

const answer = (text: string): HttpAnswer => ({ status: 200, headers: {}, text });
const error = (retCode: number, retMsg: string): HttpAnswer =>
  answer(JSON.stringify({ retCode, retMsg, result: {}, retExtInfo: {}, time: NOON }));

const STATUSES = { open: 'New', filled: 'Filled', cancelled: 'Cancelled' } as const;

/** Bybit spot for the conformance claims. */
export const BYBIT_KIT: VenueKit = {
  ...bybitPublicKit('spot', 'Bybit spot'),
  createTrading(answered, arbiter) {
    let count = 0;
    const trading = createBybitTrading({
      ...standingVenue(() => NOON),
      socketBase: 'ws://venue',
      ...(arbiter === undefined ? {} : { arbiter }),
      async sendHttp(request) {
        if (request.url.endsWith('/v5/order/create')) count += 1;
        return request.url.endsWith('/time') ? { status: 503, headers: {}, text: '' } : answered();
      },
    });
    return { trading, placings: () => count };
  },
  placementsAreBare: true,
  answers: {
    placed: (order) => answer(envelope({ orderId: '1', orderLinkId: order.clientId })),
    queried: (order, id) => {
      const row = {
        orderId: id,
        orderLinkId: order.clientId,
        symbol: 'BTCUSDT',
        orderStatus: STATUSES[order.status],
        cumExecQty: order.executed,
        cumExecValue: order.executedQuote,
        updatedTime: String(NOON),
      };
      return answer(envelope({ category: 'spot', list: [row], nextPageCursor: '' }));
    },
    insufficientBalance: () => error(170_131, 'Insufficient balance.'),
    duplicateId: () => error(170_141, 'Duplicate clientOrderId'),
    serverTimeout: () => error(10_000, 'Server Timeout'),
    unheardOfCode: () => error(177_777, 'Something new.'),
    unknownOrderOnCancel: () => error(170_213, 'Order does not exist.'),
    unknownOrderOnQuery: () => answer(envelope({ category: 'spot', list: [], nextPageCursor: '' })),
  },
};
