import type { Caller } from '@crossbook/contract';
import { type Millis, ok, type Result, refused } from '@crossbook/domain';
import type { Mail } from '../ports.ts';
import type { SecurityStore } from '../security-ports.ts';
import { kycMail } from './kyc-mails.ts';
import type {
  KycQueueQuery,
  KycQueueRow,
  KycStore,
  KycVerdict,
  LookRefusal,
  OpenedCase,
  PictureFault,
  PictureMarker,
  Reviewer,
} from './kyc-ports.ts';
import { decidedFrom, KYC_STEPS, type KycCaseState, type KycDecision } from './kyc-states.ts';

/**
 * Why nothing was decided. `decided`: somebody else was first, or the state does not allow it. `claimed`: somebody else is at
 * it. `own`: the papers are those of who decides. `unseen`: he has not opened them.
 */
export type DecideRefusal = 'unknown' | 'reason-required' | 'own' | 'decided' | 'claimed' | 'unseen';

/** A case as who reviews sees it. */
export interface ShownCase extends OpenedCase {
  /** In which the member is written to. */
  readonly language: Caller['language'];
  /** Of who looks: somebody else decides. */
  readonly own: boolean;
}

/** What the back office does with cases. Whether the caller may is asked before; who it was is in the audit log after. */
export interface KycReview {
  list(query: KycQueueQuery): Promise<readonly KycQueueRow[]>;
  /** A case that waits, with its fields; looking is an entry of the audit log, and takes the case. */
  open(caseId: string, by: Reviewer, now: Millis): Promise<Result<ShownCase, LookRefusal>>;
  /** A picture of such a case as JPEG, with who looks and when in its pixels; looking is an entry of the audit log. */
  picture(
    place: { readonly caseId: string; readonly id: string },
    by: Reviewer,
    now: Millis,
  ): Promise<Result<Uint8Array, LookRefusal | PictureFault>>;
  /** Gives back what one has; nothing where one has it not. */
  release: KycStore['release'];
  /** The case by which a member is verified now. */
  passed: KycStore['passed'];
  /** What a verdict tells the member; undefined for who has no mailbox. Refused where it cannot be decided so, or by him. */
  letter(verdict: KycVerdict, by: Reviewer): Promise<Result<Mail | undefined, DecideRefusal>>;
  /** Decides, tells the member by mail, and answers the new state. */
  decide(verdict: KycVerdict, by: Reviewer, now: Millis): Promise<Result<KycCaseState, DecideRefusal>>;
}

const NOTE_LENGTH_MAX = 300;

function hasReason({ decision, reason, note = '' }: KycVerdict): boolean {
  if (note.length > NOTE_LENGTH_MAX) return false;
  if (decision === 'approve') return true;
  return reason !== undefined && (reason !== 'other' || note.trim() !== '');
}

function reached(decision: KycDecision): KycCaseState {
  const state = decidedFrom(decision).map((from) => KYC_STEPS[from][decision])[0];
  if (state === undefined) throw new Error('a decision that leads nowhere');
  return state;
}

/** Makes the review. */
export function kycReview(deps: {
  readonly store: KycStore;
  readonly security: Pick<SecurityStore, 'profile'>;
  readonly markPicture: PictureMarker;
  readonly productName: string;
}): KycReview {
  const { store, security, markPicture, productName } = deps;
  const letter: KycReview['letter'] = async (verdict, by) => {
    if (!hasReason(verdict)) return refused('reason-required');
    const member = await store.memberOf(verdict.caseId);
    if (member === undefined) return refused('unknown');
    const { email: to, language, antiPhishing } = await security.profile(member);
    if (to === by.email) return refused('own');
    const { decision, reason, note = '' } = verdict;
    const facts = { language, antiPhishing, reason, note, revoked: decision === 'revoke' };
    return ok(to === undefined ? undefined : { to, ...kycMail(productName, reached(decision), facts) });
  };
  return {
    list: (query) => store.list(query),
    async open(caseId, by, now) {
      const member = await store.memberOf(caseId);
      if (member === undefined) return refused('unknown');
      const { email, language } = await security.profile(member);
      const own = email === by.email;
      // Who may not decide about it keeps it from nobody.
      const opened = await store.open(caseId, own ? { ...by, claims: undefined } : by, now);
      return opened.ok ? ok({ ...opened.value, language, own }) : opened;
    },
    async picture(place, by, now) {
      const stored = await store.picture(place, by, now);
      return stored.ok ? markPicture(stored.value, by.id, now) : stored;
    },
    release: (caseId, by, now) => store.release(caseId, by, now),
    passed: (member) => store.passed(member),
    letter,
    async decide(verdict, by, now) {
      const mail = await letter(verdict, by);
      if (!mail.ok) return mail;
      const done = await store.decide(verdict, by, { mail: mail.value, now });
      return done.ok ? ok(reached(verdict.decision)) : done;
    },
  };
}
