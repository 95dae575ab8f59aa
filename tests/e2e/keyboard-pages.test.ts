import { expect, type Locator, type Page } from '@playwright/test';
import { linkFor, start } from './admin-link.ts';
import { complaintsOf, settled, test } from './fixtures.ts';
import type { Member } from './installation.ts';
import { PAGES } from './listed-pages.ts';
import { handInPapers } from './security-client.ts';

/**
 * Every page but the trade pages (keyboard.test.ts) without a mouse: Tab comes by each of its controls once, in the order in which they
 * stand, one sees where it is, and Escape closes what was opened and gives the focus back.
 */

/** What a walk by Tab met, told by the page itself. */
interface Walk {
  /** Controls that can be used, in the order in which they stand. */
  readonly controls: readonly string[];
  /** Those that had the focus, in the order in which they got it. */
  readonly stops: readonly string[];
  /** Stops that looked as they had looked without the focus. */
  readonly unseen: readonly string[];
}

declare global {
  interface Window {
    tabWalk?: { begin(): void; end(): Walk };
  }
}

/** Put into the page: knows what can be used there and how it looks, and listens to where the focus goes. */
function watchFocus(): void {
  const USABLE = 'a[href], button, input, select, textarea, summary, [tabindex]';
  // Colours that are still on their way are those of before.
  const still = new CSSStyleSheet();
  still.replaceSync('*, *::before, *::after { transition: none !important; animation: none !important }');
  document.adoptedStyleSheets.push(still);

  const canBeUsed = (element: HTMLElement): boolean => {
    // A row of tabs hands the focus on to the tab that is open.
    if (
      element.tabIndex < 0 ||
      element.matches(':disabled, [role=tablist]') ||
      element.closest('[inert]') !== null
    )
      return false;
    // Of the choices of one question Tab comes by the chosen one.
    if (element instanceof HTMLInputElement && element.type === 'radio' && !element.checked) return false;
    return element.checkVisibility({ visibilityProperty: true });
  };
  const nameOf = (element: Element): string => {
    const own =
      element.getAttribute('aria-label') ?? element.getAttribute('name') ?? element.textContent ?? '';
    return `${element.tagName.toLowerCase()} ${own.replaceAll(/\s+/g, ' ').trim().slice(0, 60)}`;
  };
  /** How it looks, with what it stands in: a field's ring is its frame's. */
  const lookOf = (element: Element): string => {
    const around = [element, element.parentElement, element.parentElement?.parentElement];
    return around
      .filter((one): one is Element => one != null)
      .map((one) => {
        const { outlineStyle, outlineWidth, outlineColor, borderColor, boxShadow, backgroundColor } =
          getComputedStyle(one);
        const outline = outlineStyle === 'none' ? '' : `${outlineWidth} ${outlineColor}`;
        return [outline, borderColor, boxShadow, backgroundColor].join(';');
      })
      .join('|');
  };

  const controlsNow = (): readonly HTMLElement[] =>
    [...document.querySelectorAll<HTMLElement>('main *')].filter(
      (one) => one.matches(USABLE) && canBeUsed(one),
    );
  let looks = new Map<HTMLElement, string>();
  document.addEventListener('focusin', ({ target }) => {
    if (target instanceof HTMLElement && target.closest('main') !== null) looks.set(target, lookOf(target));
  });
  window.tabWalk = {
    begin() {
      const main = document.querySelector('main');
      if (main?.hasAttribute('tabindex') === false) main.tabIndex = -1;
      main?.focus();
      looks = new Map();
    },
    end() {
      // Asked for at the end: a page that stands still reads its lists.
      const controls = controlsNow();
      const stops = [...looks.keys()].filter(
        (one) => one.isConnected && one.matches(USABLE) && one.matches(':not([role=tablist])'),
      );
      // What had the focus has it no more: it looks as it does without.
      const unseen = stops.filter((one) => looks.get(one) === lookOf(one));
      return { controls: controls.map(nameOf), stops: stops.map(nameOf), unseen: unseen.map(nameOf) };
    },
  };
}

/** Longer than any page is. */
const STOPS_MAX = 600;

async function walk(page: Page, path: string): Promise<Walk> {
  await page.evaluate(() => window.tabWalk?.begin());
  const isOut = () => page.evaluate(() => document.activeElement?.closest('main') === null);
  await page.keyboard.press('Tab');
  for (let stop = 0; stop < STOPS_MAX && !(await isOut()); stop += 1) await page.keyboard.press('Tab');
  expect.soft(await isOut(), `${path}: nothing keeps the focus`).toBe(true);
  return page.evaluate(() => window.tabWalk?.end() ?? { controls: [], stops: [], unseen: [] });
}

/** Their lists change while one walks: which control stands where is not compared. */
const LIVE = ['/', '/market', '/marketData'];

