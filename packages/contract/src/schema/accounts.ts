import { z } from 'zod';
import { integer, text } from './fields.ts';
import { kycStatus } from './kyc.ts';
import { passkeyAnswer } from './passkeys.ts';

/** So much JSON fits into a form of 64 kB whatever it consists of. */
const CHART_SETTINGS_MAX = 16_000;

function isJsonObject(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}

/** A solved challenge. */
export const captcha = z
  .string()
  .min(1, 'the solved captcha')
  .max(4_000)
  .describe('base64 JSON of the solved challenge of pub/getcaptcha');
/** An e-mail address as typed; its form is checked by the call. */
export const email = z.string().trim().min(1, 'an e-mail address').max(254);
/** An account as typed: an e-mail address, or a mobile number with its country code. */
export const account = email.describe('an e-mail address, or a mobile number such as +819012345678');
/** A mobile number as typed; its form is checked by the call. */
export const mobile = z.string().trim().min(1, 'a mobile number').max(30);
/** A password as typed. */
export const password = z.string().min(1, 'a password').max(128);
/** What every form has that makes an account, whatever proves who asks. */
export const newAccount = {
  password,
  agree: z.enum(['true', 'false']),
  country: z
    .string()
    .regex(/^[A-Z]{2}$/, 'a code of common/country')
    .optional()
    .describe('required where services are unavailable somewhere'),
};
/** A log-in that has come to its end. */
export const session = z.object({
  token: z.string().describe('sent back as stoken in every POST'),
  tid: z.int().describe('member id'),
});
/** What a log-in still asks for, by user/loginstep2. */
export const nextStep = z.object({
  next: z.enum(['device', 'totp']).describe('a code by mail for a new browser, or a second factor'),
  methods: z
    .array(z.enum(['code', 'totp', 'passkey', 'recovery']))
    .describe('fields of user/loginstep2 that serve for it'),
  ticket: z.string(),
  maskedTo: z.string().nullable().describe('where the code went'),
});
const loggedIn = z.union([session, nextStep]);
/** The 6 digits an authenticator shows. */
export const totp = z.string().regex(/^[0-9]{6}$/, '6 digits');
/** A recovery code: 24 letters and digits of base32, in any grouping and case. */
export const recoveryCode = z
  .string()
  .trim()
  .regex(/^[A-Za-z2-7 -]{24,40}$/, 'a recovery code');
/** The code that was sent: 4 digits, or 12 while somebody guesses codes. */
export const shortCode = z.string().regex(/^(?:[0-9]{4}|[0-9]{12})$/, '4 digits');

const challenge = z.object({
  algorithm: z.string(),
  challenge: z.string(),
  salt: z.string(),
  signature: z.string(),
  maxnumber: z.int(),
});

/** Sign-up, sign-in and profile: request and response of each call. */
export const accountCalls = {
  'pub/getcaptcha': {
    request: z.strictObject({
      account: email.optional().describe('who is about to log in: wrong passwords there ask for more work'),
    }),
    response: challenge,
  },
  'sms/getgeecaptcha': {
    request: z.strictObject({
      purpose: z.enum(['register', 'login', 'recover', 'code']),
      account: account.optional().describe('for login: wrong passwords there ask for more work'),
    }),
    response: challenge,
  },
  'common/country': {
    request: z.strictObject({}),
    response: z.array(
      z.object({
        code: z.string(),
        name: z.string(),
        dial: z.string(),
        restricted: z.boolean().describe('services are unavailable there'),
      }),
    ),
  },
  'user/accountexist': {
    request: z.strictObject({ account, captcha }),
    response: z.object({ exists: z.boolean() }),
  },
  'sms/sms': {
    request: z.strictObject({
      target: account,
      purpose: z.enum(['register', 'recover', 'unfreeze', 'login', 'regain']),
      captcha,
      ticket: text(200)
        .optional()
        .describe('for login: answer of user/login, which sent a code that has not arrived'),
    }),
    response: z.object({ validMinutes: z.int() }),
  },
  'user/checkcode': {
    request: z.strictObject({
      target: account,
      purpose: z.enum(['register', 'recover', 'unfreeze', 'bind', 'modify-new', 'modify-old', 'regain']),
      code: shortCode,
    }),
    response: z.object({ flow: z.string() }),
  },
  'user/usernew': {
    request: z.strictObject({
      email: email.optional(),
      mobile: mobile.optional().describe('in place of email'),
      flow: text(200).describe('answer of user/checkcode'),
      ...newAccount,
      referralCode: z.string().trim().max(20).optional(),
    }),
    response: session,
  },
  'user/login': {
    request: z.strictObject({
      account,
      password,
      captcha,
      code: shortCode.optional().describe('a code by mail, where 2014 asked for it'),
    }),
    response: loggedIn,
  },
  'user/loginstep2': {
    request: z.strictObject({
      ticket: text(200).describe('answer of user/login'),
      code: shortCode.optional().describe('the code that was mailed'),
      totp: totp.optional(),
      recovery: recoveryCode.optional().describe('in place of totp'),
      passkey: passkeyAnswer
        .optional()
        .describe('in place of totp, to x/passkey/LoginOptions with the ticket'),
    }),
    response: loggedIn,
  },
  'user/forgetpwd': {
    request: z.strictObject({
      account: account.describe('the address, or the number of an account without one'),
      flow: text(200).describe('answer of user/checkcode, purpose recover'),
      password,
      totp: totp.optional(),
      recovery: recoveryCode.optional().describe('in place of totp'),
      passkey: passkeyAnswer.optional().describe('in place of totp, to x/passkey/LoginOptions for recover'),
    }),
    response: z.object({}),
  },
  'x/demo/Start': { request: z.strictObject({ captcha }), response: session },
  'x/demo/Keep': {
    request: z.strictObject({
      email: email.optional(),
      mobile: mobile.optional().describe('in place of email'),
      flow: text(200).describe('answer of user/checkcode, purpose register'),
      ...newAccount,
    }),
    response: z.object({ token: z.string().describe('sent back as stoken from now on') }),
  },
  'user/layout': { request: z.strictObject({}), response: z.object({}) },
  'security/userinfo': {
    request: z.strictObject({}),
    response: z.object({
      tid: z.int(),
      memberId: z.string(),
      nickname: z.string(),
      email: z.string().nullable(),
      mobile: z.string().nullable(),
      tkropen: z.boolean(),
      demo: z.boolean().describe('nobody yet: no contact and no password'),
      ip: z.string(),
      lastLogin: z.int().nullable(),
      googleAuth: z.boolean(),
      kycStatus: kycStatus,
      referralCode: z.string(),
      kolReferralCode: z.string().nullable(),
    }),
  },
  'connexbasicdata/ChangeChatSetting': {
    request: z.strictObject({
      settings: z
        .string()
        .max(CHART_SETTINGS_MAX, `at most ${CHART_SETTINGS_MAX} characters`)
        .refine(isJsonObject, 'a JSON object')
        .describe('JSON object of what the pages keep: layouts, toggles, alerts'),
      version: integer(0, 2_000_000_000).describe('of what this was made from; 0 for the first'),
    }),
    response: z.object({ version: z.int() }),
  },
  'connexbasicdata/GetChatSetting': {
    request: z.strictObject({}),
    response: z.object({ settings: z.string(), version: z.int() }),
  },
  'connexbasicdata/GetWebsocketArgs': {
    request: z.strictObject({}),
    response: z.object({ apiKey: z.string(), timestamp: z.string(), sign: z.string() }),
  },
} as const;
