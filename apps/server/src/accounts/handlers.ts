import type { CallHandlers } from '@crossbook/contract';
import type { Millis } from '@crossbook/domain';
import { beginAuthenticator, bindAuthenticator, renewRecoveryCodes } from './acts/authenticator.ts';
import { changeChartSettings, chartSettings } from './acts/chart-settings.ts';
import { forgetDevice, listDevices } from './acts/device-calls.ts';
import { freeze, unfreeze } from './acts/freeze.ts';
import {
  addPasskey,
  beginPasskey,
  listPasskeys,
  passkeyStepUpOptions,
  removePasskey,
  renamePasskey,
} from './acts/passkeys.ts';
import { changePassword, resetPassword } from './acts/password-changes.ts';
import { userInfo } from './acts/profile.ts';
import {
  bindEmail,
  bindMobile,
  changeEmail,
  changeMobile,
  changeProfile,
  fullProfile,
  sendMemberCode,
} from './acts/profile-changes.ts';
import { endOthers, endSession, listSessions, logInHistory } from './acts/session-calls.ts';
import { authenticatorGrant, stepUp } from './acts/step-up.ts';
import type { AccountBudgets } from './budgets.ts';
import { countries } from './countries.ts';
import type { Captcha } from './factors/captcha.ts';
import { type CodeDeps, checkCode, sendCode } from './factors/codes.ts';
import type { Devices } from './factors/devices.ts';
import type { IsCommonPassword } from './factors/known-passwords.ts';
import type { Passwords } from './factors/passwords.ts';
import { type DemoDeps, keepDemo, startDemo } from './flows/demo.ts';
import { sendLogInCode, takeStep } from './flows/log-in-steps.ts';
import { askRecovery, finishRecovery } from './flows/lost-access.ts';
import { beginOtpReset, endOtpResets, finishOtpReset } from './flows/lost-authenticator.ts';
import { logInByPasskey, logInOptions } from './flows/passkey-log-in.ts';
import { repeatable } from './flows/repeated-steps.ts';
import { accountExists, issueCaptcha, type SignInDeps, signIn } from './flows/sign-in.ts';
import { signOut } from './flows/sign-out.ts';
import { type SignUpDeps, signUp } from './flows/sign-up.ts';
import type { SecretKey } from './keyed-hash.ts';
import { type KycDeps, kycStatus, submitKyc, uploadPicture } from './kyc/kyc-calls.ts';
import type { MailWriter } from './mails.ts';
import type { PasskeySiteOf, PasskeyStore } from './passkey-ports.ts';
import type {
  ChartSettingsStore,
  CodeStore,
  DemoStore,
  MailSender,
  MemberStore,
  RandomBytes,
  SessionStore,
  TextSender,
} from './ports.ts';
import type { LogInProvider, ProviderStore } from './provider-ports.ts';
import { bindPassword, linkProvider, providerLogIn, unlinkProvider } from './providers/provider-calls.ts';
import { type ProviderDeps, startVisit } from './providers/visits.ts';
import type { RecoveryStore } from './recovery-ports.ts';
import type { SecurityStore } from './security-ports.ts';
import type { SessionEvents } from './sessions/session-events.ts';
import type { Sessions } from './sessions/sessions.ts';
import { issueWebsocketArgs } from './sessions/websocket-args.ts';
import { agreeToTerms, type TermsDesk, termsDue } from './terms.ts';

/** Calls of the accounts feature. */
export type AccountCallName =
  | 'pub/getcaptcha'
  | 'sms/getgeecaptcha'
  | 'common/country'
  | 'user/accountexist'
  | 'sms/sms'
  | 'user/checkcode'
  | 'user/usernew'
  | 'user/login'
  | 'user/layout'
  | 'user/loginstep2'
  | 'user/forgetpwd'
  | 'x/oauth/Start'
  | 'user/oauthlogin'
  | 'x/oauth/BindPassword'
  | 'x/oauth/Link'
  | 'x/oauth/Unlink'
  | 'usersms/usersms'
  | 'security/userinfonew'
  | 'security/modifyuserinfo'
  | 'security/resetpwd'
  | 'security/modifyemail'
  | 'security/usergooglesecret'
  | 'security/bindgoogle'
  | 'security/connex/bindgoogle'
  | 'security/bindemail'
  | 'security/bindphone'
  | 'security/modifyphone'
  | 'x/account/OtpResetBegin'
  | 'x/account/OtpResetFinish'
  | 'x/recovery/Ask'
  | 'x/recovery/Finish'
  | 'x/account/StepUp'
  | 'x/account/RecoveryCodes'
  | 'x/account/Sessions'
  | 'x/account/LoginHistory'
  | 'x/account/EndSession'
  | 'x/account/EndOthers'
  | 'x/account/Devices'
  | 'x/account/ForgetDevice'
  | 'x/account/Freeze'
  | 'x/account/Unfreeze'
  | 'x/passkey/RegisterOptions'
  | 'x/passkey/Register'
  | 'x/passkey/List'
  | 'x/passkey/Rename'
  | 'x/passkey/Remove'
  | 'x/passkey/StepUpOptions'
  | 'x/passkey/LoginOptions'
  | 'x/passkey/Login'
  | 'x/demo/Start'
  | 'x/demo/Keep'
  | 'security/userinfo'
  | 'usercommon/upload'
  | 'x/kyc/Status'
  | 'x/kyc/Submit'
  | 'x/terms/Due'
  | 'x/terms/Agree'
  | 'connexbasicdata/ChangeChatSetting'
  | 'connexbasicdata/GetChatSetting'
  | 'connexbasicdata/GetWebsocketArgs';

