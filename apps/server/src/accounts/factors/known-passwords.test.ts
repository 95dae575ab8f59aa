import { describe, expect, test } from 'vitest';
import { BREACHED_PASSWORDS } from './breached-passwords.ts';
import { commonPasswords, foldedPassword } from './known-passwords.ts';

describe('a common password', () => {
  test.each([
    ['P4ssw0rd!1', 'password'],
    ['Letmein1!', 'letmein'],
    ['Correct-horse-7', 'correct-horse'],
    ['123456!', ''],
    ['Qu1ck', 'quick'],
    ['Ünïcode9!', 'ünïcode'],
  ])('%s is %j once what rules make people add is gone', (password, folded) => {
    expect(foldedPassword(password)).toBe(folded);
  });

  const isCommon = commonPasswords(['LetMeIn', 'password1'], '');
  test.each([
    ['Password1!', [], true],
    ['Pa$$w0rd99', [], true],
    ['123456!', [], true],
    ['Passwordless-7', [], false],
    ['Crossbook1!', ['Crossbook'], true],
    ['Ada.Lovelace1!', ['ada', 'lovelace'], false],
    ['Lovelace1!', ['ada', 'lovelace'], true],
    ['Com1!Com', ['com'], false],
    ['Correct-horse-7', [], false],
  ])('%s with own words %j: %s', (password, own, common) => {
    expect(isCommon(password, own)).toBe(common);
  });

  const isBreached = commonPasswords([], BREACHED_PASSWORDS);
  test.each([
    ['!QAZ2wsx', true],
    ['1qaz@WSX', true],
    ['qwertyuiopasdfghjkl', true],
    ['!QAZ2wsy', false],
    ['!qaz2wsx', false],
    ['a long enough sentence', false],
  ])('%s was in a breach: %s', (password, breached) => {
    expect(isBreached(password, [])).toBe(breached);
  });
});
