import type { AdminContent, AdminContentRow } from '@crossbook/contract';
import type { Millis } from '@crossbook/domain';
import type { ContentKind, ContentLanguage, ContentText } from '../content/ports.ts';
import type { Act, ActOutcome, Page, PageOf } from './ports.ts';

/** Which text. */
export interface ContentName {
  readonly kind: ContentKind;
  readonly slug: string;
}

/** A draft as one save leaves it: the words of one language, and when they are to hold. */
export interface ContentSave extends ContentName {
  /** Of the draft that was changed; 0 where there was none. */
  readonly revision: number;
  /** Where there was none: the newest version that was changed; 0 for a new text. */
  readonly base: number;
  readonly lang: ContentLanguage;
  readonly text: ContentText;
  readonly publishAt: Millis | undefined;
  readonly endsAt: Millis | undefined;
  readonly position: number;
  readonly withdrawn: boolean;
  /** Of Terms and Privacy alone. */
  readonly material: boolean;
  readonly effectiveAt: Millis | undefined;
  readonly author: string;
}

/** Which state of a draft somebody has looked at. */
export interface SeenDraft extends ContentName {
  readonly revision: number;
}

/** Why something is not done. */
export type ContentRefusal =
  | { readonly ok: false; readonly why: Exclude<ActOutcome, 'ok'> }
  | { readonly ok: false; readonly why: 'content-incomplete'; readonly missing: string };

/** A draft as a request for a second admin names it. */
export interface DraftSeal extends SeenDraft {
  /** SHA-256 of its words and dates, hex. */
  readonly sha256: string;
}

/** Drafts of the hub's texts. Every save, publication and discard is audited in its own transaction. */
export interface ContentDesk {
  list(kind: ContentKind, now: Millis, page: PageOf): Promise<Page<AdminContentRow>>;
  view(name: ContentName): Promise<AdminContent | undefined>;
  save(
    act: Act,
    draft: ContentSave,
  ): Promise<{ readonly ok: true; readonly revision: number } | ContentRefusal>;
  discard(act: Act, draft: SeenDraft): Promise<ActOutcome>;
  /** Publishes it as the next version. */
  publish(
    act: Act,
    draft: SeenDraft,
  ): Promise<{ readonly ok: true; readonly version: number } | ContentRefusal>;
  /** What a second admin is shown; refused as publishing would be. */
  seal(
    draft: SeenDraft,
    now: Millis,
  ): Promise<{ readonly ok: true; readonly seal: DraftSeal } | ContentRefusal>;
}
