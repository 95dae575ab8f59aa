import { z } from 'zod';
import {
  clientId,
  code,
  effectField,
  flag,
  jsonText,
  leverageField,
  limit,
  marginModeField,
  platformType,
  positiveAmount,
  symbol,
  timeCursor,
  tinstType,
  triggerByField,
} from './fields.ts';
import { page, placed, venueRefusal } from './rows.ts';

/** Orders that wait at the exchange for a price. Amounts are plain decimal strings; times are ms. */

const decimal = z.string().describe('plain decimal string');
const millis = z.int().describe('milliseconds since 1970 UTC');
const triggerBy = z.enum(['last', 'mark', 'index']);

/** What waits for a price, by name. */
const ALGO_TYPES = ['stop', 'take-profit', 'trailing', 'oco', 'iceberg'] as const;

/** When a leg fires, and what it then sends. */
const algoLegRow = z.object({
  triggerPrice: decimal.nullable().describe('null: rests in the book as a limit order'),
  triggerBy,
  price: decimal.nullable().describe('limit price of what it sends; null: a market order'),
});

/** An algo order as its owner sees it; its children are ordinary orders. */
export const algoRow = z.object({
  algoId: z.string().describe('our id, a UUID; stays when the order is changed'),
  ...placed,
  algoType: z.enum(ALGO_TYPES),
  takeProfit: algoLegRow.nullable().describe('of take-profit and oco'),
  stopLoss: algoLegRow.nullable().describe('of stop and oco'),
  trailing: z
    .object({
      ratio: decimal.nullable().describe('fraction of the best price: 0.01 = 1 %'),
      distance: decimal.nullable().describe('in the quote asset; one of both is there'),
      activation: decimal.nullable().describe('from this price on it follows; null: from the placement'),
      triggerBy,
    })
    .nullable(),
  iceberg: z
    .object({
      price: decimal.describe('nothing rests beyond it'),
      visibleQuantity: decimal.describe('about so much rests at a time'),
      behindRatio: decimal.nullable().describe('fraction of the best price: 0.01 = 1 %'),
      behindDistance: decimal.nullable().describe('in the quote asset; one of both is there'),
    })
    .nullable(),
  executed: decimal.nullable().describe('of an iceberg: what its orders have done; null for any other'),
  timeInForce: z.union([z.literal(1), z.literal(2), z.literal(3), z.literal(4)]).describe('of a limit leg'),
  quantity: decimal.nullable().describe('base; null: the whole position when it fires'),
  state: z
    .enum(['placing', 'waiting', 'firing', 'fired', 'refused', 'cancelled', 'expired'])
    .describe(
      'placing: the exchange has not confirmed it; firing: triggered, its order not known yet (an iceberg: ending)',
    ),
  unknown: z.boolean().describe('its outcome is being looked up; what it holds stays held'),
  cancelPending: z.boolean(),
  reason: z
    .string()
    .nullable()
    .describe('why it was refused or ended, where that is no code of the exchange'),
  refusal: venueRefusal,
  children: z
    .array(z.object({ orderId: z.string(), leg: z.enum(['take-profit', 'stop-loss']).nullable() }))
    .describe('the orders that it became, by our ids'),
  placed: z.boolean().describe('the exchange has taken it: what is refused then was refused as it fired'),
  parentOrderId: z.string().nullable().describe('the order whose take-profit or stop-loss it is'),
  ofExchange: z
    .literal(true)
    .optional()
    .describe('set at the exchange and not here: shown, can be cancelled, changed only there; holds nothing'),
  brings: z
    .object({ takeProfit: algoLegRow.nullable(), stopLoss: algoLegRow.nullable() })
    .optional()
    .describe('of one set at the exchange: targets that come with the order that it sends'),
  createdAt: millis,
  updatedAt: millis,
});
/** An algo order row. */
export type AlgoRow = z.infer<typeof algoRow>;

