import { MEMO_RULES, NETWORK_IDS, parseAmount } from '@crossbook/domain';
import { z } from 'zod';
import { adminReason as reason } from './admin-fields.ts';
import { asset, cursor, flag, integer, limit, platformType, positiveAmount, text } from './fields.ts';

const said = z.enum(['live', 'coming-soon', 'paused']);
const saying = z.object({
  at: z.int(),
  by: z.string().describe('admin 7, or the two who have signed'),
  state: said,
  reason: z.string(),
});
const platformRow = z.object({
  platformType,
  name: z.string(),
  mode: z.enum(['simulator', 'live']),
  state: said.describe('as it is in force now'),
  byDefault: z.enum(['live', 'coming-soon']).describe("what the operator's variable says"),
  canOpen: z.boolean().describe('false: a real exchange without the key of the operator'),
  said: saying.nullable().describe('what admins have said last'),
  bookAgeMillis: z.number().nullable().describe('of the followed book heard of longest ago; null: none is'),
  debts: z
    .array(z.object({ asset: z.string(), amount: z.string().describe('decimal string') }))
    .describe('losses there beyond what its members have, which stand in EXTERNAL(platform, debt)'),
  balanceCheckAgeMillis: z.number().nullable().describe('of the member checked longest ago'),
});

/** One platform of the page. */
export type AdminPlatformRow = z.output<typeof platformRow>;

const tier = z.union([z.literal(0), z.literal(1)]);
const most = z.string().describe('decimal string');
const change = z.object({
  most,
  at: z.int(),
  from: z.int().describe('when it holds, or held, from: a higher one a day later'),
  by: z.string().describe('the two who have signed'),
  reason: z.string(),
});
const limitRow = z.object({
  what: z.literal('test-funds'),
  tier,
  asset: z.string(),
  hours: z.int(),
  most: most.describe('in force now'),
  shipped: most.describe('where nothing was ever set'),
  next: change.nullable().describe('set, and not in force yet'),
});
const feeRow = z.object({
  platformType,
  name: z.string(),
  symbolType: z.enum(['SPOT', 'SWAP']),
  maker: z.string().describe('fraction of the value: 0.001 = 0.1 %'),
  taker: z.string(),
  instruments: z.int().describe('listed, against USDT'),
});

/** A limit of a tier. */
export type AdminLimitRow = z.output<typeof limitRow>;
/** What an exchange takes and lists. */
export type AdminFeeRow = z.output<typeof feeRow>;

const setting = z.object({
  field: z.string(),
  value: z.string().describe('yes or no, a decimal string, a whole number, a rule of memos, or a name'),
  from: z.int().describe('when it holds, or held, from'),
  by: z.string().describe('the two who have signed'),
});
const next = z.array(setting).describe('set, and not in force yet');
const by = z.string().nullable().describe('who set it last; null: as shipped');
const rewardRow = z.object({
  what: z.enum(['first-trade', 'self-rate']),
  value: z.string().describe('in force now: USDT, or percent'),
  shipped: z.string().describe('where nothing was ever set'),
  ...{ next, by },
});
const currencyRow = z.object({
  asset: z.string(),
  name: z.string(),
  platforms: z.array(z.string()),
  shown: z.boolean(),
  deposits: z.boolean(),
  withdrawals: z.boolean(),
  position: z.int(),
  ...{ next, by },
});
const networkRow = z.object({
  asset: z.string(),
  network: z.enum(NETWORK_IDS),
  name: z.string(),
  deposits: z.boolean(),
  withdrawals: z.boolean(),
  confirmations: z.int(),
  minimum: z.string().describe('least withdrawal, decimal string'),
  fee: z.string().describe('of a withdrawal, decimal string'),
  memo: z.enum(MEMO_RULES),
  ...{ next, by },
});

/** What the hub gives for bringing others. */
export type AdminRewardRow = z.output<typeof rewardRow>;
/** A currency as the operator offers it. */
export type AdminCurrencyRow = z.output<typeof currencyRow>;
/** A currency on a network. */
export type AdminNetworkRow = z.output<typeof networkRow>;

const oneOf = (values: readonly string[]) => `one of ${values.join(', ')}`;

