import { errorFacts } from '@crossbook/contract';
import { networkOf } from '../accounts/budgets.ts';
import type { CallOutcome } from './answers.ts';

/** Where the lines go. */
export interface SecuritySink {
  warn(facts: object, event: string): void;
}

/** A call that is over, as far as the log may know it: never a field, a token or an account's name. */
export interface SecurityEvent {
  readonly call: string;
  readonly requestId: string;
  readonly address: string;
  /** The member's or admin's id, where one was logged in. */
  readonly who?: string;
}

/** Writes proofs of identity, and refusals: who tries what he may not stands in them. */
export interface SecurityLog {
  note(outcome: CallOutcome, event: SecurityEvent): void;
}

/** Calls whose success is one as well: somebody has proved who he is. */
const PROOFS: ReadonlySet<string> = new Set([
  'user/usernew',
  'user/login',
  'user/loginstep2',
  'user/oauthlogin',
  'x/oauth/BindPassword',
  'user/forgetpwd',
  'x/passkey/Login',
  'x/passkey/Register',
  'x/account/StepUp',
  'x/account/Unfreeze',
  'security/connex/bindgoogle',
  'x/demo/Keep',
  'x/admin/Demo',
  'x/admin/Start',
  'x/admin/LogIn',
  'x/admin/StepUp',
]);

/** What an exchange or a balance refuses is business: orders keep it. */
function isBusiness(outcome: CallOutcome): boolean {
  if (outcome.ok) return false;
  const { code } = errorFacts(outcome.code.error);
  return code >= 3_000 && code < 4_000;
}

const WINDOW_MILLIS = 60_000;
/** Lines a minute; who floods the hub must not fill the disk of the log. */
const LINES_PER_WINDOW_MAX = 600;
/** Of them from one network, so that one who floods does not hide the others: an IPv6 line has addresses without end. */
const LINES_PER_NETWORK_MAX = 60;

/** Makes the log. @param steady a clock that is never set. */
export function securityLog(sink: SecuritySink, steady: () => number): SecurityLog {
  let windowEndsAt = 0;
  let written = 0;
  let leftOut = 0;
  const byNetwork = new Map<string, number>();
  const beginWindow = (now: number): void => {
    if (now < windowEndsAt) return;
    if (leftOut > 0) sink.warn({ leftOut }, 'security: more than is written');
    windowEndsAt = now + WINDOW_MILLIS;
    written = 0;
    leftOut = 0;
    byNetwork.clear();
  };
  return {
    note(outcome, event) {
      if (isBusiness(outcome) || (outcome.ok && !PROOFS.has(event.call))) return;
      beginWindow(steady());
      const network = networkOf(event.address);
      const ofNetwork = byNetwork.get(network) ?? 0;
      if (written >= LINES_PER_WINDOW_MAX || ofNetwork >= LINES_PER_NETWORK_MAX) {
        leftOut += 1;
        return;
      }
      written += 1;
      byNetwork.set(network, ofNetwork + 1);
      sink.warn(
        { ...event, outcome: outcome.ok ? 'ok' : outcome.code.error },
        outcome.ok ? 'security: proved' : 'security: refused',
      );
    },
  };
}
