import { JAPANESE_TEXTS } from './errors-ja.ts';
import { KOREAN_TEXTS } from './errors-ko.ts';

/**
 * The error catalogue of the own service: every code a call can answer. The rows for any call stand in the order their
 * checks run: of two things wrong with a request the upper one is answered.
 * A refusal is HTTP 200 with one of these (decision 0012); the text comes from the catalogue in the caller's language.
 * Codes: 1 success, -2 token invalid (spec section 7); 1xxx any call, 2xxx accounts, 3xxx trading, 4xxx wallets, 5xxx market data.
 */
export interface ErrorFacts {
  readonly code: number;
  readonly name: string;
  /** English text shown to the user; `{field}`, `{allowed}` and `{given}` are filled in. */
  readonly en: string;
  readonly ja: string;
  readonly ko: string;
  /** When it is answered and why. */
  readonly when: string;
}

const rows = [
  [
    1004,
    'unknown-call',
    'There is no such call.',
    'The path is not in the contract, or not with this method.',
  ],
  [1008, 'origin-refused', 'This request came from another site.', 'Origin or Sec-Fetch-Site is foreign.'],
  [1007, 'tenant-unknown', 'Unknown tenant "{given}".', 'The Tenant-Id header names another tenant.'],
  [
    1003,
    'rate-limited',
    'Too many requests. Please wait {allowed} seconds.',
    'A budget per address, account or call is used up.',
  ],
  [
    1010,
    'busy',
    'The service is busy right now. Nothing was sent; please try again in a moment.',
    'Too much work is under way: in all, of this caller, at this venue, or in the ledger. Refused at once, unsent.',
  ],
  [1002, 'body-too-large', 'The request is too large.', 'The body is larger than the limit of the call.'],
  [
    1009,
    'sosflag-invalid',
    'sosflag must be 3.',
    'A POST carries another sosflag, or none (decision 0030.15).',
  ],
  [
    -2,
    'token-invalid',
    'Please log in again.',
    'No session, an expired one, or cookie and stoken that do not belong together.',
  ],
  [
    1001,
    'field-invalid',
    'The value of "{field}" is not valid: {allowed}.',
    'A parameter is missing, of the wrong type, out of range or unknown.',
  ],
  [
    1011,
    'money-halted',
    'Orders and transfers are paused while the books are being checked. Your funds are safe; cancelling works.',
    'The money gate is closed: a breach of the ledger, no good check for 30 seconds, or the operator. Nothing was done.',
  ],
  [
    1005,
    'unavailable',
    'The service is briefly unavailable. Nothing was changed.',
    'The database is out of reach before anything was done.',
  ],
  [
    1006,
    'outcome-unknown',
    'The outcome is not known yet. Your money is safe; please check the history.',
    'The database went away while committing: the same clientId may be sent again.',
  ],
  [
    2001,
    'captcha-invalid',
    'The check that you are human has expired. Please try again.',
    'The captcha solution is wrong, expired or was used before.',
  ],
  [2002, 'email-invalid', 'The email address is not valid.', 'Spec section 5.'],
  [
    2003,
    'password-weak',
    'At least 6 characters, including a number, an uppercase letter, a lowercase letter and a special character.',
    'Spec section 5.',
  ],
  [
    2004,
    'terms-required',
    'Please agree to the Terms of Service and the Privacy Policy.',
    'Sign-up without agreement.',
  ],
  [
    2005,
    'code-wrong',
    'The verification code is not correct or has expired.',
    'Wrong, used, expired (30 minutes) or exhausted (5 tries).',
  ],
  [
    2034,
    'code-longer',
    'Please enter the 12-digit code that we have just mailed you.',
    'Somebody guesses 4-digit codes: they are not compared for a while, and a long one was mailed instead.',
  ],
  [2006, 'account-exists', 'This account is already registered.', 'Sign-up with a known address.'],
  [
    2007,
    'login-failed',
    'The account or password is not correct.',
    'Unknown account and wrong password answer alike.',
  ],
  [2008, 'referral-unknown', 'This referral code does not exist.', 'Sign-up with an unknown code.'],
  [
    2009,
    'flow-invalid',
    'Please start again from the first step.',
    'A flow token is foreign, used or expired.',
  ],
  [
    2010,
    'sign-in-busy',
    'Many people are signing in. Please try again in a moment.',
    'The bounded password-hash queue is full.',
  ],
  [
    3013,
    'client-id-reused',
    'This clientId was already used with other values.',
    'Idempotency key reused (invariant I6).',
  ],
  [
    3002,
    'symbol-unknown',
    'There is no instrument "{given}".',
    'Not listed at the platform, or not USDT-quoted.',
  ],
  [
    3001,
    'platform-coming-soon',
    '{given} is coming soon: trading is not open yet.',
    'An opening order on a platform that is not live (decision 0030.20).',
  ],
  [
    3016,
    'trading-halted',
    'Trading is paused while balances are being checked. Cancelling works.',
    'An invariant breach or a failed reconciliation (fail closed).',
  ],
  [3003, 'symbol-halted', '{given} is not trading at the moment.', 'The venue has halted the instrument.'],
  [
    3014,
    'order-combination',
    'These order settings do not go together: {allowed}.',
    'Market with price, post-only without price, and the like.',
  ],
  [3004, 'price-step', 'The price must be a multiple of {allowed}.', 'PRICE_FILTER tick size.'],
  [3005, 'price-range', 'The price must be between {allowed}.', 'PRICE_FILTER bounds.'],
  [3006, 'quantity-step', 'The quantity must be a multiple of {allowed}.', 'LOT_SIZE step.'],
  [3007, 'quantity-range', 'The quantity must be between {allowed}.', 'LOT_SIZE or MARKET_LOT_SIZE bounds.'],
  [
    3009,
    'price-stale',
    'The market price is older than 5 seconds: market orders wait for fresh data.',
    'A market order while the book is stale.',
  ],
  [3008, 'notional-too-small', 'The order value must be at least {allowed}.', 'NOTIONAL.'],
  [
    3015,
    'too-many-open-orders',
    'You have too many open orders (at most {allowed}).',
    'Per member and instrument.',
  ],
  [
    3020,
    'contracts-away',
    'Contracts at {given} cannot be reached at the moment. Nothing was sent.',
    'The exchange did not say how the account stands, or contracts are not connected there.',
  ],
  [
    3021,
    'settings-changed',
    'At the exchange it is now {given}. Please check the order and send it again.',
    'An opening order whose leverage, margin mode or position mode is not what the member saw. Closing ones are sent.',
  ],
  [
    3025,
    'setting-pending',
    'An earlier change of leverage, mode or margin is still being checked at the exchange. Please try again in a moment.',
    'Its answer was lost: nothing opens and no other setting is changed until the exchange shows how it stands.',
  ],
  [
    3022,
    'leverage-range',
    'The leverage must be between {allowed}.',
    'Above what the leverage table allows, or below 1.',
  ],
  [
    3023,
    'position-none',
    'There is no such position.',
    'Closing, or moving the margin of, what the exchange says is flat.',
  ],
  [
    3024,
    'setting-refused',
    'The exchange did not change the setting: {given}',
    'Open orders or positions forbid it, or too little margin; nothing was changed.',
  ],
  [
    3019,
    'order-too-old',
    'The order was not sent: it had waited {given} ms, and at most {allowed} ms are allowed. Please try again.',
    'The order grew older than ORDER_AGE_MILLIS before it could be sent: nothing is held.',
  ],
  [
    3010,
    'balance-insufficient',
    'Your Available Balance is insufficient. Please deposit or transfer.',
    'The hold would exceed what is available (spec section 5).',
  ],
  [3011, 'order-unknown', 'There is no such order.', "Unknown id, or another member's."],
  [3012, 'order-final', 'The order is already finished.', 'Cancelling a finished order.'],
  [
    3017,
    'venue-refused',
    'The exchange refused the order: {given}',
    'A definitive refusal of the venue; nothing is held any more.',
  ],
  [
    3018,
    'venue-budget',
    'We may not ask this exchange more at the moment. Nothing was sent. Please try again in {allowed} seconds.',
    "Our own budget for the venue is used up, or the member's part of it: refused here, unsent.",
  ],
  [4001, 'amount-invalid', 'The amount must be above 0 with at most {allowed} decimals.', 'Wallet calls.'],
  [4002, 'asset-unknown', 'There is no asset "{given}".', 'Wallet calls.'],
  [4003, 'funds-insufficient', 'The amount exceeds the balance', 'Spec section 5.'],
  [4004, 'paper-only', 'Test funds exist only with paper money.', 'MONEY=live.'],
  [
    4005,
    'test-funds-limit',
    'You have received the test funds of today: at most {allowed}.',
    'Per member and day.',
  ],
  [
    4006,
    'transfer-not-open',
    'Transfers to {given} are not open yet.',
    'Coming-soon platform (decision 0030.20).',
  ],
  [
    4007,
    'transfer-refused',
    'The transfer was not made, and your money is where it was: {given}',
    'The exchange refused it, it never arrived there, or it could not be asked for; nothing is held any more.',
  ],
] as const;

