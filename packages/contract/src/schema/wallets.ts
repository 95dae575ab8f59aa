import { z } from 'zod';
import { asset, clientId, code, cursor, limit, platformType, positiveAmount } from './fields.ts';
import { balanceRow, page, transferRow } from './rows.ts';

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
      direction: code([1, 2]).describe('1 funding to trading, 2 trading to funding'),
      asset,
      amount: positiveAmount,
      clientId: clientId.optional(),
    }),
    response: transferRow,
  },
  'connexfunding/UniversalTransferHistory': {
    request: z.strictObject({ platformType: platformType.optional(), limit, cursor }),
    response: page(transferRow),
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
      transfer: transferRow.nullable(),
    }),
  },
} as const;
