import { expect, type Locator, type Page } from '@playwright/test';
import { complaintsOf, test } from './fixtures.ts';

/** The home page: what it shows of the markets, the member's balance, the guide and the answers. */

function list(page: Page, name: string): Locator {
  return page.locator('section').filter({ has: page.getByRole('heading', { name, exact: true }) });
}

/** Pairs of a list with the percent of each, once every row has its figures. */
async function stats(rows: Locator): Promise<readonly { readonly pair: string; readonly percent: number }[]> {
  const texts = await rows.allInnerTexts();
  return texts.map((text) => {
    const percent = /([+−]?)([0-9.]+)%/.exec(text);
    const size = Number(percent?.[2] ?? Number.NaN);
    return {
      pair: /^[A-Z0-9]+\/USDT/.exec(text.trim())?.[0] ?? text,
      percent: percent?.[1] === '−' ? -size : size,
    };
  });
}

test('the top five stand in their order, the six movers by size; a row opens its pair @full', async ({
  page,
  installation,
}) => {
  const complaints = complaintsOf(page);
  await page.goto(installation.url);
  const top = list(page, 'Top markets').getByRole('link', { name: /USDT/ });
  const movers = list(page, 'Top movers').getByRole('link', { name: /USDT/ });
  await expect(top).toHaveCount(5);
  await expect(top.filter({ hasText: '%' })).toHaveCount(5);
  expect((await stats(top)).map(({ pair }) => pair)).toEqual(
    ['BTC', 'ETH', 'SOL', 'XRP', 'DOGE'].map((coin) => `${coin}/USDT`),
  );
  await expect(movers).toHaveCount(6);
  await expect(movers.filter({ hasText: '%' })).toHaveCount(6);
  const sizes = (await stats(movers)).map(({ percent }) => Math.abs(percent));
  expect(sizes).toEqual(sizes.toSorted((left, right) => right - left));
  expect(complaints.all).toEqual([]);
  await top.first().click();
  await expect(page).toHaveURL(/\/spot\/binance\/BTCUSDT$/);
});

test('a list is read again when the page is seen again; a read that fails changes nothing and says nothing @full', async ({
  page,
  installation,
}) => {
  const reads: string[] = [];
  page.on('request', (request) => reads.push(request.url()));
  const binance = () => reads.filter((url) => url.includes('/md/binance/api/v3/ticker/24hr')).length;
  const seen = () => page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
  await page.goto(installation.url);
  const top = list(page, 'Top markets').getByRole('link', { name: /USDT/ });
  await expect(top.filter({ hasText: '%' })).toHaveCount(5);
  const before = binance();
  await seen();
  await expect.poll(binance).toBeGreaterThan(before);
  await page.route('**/md/binance/**', (route) => route.fulfill({ status: 503, body: 'busy' }));
  const failing = page.waitForResponse((response) => response.status() === 503);
  await seen();
  await failing;
  await expect(top.filter({ hasText: '%' })).toHaveCount(5);
  await expect(page.getByRole('region', { name: /Notifications/ }).getByRole('listitem')).toHaveCount(0);
});

test('quick registration keeps any text in the browser and leads to /regist @full', async ({
  page,
  installation,
}) => {
  await page.goto(installation.url);
  await page.getByRole('textbox', { name: 'Email or phone number' }).fill('no e-mail at all');
  await page.getByRole('main').getByRole('button', { name: 'Sign up' }).click();
  await expect(page).toHaveURL(/\/regist$/);
  expect(await page.evaluate(() => Object.values(localStorage))).toContain('no e-mail at all');
  // What is no number is meant as an address.
  await expect(page.getByRole('main').getByRole('textbox', { name: 'Email' })).toHaveValue(
    'no e-mail at all',
  );
  await page.goto(installation.url);
  await expect(page.getByRole('textbox', { name: 'Email or phone number' })).toHaveValue('no e-mail at all');
});

