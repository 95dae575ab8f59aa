import { z } from 'zod';
import { asset, clientId, code, cursor, limit, platformType, positiveAmount, symbol } from './fields.ts';
import { currencyRow, fillRow, orderRow, page, symbolRow } from './rows.ts';

/** An instrument that a member has marked. */
const favouriteRow = z.strictObject({
  platformType,
  tinstType: code([1, 2]).describe('1 spot, 2 swap'),
  tinstId: symbol,
});

/** Instruments and orders: request and response of each call. */
export const tradingCalls = {
  'connexbasicdata/QuerySymInfo': {
    request: z.strictObject({
      platformType,
      tstate: code([0, 1]).describe('1 trading only, 0 all'),
      tinstType: code([1, 2]).optional().describe('1 spot, 2 swap'),
      tinstId: symbol.optional(),
    }),
    response: z.array(symbolRow),
  },
  'connexbasicdata/GetCurrencies': {
    request: z.strictObject({ asset: asset.optional() }),
    response: z.array(currencyRow),
  },
  'connexbasicdata/existuserfree': {
    request: favouriteRow,
    response: z.object({ exist: z.boolean() }),
  },
  'connexbasicdata/addsinglefree': { request: favouriteRow, response: favouriteRow },
  'connexbasicdata/delfree': { request: favouriteRow, response: favouriteRow },
  'connexbasicdata/getuserfree': {
    request: z.strictObject({ platformType: platformType.optional(), tinstType: code([1, 2]).optional() }),
    response: z.array(favouriteRow),
  },
  'connextrade/PlaceOrder': {
    request: z.strictObject({
      platformType,
      tinstType: code([1, 2]),
      symbol,
      side: code([1, 2]),
      orderType: code([1, 2]),
      timeInForce: code([1, 2, 3, 4]).default(1),
      price: positiveAmount.optional(),
      quantity: positiveAmount.optional(),
      quoteQuantity: positiveAmount.optional().describe('market buys only, instead of quantity'),
      clientId: clientId.optional(),
    }),
    response: orderRow,
  },
  'connextrade/CancelOrder': {
    request: z.strictObject({ platformType, orderId: clientId }),
    response: orderRow,
  },
  'connextrade/CurOrderList': {
    request: z.strictObject({ platformType, symbol: symbol.optional() }),
    response: z.array(orderRow),
  },
  'connextrade/OrderHistory': {
    request: z.strictObject({ platformType, symbol: symbol.optional(), limit, cursor }),
    response: page(orderRow),
  },
  'x/trade/Fills': {
    request: z.strictObject({
      platformType,
      symbol: symbol.optional(),
      orderId: clientId.optional(),
      limit,
      cursor,
    }),
    response: page(fillRow),
  },
} as const;
