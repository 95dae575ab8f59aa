import { z } from 'zod';
import { text } from './fields.ts';

const captcha = z
  .string()
  .min(1, 'the solved captcha')
  .max(4_000)
  .describe('base64 JSON of the solved challenge of pub/getcaptcha');
const email = z.string().trim().min(1, 'an e-mail address').max(254);
const password = z.string().min(1, 'a password').max(128);
const session = z.object({
  token: z.string().describe('sent back as stoken in every POST'),
  tid: z.int().describe('member id'),
});

/** Sign-up, sign-in and profile: request and response of each call. */
export const accountCalls = {
  'pub/getcaptcha': {
    request: z.strictObject({
      account: email.optional().describe('who is about to log in: wrong passwords there ask for more work'),
    }),
    response: z.object({
      algorithm: z.string(),
      challenge: z.string(),
      salt: z.string(),
      signature: z.string(),
      maxnumber: z.int(),
    }),
  },
  'common/country': {
    request: z.strictObject({}),
    response: z.array(z.object({ code: z.string(), name: z.string(), dial: z.string() })),
  },
  'user/accountexist': {
    request: z.strictObject({ account: email, captcha }),
    response: z.object({ exists: z.boolean() }),
  },
  'sms/sms': {
    request: z.strictObject({ target: email, purpose: z.enum(['register']), captcha }),
    response: z.object({ validMinutes: z.int() }),
  },
  'user/checkcode': {
    request: z.strictObject({
      target: email,
      purpose: z.enum(['register']),
      code: z.string().regex(/^(?:[0-9]{4}|[0-9]{12})$/, '4 digits'),
    }),
    response: z.object({ flow: z.string() }),
  },
  'user/usernew': {
    request: z.strictObject({
      email,
      flow: text(200).describe('answer of user/checkcode'),
      password,
      agree: z.enum(['true', 'false']),
      referralCode: z.string().trim().max(20).optional(),
      country: z
        .string()
        .regex(/^[A-Z]{2}$/)
        .optional(),
    }),
    response: session,
  },
  'user/login': { request: z.strictObject({ account: email, password, captcha }), response: session },
  'user/layout': { request: z.strictObject({}), response: z.object({}) },
  'security/userinfo': {
    request: z.strictObject({}),
    response: z.object({
      tid: z.int(),
      memberId: z.string(),
      nickname: z.string(),
      email: z.string(),
      mobile: z.string().nullable(),
      tkropen: z.boolean(),
      ip: z.string(),
      lastLogin: z.int().nullable(),
      googleAuth: z.boolean(),
      kycStatus: z.enum(['none', 'pending', 'done']),
      referralCode: z.string(),
      kolReferralCode: z.string().nullable(),
    }),
  },
  'connexbasicdata/GetWebsocketArgs': {
    request: z.strictObject({}),
    response: z.object({ apiKey: z.string(), timestamp: z.string(), sign: z.string() }),
  },
} as const;
