import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

/** Sentences of the specification, sections 2, 4, 5 and 8, to the letter, where what they belong to is built. */

function textsIn(language: 'en' | 'ja' | 'ko'): Readonly<Record<string, string>> {
  const folders = ['', 'trade/', 'notices/', 'pages/', 'account/'].map((folder) =>
    JSON.parse(readFileSync(new URL(`${folder}${language}.json`, import.meta.url), 'utf8')),
  );
  return Object.assign({}, ...folders);
}
const english = textsIn('en');
const japanese = textsIn('ja');
const korean = textsIn('ko');

/** Said in one's own language: with its letters, none of ours but for names, and every figure of the English one. */
function expectTranslated(id: string): void {
  const digits = english[id]?.match(/\d+/g) ?? [];
  for (const [text, script] of [
    [japanese[id], /[\u3040-\u30ff\u4e00-\u9fff]/],
    [korean[id], /[\uac00-\ud7a3]/],
  ] as const) {
    expect(text, id).toMatch(script);
    // A code is a code everywhere, and so is the size of a file.
    expect(text?.replaceAll(/\{\w+\}|MB|KYC/g, ''), id).not.toMatch(/[A-Za-z]{2}/);
    for (const digit of digits) expect(text, id).toContain(digit);
  }
}

const WHOLE: readonly (readonly [sentence: string, id: string])[] = [
  ['Are you sure you want to log out?', 'logout.question'],
  ['Certification successful', 'profile.kyc.done'],
  ['Pending', 'profile.kyc.pending'],
  ['The email address is not valid.', 'sign.emailInvalid'],
  ['Please enter a correct email address!', 'sign.emailWrong'],
  ['The mobile number is not valid.', 'account.mobileInvalid'],
  ['Please enter a correct mobile number!', 'account.mobileWrong'],
  ['The attachment size exceeds the limit (maximum 5MB)', 'kyc.fileTooLarge'],
  ['The amount exceeds the balance', 'transfer.amountTooMuch'],
  ['Your Available Balance is insufficient.', 'trade.error.balance-insufficient'],
  ['insufficient available balance, please deposit or transfer', 'trade.ticket.insufficient'],
  [
    'Take-profit must be above the order price and stop-loss below it.',
    'trade.algo.error.targets-above-below',
  ],
  [
    'Take-profit must be below the order price and stop-loss above it.',
    'trade.algo.error.targets-below-above',
  ],
  ['Order successfully', 'order.placed'],
  ['Order Cancelled', 'order.cancelled'],
  ['Network anomaly', 'connection.anomaly'],
  ['Copy Successful', 'common.copied'],
  ['Copy failed', 'common.copyFailed'],
  ['Failed to copy text', 'common.copyFailedText'],
  ['No MATCHING RECORDS', 'common.empty'],
  ['Successfully sent!', 'sign.codeSent'],
  ['successfully registered!', 'sign.registered'],
  ['Login succeeded!', 'sign.loggedIn'],
  ['Setting successful!', 'account.set'],
  ['Modified successfully!', 'account.modified'],
  ['Add optional success.', 'favourite.added'],
  ['Delete optional success', 'favourite.removed'],
];

test.each(WHOLE)('"%s" is said as %s', (sentence, id) => {
  expect(english[id]).toBe(sentence);
  expectTranslated(id);
});

test.each([
  ['Order failed', 'order.failed'],
  ['Service interrupted, please try to reconnect.', 'connection.anomalyText'],
  ['Services are unavailable in certain regions', 'kyc.region'],
])('"%s" is what %s begins with', (sentence, id) => {
  expect(english[id]?.slice(0, sentence.length)).toBe(sentence);
  expectTranslated(id);
});

/** What the rules of sections 5 and 6 ask for in words of ours: with the figures of the specification, in each language. */
test.each<readonly [rule: string, id: string, ...digits: string[]]>([
  ['codes have 4 digits', 'sign.codeHint', '4'],
  ['codes of the app have 6 digits', 'account.factorInvalid', '6'],
  ['a password has at least 6 characters', 'sign.gap.length', '6'],
  ['a password has a number', 'sign.gap.number'],
  ['a password has an uppercase letter', 'sign.gap.uppercase'],
  ['a password has a lowercase letter', 'sign.gap.lowercase'],
  ['a password has a special character', 'sign.gap.special'],
  ['the confirmation matches', 'sign.passwordMismatch'],
  ['a referral code is optional', 'sign.referral'],
  ['terms and policy are agreed to', 'sign.agreeRequired'],
  ['a change of a credential stops withdrawals for 24 hours', 'account.lockAhead', '24'],
  ['an attachment has at most 5MB', 'kyc.fileTooLarge', '5MB'],
])('that %s is said as %s', (_rule, id, ...digits) => {
  expectTranslated(id);
  for (const texts of [english, japanese, korean])
    for (const digit of digits) expect(texts[id]).toContain(digit);
});

test('a prompt of the stale page is that of the specification, in a sentence', () => {
  expect(english['connection.away']?.toLowerCase()).toBe('service disconnected, please reconnect.');
  expectTranslated('connection.away');
});

test('each class that a password lacks has a hint of its own', () => {
  const hints = Object.keys(english).filter((id) => id.startsWith('sign.gap.'));
  const classes = ['length', 'number', 'uppercase', 'lowercase', 'special'];
  expect(new Set(hints.map((id) => english[id])).size).toBe(hints.length);
  for (const name of classes)
    expect(
      hints.some((id) => id.startsWith(`sign.gap.${name}`)),
      name,
    ).toBe(true);
});
