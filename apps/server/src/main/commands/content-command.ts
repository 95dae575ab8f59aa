import { readFileSync } from 'node:fs';
import type { Millis } from '@crossbook/domain';
import { z } from 'zod';
import { contentStore } from '../../storage/stores/content-store.ts';
import { notAsked, onDatabase, say } from './installation.ts';

/**
 * `npm run content -- publish FILE`: publishes the next version of a text. Answers 0 when it is published, 1 when the file
 * is not sound, 2 when nothing could be done.
 */

const USAGE = `usage: npm run content -- publish FILE

FILE is JSON: { "kind": "event" | "announcement" | "faq" | "page" | "terms" | "privacy", "slug": "small-letters",
  "publishAt"?: "2026-12-01T00:00:00Z", "endsAt"?: the same, "position"?: 0 to 9999, "withdrawn"?: true,
  "material"?: true, "effectiveAt"?: a date (both of Terms and Privacy alone),
  "texts": { "en": { "title", "summary"?, "body" }, "ja": ..., "ko": ... } }
Pages are "support" and "community"; Terms and Privacy have the slugs "terms" and "privacy". {name} stands for the product.`;

const moment = z.iso.datetime({ offset: true }).transform((text) => Date.parse(text) as Millis);
const text = z.strictObject({
  title: z.string().min(1).max(120),
  summary: z.string().max(300).default(''),
  body: z.string().min(1).max(16_000),
});
const contentFile = z.strictObject({
  kind: z.enum(['event', 'announcement', 'faq', 'page', 'terms', 'privacy']),
  slug: z.string().regex(/^[a-z0-9-]{1,60}$/),
  publishAt: moment.optional(),
  endsAt: moment.optional(),
  position: z.int().min(0).max(9_999).optional(),
  withdrawn: z.boolean().optional(),
  material: z.boolean().optional(),
  effectiveAt: moment.optional(),
  texts: z.strictObject({ en: text, ja: text, ko: text }),
});

function readFile(path: string): z.output<typeof contentFile> | undefined {
  try {
    const parsed = contentFile.safeParse(JSON.parse(readFileSync(path, 'utf8')));
    if (parsed.success) return parsed.data;
    say(z.prettifyError(parsed.error));
  } catch (error) {
    say(String(error));
  }
  return undefined;
}

async function run(): Promise<number> {
  const [verb, path, ...more] = process.argv.slice(2);
  if (verb !== 'publish' || path === undefined || more.length > 0) return notAsked(USAGE);
  const content = readFile(path);
  if (content === undefined) return 1;
  const now = Date.now() as Millis;
  const { publishAt = now, endsAt, position, withdrawn, material = false, effectiveAt, ...rest } = content;
  const isLegal = content.kind === 'terms' || content.kind === 'privacy';
  if (!isLegal && (material || effectiveAt !== undefined))
    return notAsked('"material" and "effectiveAt" are of Terms and Privacy alone');
  return onDatabase(async (database, { actor }) => {
    const version = await contentStore(database).publish(
      {
        ...{ ...rest, publishAt, material, author: actor },
        ...(effectiveAt === undefined ? {} : { effectiveAt }),
        ...(endsAt === undefined ? {} : { endsAt }),
        ...(position === undefined ? {} : { position }),
        ...(withdrawn === undefined ? {} : { withdrawn }),
      },
      now,
    );
    say(`${content.kind}/${content.slug} version ${version} holds from ${new Date(publishAt).toISOString()}`);
    return 0;
  });
}

process.exitCode = await run();