/** Take-profit and stop-loss as fields of a form: when each fires, and at which limit; without one at market. */
const bracketFields = {
  takeProfit: positiveAmount.optional().describe('trigger price of the take-profit'),
  takeProfitPrice: positiveAmount.optional().describe('its limit price; absent: at market'),
  takeProfitBy: triggerByField.optional().describe('the price it follows; absent: last'),
  stopLoss: positiveAmount.optional().describe('trigger price of the stop-loss'),
  stopLossPrice: positiveAmount.optional().describe('its limit price; absent: at market'),
  stopLossBy: triggerByField.optional().describe('the price it follows; absent: last'),
} as const;

const trailingFields = {
  trailingRatio: positiveAmount.optional().describe('fraction of the best price: 0.01 = 1 %'),
  trailingDistance: positiveAmount.optional().describe('in the quote asset, instead of the ratio'),
  activation: positiveAmount.optional().describe('from this price on it follows; absent: at once'),
} as const;

/** Several take-profits of an order: as many as any venue takes, each a trigger price and the part that it closes. */
const partTargets = jsonText(
  z.array(z.tuple([positiveAmount, positiveAmount])).max(10),
  1_500,
  'JSON of pairs [trigger price, quantity], at most 10',
);

/** What an order may bring along to close what it fills. */
export const orderTargetFields = {
  ...bracketFields,
  takeProfits: partTargets
    .optional()
    .describe('instead of takeProfit: JSON of pairs [trigger price, quantity], together the quantity'),
  ...trailingFields,
} as const;

const single = {
  triggerPrice: positiveAmount.optional().describe('of stop and take-profit'),
  price: positiveAmount.optional().describe('limit price of what it sends; absent: a market order'),
} as const;

const icebergFields = {
  visibleQuantity: positiveAmount.optional().describe('of an iceberg: about so much rests at a time'),
  behindRatio: positiveAmount
    .optional()
    .describe('of an iceberg: so far behind the best price of its side, a fraction of it'),
  behindDistance: positiveAmount.optional().describe('in the quote asset, instead of the ratio'),
} as const;

/** Request and response of each call about algo orders. */
export const algoCalls = {
  'connextrade/PlaceAlgoOrder': {
    request: z.strictObject({
      platformType,
      tinstType,
      symbol,
      side: code([1, 2]),
      algoType: z.enum(ALGO_TYPES, 'stop, take-profit, trailing, oco or iceberg'),
      ...single,
      triggerBy: triggerByField.optional().describe('of stop, take-profit and trailing; absent: last'),
      ...bracketFields,
      ...trailingFields,
      ...icebergFields,
      timeInForce: code([1, 2, 3, 4]).default(1).describe('of a limit leg'),
      quantity: positiveAmount.optional(),
      whole: flag.optional().describe('instead of quantity: the whole position when it fires'),
      effect: effectField.optional().describe('of contracts; absent: 0'),
      reduceOnly: flag.optional().describe('of contracts: never grows nor flips the position'),
      marginMode: marginModeField.optional().describe('of contracts: what the member saw; needed to open'),
      leverage: leverageField.optional().describe('of contracts: what the member saw; needed to open'),
      clientId: clientId.optional(),
    }),
    response: algoRow,
  },
  'connextrade/CancelAlgoOrder': {
    request: z.strictObject({ platformType, algoId: clientId }),
    response: algoRow,
  },
  'connextrade/ReplaceAlgoOrder': {
    request: z.strictObject({
      platformType,
      algoId: clientId,
      ...single,
      takeProfit: bracketFields.takeProfit,
      takeProfitPrice: bracketFields.takeProfitPrice,
      stopLoss: bracketFields.stopLoss,
      stopLossPrice: bracketFields.stopLossPrice,
      ...trailingFields,
      quantity: positiveAmount.optional(),
    }),
    response: algoRow,
  },
  'connextrade/CurAlgoOrderList': {
    request: z.strictObject({
      platformType: platformType.optional(),
      tinstType: tinstType.optional(),
      symbol: symbol.optional(),
    }),
    response: z.array(algoRow),
  },
  'connextrade/AlgoOrderHistory': {
    request: z.strictObject({
      platformType: platformType.optional(),
      tinstType: tinstType.optional(),
      symbol: symbol.optional(),
      limit,
      cursor: timeCursor,
    }),
    response: page(algoRow),
  },
} as const;
