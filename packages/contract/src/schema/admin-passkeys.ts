import { z } from 'zod';
import { adminSession } from './admin-fields.ts';
import { text } from './fields.ts';
import { newPasskey, passkeyAnswer, passkeyRow } from './passkeys.ts';

const options = z.string().describe("JSON of the options for the browser's navigator.credentials");
const asking = { request: z.strictObject({}), response: z.object({ options }) };

/** Passkeys of admins. */
export const ADMIN_PASSKEY_SCHEMAS = {
  'x/admin/PasskeyLogInOptions': asking,
  'x/admin/PasskeyLogIn': {
    request: z.strictObject({ passkey: passkeyAnswer }),
    response: adminSession,
  },
  'x/admin/PasskeyStepUpOptions': asking,
  'x/admin/Passkeys': {
    request: z.strictObject({}),
    response: z.object({ rows: z.array(passkeyRow) }),
  },
  'x/admin/PasskeyAddOptions': asking,
  'x/admin/PasskeyAdd': {
    request: z.strictObject({
      credential: newPasskey,
      name: text(40).describe('by which its admin knows it'),
    }),
    response: z.object({}),
  },
  'x/admin/PasskeyRemove': {
    request: z.strictObject({ id: z.uuid('the id of x/admin/Passkeys') }),
    response: z.object({}),
  },
} as const;