/** A decimal string that may be zero. */
const anyAmount = z
  .string('a decimal number as text')
  .refine((given) => {
    const parsed = parseAmount(given);
    return given.length <= 30 && parsed !== undefined && parsed >= 0n;
  }, 'a plain decimal number, such as 0.25')
  .transform((given) => parseAmount(given) as NonNullable<ReturnType<typeof parseAmount>>);

const mailRow = z.object({
  id: z.string(),
  to: z.string().describe('masked'),
  subject: z.string().describe('without its digits, which may be a code'),
  tries: z.int(),
  failedAt: z.int(),
});

/** One mail that nobody accepted. */
export type AdminMailRow = z.output<typeof mailRow>;

const referralRow = z.object({
  member: z.int(),
  nickname: z.string(),
  code: z.string(),
  kolCode: z.string().nullable(),
  kolRateBps: z.int().nullable().describe('hundredths of a percent'),
  invitees: z.int().describe('10,000 at most'),
  manyInvitees: z.boolean().describe('there are more than that'),
  asset: z.string(),
  unsettled: z.string().describe('earned and not paid yet'),
  late: z
    .string()
    .describe('of it: earned before today, so that the account they are paid from could not pay'),
});

/** Who brings others, and what that has earned. */
export type AdminReferralRow = z.output<typeof referralRow>;

