import { z } from 'zod';
import { account, captcha, email, mobile, password, recoveryCode, shortCode, totp } from './accounts.ts';
import { cursor, limit, text } from './fields.ts';
import { kycStatus } from './kyc.ts';
import { passkeyAnswer } from './passkeys.ts';

const grant = text(200).describe('answer of x/account/StepUp, purpose credentials; used up by this call');
const flow = text(200).describe('answer of user/checkcode');
const renewed = z.object({ token: z.string().describe('replaces the token of the log-in') });
const granted = z.object({
  grant: z.string().describe('good for one act within 5 minutes, in this session'),
  token: z.string(),
});
const recoveryCodes = z
  .array(z.string())
  .describe('shown once; each works once in place of the authenticator');

/** Profile, authenticator, contacts, sessions: request and response of each call. */
export const securityCalls = {
  'usersms/usersms': {
    request: z.strictObject({
      purpose: z.enum(['bind', 'modify-new', 'modify-old']),
      channel: z.enum(['email', 'mobile']).default('email'),
      target: account.optional().describe('the new address or number, for bind and modify-new'),
    }),
    response: z.object({ validMinutes: z.int(), maskedTo: z.string() }),
  },
  'security/userinfonew': {
    request: z.strictObject({}),
    response: z.object({
      tid: z.int(),
      memberId: z.string(),
      nickname: z.string(),
      email: z.string().nullable().describe('masked'),
      mobile: z.string().nullable().describe('masked'),
      tkropen: z.boolean(),
      ip: z.string(),
      lastLogin: z.int().nullable(),
      password: z.object({ set: z.boolean(), changedAt: z.int().nullable() }),
      googleAuth: z.boolean(),
      passkeys: z.int().describe('how many'),
      recoveryCodesLeft: z.int(),
      kycStatus: kycStatus,
      referralCode: z.string(),
      kolReferralCode: z.string().nullable(),
      country: z.string().nullable(),
      language: z.enum(['en', 'ja', 'ko']),
      antiPhishing: z.string().nullable().describe('masked'),
      providerLinkedAt: z
        .int()
        .nullable()
        .describe('since when the log-in service of another house opens this account; null: it does not'),
      lockUntil: z.int().nullable().describe('money may not leave before, milliseconds'),
      agreed: z
        .array(
          z.object({
            kind: z.enum(['terms', 'privacy']),
            version: z.int().describe("of the hub's own text; 0 where the operator's was linked"),
            link: z.string().nullable().describe("the operator's text"),
            at: z.int(),
          }),
        )
        .describe('what the member agreed to, newest first'),
    }),
  },
  'security/modifyuserinfo': {
    request: z.strictObject({
      nickname: z
        .string()
        .regex(/^[\p{L}\p{N}_-]{2,20}$/u, '2 to 20 letters, digits, hyphens or underscores')
        .optional(),
      language: z.enum(['en', 'ja', 'ko']).optional(),
      antiPhishing: z
        .string()
        .regex(/^[\p{L}\p{N}]{4,20}$/u, '4 to 20 letters or digits')
        .optional()
        .describe('the word that mails of ours begin with; needs a grant'),
      grant: grant.optional(),
    }),
    response: z.object({}),
  },
  'security/resetpwd': {
    request: z.strictObject({ oldPassword: password, password, grant }),
    response: renewed,
  },
  'security/modifyemail': {
    request: z.strictObject({
      email,
      flow: flow.describe('of the code to the new address, purpose modify-new'),
      oldFlow: flow.describe('of the code to the present address, purpose modify-old'),
      grant,
    }),
    response: renewed,
  },
  'security/bindemail': {
    request: z.strictObject({
      email,
      flow: flow.describe('of the code to the address, purpose bind'),
      oldFlow: flow
        .optional()
        .describe('of the code to the present number, purpose modify-old, where one is bound'),
      grant,
    }),
    response: renewed,
  },
  'security/bindphone': {
    request: z.strictObject({
      mobile,
      flow: flow.describe('of the code to the number, purpose bind'),
      grant,
    }),
    response: renewed,
  },
  'security/modifyphone': {
    request: z.strictObject({
      mobile,
      flow: flow.describe('of the code to the new number, purpose modify-new'),
      oldFlow: flow.describe('of the code to the present number, purpose modify-old'),
      grant,
    }),
    response: renewed,
  },
  'x/account/OtpResetBegin': {
    request: z.strictObject({
      ticket: text(200).describe('answer of user/login, which asked for the authenticator'),
    }),
    response: z.object({ validMinutes: z.int(), maskedTo: z.array(z.string()) }),
  },
  'x/account/OtpResetFinish': {
    request: z.strictObject({
      ticket: text(200),
      emailCode: shortCode,
      mobileCode: shortCode,
      passkey: passkeyAnswer
        .optional()
        .describe('to x/passkey/LoginOptions with the ticket: no wait in a browser of the member'),
    }),
    response: z.object({ waitHours: z.int().describe('until the authenticator is not asked for any more') }),
  },
  'security/usergooglesecret': {
    request: z.strictObject({
      grant: grant.optional().describe('needed to begin; not to see what is pending'),
    }),
    response: z.object({
      secret: z.string().describe('base32'),
      uri: z.string().describe('otpauth URI, for the QR code'),
      setupId: z.string(),
      expiresAt: z.int(),
    }),
  },
  'security/bindgoogle': {
    request: z.strictObject({ setupId: z.uuid(), totp }),
    response: renewed.extend({ recoveryCodes }),
  },
  'security/connex/bindgoogle': {
    request: z.strictObject({ totp: totp.optional(), passkey: passkeyAnswer.optional() }),
    response: granted,
  },
  'x/account/StepUp': {
    request: z.strictObject({
      purpose: z.enum(['credentials', 'money']),
      password: password
        .optional()
        .describe('where there is no second factor; for money there has to be one'),
      totp: totp.optional().describe('where an authenticator is set'),
      passkey: passkeyAnswer.optional().describe('where there is one, to x/passkey/StepUpOptions'),
    }),
    response: granted,
  },
  'x/account/RecoveryCodes': {
    request: z.strictObject({ grant }),
    response: renewed.extend({ recoveryCodes }),
  },
  'x/account/Sessions': {
    request: z.strictObject({}),
    response: z.array(
      z.object({
        id: z.string(),
        userAgent: z.string(),
        address: z.string(),
        createdAt: z.int(),
        seenAt: z.int().describe('when it was used last, to five minutes'),
        expiresAt: z.int(),
        current: z.boolean(),
      }),
    ),
  },
  'x/account/LoginHistory': {
    request: z.strictObject({ limit, cursor }),
    response: z.object({
      rows: z.array(
        z.object({
          at: z.int(),
          address: z.string(),
          userAgent: z.string(),
          factors: z.string().describe('pwd, and code, otp, recovery or passkey where asked; passkey alone'),
          ended: z.boolean(),
        }),
      ),
      next: z.string().nullable(),
    }),
  },
  'x/account/EndSession': {
    request: z.strictObject({ id: text(64), grant: grant.optional().describe('not for the own session') }),
    response: z.object({}),
  },
  'x/account/EndOthers': { request: z.strictObject({ grant }), response: renewed.extend({ ended: z.int() }) },
  'x/account/Devices': {
    request: z.strictObject({}),
    response: z.array(
      z.object({
        id: z.string(),
        userAgent: z.string().describe('of the newest log-in there'),
        address: z.string(),
        lastLoginAt: z.int(),
        trustedUntil: z.int(),
        current: z.boolean(),
      }),
    ),
  },
  'x/account/ForgetDevice': {
    request: z.strictObject({
      id: z.string().regex(/^[0-9a-f]{64}$/, 'a browser of x/account/Devices'),
      grant,
    }),
    response: z.object({ ended: z.int() }),
  },
  'x/account/Freeze': {
    request: z.strictObject({ token: text(100).describe('of the link in the mail'), captcha }),
    response: z.object({}),
  },
  'x/account/Unfreeze': {
    request: z.strictObject({
      account,
      flow: flow.describe('of the code to the address, purpose unfreeze'),
      password: password.describe('a new one'),
      totp: totp.optional(),
      recovery: recoveryCode.optional(),
      passkey: passkeyAnswer.optional(),
    }),
    response: z.object({}),
  },
} as const;

const newContact = account.describe('the new contact: an e-mail address, or a mobile number');
const regainFlow = text(200).describe('answer of user/checkcode for the new contact, purpose regain');

/** What who asks states about himself, to be compared with the papers that he has passed by. */
export const recoveryStatement = {
  fullName: text(100).describe('as in the identity check'),
  birthDate: z.string().regex(/^[0-9]{4}-[0-9]{2}-[0-9]{2}$/, 'a date such as 1990-12-31'),
  documentNumber: text(30).describe('as in the identity check'),
};

/** The way back of who has lost contacts and authenticator: request and response of each call. */
export const recoveryCalls = {
  'x/recovery/Ask': {
    request: z.strictObject({
      account,
      password,
      contact: newContact,
      flow: regainFlow,
      ...recoveryStatement,
      captcha,
    }),
    response: z.object({
      waitHours: z.int().describe('between the word of the staff and the end'),
      lapsesDays: z.int().describe('without a decision it is over'),
    }),
  },
  'x/recovery/Finish': {
    request: z.strictObject({
      contact: newContact,
      flow: regainFlow,
      password: password.describe('that of the account, as before'),
    }),
    response: z.object({}),
  },
} as const;
