import { z } from 'zod';
import { email, password, totp } from './accounts.ts';
import { ADMIN_CONTENT_SCHEMAS } from './admin-content.ts';
import { ADMIN_ROLES, adminSession, adminReason as reason } from './admin-fields.ts';
import { ADMIN_PASSKEY_SCHEMAS } from './admin-passkeys.ts';
import { ADMIN_PLATFORM_SCHEMAS } from './admin-platforms.ts';
import { ADMIN_RECOVERY_SCHEMAS, ADMIN_STAFF_SCHEMAS } from './admin-staff.ts';
import { clientId, cursor, flag, integer, limit, positiveAmount, text } from './fields.ts';
import { documentKind, kycChecks, kycReason, kycStatus } from './kyc.ts';
import { passkeyAnswer } from './passkeys.ts';

/** Decisions that two people make. */
export const APPROVAL_KINDS = [
  ...['unfreeze', 'kol', 'gate-open', 'terms', 'resolve-order'],
  ...['admin-invite', 'admin-roles', 'admin-disable', 'platform-open', 'kyc-revoke', 'limit-set'],
  ...['fee-set', 'currency-set', 'network-set', 'recovery'],
] as const;

const member = integer(1, 2_147_483_647).describe('member id');
const linkToken = text(100).describe('of the one-time link, behind its #');
const adminPassword = password.min(15, 'at least 15 characters').describe('at least 15 characters');
const nothing = z.object({});
const approvalId = z.string().regex(/^[1-9][0-9]{0,17}$/, 'the id of a decision that waits');
const memberRow = z.object({
  id: z.int(),
  nickname: z.string(),
  email: z.string().nullable().describe('masked'),
  mobile: z.string().nullable().describe('masked'),
  country: z.string().nullable(),
  frozen: z.boolean(),
  createdAt: z.int(),
  lastLoginAt: z.int().nullable(),
  kyc: kycStatus.describe('of the newest papers'),
  tier: z.int().describe('0 before the identity is known, 1 after'),
  equity: z.string().describe('in USDT, all wallets at the last spot prices, rounded down to cents'),
  equityWhole: z.boolean().describe('false: something of it has no price and is left out'),
});
const auditRow = z.object({
  id: z.string(),
  seq: z.string().nullable().describe('place in the chain; null for about a second'),
  at: z.int(),
  actorKind: z.string(),
  actor: z.string(),
  address: z.string(),
  call: z.string(),
  subject: z.string(),
  outcome: z.string(),
  reason: z.string(),
  details: z.string().describe('JSON'),
});
const approvalRow = z.object({
  id: z.string(),
  kind: z.enum(APPROVAL_KINDS),
  subject: z.string(),
  payload: z.string().describe('JSON: what would be done, to the letter'),
  payloadHash: z.string().describe('SHA-256 of it; whoever approves sends it back'),
  maker: z.string(),
  own: z.boolean().describe('made by who asks: somebody else decides'),
  mayDecide: z.boolean(),
  reason: z.string(),
  madeAt: z.int(),
  expiresAt: z.int(),
  state: z.enum(['waiting', 'approved', 'refused', 'withdrawn']),
  checker: z.string().nullable(),
  decidedAt: z.int().nullable(),
});

const caseId = z.uuid('the id of a case');
const kycRow = z.object({
  id: z.string(),
  member: z.int(),
  nickname: z.string(),
  country: z.string(),
  documentKind,
  attempt: z.int().describe("1 for a member's first case"),
  submittedAt: z.int(),
  duplicates: z.int().describe('other members with the same document, 5 at most'),
  claimedBy: z.string().nullable().describe('the reviewer who has it open; null: nobody'),
  claimedUntil: z.int().nullable().describe('when it is free again if he does not look any more'),
});

/** One row of the queue of identity checks. */
export type AdminKycRow = z.output<typeof kycRow>;
const amountText = z.string().describe('of the asset, all its decimals');
const fundsRow = z.object({
  asset: z.string(),
  members: amountText.describe('what all members have together, wherever it lies'),
  fees: amountText,
  promo: amountText.describe('from which rewards are paid'),
  conversion: amountText,
  rounding: amountText,
  suspense: amountText.describe("came in and is nobody's yet"),
  inTransit: amountText.describe('left one place and has not reached the other'),
  outside: amountText.describe(
    'the other side of it all: at exchanges and chains, below zero by what the hub holds',
  ),
});

const fundedAccount = z.object({
  account: z.enum(['promo', 'fees']),
  asset: z.string(),
  balance: amountText,
  floor: amountText.describe('of FUNDED_FLOORS; below it the operator is warned'),
  paid: amountText.describe('in the last 30 days'),
  waiting: amountText.describe('owed and not paid yet'),
  runwayDays: z.int().nullable().describe('at the pace of the last 30 days; null: nothing was paid'),
  below: z.boolean(),
});

