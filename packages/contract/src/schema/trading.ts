import { PLATFORMS, SCALED_COUNT, SCALED_SKEW_MAX } from '@crossbook/domain';
import { z } from 'zod';
import { orderTargetFields } from './algo-orders.ts';
import {
  anyOrderId,
  asset,
  clientId,
  code,
  countCursor,
  effectField,
  flag,
  integer,
  leverageField,
  limit,
  marginModeField,
  platformType,
  positiveAmount,
  spans,
  symbol,
  timeCursor,
  timeField,
  tinstType,
} from './fields.ts';
import {
  currencyRow,
  DIRECTIONS,
  fillRow,
  networkRow,
  orderRow,
  page,
  pastOrderRow,
  priceAlertRow,
  symbolRow,
  venueCode,
} from './rows.ts';

/** An instrument that a member has marked. */
const favouriteRow = z.strictObject({
  platformType,
  tinstType,
  tinstId: symbol,
});

const decimal = z.string().describe('plain decimal string');
const millis = timeField.optional();

/** Which orders of the hub's own store, over all platforms. */
const orderFilter = {
  platformType: platformType.optional(),
  tinstType: tinstType.optional(),
  symbol: symbol.optional(),
  side: code([1, 2]).optional(),
  status: code([0, 1, 2, 3, 4, 5, 6, 7]).optional(),
  begin: millis.describe('made at this time or later, ms'),
  end: millis.describe('made before this time, ms'),
} as const;

/** Where resting orders are cancelled by the exchange once the hub is not heard of. */
const countdownRow = z.object({
  exchange: z.literal(PLATFORMS.map((row) => row.platform)),
  seconds: z.int().describe('after so long; 0: it is off'),
  offered: z.array(z.int()).describe('what the exchange takes besides 0'),
  pairs: z.boolean().describe('whether orders of pairs are cancelled'),
  contracts: z.boolean().describe('the same of contracts'),
  state: z
    .enum(['off', 'idle', 'counting', 'waiting'])
    .describe(
      'idle: nothing rests that it would cancel; counting: the exchange has said so; waiting: it has not, and as yet cancels nothing',
    ),
});
/** A row of it. */
export type CountdownRow = z.infer<typeof countdownRow>;

/** What became of cancelling one order. */
const cancelRow = z.object({
  orderId: z.string(),
  outcome: z.enum(['cancelled', 'pending', 'refused']),
  order: orderRow.nullable(),
  reason: z.string().nullable(),
  venueCode,
});

/** As many as 200 of our ids. */
const ORDER_IDS_LENGTH_MAX = 8_000;
const orderIds = z
  .string()
  .max(ORDER_IDS_LENGTH_MAX, `at most ${ORDER_IDS_LENGTH_MAX} characters`)
  .regex(/^\["[0-9a-f-]{36}"(,"[0-9a-f-]{36}")*\]$/, 'a JSON list of ids')
  .transform((text): readonly string[] => text.match(/[0-9a-f-]{36}/g) ?? []);

/** What became of one order of a scaled one. */
const scaledRow = z.object({
  orderId: z.string().describe('made of the clientId, and the same in a repeat'),
  price: decimal,
  quantity: decimal,
  outcome: z.enum(['placed', 'refused', 'unknown']),
  order: orderRow
    .nullable()
    .describe('as it stands now; null: there is none, and a repeat of the request sends it'),
  reason: z.string().nullable(),
  venueCode,
});

