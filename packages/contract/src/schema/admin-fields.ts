import { z } from 'zod';

/** Roles of the back office. What each may call: `ADMIN_CALLS`. */
export const ADMIN_ROLES = [
  'support',
  'kyc',
  'treasury-maker',
  'treasury-checker',
  'admin',
  'auditor',
] as const;

/** Why an admin does what he does. */
export const adminReason = z
  .string()
  .trim()
  .min(10, 'at least 10 characters')
  .max(500, 'at most 500 characters')
  .describe('why; it stands in the audit log');

/** What a log-in answers. */
export const adminSession = z.object({
  token: z.string().describe('sent back as stoken in every POST'),
});
