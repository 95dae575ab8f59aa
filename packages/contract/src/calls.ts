import type { z } from 'zod';
import type { CALL_SCHEMAS } from './schema/calls.ts';

/**
 * Names of all own-service calls: the path behind `/api/`. Types only: the browser never loads zod (decision 0030.28).
 */
export type CallName = keyof typeof CALL_SCHEMAS;
/** What a caller may pass. */
export type CallInput<Name extends CallName> = z.input<(typeof CALL_SCHEMAS)[Name]['request']>;
/** What a handler gets after parsing. */
export type CallRequest<Name extends CallName> = z.output<(typeof CALL_SCHEMAS)[Name]['request']>;
/** What a call answers as `data`. */
export type CallResponse<Name extends CallName> = z.output<(typeof CALL_SCHEMAS)[Name]['response']>;

/** The fixed envelope of every answer (spec section 7). */
export interface Envelope<Data> {
  readonly code: number;
  readonly msg: string;
  readonly data: Data | null;
}

/** Who may call: anyone, or a member with cookie and stoken. */
export type CallAccess = 'public' | 'member';

/** Facts of a call that both sides need. All answer POST; `get` says whether GET works too (decision 0030.13). */
export interface CallFacts {
  readonly access: CallAccess;
  readonly get: boolean;
  readonly about: string;
  /** Needs an account of one's own: a demo member is refused. */
  readonly ownAccount?: true;
  /** The field that is a file, and its largest size; only such calls take one. */
  readonly file?: { readonly field: string; readonly bytesMax: number };
}

/** Anyone may read it. */
const READ = { access: 'public', get: true } as const;
/** Anyone may call it. */
const OPEN = { access: 'public', get: false } as const;
/** A member may call it, a demo member too. */
const MEMBER = { access: 'member', get: false } as const;
/** What a member does with an account of his own. */
const OWN = { ...MEMBER, ownAccount: true } as const;

type AllCalls<Facts> = { readonly [Name in CallName]: Facts };

