import type { CallAnswer, CallRequest, CallResponse, MemberCaller, Refusal } from '@crossbook/contract';
import { createRemembered, type Millis, type UserId } from '@crossbook/domain';
import { refusal } from './ports.ts';

/** Texts that members agree to. */
export type LegalKind = 'terms' | 'privacy';

/** A material version in force: who has agreed to it or to a later one has agreed. */
export interface MaterialText {
  readonly kind: LegalKind;
  readonly version: number;
  /** From when it holds. */
  readonly effectiveAt: Millis;
}

/** What a member agrees to now. */
export interface NewAgreement {
  readonly user: UserId;
  readonly kind: LegalKind;
  /** The version that he was shown. */
  readonly version: number;
  readonly language: 'en' | 'ja' | 'ko';
  readonly address: string;
  readonly now: Millis;
}

/** Versions and agreements. */
export interface TermsStore {
  /** Of each text the newest material version that holds at `now`; none of a text for which the operator links his own page. */
  material(now: Millis): Promise<readonly MaterialText[]>;
  /** The newest version that a member has agreed to, by text; `undefined` for a demo, whom nobody asks. */
  agreedUpTo(user: UserId): Promise<Partial<Record<LegalKind, number>> | undefined>;
  /** Keeps the agreement, with the hash of the words and an entry in the audit log; false where another version is shown by now. */
  agree(agreement: NewAgreement): Promise<boolean>;
}

/**
 * The one question of whatever opens something for a member: an order that is no sale and does not only close, a deposit. Reading,
 * cancelling, closing and moving out never ask.
 */
export type OpeningAllowed = (user: UserId) => Promise<Refusal | undefined>;

/** What members have still to agree to. */
export interface TermsDesk {
  due(user: UserId, now: Millis): Promise<readonly MaterialText[]>;
  allowed: OpeningAllowed;
  agree: TermsStore['agree'];
}

/** Published by another process, a version is heard of so much later at most. */
const READ_AGAIN_MILLIS = 5_000;
const MEMBERS_REMEMBERED_MAX = 100_000;

/** Makes it. What has been agreed to stays agreed to, so that an order of who agreed asks the database nothing. */
export function termsDesk(store: TermsStore, clock: () => Millis): TermsDesk {
  let texts: { readonly readAt: Millis; readonly material: readonly MaterialText[] } | undefined;
  const agreed = createRemembered<Partial<Record<LegalKind, number>> | undefined>({
    entriesMax: MEMBERS_REMEMBERED_MAX,
    keeps: () => true,
  });
  const material = async (now: Millis): Promise<readonly MaterialText[]> => {
    if (texts === undefined || now < texts.readAt || now - texts.readAt >= READ_AGAIN_MILLIS)
      texts = { readAt: now, material: await store.material(now) };
    return texts.material;
  };
  const due = async (user: UserId, now: Millis): Promise<readonly MaterialText[]> => {
    const asked = await material(now);
    if (asked.length === 0) return [];
    const open = (upTo: Partial<Record<LegalKind, number>> | undefined) =>
      upTo === undefined ? [] : asked.filter(({ kind, version }) => (upTo[kind] ?? 0) < version);
    // Kept from somewhere else meanwhile, as a demo by its sign-up: what is still due is read again.
    const fits = (upTo: Partial<Record<LegalKind, number>> | undefined) =>
      upTo !== undefined && open(upTo).length === 0;
    return open(await agreed.get(String(user), () => store.agreedUpTo(user), fits));
  };
  return {
    due,
    async allowed(user) {
      return (await due(user, clock())).length === 0 ? undefined : { error: 'terms-new' };
    },
    agree: (agreement) => agreed.change([String(agreement.user)], () => store.agree(agreement)),
  };
}

/** x/terms/Due: what the member has still to agree to before he opens anything new. */
export async function termsDue(
  { terms }: { readonly terms: TermsDesk },
  { user, now }: MemberCaller,
): Promise<CallAnswer<CallResponse<'x/terms/Due'>>> {
  return { ok: true, value: { due: [...(await terms.due(user, now))] } };
}

/** x/terms/Agree: to the version that is shown now, in the language in which it was read. */
export async function agreeToTerms(
  { terms }: { readonly terms: TermsDesk },
  { user, now, language, address }: MemberCaller,
  { kind, version }: CallRequest<'x/terms/Agree'>,
): Promise<CallAnswer<CallResponse<'x/terms/Agree'>>> {
  const kept = await terms.agree({ user, kind, version, language, address, now });
  if (kept) return { ok: true, value: {} };
  return refusal({ error: 'field-invalid', field: 'version', allowed: 'the version that is shown now' });
}