/** Each control of a page has the focus once, in order, and one sees where it is. @returns where it was. */
async function walked(page: Page, path: string): Promise<readonly string[]> {
  const { controls, stops, unseen } = await walk(page, path);
  if (!LIVE.includes(path)) expect.soft(stops, path).toEqual(controls);
  expect.soft(unseen, path).toEqual([]);
  return stops;
}

/** One with a row in each table that he can fill himself. */
async function withRows(member: Member): Promise<void> {
  const order = { platformType: '43', tinstType: '1', symbol: 'BTCUSDT' };
  await member.client.must('connextrade/PlaceOrder', {
    ...order,
    ...{ side: '1', orderType: '2', timeInForce: '1', quoteQuantity: '500' },
  });
}

const WALKED = PAGES.filter(
  ({ path, publicToo }) => publicToo === undefined && !/^\/(spot|futures)\//.test(path),
);

test('every page but the trade pages is walked by Tab: each control once, in order, and one sees where it is @full', async ({
  page: visitor,
  installation,
  memberPage,
}) => {
  const member = await installation.member('10000');
  await withRows(member);
  const own = await memberPage(member);
  for (const page of [visitor, own]) await page.addInitScript(watchFocus);
  let stops = 0;
  for (const { path, member: isMember } of WALKED) {
    const page = isMember === true ? own : visitor;
    const complaints = complaintsOf(page);
    await page.goto(`${installation.url}${path}`);
    await settled(page);
    stops += (await walked(page, path)).length;
    expect.soft(complaints.all, path).toEqual([]);
  }
  expect(stops).toBeGreaterThan(200);
});

/** How many pages the back office has. */
const OFFICE_PAGES = 15;

test('every page of the back office, the ways in and a text that is written are walked by Tab, and the first stop leads past the list of pages @full', async ({
  browser,
  page: visitor,
  installation,
}) => {
  const { client } = await installation.member();
  await handInPapers(client);
  const link = await linkFor(installation, `walks-${client.tid}@example.org`, 'support,kyc,admin,auditor');
  await visitor.addInitScript(watchFocus);
  for (const address of [`${installation.url}/admin`, link]) {
    await visitor.goto(address);
    await settled(visitor);
    expect((await walked(visitor, address)).length).toBeGreaterThan(2);
  }
  const { page } = await start(browser, link);
  await page.addInitScript(watchFocus);
  const complaints = complaintsOf(page);
  await page.reload();
  await settled(page);
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('main')).toBeFocused();
  const links = page.getByRole('navigation', { name: 'Pages' }).getByRole('link');
  await expect(links).toHaveCount(OFFICE_PAGES);
  let stops = 0;
  for (let place = 0; place < OFFICE_PAGES; place += 1) {
    const name = (await links.nth(place).textContent()) ?? '';
    await links.nth(place).press('Enter');
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(name);
    await settled(page);
    stops += (await walked(page, name)).length;
  }
  await links.filter({ hasText: 'Texts' }).press('Enter');
  await page.getByLabel('Address').fill('walked');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('tab').first()).toBeVisible();
  stops += (await walked(page, 'a text')).length;
  expect(stops).toBeGreaterThan(60);
  expect(complaints.all).toEqual([]);
});

/** Opens by Enter what a button opens, looks that the focus is in it, and closes it by Escape. */
async function opensAndCloses(page: Page, button: Locator, panel: Locator): Promise<void> {
  const name = await button.evaluate((one) => one.getAttribute('aria-label') ?? one.textContent ?? '');
  await button.focus();
  await page.keyboard.press('Enter');
  await expect(panel, name).toBeVisible();
  // What is in it is made when it is opened.
  await expect(panel.locator('a, button, input').first(), name).toBeVisible();
  const isInside = () => panel.evaluate((one) => one.contains(document.activeElement));
  await page.keyboard.press('Tab');
  await expect.poll(isInside, name).toBe(true);
  await page.keyboard.press('Escape');
  await expect(panel, name).toBeHidden();
  await expect(button, name).toBeFocused();
}

test('Escape closes every menu of the head and every dialog of the security page, and the focus is back where it was @full', async ({
  installation,
  memberPage,
}) => {
  const page = await memberPage(await installation.member('1000'));
  const complaints = complaintsOf(page);
  await page.goto(`${installation.url}/dashboard/security`);
  await settled(page);
  await expect(page.getByRole('heading', { name: 'Where you are logged in' })).toBeVisible();
  const heads = await page.getByRole('banner').locator('button[popovertarget]').all();
  expect(heads.length).toBeGreaterThan(4);
  for (const head of heads) await opensAndCloses(page, head, page.locator(':popover-open'));
  const acts = await page.getByRole('main').getByRole('listitem').getByRole('button').all();
  expect(acts.length).toBeGreaterThan(4);
  for (const act of acts) {
    if (await act.isEnabled()) await opensAndCloses(page, act, page.locator('dialog[open]'));
  }
  expect(complaints.all).toEqual([]);
});
