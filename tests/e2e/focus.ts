import type { Page } from '@playwright/test';

/** What a screen reader would call the element that has the focus. */
export function focused(page: Page): Promise<string> {
  return page.evaluate(() => {
    const element = document.activeElement;
    if (element === null || element === document.body) return '';
    const input = element instanceof HTMLInputElement || element instanceof HTMLSelectElement;
    const labels = input ? [...(element.labels ?? [])].map(({ textContent }) => textContent) : [];
    const by = element.getAttribute('aria-label') ?? (labels.length > 0 ? labels.join(' ') : null);
    return (by ?? element.textContent ?? '').replaceAll(/\s+/g, ' ').trim();
  });
}

/** More stops than any page or dialog has. */
const STOPS_MAX = 150;

/** Presses Tab until what has the focus is called this; nothing is clicked. */
export async function tabTo(page: Page, name: RegExp): Promise<void> {
  for (let stop = 0; stop < STOPS_MAX; stop += 1) {
    if (name.test(await focused(page))) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`Tab comes by nothing called ${name}`);
}
