import { i18n, type Messages } from '@lingui/core';
import { useLingui } from '@lingui/react';
import { useCallback } from 'react';
import type accountEn from './account/en.json';
import type adminEn from './admin/en.json';
import en from './en.json';
import type laterEn from './later/en.json';
import type noticesEn from './notices/en.json';
import type pagesEn from './pages/en.json';
import type tradeEn from './trade/en.json';

/** Ids of all texts. English is the measure: a test holds the other catalogues against it. */
export type MessageId = Extract<
  | keyof typeof en
  | keyof typeof tradeEn
  | keyof typeof laterEn
  | keyof typeof noticesEn
  | keyof typeof pagesEn
  | keyof typeof accountEn
  | keyof typeof adminEn,
  string
>;
/** Values of the placeholders of a text. */
export type MessageValues = Readonly<Record<string, string | number>>;
/** Writes a text in the user's language. */
export type Text = (id: MessageId, values?: MessageValues) => string;

/** The languages in their own words. Who is offered which: `stores/member/language.ts`. */
export const LANGUAGE_NAMES = { en: 'English', ja: '日本語', ko: '한국어' } as const;

// Every language but English comes in a chunk of its own.
const CATALOGUES = {
  ja: () =>
    Promise.all([
      import('./ja.json'),
      import('./trade/ja.json'),
      import('./later/ja.json'),
      import('./notices/ja.json'),
      import('./pages/ja.json'),
      import('./account/ja.json'),
    ]),
  ko: () =>
    Promise.all([
      import('./ko.json'),
      import('./trade/ko.json'),
      import('./later/ko.json'),
      import('./notices/ko.json'),
      import('./pages/ko.json'),
      import('./account/ko.json'),
    ]),
} as const;

i18n.load('en', en as Messages);
i18n.activate('en');

let wanted: keyof typeof LANGUAGE_NAMES = 'en';

/**
 * Loads a language's texts and switches to it; the last call wins. Texts that cannot be loaded leave the words as they
 * are: a page in the wrong language is better than none.
 */
export async function activateLanguage(language: keyof typeof LANGUAGE_NAMES): Promise<void> {
  wanted = language;
  if (language !== 'en') {
    try {
      const parts = await CATALOGUES[language]();
      i18n.load(language, Object.assign({}, ...parts.map((part) => part.default)) as Messages);
    } catch {
      return;
    }
  }
  if (wanted !== language) return;
  i18n.activate(language);
  document.documentElement.lang = language;
}

/** Writes a text outside components; a component uses `useText` so that it follows a change of language. */
export const text: Text = (id, values) => i18n._(id, values);

/** The function that writes texts, for components. */
export function useText(): Text {
  const { i18n: active } = useLingui();
  const { locale } = active;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the locale is what makes the words differ
  return useCallback((id, values) => active._(id, values), [active, locale]);
}

/** The language of the page now, for what is drawn outside of React. */
export function localeNow(): string {
  return i18n.locale;
}

/** The active language's tag, for Intl. */
export function useLocale(): string {
  return useLingui().i18n.locale;
}