/** Everything accounts need from outside; wired by `main`. */
export interface AccountsDeps extends KycDeps {
  readonly members: MemberStore;
  readonly terms: TermsDesk;
  readonly sessionStore: SessionStore;
  readonly sessions: Sessions;
  readonly codes: CodeStore;
  readonly captcha: Captcha;
  readonly budgets: AccountBudgets;
  readonly devices: Devices;
  readonly passwords: Passwords;
  readonly mail: MailSender;
  readonly mails: MailWriter;
  readonly texts: TextSender | undefined;
  readonly events: SessionEvents;
  readonly random: RandomBytes;
  readonly codeKey: SecretKey;
  readonly websocketKey: SecretKey;
  readonly security: SecurityStore;
  readonly passkeys: PasskeyStore;
  readonly passkeySite: PasskeySiteOf;
  readonly providers: ProviderStore;
  /** Absent: nobody logs in with another service. */
  readonly provider: LogInProvider | undefined;
  readonly recoveries: RecoveryStore;
  readonly productName: string;
  readonly linkBase: (origin: string) => string;
  readonly newDeviceCode: boolean;
  readonly isCommonPassword: IsCommonPassword;
  readonly demos: DemoStore;
  readonly demoOver: DemoDeps['demoOver'];
  readonly demosPerNetworkMax: number;
  readonly chartSettings: ChartSettingsStore;
}

/** Calls about who a member is, beyond the password. */
function securityHandlers(deps: ProviderDeps) {
  return {
    'user/loginstep2': (caller, request) => takeStep(deps, caller, request),
    'user/forgetpwd': (caller, request) => resetPassword(deps, caller, request),
    'usersms/usersms': (caller, request) => sendMemberCode(deps, caller, request),
    'security/userinfonew': (caller) => fullProfile(deps, caller),
    'security/modifyuserinfo': (caller, request) => changeProfile(deps, caller, request),
    'security/resetpwd': (caller, request) => changePassword(deps, caller, request),
    'security/modifyemail': (caller, request) => changeEmail(deps, caller, request),
    'security/bindemail': (caller, request) => bindEmail(deps, caller, request),
    'security/bindphone': (caller, request) => bindMobile(deps, caller, request),
    'security/modifyphone': (caller, request) => changeMobile(deps, caller, request),
    'x/account/OtpResetBegin': (caller, request) => beginOtpReset(deps, caller, request),
    'x/account/OtpResetFinish': (caller, request) => finishOtpReset(deps, caller, request),
    'security/usergooglesecret': (caller, request) => beginAuthenticator(deps, caller, request),
    'security/bindgoogle': (caller, request) => bindAuthenticator(deps, caller, request),
    'security/connex/bindgoogle': (caller, request) => authenticatorGrant(deps, caller, request),
    'x/account/StepUp': (caller, request) => stepUp(deps, caller, request),
    'x/account/RecoveryCodes': (caller, request) => renewRecoveryCodes(deps, caller, request),
    'x/account/Sessions': (caller) => listSessions(deps, caller),
    'x/account/LoginHistory': (caller, request) => logInHistory(deps, caller, request),
    'x/account/EndSession': (caller, request) => endSession(deps, caller, request),
    'x/account/EndOthers': (caller, request) => endOthers(deps, caller, request),
    'x/account/Devices': (caller) => listDevices(deps, caller),
    'x/account/ForgetDevice': (caller, request) => forgetDevice(deps, caller, request),
    'x/account/Freeze': (caller, request) => freeze(deps, caller, request),
    'x/account/Unfreeze': (caller, request) => unfreeze(deps, caller, request),
    'x/passkey/RegisterOptions': (caller, request) => beginPasskey(deps, caller, request),
    'x/passkey/Register': (caller, request) => addPasskey(deps, caller, request),
    'x/passkey/List': (caller) => listPasskeys(deps, caller),
    'x/passkey/Rename': (caller, request) => renamePasskey(deps, caller, request),
    'x/passkey/Remove': (caller, request) => removePasskey(deps, caller, request),
    'x/passkey/StepUpOptions': (caller) => passkeyStepUpOptions(deps, caller),
    'x/passkey/LoginOptions': (caller, request) => logInOptions(deps, caller, request),
    'x/passkey/Login': (caller, request) => logInByPasskey(deps, caller, request),
  } satisfies Partial<CallHandlers>;
}

