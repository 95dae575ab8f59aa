import { z } from 'zod';
import { jsonText, text } from './fields.ts';

/** The longest answer of an authenticator that is read: without an attestation it has about 1 kB. */
const ANSWER_LENGTH_MAX = 16_000;

function answer<Shape extends z.ZodType>(shape: Shape) {
  return jsonText(shape, ANSWER_LENGTH_MAX, 'the JSON of what the authenticator answered');
}

const bytes = z
  .string()
  .min(1)
  .max(ANSWER_LENGTH_MAX)
  .regex(/^[A-Za-z0-9_-]+$/, 'base64url');

/** What an authenticator answers when it proves who is there: JSON of a PublicKeyCredential. */
export const passkeyAnswer = answer(
  z.object({
    id: bytes.max(1_400),
    rawId: bytes.max(1_400),
    type: z.literal('public-key'),
    response: z.object({
      clientDataJSON: bytes,
      authenticatorData: bytes,
      signature: bytes,
      userHandle: bytes.optional(),
    }),
  }),
);

/** What an authenticator answers when it has made a passkey: JSON of a PublicKeyCredential. */
export const newPasskey = answer(
  z.object({
    id: bytes.max(1_400),
    rawId: bytes.max(1_400),
    type: z.literal('public-key'),
    response: z.object({
      clientDataJSON: bytes,
      attestationObject: bytes,
      transports: z
        .array(z.string().regex(/^[a-z-]{1,20}$/))
        .max(10)
        .default([]),
    }),
  }),
);

/** A passkey as its owner sees it, a member or an admin. */
export const passkeyRow = z.object({
  id: z.string(),
  name: z.string(),
  createdAt: z.int(),
  lastUsedAt: z.int().nullable(),
  backedUp: z.boolean().describe('whether it is kept in more places than one device'),
});

const options = z.string().describe("JSON of the options for the browser's navigator.credentials");
const id = z.uuid('the id of x/passkey/List');
const name = text(40).describe('by which its member knows it');
const grant = text(200).describe('answer of x/account/StepUp, purpose credentials; used up by this call');
const token = z.string().describe('replaces the token of the log-in');

/** Passkeys: request and response of each call. */
export const passkeyCalls = {
  'x/passkey/RegisterOptions': {
    request: z.strictObject({ grant }),
    response: z.object({ options: options.describe('for navigator.credentials.create, within 5 minutes') }),
  },
  'x/passkey/Register': {
    request: z.strictObject({ credential: newPasskey, name }),
    response: z.object({
      token,
      recoveryCodes: z.array(z.string()).describe('shown once; none where the member has some'),
    }),
  },
  'x/passkey/List': {
    request: z.strictObject({}),
    response: z.array(passkeyRow),
  },
  'x/passkey/Rename': { request: z.strictObject({ id, name }), response: z.object({}) },
  'x/passkey/Remove': { request: z.strictObject({ id, grant }), response: z.object({ token }) },
  'x/passkey/StepUpOptions': {
    request: z.strictObject({}),
    response: z.object({ options: options.describe('for the passkey of x/account/StepUp') }),
  },
  'x/passkey/LoginOptions': {
    request: z.strictObject({
      purpose: z.enum(['login', 'recover']).default('login'),
      ticket: text(200).optional().describe('answer of user/login, whose next step the passkey is'),
    }),
    response: z.object({ options }),
  },
  'x/passkey/Login': {
    request: z.strictObject({ passkey: passkeyAnswer }),
    response: z.object({
      token: z.string().describe('sent back as stoken in every POST'),
      tid: z.int().describe('member id'),
    }),
  },
} as const;
