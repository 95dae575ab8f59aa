import type { CallHandlers } from '@crossbook/contract';
import type { AccountBudgets } from './budgets.ts';
import type { Captcha } from './captcha.ts';
import { type CodeDeps, checkCode, sendCode } from './codes.ts';
import { countries } from './countries.ts';
import type { SecretKey } from './keyed-hash.ts';
import type { MailWriter } from './mails.ts';
import type { Passwords } from './passwords.ts';
import type { CodeStore, MailSender, MemberStore, RandomBytes, SessionStore } from './ports.ts';
import { userInfo } from './profile.ts';
import type { SessionEvents } from './session-events.ts';
import type { Sessions } from './sessions.ts';
import { accountExists, issueCaptcha, type SignInDeps, signIn } from './sign-in.ts';
import { signOut } from './sign-out.ts';
import { type SignUpDeps, signUp } from './sign-up.ts';
import { issueWebsocketArgs } from './websocket-args.ts';

/** Calls of the accounts feature. */
export type AccountCallName =
  | 'pub/getcaptcha'
  | 'common/country'
  | 'user/accountexist'
  | 'sms/sms'
  | 'user/checkcode'
  | 'user/usernew'
  | 'user/login'
  | 'user/layout'
  | 'security/userinfo'
  | 'connexbasicdata/GetWebsocketArgs';

/** Everything accounts need from outside; wired by `main`. */
export interface AccountsDeps {
  readonly members: MemberStore;
  readonly sessionStore: SessionStore;
  readonly sessions: Sessions;
  readonly codes: CodeStore;
  readonly captcha: Captcha;
  readonly budgets: AccountBudgets;
  readonly passwords: Passwords;
  readonly mail: MailSender;
  readonly mails: MailWriter;
  readonly events: SessionEvents;
  readonly random: RandomBytes;
  readonly codeKey: SecretKey;
  readonly websocketKey: SecretKey;
}

/** The handlers of the accounts feature. */
export function accountHandlers(deps: AccountsDeps): Pick<CallHandlers, AccountCallName> {
  const codeDeps: CodeDeps = { ...deps, key: deps.codeKey };
  const signInDeps: SignInDeps = deps;
  const signUpDeps: SignUpDeps = deps;
  return {
    'pub/getcaptcha': (caller, request) => issueCaptcha(deps, caller, request),
    'common/country': async (caller) => ({ ok: true, value: countries(caller.language) }),
    'user/accountexist': (caller, request) => accountExists(signInDeps, caller, request),
    'sms/sms': (caller, request) => sendCode(codeDeps, caller, request),
    'user/checkcode': (caller, request) => checkCode(codeDeps, caller, request),
    'user/usernew': (caller, request) => signUp(signUpDeps, caller, request),
    'user/login': (caller, request) => signIn(signInDeps, caller, request),
    'user/layout': (caller) => signOut(deps, caller),
    'security/userinfo': (caller) => userInfo(deps.members, caller),
    'connexbasicdata/GetWebsocketArgs': async (caller) => ({
      ok: true,
      value: issueWebsocketArgs(caller, deps.websocketKey),
    }),
  };
}
