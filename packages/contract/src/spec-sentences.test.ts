import { expect, test } from 'vitest';
import { type ErrorName, errorFacts } from './errors.ts';

/** Sentences of the specification, sections 5 and 8, that the hub itself answers: to the letter, in its first language. */
test.each<[sentence: string, name: ErrorName]>([
  ['The email address is not valid.', 'email-invalid'],
  ['The mobile number is not valid.', 'mobile-invalid'],
  [
    'At least 6 characters, including a number, an uppercase letter, a lowercase letter and a special character.',
    'password-weak',
  ],
  ['Services are unavailable in your country or region.', 'region-restricted'],
  ['Withdrawal is disabled for 24 hours after a change of password, email, mobile', 'security-lock'],
  ['The attachment size exceeds the limit (maximum 5MB)', 'file-too-large'],
  ['The amount exceeds the balance', 'funds-insufficient'],
  ['Your Available Balance is insufficient.', 'balance-insufficient'],
  ['Take-profit must be above the order price and stop-loss below it.', 'targets-above-below'],
  ['Take-profit must be below the order price and stop-loss above it.', 'targets-below-above'],
  ['Resetting needs both phone and email to be bound.', 'otp-reset-contacts'],
])('"%s" is what %s says, or begins with', (sentence, name) => {
  const { en, ja, ko } = errorFacts(name);
  expect(en.slice(0, sentence.length)).toBe(sentence);
  expect(ja).toMatch(/[\u3040-\u30ff\u4e00-\u9fff]/);
  expect(ko).toMatch(/[\uac00-\ud7a3]/);
});