const rows = {
  'pub/getcaptcha': { ...READ, about: 'A proof-of-work challenge.' },
  'sms/getgeecaptcha': { ...READ, about: 'The same for a purpose: what it costs may depend on it.' },
  'common/country': { ...READ, about: 'Countries for sign-up.' },
  'user/accountexist': { ...OPEN, about: 'Whether an address is registered.' },
  'sms/sms': { ...OPEN, about: 'Sends a code to an address given before login.' },
  'user/checkcode': { ...OPEN, about: 'Verifies a code without using it up.' },
  'user/usernew': { ...OPEN, about: 'Registers a member and logs in.' },
  'user/login': { ...OPEN, about: 'Logs in.' },
  'user/loginstep2': {
    ...OPEN,
    about: 'The step after the password: authenticator, recovery code, or a code by mail.',
  },
  'user/forgetpwd': { ...OPEN, about: 'Sets a new password by a code to the contact.' },
  'x/oauth/Start': { ...OPEN, about: 'Where the log-in service of another house is asked who this is.' },
  'user/oauthlogin': { ...OPEN, about: 'Logs in with the answer of that service, or says what is missing.' },
  'x/oauth/BindPassword': {
    ...OPEN,
    about: 'Registers who came from that service, with a password, and logs in.',
  },
  'x/oauth/Link': { ...OWN, about: 'Links the log-in there with this account.' },
  'x/oauth/Unlink': { ...OWN, about: 'Ends that link.' },
  'user/layout': { ...MEMBER, about: 'Logs out.' },
  'security/userinfo': { ...MEMBER, about: 'The member.' },
  'security/userinfonew': { ...MEMBER, about: 'The member, with the state of all security.' },
  'security/modifyuserinfo': { ...MEMBER, about: 'Changes nickname, language or the word in mails.' },
  'security/resetpwd': { ...OWN, about: 'Changes the password.' },
  'security/modifyemail': { ...OWN, about: 'Changes the e-mail address.' },
  'security/bindemail': { ...OWN, about: 'Binds an e-mail address.' },
  'security/bindphone': { ...OWN, about: 'Binds a mobile number.' },
  'security/modifyphone': { ...OWN, about: 'Changes the mobile number.' },
  'x/account/OtpResetBegin': {
    ...OPEN,
    about: 'A lost authenticator: sends codes to phone and mailbox of who knows the password.',
  },
  'x/account/OtpResetFinish': {
    ...OPEN,
    about: 'Both codes: the authenticator is not asked for from a day later on.',
  },
  'x/recovery/Ask': {
    access: 'public',
    get: false,
    about:
      'Contacts and authenticator lost: asks the staff to let a new contact open the account. Answers everybody alike.',
  },
  'x/recovery/Finish': {
    access: 'public',
    get: false,
    about: 'After the waiting time: the new contact takes the place of all, and second factors are removed.',
  },
  'security/usergooglesecret': {
    ...OWN,
    about: 'A secret for an authenticator app, to be proved within 10 minutes.',
  },
  'security/bindgoogle': { ...OWN, about: 'Turns the authenticator on; answers recovery codes, once.' },
  'security/connex/bindgoogle': { ...OWN, about: 'Checks the authenticator before money moves: a grant.' },
  'usersms/usersms': {
    ...OWN,
    about: 'Sends a code to a contact of the member, or to one that is being bound.',
  },
  'x/account/StepUp': { ...OWN, about: 'Proves once more who acts: a grant for one act.' },
  'x/account/RecoveryCodes': { ...OWN, about: 'New recovery codes; the former ones end.' },
  'x/account/Sessions': { ...MEMBER, about: 'Where the member is logged in.' },
  'x/account/LoginHistory': { ...MEMBER, about: 'Log-ins of the last 30 days, newest first.' },
  'x/account/EndSession': { ...OWN, about: 'Ends one session of the member.' },
  'x/account/EndOthers': { ...OWN, about: 'Ends all sessions but this one, and forgets all other browsers.' },
  'x/account/Devices': {
    ...MEMBER,
    about: 'Browsers that are trusted: logging in there asks for no mailed code.',
  },
  'x/account/ForgetDevice': { ...OWN, about: 'Trusts a browser no more, and ends what is logged in there.' },
  'x/account/Freeze': { ...OPEN, about: 'Freezes the account of a "this was not me" link.' },
  'x/account/Unfreeze': { ...OPEN, about: 'Opens a frozen account again, with a new password.' },
  'x/passkey/RegisterOptions': { ...OWN, about: 'Begins a new passkey.' },
  'x/passkey/Register': { ...OWN, about: 'Adds a passkey.' },
  'x/passkey/List': { ...MEMBER, about: 'Passkeys of the member, oldest first.' },
  'x/passkey/Rename': { ...OWN, about: 'Gives a passkey another name.' },
  'x/passkey/Remove': { ...OWN, about: 'Ends a passkey.' },
  'x/passkey/StepUpOptions': { ...OWN, about: 'A challenge for a passkey that proves once more who acts.' },
  'x/passkey/LoginOptions': {
    ...OPEN,
    about: 'A challenge for a passkey: to log in, as the step after the password, or for a new password.',
  },
  'x/passkey/Login': { ...OPEN, about: 'Logs in with a passkey alone.' },
  'connexbasicdata/ChangeChatSetting': {
    ...MEMBER,
    about: 'Keeps chart settings, made from the newest ones.',
  },
  'connexbasicdata/GetChatSetting': { ...MEMBER, about: 'Chart settings as kept last.' },
  'connexbasicdata/GetWebsocketArgs': {
    ...MEMBER,
    about: 'Credentials of the live connection, good for about 15 s.',
  },
  'connexbasicdata/QuerySymInfo': { ...READ, about: 'Instruments.' },
  'connexbasicdata/GetCurrencies': { ...READ, about: 'Coins that are traded somewhere.' },
  'connexbasicdata/GetNetWorks': {
    ...{ ...READ },
    about: 'Networks of the coins that are shown, as the operator has set them, and what changes next.',
  },
  'connexbasicdata/existuserfree': { ...MEMBER, about: 'Whether an instrument is a favourite.' },
  'connexbasicdata/addsinglefree': {
    ...MEMBER,
    about: 'Makes an instrument a favourite; again changes nothing.',
  },
  'connexbasicdata/delfree': { ...MEMBER, about: 'Ends a favourite, if it is one.' },
  'connexbasicdata/getuserfree': { ...MEMBER, about: 'Favourites, newest first.' },
  'x/alert/List': { ...MEMBER, about: 'Price alerts, newest first.' },
  'x/alert/Set': { ...MEMBER, about: 'Sets a price alert, or moves it.' },
  'x/alert/Remove': { ...MEMBER, about: 'Ends a price alert; again changes nothing.' },
  'connextrade/PlaceOrder': { ...MEMBER, about: 'Places an order.' },
  'x/trade/PlaceScaled': {
    ...MEMBER,
    about: 'Places one size as several limit orders, at prices evenly from one to another.',
  },
  'connextrade/CancelOrder': { ...MEMBER, about: 'Cancels an order.' },
  'connextrade/ReplaceOrder': { ...MEMBER, about: 'Changes price or quantity of an open order.' },
  'connextrade/PlaceAlgoOrder': { ...MEMBER, about: 'Places an order that waits for a price.' },
  'connextrade/CancelAlgoOrder': { ...MEMBER, about: 'Cancels one that waits.' },
  'connextrade/ReplaceAlgoOrder': { ...MEMBER, about: 'Changes one that waits.' },
  'connextrade/CurAlgoOrderList': { ...MEMBER, about: 'Orders that wait for a price.' },
  'connextrade/AlgoOrderHistory': { ...MEMBER, about: 'Such orders with those that are done, newest first.' },
  'connextrade/CurOrderList': { ...MEMBER, about: 'Open orders.' },
  'connextrade/OrderHistory': { ...MEMBER, about: 'Orders, newest first.' },
  'connextrade/CancelAll': {
    ...MEMBER,
    about:
      'Cancels all open orders, of a platform, a type or an instrument where they are named, or those that are named.',
  },
  'x/trade/Countdowns': {
    ...MEMBER,
    about: 'Where the exchange cancels what rests once the hub is not heard of, and whether it counts.',
  },
  'x/trade/SetCountdown': { ...MEMBER, about: 'Turns that on or off at a platform.' },
  'connextrade/v2/OrderHistory': { ...MEMBER, about: 'Orders of all platforms by a filter, newest first.' },
  'connextrade/v2/OrderHistorySubTotal': { ...MEMBER, about: 'Sums of such orders.' },
  'connextrade/GetOrderRpnl': { ...MEMBER, about: 'What an order on a contract realised.' },
  'connextrade/GetLeverage': {
    ...MEMBER,
    about: 'How a contract is set: leverage, margin mode, position mode.',
  },
  'connextrade/SetLeverage': { ...MEMBER, about: 'Sets the leverage of a contract.' },
  'connextrade/ChangePositionMode': {
    ...MEMBER,
    about: 'One position a contract, or a long and a short one.',
  },
  'x/trade/MarginMode': { ...MEMBER, about: 'Cross or isolated margin.' },
  'x/trade/AdjustMargin': { ...MEMBER, about: 'Adds margin to an isolated position or takes some.' },
  'connextrade/GetPositionTiers': { ...MEMBER, about: 'How much may be held at which leverage.' },
  'connextrade/CurPositionList': {
    ...MEMBER,
    about: 'Open positions and the margin behind them, as the exchanges state them.',
  },
  'connextrade/PositionHistory': { ...MEMBER, about: 'Positions from opening to flat, newest first.' },
  'connextrade/ClosePosition': { ...MEMBER, about: 'Closes a position or a part of it.' },
  'connextrade/ClosePositionAll': { ...MEMBER, about: 'Closes all positions at market.' },
  'x/trade/ReversePosition': { ...MEMBER, about: 'Turns a position around at market.' },
  'connextrade/AvailableOpen': { ...MEMBER, about: 'The largest order that would be taken.' },
  'connextrade/AvailableClose': { ...MEMBER, about: 'What of a position may be closed.' },
  'x/trade/Opening': {
    ...MEMBER,
    about: 'What keeps positions from being opened at a platform, or orders of its pairs from being placed.',
  },
  'x/trade/FundingHistory': { ...MEMBER, about: 'Payments of funding, newest first.' },
  'connexfunding/GetRpnl': {
    ...MEMBER,
    about: 'What contracts realised in a time, fees and funding included, and equity now.',
  },
  'x/trade/Fills': { ...MEMBER, about: 'Fills, newest first.' },
  'connexfunding/fundingbalance': { ...MEMBER, about: 'Funding wallet.' },
  'connexfunding/tradingbalance': { ...MEMBER, about: 'Trading wallet of a platform.' },
  'connexfunding/tradingbalancesum': { ...MEMBER, about: 'Trading wallets of all platforms.' },
  'connexfunding/UniversalTransfer': { ...MEMBER, about: 'Moves funds between funding and trading wallet.' },
  'connexfunding/UniversalTransferHistory': { ...MEMBER, about: 'Such movements, newest first.' },
  'x/wallet/Equity': {
    ...MEMBER,
    about: 'Estimated worth of all wallets in USDT, and its change since 00:00 UTC.',
  },
  'invite/namuinvitereward': { ...OWN, about: 'Codes, invitees, and rewards settled and unsettled.' },
  'x/content/List': { ...READ, about: 'Texts of a kind, newest first.' },
  'x/content/Get': { ...READ, about: 'A text.' },
  'x/terms/Due': {
    ...MEMBER,
    about: 'Material versions of Terms and Privacy that the member has not agreed to.',
  },
  'x/terms/Agree': { ...OWN, about: 'Agrees to the version of Terms or Privacy that is shown now.' },
  'usercommon/upload': {
    ...OWN,
    about: 'Takes a picture of a document or a face.',
    file: { field: 'file', bytesMax: 5 * 1024 * 1024 },
  },
  'x/kyc/Status': { ...MEMBER, about: 'Whether it is known who the member is, and what that opens.' },
  'x/account/Limits': { ...MEMBER, about: 'What each tier may do, and how much of it the member has used.' },
  'x/kyc/Submit': { ...OWN, about: 'Hands in who the member is, with the pictures that were uploaded.' },
  'x/demo/Start': {
    ...OPEN,
    about:
      'Paper money on loopback: a demo member for who wants to try it, or the one that this browser has.',
  },
  'x/demo/Funds': {
    ...MEMBER,
    about: "A demo member's test funds: asks for what is not on its way yet, and says how far all of it is.",
  },
  'x/demo/Keep': {
    ...MEMBER,
    about: "Makes a demo an account of one's own: a contact that was proved, a password, the terms.",
  },
  'x/paper/TestFunds': { ...MEMBER, about: 'Paper money: a deposit of test funds.' },
} as const satisfies AllCalls<CallFacts>;

/** The complete list of what answers. */
export const CALLS: AllCalls<CallFacts> = rows;
/** Calls that need no session; the handlers of all others get a `MemberCaller`. */
export type PublicCallName = {
  [Name in CallName]: (typeof rows)[Name]['access'] extends 'public' ? Name : never;
}[CallName];
