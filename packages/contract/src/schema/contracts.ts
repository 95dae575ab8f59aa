import { PLATFORMS } from '@crossbook/domain';
import { z } from 'zod';
import {
  clientId,
  code,
  countCursor,
  effectField,
  leverageField,
  limit,
  marginModeField,
  platformType,
  positiveAmount,
  spans,
  symbol,
  timeField,
  tinstType,
} from './fields.ts';
import { orderRow, page, venueCode } from './rows.ts';

/** Perpetuals: positions, margin, leverage and what they earned. Amounts are plain decimal strings; times are ms. */

const decimal = z.string().describe('plain decimal string');
const millis = z.int().describe('milliseconds since 1970 UTC');
const exchange = z.literal(PLATFORMS.map((row) => row.platform));
const effect = z.union([z.literal(0), z.literal(1), z.literal(2)]).describe('0 net, 1 long leg, 2 short leg');
const marginMode = z.enum(['cross', 'isolated']);
const positionMode = z.enum(['one-way', 'hedge']);

const positionModeField = z.enum(['one-way', 'hedge'], 'one-way or hedge');
const contract = { platformType, symbol } as const;

/** A position; figures are the exchange's own. `positionId` is ours: one from flat to flat. */
export const positionRow = z.object({
  positionId: z.string(),
  exchange,
  symbol: z.string(),
  effect,
  marginMode,
  quantity: decimal.describe('signed with effect 0, at least 0 otherwise; 0 when it has just been closed'),
  entryPrice: decimal,
  breakEvenPrice: decimal.nullable(),
  markPrice: decimal,
  leverage: z.int(),
  isolatedMargin: decimal.nullable(),
  unrealisedPnl: decimal,
  initialMargin: decimal,
  maintenanceMargin: decimal,
  liquidationPrice: decimal.nullable(),
  adlRank: z.int().min(0).max(5),
  status: z.enum(['normal', 'liquidating', 'deleveraging']),
  unprotected: z
    .boolean()
    .optional()
    .describe('true while take-profit or stop-loss asked for with an order does not stand yet'),
  realisedPnl: decimal.describe('booked since it was opened, fees and funding included'),
  fees: decimal.describe('of that; above 0 paid'),
  funding: decimal.describe('of that; above 0 received'),
  openedAt: millis,
  updatedAt: millis,
});
/** A position row. */
export type PositionRow = z.infer<typeof positionRow>;

/** The money behind a platform's contracts. */
export const marginRow = z.object({
  exchange,
  asset: z.string(),
  wallet: decimal,
  unrealisedPnl: decimal,
  positionInitial: decimal,
  orderInitial: decimal,
  maintenance: decimal,
  available: decimal.describe('what an opening order may take: the lesser of the ledger and the exchange'),
  withdrawable: decimal,
  ratio: z.number().nullable().describe('1 = liquidation, smaller is safer'),
  updatedAt: millis,
});
/** A margin row. */
export type MarginRow = z.infer<typeof marginRow>;

/** How a contract is set, read from the exchange. */
export const settingRow = z.object({
  exchange,
  symbol: z.string(),
  marginMode,
  positionMode,
  leverageLong: z.int(),
  leverageShort: z.int(),
  maxLeverage: z.int(),
});
/** A setting row. */
export type SettingRow = z.infer<typeof settingRow>;

/** One step of the leverage table. */
export const tierRow = z.object({
  tier: z.int(),
  unit: z.enum(['notional', 'contracts']),
  floor: decimal,
  cap: decimal,
  maintenanceRate: decimal,
  maxLeverage: z.int(),
  deduction: decimal,
});
/** A tier row. */
export type TierRow = z.infer<typeof tierRow>;

/** A position from opening to flat, made of booked fills. */
export const closedPositionRow = z.object({
  positionId: z.string(),
  exchange,
  symbol: z.string(),
  effect,
  direction: z.enum(['long', 'short']),
  marginMode,
  leverage: z.int(),
  maxQuantity: decimal,
  entryPrice: decimal,
  exitPrice: decimal,
  realisedPnl: decimal.describe('gross'),
  fees: decimal.describe('above 0 paid'),
  funding: decimal.describe('above 0 received'),
  net: decimal,
  ended: z.enum(['closed', 'liquidated', 'deleveraged']),
  openedAt: millis,
  closedAt: millis,
});
/** A closed position row. */
export type ClosedPositionRow = z.infer<typeof closedPositionRow>;

/** One payment of funding. */
export const fundingRow = z.object({
  id: z.string(),
  exchange,
  symbol: z.string(),
  effect,
  quantity: decimal.nullable(),
  markPrice: decimal.nullable(),
  rate: decimal.nullable(),
  amount: decimal.describe('above 0 received'),
  time: millis,
});
/** A funding row. */
export type FundingRow = z.infer<typeof fundingRow>;