/** Log-in with the service of another house. */
function providerHandlers(deps: ProviderDeps & SignUpDeps) {
  return {
    'x/oauth/Start': (caller) => startVisit(deps, caller),
    'user/oauthlogin': (caller, request) => providerLogIn(deps, caller, request),
    'x/oauth/BindPassword': (caller, request) => bindPassword(deps, caller, request),
    'x/oauth/Link': (caller, request) => linkProvider(deps, caller, request),
    'x/oauth/Unlink': (caller, request) => unlinkProvider(deps, caller, request),
  } satisfies Partial<CallHandlers>;
}

/** The handlers of the accounts feature. */
export function accountHandlers(deps: AccountsDeps): Pick<CallHandlers, AccountCallName> {
  const signInDeps: SignInDeps & ProviderDeps & SignUpDeps = { ...deps, key: deps.codeKey };
  const codeDeps: CodeDeps = signInDeps;
  const signUpDeps: SignUpDeps = deps;
  const lostDeps = { ...signInDeps, recoveries: deps.recoveries };
  const demoDeps: DemoDeps = { ...deps, key: deps.codeKey };
  return repeatable(deps, {
    ...securityHandlers(signInDeps),
    ...providerHandlers(signInDeps),
    'pub/getcaptcha': (caller, request) => issueCaptcha(deps, caller, request),
    'sms/getgeecaptcha': (caller, { purpose, account }) =>
      issueCaptcha(signInDeps, caller, purpose === 'login' ? { account } : {}),
    'common/country': async (caller) => ({
      ok: true,
      value: countries(caller.language, deps.restrictedCountries),
    }),
    'user/accountexist': (caller, request) => accountExists(signInDeps, caller, request),
    'sms/sms': (caller, request) =>
      request.purpose === 'login'
        ? sendLogInCode(signInDeps, caller, request)
        : sendCode(codeDeps, caller, request),
    'user/checkcode': (caller, request) => checkCode(codeDeps, caller, request),
    'user/usernew': (caller, request) => signUp(signUpDeps, caller, request),
    'x/recovery/Ask': (caller, request) => askRecovery(lostDeps, caller, request),
    'x/recovery/Finish': (caller, request) => finishRecovery(lostDeps, caller, request),
    'x/demo/Start': (caller, request) => startDemo(demoDeps, caller, request),
    'x/demo/Keep': (caller, request) => keepDemo(demoDeps, caller, request),
    'user/login': (caller, request) => signIn(signInDeps, caller, request),
    'user/layout': (caller) => signOut({ ...signInDeps, sessionStore: deps.sessionStore }, caller),
    'usercommon/upload': (caller, request) => uploadPicture(deps, caller, request),
    'x/kyc/Status': (caller) => kycStatus(deps, caller),
    'x/kyc/Submit': (caller, request) => submitKyc(deps, caller, request),
    'x/terms/Due': (caller) => termsDue(deps, caller),
    'x/terms/Agree': (caller, request) => agreeToTerms(deps, caller, request),
    'security/userinfo': (caller) => userInfo(deps, caller),
    'connexbasicdata/ChangeChatSetting': (caller, request) => changeChartSettings(deps, caller, request),
    'connexbasicdata/GetChatSetting': (caller) => chartSettings(deps, caller),
    'connexbasicdata/GetWebsocketArgs': async (caller) => ({
      ok: true,
      value: issueWebsocketArgs(caller, deps.websocketKey),
    }),
  });
}

/** Ends resets of authenticators whose day is over, and tells of them. */
export function endDueResets(deps: AccountsDeps, now: Millis): Promise<void> {
  return endOtpResets({ ...deps, key: deps.codeKey }, now);
}
