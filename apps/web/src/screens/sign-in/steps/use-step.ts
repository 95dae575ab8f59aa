import type { CallInput } from '@crossbook/contract';
import { useNavigate } from '@tanstack/react-router';
import { forgetStep, type LogInStep, takeAnswer } from '../../../stores/member/log-in.ts';
import { call, isRefused, problemOf } from '../../../stores/member/own-service.ts';

/** Codes of the error catalogue after which there is nothing more to try here, and where it goes on. */
const ENDS = [
  { code: 2009, to: { to: '/login' } },
  { code: 2019, to: { to: '/forgotPassword_A', search: { for: 'unfreeze' } } },
] as const;

/**
 * Takes a step of a log-in and goes on: to the next step, to where the visitor wanted to go, back to /login where the ticket
 * is worth nothing any more, or to where a frozen account is opened. What it answers is what is wrong with the proof, in words.
 */
export function useStep({ ticket }: LogInStep) {
  const navigate = useNavigate();
  return async (proof: Omit<CallInput<'user/loginstep2'>, 'ticket'>): Promise<string | undefined> => {
    const answer = await call('user/loginstep2', { ticket, ...proof });
    if (answer.ok) {
      await navigate({ to: takeAnswer(answer.data), replace: true });
      return undefined;
    }
    const end = ENDS.find(({ code }) => isRefused(answer, code));
    if (end === undefined) return problemOf(answer);
    forgetStep();
    await navigate({ ...end.to, replace: true });
    return undefined;
  };
}
