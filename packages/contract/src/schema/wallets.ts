import { z } from 'zod';
import {
  asset,
  clientId,
  code,
  cursor,
  limit,
  platformType,
  positiveAmount,
  timeCursor,
  tinstType,
} from './fields.ts';
import { balanceRow, page, transferRow } from './rows.ts';

const referralCode = z.object({
  code: z.string(),
  rate: z.string().describe('fraction of what a first trade is worth: 0.2 = 20 %'),
});
/** Somebody who was brought. */
export const inviteeRow = z.object({
  at: z.int().describe('when they signed up, milliseconds since 1970 UTC'),
  invitee: z.string().describe('nickname, masked'),
  kind: z.enum(['self', 'kol']).describe('with which code they came'),
  state: z.enum(['invited', 'unsettled', 'settled']).describe('invited: has not traded yet'),
  asset: z.string(),
  amount: z.string().nullable().describe('null until the first trade'),
});
/** Somebody who was brought. */
export type InviteeRow = z.infer<typeof inviteeRow>;
const tier = z.union([z.literal(0), z.literal(1)]);
const decimal = z.string().describe('decimal string');
const signedDecimal = z.string().describe('decimal string, may be negative');

/** Balances and movements: request and response of each call. */
export const walletCalls = {
  'connexfunding/fundingbalance': {
    request: z.strictObject({ platformType: platformType.optional(), asset: asset.optional() }),
    response: z.array(balanceRow),
  },
  'connexfunding/tradingbalance': {
    request: z.strictObject({ platformType, asset: asset.optional() }),
    response: z.array(balanceRow),
  },
  'connexfunding/tradingbalancesum': {
    request: z.strictObject({ platformType: platformType.optional() }),
    response: z.array(z.object({ platformType, rows: z.array(balanceRow) })),
  },
  'connexfunding/UniversalTransfer': {
    request: z.strictObject({
      platformType,
      direction: code([1, 2, 3, 4]).describe(
        '1 funding to trading, 2 trading to funding; at Binance also 3 spot to futures, 4 futures to spot',
      ),
      tinstType: tinstType.optional().describe('pocket of directions 1 and 2 at Binance: 1 spot, 2 futures'),
      asset,
      amount: positiveAmount,
      clientId: clientId.optional(),
    }),
    response: transferRow,
  },
  'connexfunding/UniversalTransferHistory': {
    request: z.strictObject({ platformType: platformType.optional(), limit, cursor: timeCursor }),
    response: page(transferRow),
  },
  /** Estimated worth of all the member's wallets in USDT, and its change since 00:00 UTC (decision 0030.10). */
  'x/wallet/Equity': {
    request: z.strictObject({}),
    response: z.object({
      equity: signedDecimal.describe('all wallets at last prices, held funds included, in USDT'),
      day: z.object({
        start: signedDecimal.nullable().describe('equity at 00:00 UTC; null without a snapshot'),
        netTransfers: signedDecimal.describe('what came in less what left since then'),
        change: signedDecimal
          .nullable()
          .describe('equity - start - netTransfers; null without a snapshot to compare with'),
        changeRate: signedDecimal
          .nullable()
          .describe('change / start as a fraction; null also when start is 0'),
      }),
      missing: z.array(z.string()).describe('assets held that have no price and are not counted'),
      time: z.int().describe('milliseconds since 1970 UTC'),
    }),
  },
  'invite/namuinvitereward': {
    request: z.strictObject({ limit, cursor }),
    response: page(inviteeRow).extend({
      settled: z.string().describe('paid so far, in USDT'),
      unsettled: z.string().describe('earned and not paid yet, in USDT'),
      late: z
        .boolean()
        .describe('what is unsettled waits until the promo account is filled; nothing is lost'),
      invitees: z.int(),
      self: referralCode,
      kol: referralCode.nullable().describe('granted by the operator; null without'),
      paysFor: z
        .string()
        .nullable()
        .describe(
          'what the first trade of an invitee is worth in USDT before the rate; null: nothing is paid here',
        ),
      later: z
        .array(
          z.object({
            field: z.string().describe('first-trade or self-rate'),
            value: z.string().describe('USDT, or percent'),
            from: z.int(),
          }),
        )
        .describe('what changes of rate and worth, and when'),
    }),
  },
  'x/demo/Funds': {
    request: z.strictObject({}),
    response: z.object({
      asset: z.string(),
      platforms: z
        .array(
          z.object({
            platformType: z.int(),
            amount: z.string(),
            state: z.enum(['waiting', 'pending', 'done', 'refused', 'unknown']),
          }),
        )
        .describe('each platform that can be traded on, and how far its funds are'),
    }),
  },
  'x/account/Limits': {
    request: z.strictObject({}),
    response: z.object({
      tier: tier.describe("the member's own: 1 once he is verified"),
      rows: z.array(
        z.object({
          what: z.enum(['spot', 'contracts', 'transfers', 'test-funds']),
          tiers: z.array(
            z.object({
              tier,
              open: z.boolean(),
              most: decimal.nullable().describe('null: no limit by tier'),
              next: z
                .object({ most: decimal, from: z.int() })
                .nullable()
                .describe('what is set and holds later'),
            }),
          ),
          asset: z.string().nullable().describe('of "most" and "used"'),
          hours: z.int().nullable().describe('the time that "most" is for'),
          used: decimal.nullable().describe('by the member within that time'),
        }),
      ),
    }),
  },
  'x/paper/TestFunds': {
    request: z.strictObject({
      /** With a platform, this much of it goes on to that platform's trading wallet. */
      platformType: platformType.optional(),
      tradingAmount: positiveAmount.optional(),
      clientId: clientId.optional(),
    }),
    response: z.object({
      asset: z.string(),
      amount: z.string(),
      state: z.enum(['pending', 'done', 'unknown']),
      transfer: transferRow.nullable().describe('what goes on to the trading wallet; null when nothing does'),
      notMoved: z
        .object({ transferId: z.string(), code: z.int(), msg: z.string() })
        .nullable()
        .describe(
          'the funds were given, and why what was to go on is not on its way, by the error catalogue; with 1006 that is not known yet',
        ),
    }),
  },
} as const;
