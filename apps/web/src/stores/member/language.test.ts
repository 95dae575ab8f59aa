import { afterEach, expect, test } from 'vitest';
import { changeSettings } from '../app/settings.ts';
import { currentLanguage, offeredLanguages, onLanguage, spokenLanguage } from './language.ts';
import { beginSession, endSession, setUser, type UserInfo } from './session.ts';

const USER = { tid: 100_001, tkropen: true } as UserInfo;

afterEach(() => {
  endSession();
  changeSettings({ language: 'en' });
});

test.each([
  ['a visitor', { token: undefined, tkropen: false }, ['en', 'ja'], 'en'],
  ['a visitor with a flag left behind', { token: undefined, tkropen: true }, ['en', 'ja'], 'en'],
  ['a member', { token: 'x', tkropen: false }, ['en', 'ja'], 'en'],
  ['a member with tkropen', { token: 'x', tkropen: true }, ['en', 'ja', 'ko'], 'ko'],
])('%s who chose Korean is offered and spoken to as the flag allows', (_, session, offered, spoken) => {
  expect(offeredLanguages(session)).toEqual(offered);
  expect(spokenLanguage('ko', session)).toBe(spoken);
  expect(spokenLanguage('ja', session)).toBe('ja');
});

test('the page follows the flag: Korean when it arrives, English after log out', () => {
  const heard: string[] = [];
  onLanguage((language) => heard.push(language));
  changeSettings({ language: 'ko' });
  expect(currentLanguage()).toBe('en');
  beginSession({ token: 'x', tid: 100_001 });
  setUser(USER);
  expect(currentLanguage()).toBe('ko');
  setUser({ ...USER, tkropen: false });
  setUser(USER);
  endSession();
  expect(heard).toEqual(['ko', 'en', 'ko', 'en']);
});
