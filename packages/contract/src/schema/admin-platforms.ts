import { z } from 'zod';
import { adminReason as reason } from './admin-fields.ts';
import { integer, platformType, positiveAmount } from './fields.ts';

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

/** Calls about how the hub is, which platforms are open, and what is offered: currencies, fees, limits. */
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
      currencies: z
        .array(z.object({ asset: z.string(), platforms: z.array(z.string()) }))
        .describe('by name, at most 2,000'),
      history: z.array(change.extend({ id: z.string(), tier })).describe('the newest 50'),
    }),
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
} as const;
