import { z } from 'zod';
import { email } from './accounts.ts';
import { ADMIN_ROLES, adminReason as reason } from './admin-fields.ts';
import { cursor, integer, limit } from './fields.ts';

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
