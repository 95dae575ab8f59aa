import { expect, type Locator, type Page } from '@playwright/test';
import { complaintsOf, expectSound, test } from './fixtures.ts';

/** Toggles and alerts under the keys of spec section 2: what is set is so again after a reload, on a desktop and a phone. */

/** Each menu by its name, and an entry of it that shows whether it is unfolded. */
const MENUS = [
  ['Wallet', 'Overview'],
  ['Dashboard', 'Security'],
  ['History', 'Funding history'],
] as const;

const kept = (page: Page) => page.evaluate(() => ({ ...localStorage }));

interface Place {
  readonly width: number;
  readonly height: number;
  /** The menus, where they are or once they are opened. */
  readonly menus: (page: Page) => Promise<Locator>;
  readonly head: (menus: Locator, name: string) => Locator;
  /** Which of them is unfolded at first. */
  readonly unfolded: 'wallet' | 'history';
  /** Where the language is chosen. */
  readonly language: (page: Page) => Promise<Locator>;
}

async function sheet(page: Page): Promise<Locator> {
  await page
    .getByRole('banner')
    .getByRole('button', { name: /Menu|メニュー/ })
    .click();
  return page.getByRole('dialog', { name: /Menu|メニュー/ });
}

const PLACES: Readonly<Record<string, Place>> = {
  'on a desktop, beside the pages @full': {
    ...{ width: 1440, height: 900 },
    menus: async (page) => page.getByRole('navigation', { name: 'Your pages' }),
    head: (menus, name) => menus.getByRole('button', { name }),
    unfolded: 'history',
    language: async (page) => page.getByRole('banner'),
  },
  'on a phone, in the sheet @full': {
    ...{ width: 390, height: 844 },
    menus: sheet,
    head: (menus, name) => menus.locator('summary').filter({ hasText: name }),
    unfolded: 'wallet',
    language: sheet,
  },
};

for (const [where, place] of Object.entries(PLACES)) {
  test(`menus, language and alerts are after a reload as they were set, ${where}`, async ({
    installation,
    memberPage,
  }) => {
    const page = await memberPage(await installation.member('1000'));
    const complaints = complaintsOf(page);
    await page.setViewportSize(place);
    await page.goto(`${installation.url}/history/funding_history`);
    let menus = await place.menus(page);
    const entry = (name: string) => menus.getByRole('link', { name, exact: true });
    const shown = (name: string) => entry(name).isVisible();
    await expect(place.head(menus, 'Wallet')).toBeVisible();
    // Each is turned over twice, so that both of its states are kept once.
    for (let turn = 0; turn < 2; turn += 1) {
      const turned = new Map<string, boolean>();
      for (const [menu, name] of MENUS) {
        turned.set(name, !(await shown(name)));
        await place.head(menus, menu).click();
      }
      await page.reload();
      menus = await place.menus(page);
      for (const [name, visible] of turned) await expect(entry(name)).toBeVisible({ visible });
    }
    await expectSound(page, where);

    await page.reload();
    await (await place.language(page)).getByRole('button', { name: 'Language' }).click();
    await page.getByRole('button', { name: '日本語' }).click();
    await expect(page.locator('html')).toHaveAttribute('lang', 'ja');
    await page.reload();
    await expect(page.locator('html')).toHaveAttribute('lang', 'ja');
    await (await place.language(page)).getByRole('button', { name: '言語' }).click();
    await page.getByRole('button', { name: 'English' }).click();

    await page.goto(`${installation.url}/spot/binance/BTCUSDT`);
    const settings = page.getByRole('dialog', { name: 'Trade settings' });
    const opens = async (): Promise<void> => {
      // A phone has them in the menu.
      if (place.language === sheet) await sheet(page);
      await page.getByRole('button', { name: 'Trade settings' }).click();
    };
    const alert = (name: RegExp) => settings.getByRole('checkbox', { name });
    await opens();
    await alert(/^When something/).uncheck();
    await alert(/^When an order/).uncheck();
    await alert(/^A large trade/).check();
    const volume = settings.getByRole('slider', { name: 'Volume' });
    await volume.press('ArrowRight');
    await page.reload();
    await opens();
    await expect(alert(/^When something/)).not.toBeChecked();
    await expect(alert(/^When an order/)).not.toBeChecked();
    await expect(alert(/^A large trade/)).toBeChecked();
    await expect(volume).toHaveAttribute('aria-valuenow', '55');
    expect(await kept(page)).toMatchObject({
      ...{ [`${place.unfolded} menu`]: 'true', 'dashboard menu': 'false', 'language mode': 'en' },
      ...{ 'filled alert': 'false', 'order alert': 'false', 'trading volume alert': 'true' },
      'sound volume': '0.55',
    });
    expect(complaints.all).toEqual([]);
  });
}