/** Calls about how the hub is, which platforms are open, what is offered (currencies, networks, fees, limits, referrals), and mails not sent. */
export const ADMIN_PLATFORM_SCHEMAS = {
  'x/admin/Health': {
    request: z.strictObject({}),
    response: z.object({
      gate: z.object({
        closed: z.string().nullable().describe('why no money moves; null: it moves'),
        waiting: z.boolean().describe('somebody has asked to open it, and everything is being checked'),
        checkAgeMillis: z.number().nullable(),
        checks: z.int().describe('since the start'),
        rounds: z.int().describe('how often all old movements were verified again'),
      }),
      invariants: z
        .array(
          z.object({
            name: z.enum(['I1', 'I2', 'I3', 'I4', 'I5', 'I7', 'I8']),
            checkedAt: z.int().nullable().describe('when a check of it ended last; null: none yet'),
            goodAt: z.int().nullable().describe('when a check found it whole last'),
            broken: z.string().nullable().describe('where, and the figures that disagree; null: whole'),
          }),
        )
        .describe('of the ledger, as the checks since the start have seen them'),
      seals: z
        .object({
          ageMillis: z.number().nullable().describe('of the newest one; null: there is none yet'),
          decisions: z.int().describe('up to which number what members decided is sealed'),
          transfers: z.int().describe('up to which number the movements of the ledger are sealed'),
          waiting: z.int().describe('numbers of both that are not sealed yet'),
        })
        .describe('in the audit log, over the journals of money'),
      gateHistory: z.array(
        z.object({
          id: z.string(),
          at: z.int(),
          event: z.enum(['closed', 'open-requested', 'open-refused', 'opened']),
          actor: z.string(),
          reason: z.string(),
        }),
      ),
      venues: z.array(
        z.object({
          name: z.string(),
          state: said,
          mode: z.enum(['simulator', 'live']),
          live: z.int().describe('markets whose public stream runs'),
          markets: z.int(),
          balanceCheckAgeMillis: z.number().nullable().describe('of the member checked longest ago'),
        }),
      ),
      surroundings: z.array(
        z.object({
          what: z
            .enum(['front', 'clock', 'log', 'funds'])
            .describe(
              'the proxy in front, the clocks of hub and database, the sink of the log, the funded accounts',
            ),
          at: z.int(),
          faults: z.array(z.string()).describe('one sentence each; none: as it should be'),
        }),
      ),
      membersStopped: z
        .int()
        .describe('whose balances at a venue differ from the ledger: they open nothing there'),
      differences: z
        .array(
          z.object({
            member: z.int(),
            platform: z.string(),
            asset: z.string().describe('the first that differs'),
            amount: z.string().describe('by how much, decimal string'),
          }),
        )
        .describe('the accounts of those who are stopped, 100 at most'),
      ordersWaiting: z.int().describe('whose outcome is being looked up'),
      mailsWaiting: z.int(),
      mailsFailed: z.int().describe('given up after eight tries, and kept a week'),
    }),
  },
  'x/admin/Platforms': {
    request: z.strictObject({}),
    response: z.object({
      rows: z.array(platformRow),
      history: z.array(saying.extend({ id: z.string(), name: z.string() })).describe('the newest 50'),
    }),
  },
  'x/admin/PlatformClose': {
    request: z.strictObject({
      platformType,
      state: z.enum(['paused', 'coming-soon']).describe('not for now, or still to come'),
      reason,
    }),
    response: z.object({}),
  },
  'x/admin/PlatformOpen': {
    request: z.strictObject({ platformType, reason }),
    response: z.object({ approval: z.string() }),
  },
  'x/admin/Offer': {
    request: z.strictObject({}),
    response: z.object({
      limits: z.array(limitRow),
      contractsFrom: tier.describe('the lowest tier that may open contracts'),
      fees: z.array(feeRow),
      rewards: z.array(rewardRow).describe('what the hub gives; none with real money'),
      currencies: z.array(currencyRow).describe('in their order, at most 2,000'),
      networks: z.array(networkRow).describe('by currency'),
      knownNetworks: z
        .array(z.object({ network: z.enum(NETWORK_IDS), name: z.string() }))
        .describe('every network that this version knows'),
      history: z.array(change.extend({ id: z.string(), tier })).describe('of limits, the newest 50'),
      settings: z
        .array(setting.extend({ id: z.string(), subject: z.string(), at: z.int(), reason: z.string() }))
        .describe('of fees, currencies and networks, the newest 50'),
    }),
  },
  'x/admin/FeeSet': {
    request: z.strictObject({
      what: z.enum(['first-trade', 'self-rate'], 'one of first-trade, self-rate'),
      value: anyAmount.describe('USDT, or percent'),
      reason,
    }),
    response: z.object({ approval: z.string() }),
  },
  'x/admin/CurrencySet': {
    request: z.strictObject({
      asset,
      shown: flag.optional(),
      deposits: flag.optional(),
      withdrawals: flag.optional(),
      position: integer(0, 9_999).optional().describe('in lists, smaller first'),
      name: text(40)
        .regex(/^[\p{L}\p{N}][\p{L}\p{N} .&()-]*$/u, 'letters, digits and spaces')
        .optional()
        .describe('in English'),
      reason,
    }),
    response: z.object({ approval: z.string() }),
  },
  'x/admin/NetworkSet': {
    request: z.strictObject({
      asset,
      network: z.enum(NETWORK_IDS, oneOf(NETWORK_IDS)),
      deposits: flag.optional(),
      withdrawals: flag.optional(),
      confirmations: integer(1, 10_000).optional(),
      minimum: anyAmount.optional().describe('least withdrawal'),
      fee: anyAmount.optional().describe('of a withdrawal, in the currency'),
      memo: z.enum(MEMO_RULES, oneOf(MEMO_RULES)).optional(),
      reason,
    }),
    response: z.object({ approval: z.string() }),
  },
  'x/admin/LimitSet': {
    request: z.strictObject({
      what: z.literal('test-funds', 'test-funds'),
      tier: integer(0, 1),
      most: positiveAmount,
      reason,
    }),
    response: z.object({ approval: z.string() }),
  },
  'x/admin/Mails': {
    request: z.strictObject({ limit, cursor }),
    response: z.object({ rows: z.array(mailRow), next: z.string().nullable() }),
  },
  'x/admin/MailRetry': {
    request: z.strictObject({
      mail: z
        .string()
        .regex(/^[1-9][0-9]{0,17}$/, 'the id of a mail that was given up')
        .optional()
        .describe('absent: all that were given up'),
      reason,
    }),
    response: z.object({ mails: z.int().describe('how many are tried again') }),
  },
  'x/admin/Referrals': {
    request: z.strictObject({
      query: text(20).optional().describe('member id, or a whole code'),
      limit,
      cursor,
    }),
    response: z.object({ rows: z.array(referralRow), next: z.string().nullable() }),
  },
} as const;
