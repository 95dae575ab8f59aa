import { z } from 'zod';
import { adminReason as reason } from './admin-fields.ts';
import { platformType } from './fields.ts';

const said = z.enum(['live', 'coming-soon', 'paused']);
const saying = z.object({
  at: z.int(),
  by: z.string().describe('admin 7, or the two who have signed'),
  state: said,
  reason: z.string(),
});
const platformRow = z.object({
  platformType,
  name: z.string(),
  mode: z.enum(['simulator', 'live']),
  state: said.describe('as it is in force now'),
  byDefault: z.enum(['live', 'coming-soon']).describe("what the operator's variable says"),
  canOpen: z.boolean().describe('false: a real exchange without the key of the operator'),
  said: saying.nullable().describe('what admins have said last'),
});

/** One platform of the page. */
export type AdminPlatformRow = z.output<typeof platformRow>;

/** Calls about which platforms are open. */
export const ADMIN_PLATFORM_SCHEMAS = {
  'x/admin/Platforms': {
    request: z.strictObject({}),
    response: z.object({
      rows: z.array(platformRow),
      history: z.array(saying.extend({ id: z.string(), name: z.string() })).describe('the newest 50'),
    }),
  },
  'x/admin/PlatformClose': {
    request: z.strictObject({
      platformType,
      state: z.enum(['paused', 'coming-soon']).describe('not for now, or still to come'),
      reason,
    }),
    response: z.object({}),
  },
  'x/admin/PlatformOpen': {
    request: z.strictObject({ platformType, reason }),
    response: z.object({ approval: z.string() }),
  },
} as const;
