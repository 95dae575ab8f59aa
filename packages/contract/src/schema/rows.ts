import { MEMO_RULES, PLATFORMS, REFUSAL_CAUSES } from '@crossbook/domain';
import { z } from 'zod';

/** Rows that calls answer and the stream repeats. Amounts are plain decimal strings; times are ms. */

const decimal = z.string().describe('plain decimal string');
const millis = z.int().describe('milliseconds since 1970 UTC');

/** Why an exchange refused or ended what was asked of it. */
export const venueRefusal = z
  .object({
    cause: z.enum(REFUSAL_CAUSES).nullable().describe('why, where its code has a name of ours'),
    venueCode: z.string().nullable().describe('its code; null where only words came'),
  })
  .nullable();

/** The bare code behind a refusal; `reason` says why in words. */
export const venueCode = z.string().nullable().describe('of the exchange, where it refused');

/** Whose hand made an order. */
const ORDER_CAUSES = ['order', 'liquidation', 'deleveraging', 'venue'] as const;

/** Where and how any order was placed, one that waits for a price too. */
export const placed = {
  exchange: z.literal(PLATFORMS.map((row) => row.platform)),
  symbolType: z.enum(['SPOT', 'SWAP']),
  symbol: z.string(),
  side: z.union([z.literal(1), z.literal(2)]),
  effect: z.union([z.literal(0), z.literal(1), z.literal(2)]).describe('0 spot or net, 1 long, 2 short leg'),
  reduceOnly: z.boolean().describe('never grows nor flips the position'),
  marginMode: z.enum(['cross', 'isolated']).nullable().describe('null for spot'),
  leverage: z.int().nullable().describe('what the member saw; null for spot'),
};

/** An order as its owner sees it (status, side and type codes: spec section 4). */
export const orderRow = z.object({
  orderId: z.string().describe('our id, a UUID'),
  venueOrderId: z.string().optional().describe("the exchange's own id, once it has told it"),
  ...placed,
  cause: z.enum(ORDER_CAUSES).describe('whose hand: order a member, the rest the exchange'),
  orderType: z.union([z.literal(1), z.literal(2)]),
  timeInForce: z.union([z.literal(1), z.literal(2), z.literal(3), z.literal(4)]),
  price: decimal.nullable().describe('null for a market order'),
  quantity: decimal.nullable().describe('base; null when a quote amount was given'),
  quoteQuantity: decimal.nullable(),
  visibleQuantity: decimal.nullable().describe('what an iceberg shows at a time; null for any other order'),
  icebergId: z
    .string()
    .nullable()
    .describe('the algo order of which the exchange made it as one of many; null for any other order'),
  cumQuantity: decimal,
  cumQuote: decimal,
  realisedPnl: decimal.nullable().describe('gross, of booked fills; null for spot'),
  status: z.int().min(0).max(7),
  cancelPending: z.boolean(),
  change: z
    .object({ price: decimal, quantity: decimal })
    .nullable()
    .describe('terms that were asked for and that the exchange has not confirmed; null: none'),
  settled: z.boolean().describe('all fills are booked and the rest of the hold is free'),
  reason: z
    .string()
    .nullable()
    .describe('why it was refused or ended, where that is no code of the exchange'),
  refusal: venueRefusal,
  createdAt: millis,
  updatedAt: millis,
});
/** An order row. */
export type OrderRow = z.infer<typeof orderRow>;

/** An order in a history, with what its fills cost. */
export const pastOrderRow = orderRow.extend({
  fees: z
    .array(z.object({ asset: z.string(), amount: decimal }))
    .nullable()
    .describe(
      'of its booked fills, by asset; empty: nothing filled; null: too many fills, ask x/trade/Fills',
    ),
});
/** A row of an order history. */
export type PastOrderRow = z.infer<typeof pastOrderRow>;

/** One fill of an order. */
export const fillRow = z.object({
  tradeId: z.string(),
  orderId: z.string(),
  exchange: z.literal(PLATFORMS.map((row) => row.platform)),
  symbolType: z.enum(['SPOT', 'SWAP']),
  symbol: z.string(),
  side: z.union([z.literal(1), z.literal(2)]),
  effect: z.union([z.literal(0), z.literal(1), z.literal(2)]),
  realisedPnl: decimal.nullable().describe('gross; null for spot'),
  cause: z.enum(['trade', 'liquidation', 'deleveraging']),
  price: decimal,
  quantity: decimal,
  quoteQuantity: decimal,
  fee: decimal,
  feeAsset: z.string(),
  maker: z.boolean(),
  time: millis,
});
/** A fill row. */
export type FillRow = z.infer<typeof fillRow>;

/** One asset of a wallet; `total = available + locked`. */
export const balanceRow = z.object({
  asset: z.string(),
  total: decimal,
  available: decimal,
  locked: decimal,
  pocket: z
    .enum(['spot', 'futures'])
    .optional()
    .describe('where the exchange keeps two wallets (Binance); absent elsewhere'),
});
/** A balance row. */
export type BalanceRow = z.infer<typeof balanceRow>;