/** Instruments and orders: request and response of each call. */
export const tradingCalls = {
  'connexbasicdata/QuerySymInfo': {
    request: z.strictObject({
      platformType,
      tstate: code([0, 1]).describe('1 trading only, 0 all'),
      tinstType: tinstType.optional(),
      tinstId: symbol.optional(),
    }),
    response: z.array(symbolRow),
  },
  'connexbasicdata/GetCurrencies': {
    request: z.strictObject({ asset: asset.optional() }),
    response: z.array(currencyRow),
  },
  'connexbasicdata/GetNetWorks': {
    request: z.strictObject({ asset: asset.optional() }),
    response: z.array(networkRow),
  },
  'connexbasicdata/existuserfree': {
    request: favouriteRow,
    response: z.object({ exist: z.boolean() }),
  },
  'connexbasicdata/addsinglefree': { request: favouriteRow, response: favouriteRow },
  'connexbasicdata/delfree': { request: favouriteRow, response: favouriteRow },
  'connexbasicdata/getuserfree': {
    request: z.strictObject({ platformType: platformType.optional(), tinstType: tinstType.optional() }),
    response: z.array(favouriteRow),
  },
  'x/alert/List': {
    request: z.strictObject({}),
    response: z.array(priceAlertRow),
  },
  'x/alert/Set': {
    request: z.strictObject({
      alertId: clientId.describe('the same id again moves it'),
      platformType,
      tinstType,
      symbol,
      price: positiveAmount.describe('on the tick'),
      direction: z.enum(DIRECTIONS, 'rises or falls'),
    }),
    response: priceAlertRow,
  },
  'x/alert/Remove': {
    request: z.strictObject({ alertId: clientId }),
    response: z.object({ alertId: z.string() }),
  },
  'connextrade/PlaceOrder': {
    request: z.strictObject({
      platformType,
      tinstType,
      symbol,
      side: code([1, 2]),
      orderType: code([1, 2]),
      timeInForce: code([1, 2, 3, 4]).default(1),
      price: positiveAmount.optional(),
      quantity: positiveAmount.optional(),
      quoteQuantity: positiveAmount.optional().describe('spot market buys only, instead of quantity'),
      visibleQuantity: positiveAmount
        .optional()
        .describe(
          'an iceberg: so much stands in the book at a time; resting limit orders, where the exchange has it',
        ),
      effect: effectField.optional().describe('of contracts; absent: 0'),
      reduceOnly: flag.optional().describe('of contracts: never grows nor flips the position'),
      marginMode: marginModeField.optional().describe('of contracts: what the member saw; needed to open'),
      leverage: leverageField.optional().describe('of contracts: what the member saw; needed to open'),
      ...orderTargetFields,
      clientId: clientId.optional(),
    }),
    response: orderRow,
  },
  'x/trade/PlaceScaled': {
    request: z.strictObject({
      platformType,
      tinstType,
      symbol,
      side: code([1, 2]),
      from: positiveAmount.describe('price of the first order'),
      to: positiveAmount.describe('price of the last order'),
      count: integer(SCALED_COUNT.least, SCALED_COUNT.most),
      skew: integer(-SCALED_SKEW_MAX, SCALED_SKEW_MAX)
        .default(0)
        .describe('n: the last order is n + 1 times as large as the first; -n: the first as the last'),
      quantity: positiveAmount.describe('of all orders together'),
      timeInForce: code([1, 4]).default(1),
      effect: effectField.optional().describe('of contracts; absent: 0'),
      reduceOnly: flag.optional().describe('of contracts: never grows nor flips the position'),
      marginMode: marginModeField.optional().describe('of contracts: what the member saw; needed to open'),
      leverage: leverageField.optional().describe('of contracts: what the member saw; needed to open'),
      clientId: clientId.describe(
        'of the whole; a repeat never places an order twice, and sends what is missing',
      ),
    }),
    response: z.array(scaledRow),
  },
  'connextrade/ReplaceOrder': {
    request: z.strictObject({
      platformType,
      orderId: clientId,
      price: positiveAmount.optional().describe('absent: stays'),
      quantity: positiveAmount.optional().describe('of the order as a whole; absent: stays'),
      clientId: clientId.optional().describe('of the new order, where one takes the place of the old one'),
    }),
    response: z.object({
      outcome: z
        .enum(['amended', 'replaced', 'cancelled-only', 'pending'])
        .describe(
          'amended: changed under its id, its place in the queue kept where the exchange keeps it; replaced: cancelled, and a new one placed; cancelled-only: the new one was refused; pending: the change or the cancel is not confirmed, nothing is sent again',
        ),
      order: orderRow.describe('the order that stands now; the old one where there is none'),
      reason: z.string().nullable(),
    }),
  },
  'connextrade/CancelOrder': {
    request: z.strictObject({ platformType, orderId: anyOrderId.describe("our id or the exchange's") }),
    response: orderRow,
  },
  'connextrade/CancelAll': {
    request: z.strictObject({
      platformType: platformType.optional(),
      tinstType: tinstType.optional(),
      symbol: symbol.optional(),
      orderIds: orderIds.optional().describe('these alone, as a JSON list; each has a row in the answer'),
    }),
    response: z.array(cancelRow),
  },
  'x/trade/Countdowns': { request: z.strictObject({}), response: z.array(countdownRow) },
  'x/trade/SetCountdown': {
    request: z.strictObject({
      platformType,
      seconds: integer(0, 300).describe('without the hub; 0 turns it off. Each exchange takes a few'),
    }),
    response: countdownRow,
  },
  'connextrade/CurOrderList': {
    request: z.strictObject({ platformType, tinstType: tinstType.optional(), symbol: symbol.optional() }),
    response: z.array(orderRow),
  },
  'connextrade/OrderHistory': {
    request: z.strictObject({
      platformType,
      tinstType: tinstType.optional(),
      symbol: symbol.optional(),
      limit,
      cursor: timeCursor,
    }),
    response: page(pastOrderRow),
  },
  'connextrade/v2/OrderHistory': {
    request: spans(z.strictObject({ ...orderFilter, limit, cursor: timeCursor })),
    response: page(pastOrderRow),
  },
  'connextrade/v2/OrderHistorySubTotal': {
    request: spans(z.strictObject(orderFilter)),
    response: z.object({
      orders: z.int(),
      filled: z.int().describe('orders of which something traded'),
      cumQuote: decimal.describe('traded value, in quote'),
      realisedPnl: decimal.describe('gross, of contracts'),
      fees: z.array(z.object({ asset: z.string(), amount: decimal })),
    }),
  },
  'connextrade/GetOrderRpnl': {
    request: z.strictObject({ platformType, orderId: anyOrderId }),
    response: z.object({
      orderId: z.string(),
      realisedPnl: decimal.describe('gross'),
      fees: decimal.describe('in the settlement asset; above 0 paid'),
      net: decimal,
    }),
  },
  'x/trade/Fills': {
    request: z.strictObject({
      platformType,
      tinstType: tinstType.optional(),
      symbol: symbol.optional(),
      orderId: clientId.optional(),
      limit,
      cursor: countCursor,
    }),
    response: page(fillRow),
  },
} as const;
