import { z } from 'zod';

/** Why an admin does what he does. */
export const adminReason = z
  .string()
  .trim()
  .min(10, 'at least 10 characters')
  .max(500, 'at most 500 characters')
  .describe('why; it stands in the audit log');