test('a member sees the estimated balance of all wallets, and the change of today or why there is none @full', async ({
  installation,
  memberPage,
}) => {
  const member = await installation.member('10000');
  const page = await memberPage(member);
  await page.goto(installation.url);
  const balance = page
    .locator('section')
    .filter({ has: page.getByRole('heading', { name: 'Estimated balance' }) })
    .last();
  await expect(balance).toContainText(/≈ [1-9][0-9,]*\.[0-9]{2}/);
  const funding = await member.client.must<readonly { readonly asset: string; readonly total: string }[]>(
    'connexfunding/fundingbalance',
  );
  const usdt = Number(funding.find(({ asset }) => asset === 'USDT')?.total ?? 0) + 10_000;
  // Other test coins are priced at the market; USDT alone is the least that it can be.
  const shown = async () =>
    Number(/≈ ([0-9,.]+)/.exec((await balance.textContent()) ?? '')?.[1]?.replaceAll(',', ''));
  await expect.poll(shown).toBeGreaterThanOrEqual(usdt);
  await expect(balance).toContainText("Today's change");
  // A member of today has no figure of midnight to compare with, unless the test runs just after midnight.
  await expect(balance).toContainText(/There is no snapshot|[0-9]%/);
  const reported = await member.client.must<{ readonly equity: string; readonly missing: readonly string[] }>(
    'x/wallet/Equity',
  );
  expect(Number(reported.equity)).toBeGreaterThanOrEqual(usdt);
  expect(reported.missing).toEqual([]);
  // Yesterday is played: what the hub would tell of it, and then nothing at all.
  const day = { start: '20000', netTransfers: '0', change: '-1234.567', changeRate: '-0.0617' };
  const data = { equity: '18765.433', day, missing: [], time: Date.now() };
  const seen = () => page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
  await page.route('**/api/x/wallet/Equity', (route) =>
    route.fulfill({ json: { code: 1, msg: 'OK', data } }),
  );
  await seen();
  await expect(balance).toContainText('≈ 18,765.43');
  await expect(balance).toContainText("Today's change: −1,234.56 USDT (−6.17%)▼");
  await page.route('**/api/x/wallet/Equity', (route) => route.abort());
  await seen();
  await expect(balance).toContainText('s old');
  await expect(balance).toContainText('≈ 18,765.43');
  await expect(page.getByRole('textbox', { name: 'Email or phone number' })).toHaveCount(0);
});

