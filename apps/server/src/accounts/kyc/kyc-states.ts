import type { Tier } from '@crossbook/domain';

/** How a case stands. A member without one is not verified. */
export type KycCaseState = 'pending' | 'refused' | 'done' | 'expired';
/** How a member stands: the state of his newest case, `none` without one. */
export type KycState = 'none' | KycCaseState;

/** What moves a case: the member submits, time ends what was passed, who reviews does the rest. */
export type KycStep = 'submit' | 'expire' | KycDecision;
/** What a reviewer decides. `revoke` takes back what was approved. */
export type KycDecision = 'approve' | 'refuse' | 'revoke';

/** Every step that there is, and where it leads; what is not here is refused. */
export const KYC_STEPS: Readonly<Record<KycState, Partial<Record<KycStep, KycCaseState>>>> = {
  none: { submit: 'pending' },
  pending: { approve: 'done', refuse: 'refused' },
  refused: { submit: 'pending' },
  done: { revoke: 'refused', expire: 'expired' },
  expired: { submit: 'pending' },
};

/** From where a decision is possible. */
export function decidedFrom(decision: KycDecision): readonly KycState[] {
  return (Object.keys(KYC_STEPS) as KycState[]).filter((state) => KYC_STEPS[state][decision] !== undefined);
}

/** What a member may do: 0 before he is verified, 1 after. */
export function tierOf(state: KycState): Tier {
  return state === 'done' ? 1 : 0;
}
