import { z } from 'zod';
import { adminReason } from './admin-fields.ts';
import { contentKind, contentSlug } from './content.ts';
import { cursor, flag, integer, limit } from './fields.ts';

/** Languages in which every text is there before it is published. */
export const CONTENT_LANGUAGES = ['en', 'ja', 'ko'] as const;

const lang = z.enum(CONTENT_LANGUAGES, 'one of en, ja, ko');
const moment = integer(1, 4_102_444_800_000).describe('milliseconds since 1970 UTC, before 2100');
const NO_CONTROL = 'no control characters';
/** One line of a text. */
const line = (lengthMax: number) =>
  z
    .string()
    .trim()
    .max(lengthMax, `at most ${lengthMax} characters`)
    .regex(/^\P{Cc}*$/u, NO_CONTROL);
/** Its words; a control character would take six times its room where they are kept. */
const body = z
  .string()
  .max(16_000, 'at most 16000 characters')
  .regex(/^(?:\P{Cc}|[\n\r\t])*$/u, NO_CONTROL);
const revision = integer(0, 2_147_483_647);
const words = z.object({ title: z.string(), summary: z.string(), body: z.string() });
const texts = z.object({ en: words, ja: words, ko: words });
const plan = z.object({
  publishAt: z.int().nullable().describe('null: at once'),
  endsAt: z.int().nullable(),
  position: z.int(),
  withdrawn: z.boolean(),
  material: z.boolean().describe('of Terms and Privacy: members agree before they open anything new'),
  effectiveAt: z
    .int()
    .nullable()
    .describe('of Terms and Privacy: from when it holds; null: as it is published'),
});
const draft = plan.extend({
  revision: z.int().describe('sent back with the next save and with publishing'),
  sha256: z.string().describe('of all that publishing it makes true; a decision of two names it'),
  author: z.string(),
  savedAt: z.int(),
});
const version = z.object({
  version: z.int(),
  publishAt: z.int(),
  endsAt: z.int().nullable(),
  withdrawn: z.boolean(),
  material: z.boolean(),
  effectiveAt: z.int().nullable(),
  author: z.string(),
});
const row = z.object({
  slug: z.string(),
  title: z.string().describe('in English'),
  state: z.enum(['draft', 'scheduled', 'live', 'over', 'withdrawn']).describe('of the newest version'),
  version: z.int().nullable(),
  publishAt: z.int().nullable(),
  endsAt: z.int().nullable(),
  drafted: z.boolean().describe('a draft waits to be published'),
});

/** One text in the back office's list. */
export type AdminContentRow = z.output<typeof row>;
/** A text with what was published of it and what waits. */
export type AdminContent = z.output<(typeof ADMIN_CONTENT_SCHEMAS)['x/admin/ContentView']['response']>;

/** Calls of the back office about texts: they are drafted in three languages, looked at and published whole. */
export const ADMIN_CONTENT_SCHEMAS = {
  'x/admin/ContentList': {
    request: z.strictObject({ kind: contentKind, limit, cursor }),
    response: z.object({ rows: z.array(row), next: z.string().nullable() }),
  },
  'x/admin/ContentView': {
    request: z.strictObject({ kind: contentKind, slug: contentSlug }),
    response: z.object({
      versions: z.array(version).describe('newest first, at most 20'),
      texts: texts.describe('of the draft, else of the newest version'),
      draft: draft.nullable(),
      plan: plan.describe('of the draft, else of the newest version'),
    }),
  },
  'x/admin/ContentDraft': {
    request: z.strictObject({
      kind: contentKind,
      slug: contentSlug,
      revision: revision.describe('of the draft that was changed; 0: there was none'),
      base: revision
        .default(0)
        .describe('without a draft: the newest version that was changed; 0: there was none'),
      lang,
      title: line(120),
      summary: line(300).default(''),
      body,
      publishAt: moment.optional().describe('by default at once'),
      endsAt: moment.optional().describe('of an event: when it is over'),
      position: integer(0, 9_999).default(0),
      withdrawn: flag.default(false),
      material: flag.default(false),
      effectiveAt: moment.optional().describe('of Terms and Privacy: from when it holds'),
      reason: adminReason,
    }),
    response: z.object({ revision: z.int() }),
  },
  'x/admin/ContentDiscard': {
    request: z.strictObject({ kind: contentKind, slug: contentSlug, revision, reason: adminReason }),
    response: z.object({}),
  },
  'x/admin/ContentPublish': {
    request: z.strictObject({ kind: contentKind, slug: contentSlug, revision, reason: adminReason }),
    response: z.object({
      version: z.int().nullable().describe('null: Terms and Privacy wait for a second admin'),
    }),
  },
} as const;