test('guide, answers and help: every step leads somewhere, and nothing claims what is not true here @full', async ({
  page,
  installation,
}) => {
  await page.goto(installation.url);
  const guide = page.getByRole('region', { name: 'Quick start' });
  await expect(guide.getByRole('link')).toHaveCount(4);
  const targets = await guide
    .getByRole('link')
    .evaluateAll((links) => links.map((link) => link.getAttribute('href')));
  expect(targets).toEqual([
    '/regist',
    '/wallet/WalletOverviewSub#funds',
    '/spot/binance/BTCUSDT',
    '/history/spot_trading_overview',
  ]);
  const faq = page.getByRole('region', { name: 'Questions and answers' });
  await faq.getByText('Which exchanges can I use?').click();
  await expect(faq.getByText('Binance, OKX, Bybit (Coming soon).')).toBeVisible();
  // The operator names no page of his own, so the hub's stand in: every link of the footer leads somewhere.
  await expect(faq.getByRole('link')).toHaveAttribute('href', '/support');
  const footer = await page
    .getByRole('contentinfo')
    .getByRole('link')
    .evaluateAll((links) => links.map((link) => link.getAttribute('href')));
  const community = ['/community', '/community'];
  expect(footer).toEqual([
    ...['/about', '/terms', '/privacy', '/announcements', '/market', '/support', ...community],
  ]);
  const custody = page.getByRole('article').filter({ hasText: 'institutional custody' });
  await expect(custody).toContainText('simulated funds');
  await expect(page.getByRole('article').filter({ hasText: '0%' })).toContainText('Coming soon');

  await page.goto(`${installation.url}/about`);
  await page
    .getByRole('navigation', { name: 'Help and contact' })
    .getByRole('link', { name: 'Help centre' })
    .click();
  await expect(page).toHaveURL(/\/#faq$/);
  await expect(faq).toBeInViewport();
  const widget = page.getByRole('navigation', { name: 'Help and contact' });
  await widget.getByRole('link', { name: 'Contact' }).click();
  await expect(page).toHaveURL(/\/support$/);
  await expect(page.getByRole('heading', { level: 1, name: 'Support' })).toBeInViewport();
  await page.getByText('How long does a transfer take?').click();
  await expect(page.getByText('Mostly seconds.')).toBeVisible();
  await widget.getByRole('link', { name: 'Announcements' }).click();
  await page.getByRole('link', { name: /Crossbook is open/ }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Crossbook is open' })).toBeVisible();
  await page.getByRole('link', { name: 'Terms', exact: true }).first().click();
  await expect(page.getByRole('heading', { level: 1, name: 'Terms of Service' })).toBeVisible();
});

test('an event is listed and has its page; a list that cannot be read offers to try again, an empty one says so @full', async ({
  page,
  installation,
}) => {
  const answers: ('fail' | 'empty' | 'pass')[] = ['fail', 'fail', 'empty', 'pass'];
  await page.route('**/api/x/content/List*', (route) => {
    const answer = answers.shift() ?? 'pass';
    if (answer === 'fail') return route.fulfill({ status: 503 });
    if (answer === 'empty') return route.fulfill({ json: { code: 1, msg: '', data: { rows: [] } } });
    return route.continue();
  });
  await page.goto(`${installation.url}/event`);
  await page.getByRole('button', { name: 'Retry' }).click();
  await expect(page.getByText('No event is on at the moment.')).toBeVisible();
  await page.reload();
  await page.getByRole('link', { name: /First steps with test funds/ }).click();
  await expect(page).toHaveURL(/\/eventDetail\/first-steps$/);
  await expect(page.getByRole('heading', { level: 2, name: 'The tour' })).toBeVisible();
  await expect(page.getByRole('main').getByRole('link', { name: 'wallet' })).toHaveAttribute(
    'href',
    '/wallet/WalletOverviewSub',
  );
  await page.goto(`${installation.url}/eventDetail/none`);
  await expect(page.getByText('This page does not exist, or not any more.')).toBeVisible();
});

test('the carousel shows three slides from 798 px on, one below, and its buttons move it @full', async ({
  page,
  installation,
}) => {
  await page.goto(installation.url);
  const carousel = page.getByRole('region', { name: 'What it does' });
  const slides = carousel.getByRole('listitem');
  const perView = async (width: number): Promise<number> => {
    await page.setViewportSize({ width, height: 900 });
    return slides.evaluateAll((items) => {
      const row = items[0]?.parentElement;
      return Math.round((row?.clientWidth ?? 0) / (items[0]?.getBoundingClientRect().width ?? 1));
    });
  };
  await expect(slides).toHaveCount(5);
  expect(await perView(1440)).toBe(3);
  expect(await perView(798)).toBe(3);
  expect(await perView(797)).toBe(1);
  await expect(carousel.getByRole('button', { name: 'Previous' })).toBeDisabled();
  await carousel.getByRole('button', { name: 'Next' }).click();
  await expect(slides.nth(1)).toBeInViewport({ ratio: 0.9 });
  await expect(carousel.getByRole('button', { name: 'Previous' })).toBeEnabled();
});

interface Boot {
  readonly money: string;
  readonly environment: string;
  readonly links: Readonly<Record<string, string>>;
  readonly platforms: readonly { readonly mode: string; readonly state: string }[];
}

/** The page of a hub that is set up otherwise: what it is told at its start is changed on the way. */
async function bootedAs(page: Page, change: (boot: Boot) => Partial<Boot>): Promise<void> {
  await page.route('**/boot.json', async (route) => {
    const response = await route.fetch();
    const boot = (await response.json()) as Boot;
    await route.fulfill({ response, json: { ...boot, ...change(boot) } });
  });
}

test("the operator's pages open in a new tab from footer, side widget and answers @full", async ({
  page,
  installation,
}) => {
  const names = ['terms', 'privacy', 'announcements', 'products', 'support', 'messenger', 'social', 'help'];
  const links = Object.fromEntries(names.map((name) => [name, `https://example.org/${name}`]));
  await bootedAs(page, () => ({ links }));
  await page.goto(installation.url);
  const external = (place: Locator) =>
    place
      .getByRole('link')
      .and(page.locator('[target="_blank"][rel~="noopener"]'))
      .evaluateAll((found) => found.map((link) => link.getAttribute('href')?.split('/').at(-1)));
  await expect(page.getByRole('contentinfo').getByRole('link', { name: 'About' })).toBeVisible();
  expect(await external(page.getByRole('contentinfo'))).toEqual(names.slice(0, 7));
  expect(await external(page.getByRole('navigation', { name: 'Help and contact' }))).toEqual([
    'announcements',
    'help',
    'support',
  ]);
  await expect(page.getByRole('region', { name: 'Questions and answers' }).getByRole('link')).toHaveAttribute(
    'href',
    'https://example.org/support',
  );
});

test('before production the lists are read every 2 s @full', async ({ page, installation }) => {
  const reads: string[] = [];
  page.on('request', (request) => reads.push(request.url()));
  await bootedAs(page, () => ({ environment: 'preproduction' }));
  await page.goto(installation.url);
  for (const list of ['/md/binance/api/v3/ticker/24hr', '/md/okx/api/v5/market/tickers']) {
    await expect.poll(() => reads.filter((url) => url.includes(list)).length).toBeGreaterThanOrEqual(3);
  }
});

test('a hub with real money claims neither paper funds nor a custodian that nobody named @full', async ({
  page,
  installation,
}) => {
  await bootedAs(page, ({ platforms }) => ({
    money: 'live',
    platforms: platforms.map((platform) => ({ ...platform, mode: 'live', state: 'live' })),
  }));
  await page.goto(installation.url);
  const main = page.getByRole('main');
  await expect(main.getByRole('heading', { name: 'Where the money is' })).toBeVisible();
  for (const word of ['PAPER', 'simulated funds', 'institutional custody', 'Coming soon', 'test funds']) {
    await expect(main, word).not.toContainText(word);
  }
  await expect(main.getByRole('article').filter({ hasText: '0%' })).toContainText(
    'carry a trading fee of 0%',
  );
});
