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
}

/** The complete list of what answers. */
export const CALLS: { readonly [Name in CallName]: CallFacts } = {
  'pub/getcaptcha': { access: 'public', get: true, about: 'A proof-of-work challenge.' },
  'common/country': { access: 'public', get: true, about: 'Countries for sign-up.' },
  'user/accountexist': { access: 'public', get: false, about: 'Whether an address is registered.' },
  'sms/sms': { access: 'public', get: false, about: 'Sends a code to an address given before login.' },
  'user/checkcode': { access: 'public', get: false, about: 'Verifies a code without using it up.' },
  'user/usernew': { access: 'public', get: false, about: 'Registers a member and logs in.' },
  'user/login': { access: 'public', get: false, about: 'Logs in.' },
  'user/layout': { access: 'member', get: false, about: 'Logs out.' },
  'security/userinfo': { access: 'member', get: false, about: 'The member.' },
  'connexbasicdata/GetWebsocketArgs': {
    access: 'member',
    get: false,
    about: 'Credentials of the live connection, good for about 15 s.',
  },
  'connexbasicdata/QuerySymInfo': { access: 'public', get: true, about: 'Instruments.' },
  'connexbasicdata/GetCurrencies': { access: 'public', get: true, about: 'Coins that are traded somewhere.' },
  'connexbasicdata/existuserfree': {
    access: 'member',
    get: false,
    about: 'Whether an instrument is a favourite.',
  },
  'connexbasicdata/addsinglefree': {
    access: 'member',
    get: false,
    about: 'Makes an instrument a favourite; again changes nothing.',
  },
  'connexbasicdata/delfree': {
    access: 'member',
    get: false,
    about: 'Ends a favourite; again changes nothing.',
  },
  'connexbasicdata/getuserfree': { access: 'member', get: false, about: 'Favourites, newest first.' },
  'connextrade/PlaceOrder': { access: 'member', get: false, about: 'Places an order.' },
  'connextrade/CancelOrder': { access: 'member', get: false, about: 'Cancels an order.' },
  'connextrade/CurOrderList': { access: 'member', get: false, about: 'Open orders.' },
  'connextrade/OrderHistory': { access: 'member', get: false, about: 'Orders, newest first.' },
  'connextrade/CancelAll': {
    access: 'member',
    get: false,
    about: 'Cancels all open orders, of a platform, a type or an instrument where they are named.',
  },
  'connextrade/v2/OrderHistory': {
    access: 'member',
    get: false,
    about: 'Orders of all platforms by a filter, newest first.',
  },
  'connextrade/v2/OrderHistorySubTotal': { access: 'member', get: false, about: 'Sums of such orders.' },
  'connextrade/GetOrderRpnl': {
    access: 'member',
    get: false,
    about: 'What an order on a contract realised.',
  },
  'connextrade/GetLeverage': {
    access: 'member',
    get: false,
    about: 'How a contract is set: leverage, margin mode, position mode.',
  },
  'connextrade/SetLeverage': { access: 'member', get: false, about: 'Sets the leverage of a contract.' },
  'connextrade/ChangePositionMode': {
    access: 'member',
    get: false,
    about: 'One position a contract, or a long and a short one.',
  },
  'x/trade/MarginMode': { access: 'member', get: false, about: 'Cross or isolated margin.' },
  'x/trade/AdjustMargin': {
    access: 'member',
    get: false,
    about: 'Adds margin to an isolated position or takes some.',
  },
  'connextrade/GetPositionTiers': {
    access: 'member',
    get: false,
    about: 'How much may be held at which leverage.',
  },
  'connextrade/CurPositionList': {
    access: 'member',
    get: false,
    about: 'Open positions and the margin behind them, as the exchanges state them.',
  },
  'connextrade/PositionHistory': {
    access: 'member',
    get: false,
    about: 'Positions from opening to flat, newest first.',
  },
  'connextrade/ClosePosition': { access: 'member', get: false, about: 'Closes a position or a part of it.' },
  'connextrade/ClosePositionAll': { access: 'member', get: false, about: 'Closes all positions at market.' },
  'connextrade/AvailableOpen': {
    access: 'member',
    get: false,
    about: 'The largest order that would be taken.',
  },
  'connextrade/AvailableClose': { access: 'member', get: false, about: 'What of a position may be closed.' },
  'x/trade/Opening': {
    access: 'member',
    get: false,
    about: 'What keeps positions from being opened at a platform.',
  },
  'x/trade/FundingHistory': { access: 'member', get: false, about: 'Payments of funding, newest first.' },
  'connexfunding/GetRpnl': {
    access: 'member',
    get: false,
    about: 'What contracts realised in a time, fees and funding included, and equity now.',
  },
  'x/trade/Fills': { access: 'member', get: false, about: 'Fills, newest first.' },
  'connexfunding/fundingbalance': { access: 'member', get: false, about: 'Funding wallet.' },
  'connexfunding/tradingbalance': { access: 'member', get: false, about: 'Trading wallet of a platform.' },
  'connexfunding/tradingbalancesum': {
    access: 'member',
    get: false,
    about: 'Trading wallets of all platforms.',
  },
  'connexfunding/UniversalTransfer': {
    access: 'member',
    get: false,
    about: 'Moves funds between funding and trading wallet.',
  },
  'connexfunding/UniversalTransferHistory': {
    access: 'member',
    get: false,
    about: 'Such movements, newest first.',
  },
  'x/wallet/Equity': {
    access: 'member',
    get: false,
    about: 'Estimated worth of all wallets in USDT, and its change since 00:00 UTC.',
  },
  'x/paper/TestFunds': { access: 'member', get: false, about: 'Paper money: a deposit of test funds.' },
};
