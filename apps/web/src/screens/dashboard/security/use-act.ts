import { useRef } from 'react';
import { call, isRefused, problemOf } from '../../../stores/member/own-service.ts';
import { askPasskeyAgain } from '../../../stores/member/passkeys.ts';
import { type MemberSecurity, securityChanged } from '../../../stores/member/security.ts';
import { renewSession, whileRenewing } from '../../../stores/member/session.ts';

/** `grant-invalid` of the error catalogue: used, or older than five minutes. */
const GRANT_INVALID = 2029;

/** `field-invalid` of the error catalogue: it is not there any more, because another tab has ended it. */
export const GONE = 1001;

/** Ends or removes what has this id; what another tab has ended before is ended. */
export async function endOnce(
  name: 'x/account/EndSession' | 'x/account/ForgetDevice' | 'x/passkey/Remove',
  input: { readonly id: string; readonly grant: string },
) {
  const answer = await call(name, input, { quiet: [GONE] });
  return isRefused(answer, GONE) ? { ok: true as const, data: {} } : answer;
}

/** What is wrong, and with which field of the form. */
export interface ActProblem {
  readonly field: 'proof' | 'root';
  readonly message: string;
}

type Answer<Data> = Awaited<ReturnType<typeof call>> | { readonly ok: true; readonly data: Data };

/** What was typed, as the call takes it; where there is a passkey and nothing was typed, its answer. */
async function proofOf(
  { googleAuth, passkeys }: Pick<MemberSecurity, 'googleAuth' | 'passkeys'>,
  typed: string,
) {
  if (passkeys > 0 && typed === '') return askPasskeyAgain();
  return googleAuth ? { totp: typed.replace(/\s/g, '') } : { password: typed };
}

/**
 * Acts on who the member is: proves once more who it is, by the strongest factor there is, and uses the grant. A refused act has
 * used nothing up, so the grant serves the next try and no second authenticator code is needed.
 * @returns what is wrong, or what the act answered.
 */
export function useAct(security: Pick<MemberSecurity, 'googleAuth' | 'passkeys'>) {
  const kept = useRef<string>(undefined);
  return async <Data>(
    proof: string,
    act: (grant: string) => Promise<Answer<Data>>,
  ): Promise<{ readonly problem: ActProblem } | { readonly data: Data }> => {
    if (kept.current === undefined) {
      const given = await proofOf(security, proof);
      if ('problem' in given) return { problem: { field: 'proof', message: given.problem } };
      const answer = await call('x/account/StepUp', { purpose: 'credentials', ...given });
      if (!answer.ok) return { problem: { field: 'proof', message: problemOf(answer) ?? '' } };
      renewSession(answer.data.token);
      kept.current = answer.data.grant;
    }
    const grant = kept.current;
    const answer = await whileRenewing(async () => {
      const acted = await act(grant);
      const token = acted.ok ? (acted.data as { readonly token?: string }).token : undefined;
      if (token !== undefined) renewSession(token);
      return acted;
    });
    if (!answer.ok) {
      const isOver = isRefused(answer, GRANT_INVALID);
      if (isOver) kept.current = undefined;
      return { problem: { field: isOver ? 'proof' : 'root', message: problemOf(answer) ?? '' } };
    }
    kept.current = undefined;
    securityChanged();
    return { data: answer.data as Data };
  };
}
