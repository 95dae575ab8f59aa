import type { Locator, Page } from '@playwright/test';

/** Counts every click a person makes. Typing is not a click; Tab and Enter are, because a hand would have clicked. */
export class ClickCounter {
  count = 0;

  /** Clicks and counts. */
  async click(target: Locator): Promise<void> {
    this.count += 1;
    await target.click();
  }
}

/** Writes into a field without a click, as somebody does who tabs from one field to the next. */
export async function type(target: Locator, text: string): Promise<void> {
  await target.focus();
  await target.page().keyboard.type(text);
}

/** The page that opens in a new tab with a click. */
export async function opened(page: Page, act: () => Promise<void>): Promise<Page> {
  const [tab] = await Promise.all([page.waitForEvent('popup'), act()]);
  await tab.waitForLoadState();
  return tab;
}
