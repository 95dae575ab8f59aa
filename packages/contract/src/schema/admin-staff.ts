import { z } from 'zod';
import { email } from './accounts.ts';
import { ADMIN_ROLES, adminReason as reason } from './admin-fields.ts';
import { cursor, integer, limit } from './fields.ts';
import { recoveryStatement } from './security.ts';

const TREASURY = ['treasury-maker', 'treasury-checker'] as const;
const roleName = z.enum(ADMIN_ROLES);

/** Nobody decides alone about money, nor about a person and that person's money. */
function areApart(roles: readonly string[]): boolean {
  const treasury = TREASURY.filter((role) => roles.includes(role)).length;
  return treasury < 2 && (treasury === 0 || !roles.includes('kyc'));
}

/** Roles with commas between them; each once, in the order of the list. */
const roles = z
  .string()
  .max(200, 'at most 200 characters')
  .transform((text) => text.split(',').map((role) => role.trim()))
  .pipe(
    z
      .array(roleName)
      .refine(areApart, 'never both treasury roles, nor kyc and one of them')
      .transform((given) => ADMIN_ROLES.filter((role) => given.includes(role))),
  );
const admin = integer(1, 2_147_483_647).describe('number of an admin');
const adminRow = z.object({
  id: z.int(),
  name: z.string().describe('the address to log in with'),
  roles: z.array(roleName),
  demo: z.boolean(),
  disabled: z.boolean(),
  own: z.boolean(),
  authenticator: z.boolean().describe('false: a demo admin, who has none'),
  passkeys: z.int().describe('how many'),
  createdAt: z.int(),
  lastSeenAt: z.int().nullable(),
});
const asked = z.object({ approval: z.string() });
const approval = z.string().regex(/^[1-9][0-9]{0,17}$/, 'the id of a decision');

/** One admin of the list. */
export type AdminStaffRow = z.output<typeof adminRow>;

/** Calls about admins themselves. */
export const ADMIN_STAFF_SCHEMAS = {
  'x/admin/Admins': {
    request: z.strictObject({ limit, cursor }),
    response: z.object({
      rows: z.array(adminRow),
      next: z.string().nullable(),
      invitations: z
        .array(
          z.object({
            approval: z.string(),
            name: z.string(),
            roles: z.array(roleName),
            until: z.int().describe('no link is made any more from then on'),
            linkUntil: z.int().nullable().describe('until when the newest link holds'),
          }),
        )
        .describe('approved, asked for by who reads this, and not used yet'),
    }),
  },
  'x/admin/AdminInvite': { request: z.strictObject({ email, roles, reason }), response: asked },
  'x/admin/AdminLink': {
    request: z.strictObject({ approval, reason }),
    response: z.object({ token: z.string().describe('shown once'), expiresAt: z.int() }),
  },
  'x/admin/AdminRoles': { request: z.strictObject({ admin, roles, reason }), response: asked },
  'x/admin/AdminDisable': { request: z.strictObject({ admin, reason }), response: asked },
} as const;

const recovery = z
  .string()
  .regex(/^[1-9][0-9]{0,17}$/, 'the id of x/admin/Recoveries')
  .describe('id of a request to be let in again');
const recoveryRow = z.object({
  id: z.string(),
  member: z.int(),
  nickname: z.string(),
  contact: z.string().describe('the new one, masked'),
  askedAt: z.int(),
  state: z.enum(['asked', 'waiting']),
  dueAt: z.int().nullable().describe('when its member may finish it, by the clock of the database'),
});
/** Who asks to be let in again. */
export type AdminRecoveryRow = z.output<typeof recoveryRow>;
const statement = z.object(recoveryStatement);

/** Members who have lost what proves them, as the staff sees and decides it. */
export const ADMIN_RECOVERY_SCHEMAS = {
  'x/admin/Recoveries': {
    request: z.strictObject({ limit, cursor }),
    response: z.object({ rows: z.array(recoveryRow), next: z.string().nullable() }),
  },
  'x/admin/RecoveryView': {
    request: z.strictObject({ recovery }),
    response: recoveryRow.extend({
      stated: statement.describe('by who asks'),
      kept: statement.describe('in the identity check that was passed'),
      own: z.boolean().describe('about who looks: somebody else decides'),
    }),
  },
  'x/admin/RecoveryApprove': {
    request: z.strictObject({ recovery, reason }),
    response: z.object({ approval: z.string() }),
  },
  'x/admin/RecoveryRefuse': {
    request: z.strictObject({ recovery, reason }),
    response: z.object({}),
  },
} as const;
