import type { Page } from '@playwright/test';
import { englishIn } from '../../apps/web/src/i18n/latin-words.fixture.ts';

/** Words that one reads or hears on a page, of an open dialog alone: its texts, and the names, hints and placeholders of what is on it. */
function wordsShown(besides: string): readonly string[] {
  const texts: string[] = [];
  const shown = [...document.querySelectorAll('dialog[open]')].at(-1) ?? document.body;
  const walker = document.createTreeWalker(shown, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    const parent = node.parentElement;
    // What is said of itself to be in another language, what is typed, and what names things of the machine.
    if (
      parent === null ||
      parent.closest('[lang]:not(html), code, script, style, textarea, [data-sonner-toast]') !== null ||
      parent.closest(besides) !== null
    )
      continue;
    if (parent.checkVisibility({ visibilityProperty: true })) texts.push(node.nodeValue ?? '');
  }
  for (const element of shown.querySelectorAll<HTMLElement>('[aria-label], [placeholder], [title], [alt]')) {
    if (!element.checkVisibility() || element.closest(`[lang]:not(html), ${besides}`) !== null) continue;
    for (const name of ['aria-label', 'placeholder', 'title', 'alt'])
      texts.push(element.getAttribute(name) ?? '');
  }
  return texts;
}

/** Words of a page in Japanese or Korean that are English, each with where it stands. @param besides holds what people wrote. */
export async function englishLeft(page: Page, besides = 'noscript'): Promise<readonly string[]> {
  const texts = await page.evaluate(wordsShown, besides);
  const left = texts.flatMap((text) => englishIn(text).map((word) => `${word}: ${text.trim().slice(0, 80)}`));
  return [...new Set(left)];
}