/** What became of closing one position. */
export const closeRow = z.object({
  exchange,
  symbol: z.string(),
  effect,
  marginMode,
  outcome: z.enum(['sent', 'refused', 'unknown']),
  order: orderRow.nullable(),
  reason: z.string().nullable(),
  venueCode,
});
/** A close row. */
export type CloseRow = z.infer<typeof closeRow>;

/** What became of turning a position around. */
const reverseRow = closeRow.extend({
  half: z.boolean().describe('the leg was closed, and the other one was not opened: reason says why'),
});
/** A reverse row. */
export type ReverseRow = z.infer<typeof reverseRow>;

const close = {
  effect: effectField.default(0),
  marginMode: marginModeField.optional().describe('needed where both exist (OKX)'),
} as const;

/** Request and response of each call about contracts. */
export const contractCalls = {
  'connextrade/GetLeverage': {
    request: z.strictObject({
      ...contract,
      marginMode: marginModeField.optional().describe('whose leverage, where orders say their mode (OKX)'),
    }),
    response: settingRow,
  },
  'connextrade/SetLeverage': {
    request: z.strictObject({
      ...contract,
      leverage: leverageField,
      effect: effectField.default(0),
      marginMode: marginModeField.optional(),
      clientId: clientId.optional(),
    }),
    response: settingRow,
  },
  'connextrade/ChangePositionMode': {
    request: z.strictObject({ ...contract, positionMode: positionModeField }),
    response: settingRow,
  },
  'x/trade/MarginMode': {
    request: z.strictObject({ ...contract, marginMode: marginModeField }),
    response: settingRow,
  },
  'x/trade/AdjustMargin': {
    request: z.strictObject({
      ...contract,
      effect: effectField.default(0),
      direction: code([1, 2]).describe('1 add, 2 take'),
      amount: positiveAmount,
      clientId: clientId.optional(),
    }),
    response: positionRow,
  },
  'connextrade/GetPositionTiers': {
    request: z.strictObject({ platformType, sym: symbol.describe('tinstFamily') }),
    response: z.array(tierRow),
  },
  'connextrade/CurPositionList': {
    request: z.strictObject({ platformType: platformType.optional(), symbol: symbol.optional() }),
    response: z.object({ positions: z.array(positionRow), margin: z.array(marginRow) }),
  },
  'connextrade/PositionHistory': {
    request: z.strictObject({
      platformType: platformType.optional(),
      symbol: symbol.optional(),
      limit,
      cursor: countCursor,
    }),
    response: page(closedPositionRow),
  },
  'connextrade/ClosePosition': {
    request: z.strictObject({
      ...contract,
      ...close,
      quantity: positiveAmount.optional().describe('absent: all of it'),
      price: positiveAmount.optional().describe('absent: at market'),
      timeInForce: code([1, 2, 3, 4]).optional().describe('of a limit; absent: GTC'),
      clientId: clientId.optional(),
    }),
    response: closeRow,
  },
  'connextrade/ClosePositionAll': {
    request: z.strictObject({ platformType: platformType.optional(), symbol: symbol.optional() }),
    response: z.array(closeRow),
  },
  'x/trade/ReversePosition': {
    request: z.strictObject({
      ...contract,
      ...close,
      side: code([1, 2]).describe('what was seen to be held: 1 long, 2 short'),
      leverage: leverageField.describe('what was seen'),
      clientId: clientId.optional(),
    }),
    response: reverseRow,
  },
  'connextrade/AvailableOpen': {
    request: z.strictObject({
      ...contract,
      side: code([1, 2]),
      effect: effectField.default(0),
      marginMode: marginModeField.optional(),
      price: positiveAmount.optional().describe('absent: market order'),
    }),
    response: z.object({ quantity: decimal, bound: z.enum(['margin', 'tier', 'lot', 'none']) }),
  },
  'connextrade/AvailableClose': {
    request: z.strictObject({ ...contract, ...close }),
    response: z.object({ quantity: decimal, inClosingOrders: decimal }),
  },
  'x/trade/Opening': {
    request: z.strictObject({ platformType, tinstType: tinstType.optional() }),
    response: z.object({
      stopped: z
        .enum([
          'nothing',
          'money-halted',
          'kyc-required',
          'account-none',
          'account-preparing',
          'books-differ',
        ])
        .describe(
          'what keeps new positions from being opened, with tinstType 1 orders of pairs from being placed; closing and cancelling always go',
        ),
      differs: z
        .object({ of: z.string().describe('an asset or a contract'), amount: decimal })
        .optional()
        .describe('with books-differ: the first figure in which ledger and exchange differ'),
    }),
  },
  'x/trade/FundingHistory': {
    request: z.strictObject({
      platformType: platformType.optional(),
      symbol: symbol.optional(),
      limit,
      cursor: countCursor,
    }),
    response: page(fundingRow),
  },
  'connexfunding/GetRpnl': {
    request: spans(z.strictObject({ begin: timeField, end: timeField })),
    response: z.object({ totalRpnl: decimal, equity: decimal }),
  },
} as const;
