import { expect, type Locator, type Page } from '@playwright/test';
import { complaintsOf, heard, test } from './fixtures.ts';

/** Markets, market data, and the menus that lead to them. */

function table(page: Page): Locator {
  return page.getByRole('table', { name: 'Markets' });
}

/** Links of the rows that are drawn, in order: `/futures/okx/BTC-USDT-SWAP`. */
function targets(page: Page): Promise<readonly (string | null)[]> {
  return table(page)
    .locator('tbody a')
    .evaluateAll((links) => links.map((link) => link.getAttribute('href')));
}

async function openMarkets(page: Page, url: string): Promise<void> {
  await page.goto(`${url}/market`);
  await expect(table(page).locator('tbody a').first()).toBeVisible();
}

test('all platforms, spot and futures: tabs, types, search by coin, symbol and name, and "/" finds the search', async ({
  page,
  installation,
}) => {
  const complaints = complaintsOf(page);
  await openMarkets(page, installation.url);
  await page.getByRole('tab', { name: /Bybit/ }).click();
  await expect(page.getByRole('tab', { name: /Bybit/ })).toContainText('Coming soon');
  await expect.poll(() => targets(page)).toContain('/futures/bybit/BTCUSDT');
  expect((await targets(page)).every((target) => target?.includes('/bybit/'))).toBe(true);
  await page.getByRole('tab', { name: 'OKX' }).click();
  await page.getByRole('main').getByRole('button', { name: 'Futures', exact: true }).click();
  await expect.poll(() => targets(page)).toContain('/futures/okx/BTC-USDT-SWAP');
  expect((await targets(page)).every((target) => target?.startsWith('/futures/okx/'))).toBe(true);

  await page.getByRole('tab', { name: 'All', exact: true }).click();
  await page.getByRole('main').getByRole('button', { name: 'All', exact: true }).click();
  await page.keyboard.press('/');
  const search = page.getByRole('searchbox', { name: 'Search coin, pair or name' });
  await expect(search).toBeFocused();
  for (const [typed, expected] of [
    ['bitc', '/spot/binance/BTCUSDT'],
    ['btc-usdt-swap', '/futures/okx/BTC-USDT-SWAP'],
    ['sol/usdt', '/spot/okx/SOL-USDT'],
  ] as const) {
    await search.fill(typed);
    await expect.poll(() => targets(page), typed).toContain(expected);
  }
  await search.fill('no such coin');
  await expect(page.getByText('No MATCHING RECORDS')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(search).toHaveValue('');
  expect(complaints.all).toEqual([]);
});

test('columns sort, the choice outlives the page, and a row opens its trade page @full', async ({
  page,
  installation,
}) => {
  await openMarkets(page, installation.url);
  await expect(page.getByRole('columnheader', { name: '24h volume' })).toHaveAttribute(
    'aria-sort',
    'descending',
  );
  await page.getByRole('tab', { name: 'Binance' }).click();
  await page.getByRole('columnheader', { name: 'Pair' }).getByRole('button').click();
  const pairs = async () =>
    (await table(page).locator('tbody a').allInnerTexts()).map((text) => /^[A-Z0-9]+/.exec(text)?.[0] ?? '');
  await expect
    .poll(async () => {
      const shown = await pairs();
      return shown.length > 5 && shown.join() === shown.toSorted().join();
    })
    .toBe(true);
  await page.reload();
  await expect(page.getByRole('columnheader', { name: 'Pair' })).toHaveAttribute('aria-sort', 'ascending');
  await expect(page.getByRole('tab', { name: 'Binance' })).toHaveAttribute('aria-selected', 'true');
  const row = table(page).getByRole('row').filter({ hasText: 'BTC/USDT' }).first();
  await row.getByRole('cell').nth(2).click();
  await expect(page).toHaveURL(/\/(?:spot|futures)\/binance\/BTCUSDT$/);
});

test('a member marks favourites, which are there after a reload; a visitor is asked to log in @full', async ({
  page,
  installation,
  memberPage,
}) => {
  await openMarkets(page, installation.url);
  await page.getByRole('button', { name: 'Favourite: Binance BTC/USDT', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Log in to keep favourites' });
  await expect(dialog.getByRole('link', { name: 'Log In' })).toHaveAttribute('href', /\/login\?next=/);

  const member = await memberPage(await installation.member());
  await openMarkets(member, installation.url);
  await member.getByRole('tab', { name: 'OKX' }).click();
  const star = member.getByRole('button', { name: 'Favourite: OKX ETH/USDT', exact: true });
  await star.click();
  await heard(member, 'Add optional success.');
  await expect(star).toHaveAttribute('aria-pressed', 'true');
  await member.reload();
  await member.getByRole('tab', { name: 'Favourites' }).click();
  await expect.poll(() => targets(member)).toEqual(['/spot/okx/ETH-USDT']);
  await star.click();
  await heard(member, 'Delete optional success');
  await expect(member.getByText('No MATCHING RECORDS')).toBeVisible();
});

test('market data: funding, basis, open interest and prices of every venue, sorted by any of them', async ({
  page,
  installation,
}) => {
  const complaints = complaintsOf(page);
  await page.goto(`${installation.url}/marketData`);
  const bitcoin = page.getByRole('row').filter({ hasText: 'Bitcoin' }).filter({ hasNotText: 'Cash' });
  // Coin, three venues, and the figure over all of them.
  const cell = (index: number) => bitcoin.getByRole('cell').nth(index);
  const topics = [
    ['Funding', /^[+−]?[0-9]\.[0-9]{4}%\s*[0-9]{2}:[0-9]{2}:[0-9]{2}$/, /^[0-9.]+%$/],
    ['Basis', /^[+−]?[0-9]+\.[0-9]\s*[0-9,.]+ \/ [0-9,.]+$/, /^[0-9]+\.[0-9]$/],
    ['Open interest', /^[0-9.]+[KMBT]\s*[0-9.]+[KMBT]? BTC$/, /^[0-9.]+[KMBT]$/],
    ['Prices', /^[0-9,.]{8,}$/, /^[0-9]+\.[0-9]$/],
  ] as const;
  for (const [topic, value, across] of topics) {
    await page.getByRole('tab', { name: topic }).click();
    for (const venue of [1, 2, 3]) await expect(cell(venue), topic).toHaveText(value);
    await expect(cell(4), topic).toHaveText(across);
  }
  await page.getByRole('columnheader', { name: 'OKX' }).getByRole('button').click();
  await expect(page.getByRole('columnheader', { name: 'OKX' })).toHaveAttribute('aria-sort', 'descending');
  await expect(page.getByRole('row').nth(1)).toContainText('BTC');
  await expect(cell(2).getByRole('link')).toHaveAttribute('href', '/futures/okx/BTC-USDT-SWAP');
  expect(complaints.all).toEqual([]);
});

test('about says what is simulated, what comes soon, how funds are kept, version and licence @full', async ({
  page,
  installation,
}) => {
  await page.goto(`${installation.url}/about`);
  const main = page.getByRole('main');
  await expect(main.getByRole('listitem').filter({ hasText: 'Binance' })).toContainText('simulated');
  await expect(main.getByRole('listitem').filter({ hasText: 'Bybit' })).toContainText('Coming soon');
  await expect(main).toContainText('All funds are simulated');
  await expect(main).toContainText('Apache License 2.0');
  await expect(main).toContainText(/Crossbook [0-9]+\.[0-9]+\.[0-9]+/);
  const api = await page.request.get(
    `${installation.url}${await main.getByRole('link', { name: /Calls of this hub/ }).getAttribute('href')}`,
  );
  expect(api.status()).toBe(200);
});

const TRADE_LINKS = [
  '/spot/binance/BTCUSDT',
  '/spot/okx/BTC-USDT',
  '/spot/bybit/BTCUSDT',
  '/futures/binance/BTCUSDT',
  '/futures/okx/BTC-USDT-SWAP',
  '/futures/bybit/BTCUSDT',
];

const MEMBER_LINKS = [
  ...['WalletOverview', 'Deposit', 'Withdraw', 'Convert', 'Transfer', 'Exchange', 'Gift'].map(
    (name) => `/wallet/${name}Sub`,
  ),
  ...['profile', 'security', 'self_referral'].map((name) => `/dashboard/${name}`),
  '/history/spot_trading_overview',
];

function hrefs(place: Locator): Promise<readonly (string | null)[]> {
  return place.getByRole('link').evaluateAll((links) => links.map((link) => link.getAttribute('href')));
}

test("the mobile menu holds every entry of the header's menus, and all default trading links are there @full", async ({
  installation,
  memberPage,
  page: visitor,
}) => {
  const page = await memberPage(await installation.member());
  await page.goto(`${installation.url}/about`);
  const banner = page.getByRole('banner');
  for (const name of ['Help centre', 'Deposit']) {
    await expect(banner.getByRole('link', { name, exact: true })).toBeVisible();
  }
  const header = new Set(await hrefs(banner));
  for (const name of ['Spot', 'Futures', 'Wallet', 'History', 'Dashboard']) {
    const button = banner.getByRole('button', { name, exact: true });
    const closed = (await hrefs(banner)).length;
    await button.click();
    await expect.poll(async () => (await hrefs(banner)).length, name).toBeGreaterThan(closed);
    for (const href of await hrefs(banner)) header.add(href);
    await page.keyboard.press('Escape');
    await expect(button).toHaveAttribute('aria-expanded', 'false');
    await expect.poll(async () => (await hrefs(banner)).length, name).toBe(closed);
  }
  for (const href of ['/', '/market', ...TRADE_LINKS, ...MEMBER_LINKS]) {
    expect([...header]).toContain(href);
  }
  await page.setViewportSize({ width: 390, height: 844 });
  await banner.getByRole('button', { name: 'Menu' }).click();
  const menu = page.getByRole('dialog', { name: 'Menu' });
  await expect(menu.getByRole('link', { name: 'Bybit' }).first()).toContainText('Coming soon');
  for (const section of ['Wallet', 'Dashboard', 'History']) {
    const details = menu.locator('details').filter({ hasText: section });
    if ((await details.getAttribute('open')) === null) await details.locator('summary').click();
  }
  const mobile = await hrefs(menu);
  // The logo leads home from everywhere; it is no entry.
  expect([...header].filter((href) => href !== '/' && !mobile.includes(href))).toEqual([]);
  await expect(menu.getByRole('button', { name: 'Log out' })).toBeVisible();
  await expect(menu.getByRole('button', { name: 'Language' })).toBeVisible();
  await expect(menu.getByRole('button', { name: /theme/ })).toBeVisible();

  await visitor.setViewportSize({ width: 390, height: 844 });
  await visitor.goto(`${installation.url}/about`);
  await visitor.getByRole('banner').getByRole('button', { name: 'Menu' }).click();
  for (const name of ['Log In', 'Sign Up']) {
    await expect(
      visitor.getByRole('dialog', { name: 'Menu' }).getByRole('link', { name, exact: true }),
    ).toBeVisible();
  }
});

test('Korean is offered to a member with tkropen alone, and to nobody after log out @full', async ({
  installation,
  memberPage,
  page: visitor,
}) => {
  const offered = async (page: Page): Promise<readonly string[]> => {
    const button = page.getByRole('banner').getByRole('button', { name: /^(?:Language|언어)$/ });
    await button.click();
    await expect(page.getByRole('button', { name: 'English' })).toBeVisible();
    const names = await page
      .getByRole('button', { name: /^[✓\s]*(?:English|日本語|한국어)$/ })
      .allInnerTexts();
    await page.keyboard.press('Escape');
    return names.map((name) => name.replace('✓', '').trim());
  };
  await visitor.goto(`${installation.url}/about`);
  expect(await offered(visitor)).toEqual(['English', '日本語']);
  const page = await memberPage(await installation.member());
  await page.goto(`${installation.url}/about`);
  await expect(page.getByRole('banner').getByRole('button', { name: 'Wallet' })).toBeVisible();
  expect(await offered(page)).toEqual(['English', '日本語']);

  // The back office sets the flag; here the profile is answered as if it had.
  await page.route('**/api/security/userinfo', async (route) => {
    const response = await route.fetch();
    const answer = (await response.json()) as { readonly data: object };
    await route.fulfill({ response, json: { ...answer, data: { ...answer.data, tkropen: true } } });
  });
  await page.reload();
  await expect.poll(() => offered(page)).toEqual(['English', '日本語', '한국어']);
  await page.getByRole('banner').getByRole('button', { name: 'Language' }).click();
  await page.getByRole('button', { name: '한국어' }).click();
  await expect(page.locator('html')).toHaveAttribute('lang', 'ko');
  await expect(page).toHaveTitle(/소개$/);
  await page.reload();
  await expect(page.getByRole('banner').getByRole('link', { name: '마켓', exact: true })).toBeVisible();
  await page.getByRole('banner').getByRole('button', { name: '대시보드' }).click();
  await page.getByRole('banner').getByRole('button', { name: '로그아웃' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: '로그아웃' }).click();
  await expect(page.locator('html')).toHaveAttribute('lang', 'en');
  expect(await offered(page)).toEqual(['English', '日本語']);
});
