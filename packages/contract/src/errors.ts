import { JAPANESE_TEXTS } from './errors-ja.ts';
import { KOREAN_TEXTS } from './errors-ko.ts';
import { OFFICE_ERRORS } from './errors-office.ts';
import { TRADING_ERRORS } from './errors-trading.ts';

/**
 * The error catalogue of the own service: every code a call can answer. The rows for any call stand in the order their
 * checks run: of two things wrong with a request the upper one is answered.
 * A refusal is HTTP 200 with one of these (decision 0012); the text comes from the catalogue in the caller's language.
 * Codes: 1 success, -2 token invalid (spec section 7); 1xxx any call, 2xxx accounts, 3xxx trading, 4xxx wallets, 5xxx market data,
 * 6xxx back office, 7xxx texts and referral.
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
    2031,
    'own-account-needed',
    'A demo account cannot do this. Keep it first: with your email or mobile number and a password.',
    "A call that needs an account of one's own, by a demo member.",
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
    'Please enter the 12-digit code that we have just sent you.',
    'Somebody guesses 4-digit codes: they are not compared for a while, and a long one was sent instead.',
  ],
  [
    2041,
    'terms-unpublished',
    'Nobody can sign up here yet: the operator has not published Terms of Service and a Privacy Policy of the house.',
    'Real money, and one of the texts in force is the one that comes with the program.',
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
  [2011, 'mobile-invalid', 'The mobile number is not valid.', 'Not a country code and a number (E.164).'],
  [
    2038,
    'texts-unavailable',
    'Text messages cannot be sent at the moment. Please use your email address if you have one here.',
    'A code to a number on a hub without a text gateway, whosever number it is.',
  ],
  [
    2039,
    'settings-stale',
    'These settings were changed in another window. Please load them again.',
    'Chart settings made from a version that is not the newest.',
  ],
  [
    2012,
    'password-common',
    'This password is too easy to guess or was seen in a leak.',
    'On the list of common passwords, or made of the address, the nickname or the name of the product.',
  ],
  [
    2013,
    'password-same',
    'The new password is the one you have now.',
    'Change or reset to the same password.',
  ],
  [
    2014,
    'factor-required',
    'One more proof is needed: {allowed}.',
    'A second factor is set and was not given: totp, passkey (or a recovery code), or password.',
  ],
  [
    2015,
    'factor-wrong',
    'The authenticator code is not correct or was already used.',
    'Also a recovery code that is unknown or used.',
  ],
  [
    2016,
    'contact-missing',
    'Please set {allowed} first.',
    'Needs an authenticator or a contact that is not there.',
  ],
  [
    2017,
    'contact-taken',
    'This contact already belongs to an account.',
    'Told only to who has just proved it.',
  ],
  [
    2019,
    'account-frozen',
    'This account is frozen. Please open it again first.',
    '"This was not me" was pressed; told only after all factors.',
  ],
  [
    2018,
    'otp-reset-contacts',
    'Resetting needs both phone and email to be bound.',
    'Reset of the one-time password without a mobile number (spec section 5).',
  ],
  [
    2040,
    'recovery-waits',
    'This has to wait for those who could object. It is possible from {allowed} on.',
    'A member whom the staff lets in again finishes before the waiting time is over.',
  ],
  [
    2027,
    'passkey-failed',
    'The passkey was not accepted. Please try again.',
    'A challenge that is foreign, used or expired, another site, an unknown passkey, a wrong signature, or a counter that went back.',
  ],
  [
    2028,
    'passkey-host',
    'Passkeys need a host name. Please open this page by its name, such as localhost, not by a number.',
    'Browsers have no passkeys for pages whose host is an IP address.',
  ],
  [
    2037,
    'passkey-limit',
    'You have as many passkeys as an account may have. Please remove one first.',
    'An eleventh passkey.',
  ],
  [
    2029,
    'grant-invalid',
    'Please confirm that it is you.',
    'No grant, or one that is used, expired or of another session.',
  ],
  [
    2020,
    'region-restricted',
    'Services are unavailable in your country or region.',
    'RESTRICTED_COUNTRIES against the country given at sign-up or with documents.',
  ],
  [
    2021,
    'file-too-large',
    'The attachment size exceeds the limit (maximum 5MB)',
    'Spec section 5: the file of a call that takes one.',
  ],
  [
    2022,
    'file-type',
    '{given} files are not taken. Please upload a photo: JPEG, PNG or WebP.',
    'By what the file begins with, whatever its name says.',
  ],
  [
    2023,
    'file-unreadable',
    'The picture cannot be read. Please take a photo again; each side needs 600 to 10000 pixels.',
    'Not a picture, a damaged one, or one with far too many or too few pixels.',
  ],
  [
    2024,
    'kyc-state',
    'Your documents are already being checked, or are already accepted.',
    'An upload or a submission while a case is pending or done.',
  ],
  [
    2025,
    'provider-off',
    'Logging in with another service is not offered here.',
    'The operator has set none (OIDC_ISSUER).',
  ],
  [
    2035,
    'provider-unreachable',
    '{given} does not answer right now. Please try again in a moment, or log in with your password.',
    'The log-in service is down, slow, or answers something that is no answer.',
  ],
  [
    2026,
    'provider-failed',
    '{given} did not confirm who you are. Please start again, or log in with your password.',
    'A code that was used or never given, or a token of another issuer, audience, signature, nonce or time.',
  ],
  [
    2036,
    'provider-taken',
    'This log-in, or this account, is already linked. Please end the other link first.',
    'One log-in opens one account, and an account has one of a service.',
  ],
  [
    2030,
    'demo-limit',
    'So many people are trying it right now that there is no room for another demo. Please sign up, or try again later.',
    'As many demo members are alive as may be, and none is idle.',
  ],
  [2033, 'factor-set', 'The authenticator is already on.', 'Set-up while one is active.'],
  [
    2032,
    'terms-new',
    'Our Terms of Service or Privacy Policy have changed. Please agree to them before you open anything new; cancelling, closing and moving out work.',
    'An order that opens, or a deposit, by a member who has not agreed to a material version that is in force.',
  ],
  [
    4011,
    'kyc-required',
    'Opening positions in contracts needs identity verification (KYC): see your profile. Closing works.',
    'Contracts with real money, for a member who is not verified.',
  ],
  ...TRADING_ERRORS,
  [
    4010,
    'security-lock',
    'Withdrawal is disabled for 24 hours after a change of password, email, mobile or one-time password. Open again: {allowed}.',
    'Whatever takes money out, within 24 hours of such a change.',
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
    'Transfers to {given} are not open. Moving out works.',
    'Coming-soon platform (decision 0030.20).',
  ],
  [
    4007,
    'transfer-refused',
    'The transfer was not made, and your money is where it was: {given}',
    'The exchange refused it, it never arrived there, or it could not be asked for; nothing is held any more.',
  ],
  ...OFFICE_ERRORS,
  [
    7001,
    'content-unknown',
    'This page does not exist, or not any more.',
    'No text of this kind and name is in force.',
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
