import { i18n, type Messages } from '@lingui/core';
import { useLingui } from '@lingui/react';
import { useCallback } from 'react';
import en from './en.json';
import tradeEn from './trade/en.json';

/** Ids of all texts. English is the measure: a test holds the other catalogues against it. */
export type MessageId = Extract<keyof typeof en | keyof typeof tradeEn, string>;
/** Values of the placeholders of a text. */
export type MessageValues = Readonly<Record<string, string | number>>;
/** Writes a text in the user's language. */
export type Text = (id: MessageId, values?: MessageValues) => string;

/** Languages whose texts exist, in their own words, in the order of the picker. */
export const LANGUAGES = [
  { code: 'en', name: 'English' },
  { code: 'ja', name: '日本語' },
] as const;

i18n.load('en', { ...en, ...tradeEn } as Messages);
i18n.activate('en');

/** Loads a language's texts and switches to it. English is always there; another comes in its own chunk. */
export async function activateLanguage(language: 'en' | 'ja'): Promise<void> {
  if (language === 'ja') {
    const [shell, trade] = await Promise.all([import('./ja.json'), import('./trade/ja.json')]);
    i18n.load('ja', { ...shell.default, ...trade.default } as Messages);
  }
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

/** The active language's tag, for Intl. */
export function useLocale(): string {
  return useLingui().i18n.locale;
}
