import { z } from 'zod';
import { text } from './fields.ts';

const date = z.string().regex(/^[0-9]{4}-[0-9]{2}-[0-9]{2}$/, 'a date such as 1990-12-31');
const upload = z.uuid('the fileId of usercommon/upload');

/** How a member stands: none, being checked, refused with a reason, "Certification successful", which ends. */
export const kycStatus = z.enum(['none', 'pending', 'refused', 'done', 'expired']);
/** Documents that are taken. */
export const documentKind = z.enum(['passport', 'id-card', 'driving-licence', 'residence-card']);
/** Why a case was refused. */
export const kycReason = z.enum([
  'blurred',
  'mismatch',
  'expired',
  'underage',
  'country',
  'duplicate',
  'suspected',
  'other',
]);

/** What a reviewer has looked at before a case passes: each of them, or it does not pass. */
export const KYC_CHECKS = ['legible', 'name', 'birth', 'number', 'valid', 'face'] as const;
/** All of them, with commas between. */
export const kycChecks = z
  .string()
  .max(100, 'at most 100 characters')
  .transform((text) => text.split(',').map((check) => check.trim()))
  .refine((given) => given.toSorted().join() === KYC_CHECKS.toSorted().join(), 'each of the six checks')
  .describe(`${KYC_CHECKS.join(',')}: what was looked at`);

/** Who a member is in law, and the pictures that show it: request and response of each call. */
export const kycCalls = {
  'usercommon/upload': {
    request: z.strictObject({
      kind: z.enum(['kyc-front', 'kyc-back', 'kyc-face']),
      file: z
        .custom<Uint8Array>((given) => given instanceof Uint8Array, 'a file')
        .describe('JPEG, PNG or WebP of at most 5 MB, as a file of multipart/form-data'),
    }),
    response: z.object({
      fileId: z.string().describe('for x/kyc/Submit, within a day'),
      width: z.int(),
      height: z.int(),
    }),
  },
  'x/kyc/Status': {
    request: z.strictObject({}),
    response: z.object({
      state: kycStatus,
      tier: z.union([z.literal(0), z.literal(1)]),
      submittedAt: z.int().nullable(),
      decidedAt: z.int().nullable(),
      validUntil: z.int().nullable().describe('until when what was passed counts'),
      reason: kycReason.nullable(),
      note: z.string().describe('what the reviewer wrote'),
      country: z.string().nullable().describe('given at sign-up'),
      restricted: z.array(z.string()).describe('countries in which services are unavailable'),
    }),
  },
  'x/kyc/Submit': {
    request: z.strictObject({
      fullName: text(100).describe('as on the document'),
      birthDate: date,
      country: z.string().regex(/^[A-Z]{2}$/, 'a code of common/country'),
      documentKind,
      documentNumber: z
        .string()
        .trim()
        .regex(/^[\p{L}\p{N} ./-]{4,30}$/u, '4 to 30 letters and digits')
        .regex(/^(?:[^\p{L}\p{N}]*[\p{L}\p{N}]){4}/u, 'at least 4 letters or digits'),
      documentExpires: date.optional(),
      address: text(200).optional(),
      front: upload,
      back: upload.optional().describe('for every document but a passport'),
      face: upload,
      consent: z.literal('true', 'true'),
    }),
    response: z.object({}),
  },
} as const;
