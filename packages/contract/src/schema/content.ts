import { z } from 'zod';
import { cursor, integer, limit } from './fields.ts';
import { page } from './rows.ts';

/** What a text is. */
export const contentKind = z.enum(
  ['event', 'announcement', 'faq', 'page', 'terms', 'privacy'],
  'one of event, announcement, faq, page, terms, privacy',
);
const lang = z
  .enum(['en', 'ja', 'ko'], 'one of en, ja, ko')
  .optional()
  .describe('by default the language of the header');
/** The address of a text. */
export const contentSlug = z.string().regex(/^[a-z0-9-]{1,60}$/, 'small letters, digits and hyphens');
const millis = z.int().describe('milliseconds since 1970 UTC');

const contentHead = z.object({
  kind: contentKind,
  slug: z.string().describe('its address'),
  version: z.int(),
  title: z.string(),
  summary: z.string().describe('may be empty'),
  publishedAt: millis,
  updatedAt: millis.describe('when this version was published'),
  endsAt: millis.nullable().describe('of an event: when it is over'),
  effectiveAt: millis
    .nullable()
    .describe('of Terms and Privacy: from when this version holds, where that is later'),
});
/** A text in a list. Questions come with their answers. */
export const contentRow = contentHead.extend({ body: z.string().optional() });
/** A text in a list. */
export type ContentRow = z.infer<typeof contentRow>;
/** A whole text. */
export const contentText = contentHead.extend({
  body: z.string().describe('paragraphs, ## headings, lists, **bold**, [links](https://...)'),
});
/** A whole text. */
export type ContentText = z.infer<typeof contentText>;

/** Events, announcements, questions and answers, legal texts. */
export const contentCalls = {
  'x/content/List': {
    request: z.strictObject({ kind: contentKind, lang, limit, cursor }),
    response: page(contentRow),
  },
  'x/content/Get': {
    request: z.strictObject({ kind: contentKind, slug: contentSlug, lang }),
    response: contentText,
  },
  'x/terms/Due': {
    request: z.strictObject({}),
    response: z.object({
      due: z.array(
        z.object({
          kind: z.enum(['terms', 'privacy']),
          version: z.int().describe('the newest material one; a later one that is shown serves as well'),
          effectiveAt: millis.describe('from when it holds'),
        }),
      ),
    }),
  },
  'x/terms/Agree': {
    request: z.strictObject({
      kind: z.enum(['terms', 'privacy'], 'one of terms, privacy'),
      version: integer(1, 2_147_483_647).describe('that was shown'),
    }),
    response: z.object({}),
  },
} as const;
