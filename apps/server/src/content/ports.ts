import type { Millis } from '@crossbook/domain';

/** Who published the texts that come with the program. */
export const SHIPPED_AUTHOR = 'shipped';

/** What a text is. `page` is one of the hub's own pages: support, community. */
export type ContentKind = 'event' | 'announcement' | 'faq' | 'page' | 'terms' | 'privacy';
/** Every text is there in all three. */
export type ContentLanguage = 'en' | 'ja' | 'ko';

/** A text in one language. `{name}` stands for the product's name. */
export interface ContentText {
  /** At most 120 characters. */
  readonly title: string;
  /** For lists; at most 300 characters, may be empty. */
  readonly summary: string;
  /** Paragraphs, `##` headings, lists, `**bold**` and `[links](https://...)`; at most 64 kB. */
  readonly body: string;
}

/** A version to be published; it becomes the next one of its kind and slug. */
export interface NewContent {
  readonly kind: ContentKind;
  /** Small letters, digits and hyphens: its address. */
  readonly slug: string;
  readonly publishAt: Millis;
  /** Of an event: when it is over. */
  readonly endsAt?: Millis;
  /** Smaller ones come first in lists; then the newest. */
  readonly position?: number;
  /** From then on it is in no list and has no page. */
  readonly withdrawn?: boolean;
  /** Of Terms and Privacy: members agree to it before they open anything new. */
  readonly material?: boolean;
  /** Of Terms and Privacy: from when it holds, where that is after it is published. */
  readonly effectiveAt?: Millis;
  /** The operator as his machine knows him, or `shipped`. */
  readonly author: string;
  readonly texts: Readonly<Record<ContentLanguage, ContentText>>;
}

/** A text in force, in one language. */
export interface LiveContent extends ContentText {
  readonly kind: ContentKind;
  readonly slug: string;
  readonly version: number;
  readonly position: number;
  /** When its first version was published. */
  readonly publishedAt: Millis;
  /** When this one was. */
  readonly updatedAt: Millis;
  readonly endsAt: Millis | undefined;
  /** Of Terms and Privacy: from when this version holds, where that is later. */
  readonly effectiveAt: Millis | undefined;
}

/** Where a list goes on. */
export type ContentPlace = Pick<LiveContent, 'position' | 'publishedAt' | 'slug'>;

/** What is asked for. */
export interface ContentQuery {
  readonly kind: ContentKind;
  readonly lang: ContentLanguage;
  readonly now: Millis;
}

/** The texts of the hub. A version that was published never changes. */
export interface ContentStore {
  /** In force at `now`, by position, then newest first. */
  list(
    query: ContentQuery,
    after: ContentPlace | undefined,
    rowsMax: number,
  ): Promise<readonly LiveContent[]>;
  get(query: ContentQuery, slug: string): Promise<LiveContent | undefined>;
  /** @returns its version. */
  publish(content: NewContent, now: Millis): Promise<number>;
  /** Publishes those of which there is no version yet. */
  publishMissing(contents: readonly NewContent[], now: Millis): Promise<void>;
}