/** Every error code by name. */
export type ErrorName = (typeof rows)[number][1];

/** An error without a text is a type error here. */
const japanese: Readonly<Record<ErrorName, string>> = JAPANESE_TEXTS;
const korean: Readonly<Record<ErrorName, string>> = KOREAN_TEXTS;

/** The catalogue in the order of the checks. */
export const ERRORS: readonly ErrorFacts[] = /* @__PURE__ */ rows.map(([code, name, en, when]) => ({
  code,
  name,
  en,
  ja: japanese[name],
  ko: korean[name],
  when,
}));

/** Success (spec section 7). */
export const CODE_SUCCESS = 1;
/** Token invalid: the client clears its token (spec section 7). */
export const CODE_TOKEN_INVALID = -2;

/** The code of a named error. */
export function errorFacts(name: ErrorName): ErrorFacts {
  const facts = ERRORS.find((row) => row.name === name);
  if (facts === undefined) throw new Error(`not in the catalogue: ${name}`);
  return facts;
}

/** A refusal as features return it: which error, and what fills its text. */
export interface Refusal {
  readonly error: ErrorName;
  readonly field?: string;
  readonly given?: string;
  readonly allowed?: string;
}

/** Text of a refusal in a caller's language. */
export function refusalText(refusal: Refusal, language: 'en' | 'ja' | 'ko'): string {
  return errorFacts(refusal.error)[language].replace(
    /\{(field|allowed|given)\}/g,
    (_whole, name: 'field' | 'allowed' | 'given') => refusal[name] ?? '',
  );
}
