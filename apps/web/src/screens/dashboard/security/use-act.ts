import { useRef } from 'react';
import { call, isRefused, problemOf } from '../../../stores/member/own-service.ts';
import { type MemberSecurity, securityChanged } from '../../../stores/member/security.ts';
import { renewSession, whileRenewing } from '../../../stores/member/session.ts';

/** `grant-invalid` of the error catalogue: used, or older than five minutes. */
const GRANT_INVALID = 2029;

/** What is wrong, and with which field of the form. */
export interface ActProblem {
  readonly field: 'proof' | 'root';
  readonly message: string;
}

type Answer<Data> = Awaited<ReturnType<typeof call>> | { readonly ok: true; readonly data: Data };

/**
 * Acts on who the member is: proves once more who it is, by the strongest factor there is, and uses the grant. A refused act has
 * used nothing up, so the grant serves the next try and no second authenticator code is needed.
 * @returns what is wrong, or what the act answered.
 */
export function useAct({ googleAuth }: Pick<MemberSecurity, 'googleAuth'>) {
  const kept = useRef<string>(undefined);
  return async <Data>(
    proof: string,
    act: (grant: string) => Promise<Answer<Data>>,
  ): Promise<{ readonly problem: ActProblem } | { readonly data: Data }> => {
    if (kept.current === undefined) {
      const given = googleAuth ? { totp: proof.replace(/\s/g, '') } : { password: proof };
      const answer = await call('x/account/StepUp', { purpose: 'credentials', ...given }, { quiet: true });
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