/** An account of the house that others are paid from. */
export type AdminFundedAccount = z.output<typeof fundedAccount>;
/** What the ledger has of one asset, by whose it is; adds up to zero. */
export type AdminFundsRow = z.output<typeof fundsRow>;
/** One row of a list of members. */
export type AdminMemberRow = z.output<typeof memberRow>;
/** One row of the audit log. */
export type AdminAuditRow = z.output<typeof auditRow>;
/** One decision of two people. */
export type ApprovalRow = z.output<typeof approvalRow>;

/** Calls of the back office: request and response of each. */
export const ADMIN_SCHEMAS = {
  ...ADMIN_CONTENT_SCHEMAS,
  ...{ ...ADMIN_STAFF_SCHEMAS, ...ADMIN_PLATFORM_SCHEMAS, ...ADMIN_PASSKEY_SCHEMAS },
  ...ADMIN_RECOVERY_SCHEMAS,
  'x/admin/StartBegin': {
    request: z.strictObject({ token: linkToken }),
    response: z.object({
      email: z.string(),
      roles: z.array(z.enum(ADMIN_ROLES)),
      secret: z.string().describe('base32; the same until the link is used'),
      uri: z.string().describe('otpauth URI, for the QR code'),
      expiresAt: z.int(),
    }),
  },
  'x/admin/Start': {
    request: z.strictObject({ token: linkToken, password: adminPassword, totp }),
    response: adminSession,
  },
  'x/admin/LogIn': {
    request: z.strictObject({ email, password, totp }),
    response: adminSession,
  },
  'x/admin/Demo': {
    request: z.strictObject({ as: z.enum(['maker', 'checker']) }),
    response: adminSession,
  },
  'x/admin/LogOut': { request: z.strictObject({}), response: nothing },
  'x/admin/Me': {
    request: z.strictObject({}),
    response: z.object({
      name: z.string(),
      roles: z.array(z.enum(ADMIN_ROLES)),
      demo: z.boolean(),
      expiresAt: z.int(),
      provedUntil: z.int().nullable().describe('until when changes need no further code'),
      passkeys: z.int().describe('how many'),
      breakGlasses: z
        .array(z.object({ name: z.string(), at: z.int() }))
        .describe('admins who were let in anew from the host within seven days'),
      undecidable: z
        .array(z.enum(APPROVAL_KINDS))
        .describe('what this admin may ask for and nobody else there is may decide'),
    }),
  },
  'x/admin/StepUp': {
    request: z.strictObject({
      totp: totp.optional(),
      passkey: passkeyAnswer.optional().describe('in place of totp, to x/admin/PasskeyStepUpOptions'),
    }),
    response: z.object({ provedUntil: z.int() }),
  },
  'x/admin/MemberSearch': {
    request: z.strictObject({
      query: text(254)
        .optional()
        .describe('member id, whole e-mail address or mobile number, or the beginning of a nickname'),
      frozen: flag.optional().describe('frozen ones only'),
      limit,
      cursor,
    }),
    response: z.object({ rows: z.array(memberRow), next: z.string().nullable() }),
  },
  'x/admin/MemberView': {
    request: z.strictObject({ member }),
    response: memberRow.extend({
      frozenAt: z.int().nullable(),
      frozenByStaff: z.boolean(),
      tkropen: z.boolean(),
      language: z.string(),
      authenticator: z.boolean(),
      moneyLockedUntil: z.int().nullable(),
      kycValidUntil: z.int().nullable().describe('until when a passed check counts, or counted'),
      referralCode: z.string(),
      kolCode: z.string().nullable(),
      kolRateBps: z.int().nullable(),
      invitees: z.int(),
      sessions: z.array(
        z.object({ address: z.string(), userAgent: z.string(), createdAt: z.int(), expiresAt: z.int() }),
      ),
    }),
  },
  'x/admin/MemberFreeze': { request: z.strictObject({ member, reason }), response: nothing },
  'x/admin/MemberEndSessions': {
    request: z.strictObject({ member, reason }),
    response: z.object({ ended: z.int() }),
  },
  'x/admin/MemberTkropen': {
    request: z.strictObject({ member, open: flag, reason }),
    response: nothing,
  },
  'x/admin/MemberUnfreeze': {
    request: z.strictObject({ member, reason }),
    response: z.object({ approval: z.string() }),
  },
  'x/admin/MemberKol': {
    request: z.strictObject({
      member,
      code: z
        .string()
        .trim()
        .toUpperCase()
        .regex(/^(?!.{8}$)[A-Z0-9]{4,20}$/, '4 to 20 letters and digits, but not 8'),
      rateBps: integer(1, 5_000).describe('hundredths of a percent'),
      reason,
    }),
    response: z.object({ approval: z.string() }),
  },
  'x/admin/MemberReveal': {
    request: z.strictObject({ member, field: z.enum(['email', 'mobile']), reason }),
    response: z.object({ value: z.string() }),
  },
  'x/admin/KycQueue': {
    request: z.strictObject({ limit, cursor }),
    response: z.object({ rows: z.array(kycRow), next: z.string().nullable() }),
  },
  'x/admin/KycView': {
    request: z.strictObject({ case: caseId }),
    response: kycRow.extend({
      version: z.int().describe('a decision sends it back'),
      language: z.enum(['en', 'ja', 'ko']).describe('of the member, for what is written to him'),
      own: z.boolean().describe('of who asks: somebody else decides'),
      masked: z.boolean().describe('for a demo admin: year of birth alone, no names, numbers or pictures'),
      fields: z.object({
        fullName: z.string(),
        birthDate: z.string(),
        documentNumber: z.string(),
        documentExpires: z.string().nullable(),
        address: z.string().nullable(),
      }),
      pictures: z.array(
        z.object({
          id: z.string(),
          kind: z.enum(['front', 'back', 'face']),
          width: z.int(),
          height: z.int(),
        }),
      ),
    }),
  },
  'x/admin/KycRelease': { request: z.strictObject({ case: caseId }), response: nothing },
  'x/admin/KycPicture': {
    request: z.strictObject({ case: caseId, picture: z.uuid('the id of a picture') }),
    response: z.custom<Uint8Array>((given) => given instanceof Uint8Array, 'a JPEG'),
  },
  'x/admin/KycPass': {
    request: z.strictObject({ case: caseId, version: integer(1, 1_000), checks: kycChecks, reason }),
    response: nothing,
  },
  'x/admin/KycRefuse': {
    request: z.strictObject({
      ...{ case: caseId, version: integer(1, 1_000), why: kycReason },
      note: text(300).optional().describe("to the member, in the member's language; needed for other"),
      reason,
    }),
    response: nothing,
  },
  'x/admin/KycRevoke': {
    request: z.strictObject({
      member,
      why: kycReason.exclude(['other']).describe('the member reads it'),
      reason,
    }),
    response: z.object({ approval: z.string() }),
  },
  'x/admin/GateOpen': {
    request: z.strictObject({ reason }),
    response: z.object({ approval: z.string() }),
  },
  'x/admin/Approvals': {
    request: z.strictObject({ limit, cursor }),
    response: z.object({ rows: z.array(approvalRow), next: z.string().nullable() }),
  },
  'x/admin/Approve': {
    request: z.strictObject({
      approval: approvalId,
      payloadHash: z.string().regex(/^[0-9a-f]{64}$/, 'the payloadHash that was shown'),
      reason,
    }),
    response: nothing,
  },
  'x/admin/Refuse': { request: z.strictObject({ approval: approvalId, reason }), response: nothing },
  'x/admin/AuditSearch': {
    request: z.strictObject({
      by: z.enum(['subject', 'actor', 'call']).optional(),
      value: text(200).optional().describe('whole, as it stands in the log: member 100001'),
      limit,
      cursor,
    }),
    response: z.object({ rows: z.array(auditRow), next: z.string().nullable() }),
  },
  'x/admin/AuditVerify': {
    request: z.strictObject({}),
    response: z.object({
      places: z.int(),
      waiting: z.int(),
      broken: z.string().nullable(),
      headKept: z.boolean().describe('whether the newest head is also kept outside of the database'),
    }),
  },
  'x/admin/AuditExport': {
    request: z.strictObject({
      after: integer(0, Number.MAX_SAFE_INTEGER).describe(
        'the place before the first one wanted; 0: from the beginning',
      ),
      reason,
    }),
    response: z.custom<Uint8Array>(
      (given) => given instanceof Uint8Array,
      'JSON lines, 5,000 places at most',
    ),
  },
  'x/admin/OrderResolve': {
    request: z.strictObject({
      order: clientId,
      resolution: z.enum(['absent', 'filled']),
      quantity: positiveAmount.optional().describe('what it executed, beyond what is booked: for filled'),
      quoteQuantity: positiveAmount.optional().describe('what that came to, in the quote asset: for filled'),
      reason,
    }),
    response: z.object({
      approval: z
        .string()
        .nullable()
        .describe('with real money somebody else decides; null: the hub is asked'),
    }),
  },
  'x/admin/Funds': {
    request: z.strictObject({ limit, cursor }),
    response: z.object({
      rows: z.array(fundsRow),
      next: z.string().nullable(),
      accounts: z.array(fundedAccount).describe('accounts that others are paid from, on every page'),
    }),
  },
  'x/admin/Incidents': {
    request: z.strictObject({ all: flag.optional(), limit, cursor }),
    response: z.object({
      rows: z.array(
        z.object({
          id: z.string(),
          subject: z.string(),
          subjectId: z.string(),
          what: z.string(),
          evidence: z.string().describe('JSON'),
          openedAt: z.int(),
          closedAt: z.int().nullable(),
          request: z
            .object({
              at: z.int(),
              by: z.string(),
              resolution: z.enum(['absent', 'filled']),
              outcome: z.enum(['done', 'refused']).nullable().describe('null: not answered yet'),
              answer: z.string(),
              evidence: z.string().describe('JSON: what it was decided by'),
            })
            .nullable()
            .describe('what was asked about an order last'),
        }),
      ),
      next: z.string().nullable(),
    }),
  },
} as const;