/** A movement between funding and a platform's trading wallet. */
export const transferRow = z.object({
  transferId: z.string(),
  platformType: z.literal(PLATFORMS.map((row) => row.platformType)),
  direction: z
    .union([z.literal(1), z.literal(2), z.literal(3), z.literal(4)])
    .describe('1 funding to trading, 2 trading to funding, 3 spot to futures, 4 futures to spot'),
  tinstType: z.union([z.literal(1), z.literal(2)]).describe('the pocket of directions 1 and 2 at Binance'),
  asset: z.string(),
  amount: decimal,
  state: z.enum(['pending', 'done', 'refused', 'unknown']),
  reason: z.string().nullable(),
  createdAt: millis,
  updatedAt: millis,
  expectedAt: millis.nullable().describe('when it should be done, where it takes time'),
});
/** A transfer row. */
export type TransferRow = z.infer<typeof transferRow>;

/** Symbol info in the field names of spec section 3; numbers as strings. */
export const symbolRow = z.object({
  tinstId: z.string(),
  tinstType: z.union([z.literal(1), z.literal(2)]),
  tstate: z.union([z.literal(0), z.literal(1)]),
  tbaseCcy: z.string(),
  tquoteCcy: z.string(),
  ttickSz: decimal,
  tlotSz: decimal,
  tminSz: decimal,
  tmaxSz: decimal,
  tminPrice: decimal,
  tmaxPrice: decimal,
  tminOrderAmt: decimal.describe('smallest order value in quote'),
  tmaxOrderAmt: decimal.describe('0 = no bound'),
  tmaxLmtSz: decimal,
  tmaxMktSz: decimal,
  tctVal: decimal,
  tlever: z.int(),
  tinstFamily: z.string(),
  tmakerFee: decimal.describe('fraction: 0.001 = 0.1 %'),
  ttakerFee: decimal,
  tpriceBand: z
    .object({
      buyLeast: decimal.optional(),
      buyMost: decimal.optional(),
      sellLeast: decimal.optional(),
      sellMost: decimal.optional(),
    })
    .optional()
    .describe('limit prices as fractions of the mark, or of the average price of a pair; absent: not named'),
});
/** A symbol-info row. */
export type SymbolRow = z.infer<typeof symbolRow>;

/** A coin that is traded somewhere in the hub. */
export const currencyRow = z.object({
  asset: z.string(),
  /** Its name in English: `Bitcoin`; the ticker where we know none. */
  name: z.string(),
  /** Decimals a member may type in an amount of it. */
  decimals: z.number().int(),
  /** Platforms (43, 41, 42) that trade it against USDT now. */
  platformTypes: z.array(z.number().int()),
  /** Whether the operator has opened deposits of it, and withdrawals. */
  deposits: z.boolean(),
  withdrawals: z.boolean(),
});
/** A coin. */
export type CurrencyRow = z.infer<typeof currencyRow>;

/** A currency on a network, as GetNetWorks answers it. */
export const networkRow = z.object({
  asset: z.string(),
  network: z.string(),
  name: z.string(),
  deposits: z.boolean().describe('opened by the operator, for the currency and on this network'),
  withdrawals: z.boolean(),
  confirmations: z.int().describe('blocks on top of a deposit before it counts'),
  minimum: z.string().describe('least withdrawal'),
  fee: z.string().describe('of a withdrawal, in the currency'),
  memo: z.enum(MEMO_RULES).describe('whether a transfer names its receiver besides the address'),
  next: z
    .array(z.object({ field: z.string(), value: z.string(), from: z.int() }))
    .describe('what changes, and when'),
});
/** A currency on a network. */
export type NetworkRow = z.infer<typeof networkRow>;

/** A page of rows; `next` is absent on the last one. */
export function page<Row extends z.ZodType>(row: Row) {
  return z.object({ rows: z.array(row), next: z.string().optional() });
}

/** From which side a last price comes to that of an alert. */
export const DIRECTIONS = ['rises', 'falls'] as const;

/** A price alert as its owner sees it. */
export const priceAlertRow = z.object({
  alertId: z.string().describe('a UUID, made by the page that set it'),
  exchange: z.literal(PLATFORMS.map((row) => row.platform)),
  symbolType: z.enum(['SPOT', 'SWAP']),
  symbol: z.string(),
  price: decimal,
  direction: z.enum(DIRECTIONS).describe('it fires when the last price rises, or falls, to its price'),
  createdAt: millis,
  fired: z
    .object({ price: decimal, time: millis })
    .nullable()
    .describe('the last price that fired it; null: it waits'),
});
/** A price alert. */
export type PriceAlertRow = z.infer<typeof priceAlertRow>;
