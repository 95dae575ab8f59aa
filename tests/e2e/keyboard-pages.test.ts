import { expect, type Locator, type Page } from '@playwright/test';
import { complaintsOf, settled, test } from './fixtures.ts';
import type { Member } from './installation.ts';
import { PAGES } from './listed-pages.ts';

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
      document.querySelector<HTMLElement>('main')?.focus();
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

/** One with a row in each table that he can fill himself. */
async function withRows(member: Member): Promise<void> {
  const order = { platformType: '43', tinstType: '1', symbol: 'BTCUSDT' };
  await member.client.must('connextrade/PlaceOrder', {
    ...order,
    ...{ side: '1', orderType: '2', timeInForce: '1', quoteQuantity: '500' },
  });
}

/** Their lists change while one walks: which control stands where is not compared. */
const LIVE = ['/', '/market', '/marketData'];

const WALKED = PAGES.filter(({ path }) => !/^\/(spot|futures)\//.test(path));

test('every page but the trade pages is walked by Tab: each control once, in order, and one sees where it is @full', async ({
  page: visitor,
  installation,
  memberPage,
}) => {
  const member = await installation.member('10000');
  await withRows(member);
  const own = await memberPage(member);
  for (const page of [visitor, own]) await page.addInitScript(watchFocus);
  let walked = 0;
  for (const { path, member: isMember } of WALKED) {
    const page = isMember === true ? own : visitor;
    const complaints = complaintsOf(page);
    await page.goto(`${installation.url}${path}`);
    await settled(page);
    const { controls, stops, unseen } = await walk(page, path);
    if (!LIVE.includes(path)) expect.soft(stops, path).toEqual(controls);
    expect.soft(unseen, path).toEqual([]);
    expect.soft(complaints.all, path).toEqual([]);
    walked += stops.length;
  }
  expect(walked).toBeGreaterThan(200);
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
