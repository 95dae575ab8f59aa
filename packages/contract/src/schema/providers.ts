import { z } from 'zod';
import { email, mobile, newAccount, nextStep, session } from './accounts.ts';
import { text } from './fields.ts';

/** What was answered for somebody from the log-in service who has no account here yet. */
const ticket = text(200).describe(
  'answer of user/oauthlogin; good for 15 minutes, once, in the same browser',
);

/** Log-in with the service of another house (OpenID Connect): request and response of each call. */
export const providerCalls = {
  'x/oauth/Start': {
    request: z.strictObject({}),
    response: z.object({ url: z.string().describe('where the browser goes; it comes back to /oauth') }),
  },
  'user/oauthlogin': {
    request: z.strictObject({
      code: text(2_000).describe('as it came back to /oauth'),
      state: text(200).describe('as it came back to /oauth'),
      iss: text(500).optional().describe('as it came back to /oauth, where it did'),
    }),
    response: z.union([
      session,
      nextStep,
      z.object({
        next: z
          .enum(['bindPsd', 'link'])
          .describe(
            'to be registered, or an account with the confirmed address is there: log in and link it',
          ),
        ticket: z.string(),
        email: z.string().nullable().describe('as the service gave it'),
        emailVerified: z.boolean().describe('whether the service confirms it: then no code is asked for'),
      }),
    ]),
  },
  'x/oauth/BindPassword': {
    request: z.strictObject({
      ticket,
      ...newAccount,
      mobile: mobile.optional().describe('in place of email'),
      email: email.optional().describe('where the service confirms none'),
      flow: text(200)
        .optional()
        .describe('answer of user/checkcode, purpose register; goes with email or mobile'),
      referralCode: z.string().trim().max(20).optional(),
    }),
    response: session,
  },
  'x/oauth/Link': {
    request: z.strictObject({
      ticket,
      grant: text(200).describe('answer of x/account/StepUp, purpose credentials; used up by this call'),
    }),
    response: z.object({ token: z.string().describe('replaces the token of the log-in') }),
  },
  'x/oauth/Unlink': {
    request: z.strictObject({
      grant: text(200).describe('answer of x/account/StepUp, purpose credentials; used up by this call'),
    }),
    response: z.object({ token: z.string().describe('replaces the token of the log-in') }),
  },
} as const;
