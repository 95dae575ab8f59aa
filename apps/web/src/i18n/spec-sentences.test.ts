import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

/** Sentences of the specification, sections 4, 5 and 8, to the letter, where what they belong to is built. */

const english: Readonly<Record<string, string>> = Object.assign(
  {},
  ...['', 'trade/', 'notices/', 'pages/', 'account/'].map((folder) =>
    JSON.parse(readFileSync(new URL(`${folder}en.json`, import.meta.url), 'utf8')),
  ),
);

const WHOLE: readonly (readonly [sentence: string, id: string])[] = [
  ['Certification successful', 'profile.kyc.done'],
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
});

test.each([
  ['Order failed', 'order.failed'],
  ['Service interrupted, please try to reconnect.', 'connection.anomalyText'],
  ['Services are unavailable in certain regions', 'kyc.region'],
])('"%s" is what %s begins with', (sentence, id) => {
  expect(english[id]?.slice(0, sentence.length)).toBe(sentence);
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
