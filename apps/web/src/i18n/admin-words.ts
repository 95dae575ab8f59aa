import { i18n, type Messages } from '@lingui/core';
import en from './admin/en.json';

i18n.load('en', en as Messages);

const CATALOGUES = { ja: () => import('./admin/ja.json'), ko: () => import('./admin/ko.json') } as const;

/** Loads the words of the back office in a language; before the language is switched to. */
export async function loadAdminWords(language: 'en' | 'ja' | 'ko'): Promise<void> {
  if (language === 'en') return;
  try {
    i18n.load(language, (await CATALOGUES[language]()).default as Messages);
  } catch {
    // Words that cannot be loaded stay as they are: a page in the wrong language is better than none.
  }
}
