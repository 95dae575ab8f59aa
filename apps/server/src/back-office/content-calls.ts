import type { AdminCaller, AdminHandlers, CallAnswer } from '@crossbook/contract';
import type { Millis } from '@crossbook/domain';
import { refusal } from '../accounts/ports.ts';
import type { ContentDesk, ContentRefusal, DraftSeal } from './content-ports.ts';
import type { Act, ActOutcome } from './ports.ts';

/** Calls about texts. */
export type ContentOfficeCall = Extract<keyof AdminHandlers, `x/admin/Content${string}`>;

/** What the calls about texts need. */
export interface ContentOfficeDeps {
  readonly content: ContentDesk;
  readonly actOf: (
    caller: Parameters<AdminHandlers['x/admin/ContentDraft']>[0],
    call: string,
    reason: string,
  ) => Act;
  readonly answered: (outcome: ActOutcome) => CallAnswer<Record<string, never>>;
  /** Strangers read the address of nobody else. */
  readonly nameShownTo: (caller: AdminCaller, name: string) => string;
  /** Asks a second admin to decide about a draft. */
  readonly ask: (act: Act, seal: DraftSeal) => Promise<unknown>;
}

/** What may be over or withdrawn. */
const ENDING: readonly string[] = ['event', 'announcement', 'faq'];
/** What members agree to. */
const LEGAL: readonly string[] = ['terms', 'privacy'];

function refused(no: ContentRefusal) {
  return no.why === 'content-incomplete'
    ? refusal({ error: no.why, given: no.missing })
    : refusal({ error: no.why });
}

/** Texts of the hub: drafted by support or an admin, published by an admin, Terms and Privacy by two. */
export function contentCalls({
  content,
  nameShownTo,
  actOf,
  answered,
  ask,
}: ContentOfficeDeps): Pick<AdminHandlers, ContentOfficeCall> {
  return {
    'x/admin/ContentList': async (caller, { kind, limit, cursor }) => {
      const { rows, next } = await content.list(kind, caller.now, { limit, cursor });
      return { ok: true, value: { rows: [...rows], next } };
    },
    'x/admin/ContentView': async (caller, name) => {
      const value = await content.view(name);
      if (value === undefined) return refusal({ error: 'subject-unknown' });
      const { draft, versions } = value;
      const named = <Row extends { readonly author: string }>(row: Row) => ({
        ...row,
        // The shipped ones are nobody's.
        author: row.author.includes('@') ? nameShownTo(caller, row.author) : row.author,
      });
      return {
        ok: true,
        value: { ...value, draft: draft && named(draft), versions: versions.map(named) },
      };
    },
    'x/admin/ContentDraft': async (
      caller,
      { reason, title, summary, body, publishAt, endsAt, effectiveAt, ...rest },
    ) => {
      // A page that everybody is sent to, or agrees to, is always there.
      if (!ENDING.includes(rest.kind) && (rest.withdrawn || endsAt !== undefined)) {
        const field = rest.withdrawn ? 'withdrawn' : 'endsAt';
        return refusal({
          error: 'field-invalid',
          field,
          allowed: 'for events, announcements and questions only',
        });
      }
      if (!LEGAL.includes(rest.kind) && (rest.material || effectiveAt !== undefined)) {
        const field = rest.material ? 'material' : 'effectiveAt';
        return refusal({ error: 'field-invalid', field, allowed: 'for Terms and Privacy only' });
      }
      const act = actOf(caller, 'x/admin/ContentDraft', reason);
      const done = await content.save(act, {
        ...{ ...rest, text: { title, summary, body }, author: caller.adminName },
        ...{ publishAt: publishAt as Millis | undefined, endsAt: endsAt as Millis | undefined },
        effectiveAt: effectiveAt as Millis | undefined,
      });
      return done.ok ? { ok: true, value: { revision: done.revision } } : refused(done);
    },
    'x/admin/ContentDiscard': async (caller, { reason, ...draft }) =>
      answered(await content.discard(actOf(caller, 'x/admin/ContentDiscard', reason), draft)),
    'x/admin/ContentPublish': async (caller, { reason, ...draft }) => {
      // Strangers play demo admins: what everybody reads is not theirs to write.
      if (caller.demo) return refusal({ error: 'demo-refused' });
      const act = actOf(caller, 'x/admin/ContentPublish', reason);
      if (LEGAL.includes(draft.kind)) {
        const sealed = await content.seal(draft, caller.now);
        if (!sealed.ok) return refused(sealed);
        await ask(act, sealed.seal);
        return { ok: true, value: { version: null } };
      }
      const done = await content.publish(act, draft);
      return done.ok ? { ok: true, value: { version: done.version } } : refused(done);
    },
  };
}
