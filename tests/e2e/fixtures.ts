import AxeBuilder from '@axe-core/playwright';
import {
  type Browser,
  type BrowserContext,
  test as base,
  expect,
  type Locator,
  type Page,
} from '@playwright/test';
import { type Installation, type Member, startInstallation } from './installation.ts';

/** What went wrong in a page besides what the test looks at. */
export interface Complaints {
  readonly all: readonly string[];
}

interface WorkerFixtures {
  /** Whether the third exchange is open; a file says it for all of its flows, and they share one installation with other such files. */
  readonly thirdExchange: 'soon' | 'live';
  /** One installation for all tests that leave it as they found it. */
  readonly installation: Installation;
}

interface TestFixtures {
  /** Opens a page logged in as a member, in a context of its own. */
  readonly memberPage: (member: Member) => Promise<Page>;
}

/** Listens to a page: console errors, uncaught errors, failed requests, answers that are errors. */
export function complaintsOf(page: Page): Complaints {
  const all: string[] = [];
  page.on('console', (message) => {
    // The recorder of a second try reads the pictures that a page shows, which its policy refuses.
    if (message.text().startsWith("Connecting to 'blob:")) return;
    if (message.type() === 'error' || message.type() === 'warning') {
      all.push(`console ${message.type()}: ${message.text()}`);
    }
  });
  page.on('pageerror', (error) => all.push(`uncaught: ${error.message}`));
  page.on('requestfailed', (request) => {
    const why = request.failure()?.errorText ?? '';
    // Leaving a page ends what it was still reading.
    if (why !== 'net::ERR_ABORTED') all.push(`request failed: ${request.url()} ${why}`);
  });
  page.on('response', (response) => {
    if (response.status() >= 400) all.push(`status ${response.status()}: ${response.url()}`);
  });
  return { all };
}

/** Toasts that are shown. */
export function toast(page: Page): Locator {
  return page.locator('[data-sonner-toast][data-removed=false]');
}

declare global {
  interface Window {
    /** Words of all toasts since the page was loaded that nobody has asked for yet. */
    toastsSaid?: string[];
  }
}

/** Runs in every page before anything else: keeps the words of its toasts. */
function keepsToasts(): void {
  const all: string[] = [];
  window.toastsSaid = all;
  const known = new WeakMap<Element, string>();
  new MutationObserver(() => {
    for (const one of document.querySelectorAll('[data-sonner-toast]')) {
      const words = one.textContent;
      if (known.get(one) !== words) all.push(words);
      known.set(one, words);
    }
  }).observe(document, { subtree: true, childList: true });
}

/**
 * Waits until a toast has said this, since the last one that was waited for. It may have left meanwhile: a toast stays for a few
 * seconds, and a busy machine looks less often than that.
 */
export async function heard(page: Page, words: string | RegExp): Promise<void> {
  const { source, flags } =
    typeof words === 'string' ? new RegExp(words.replaceAll(/[^\w\s]/g, '\\$&')) : words;
  await expect(async () => {
    const others = await page.evaluate(
      (pattern) => {
        const all = window.toastsSaid ?? [];
        const at = all.findIndex((one) => new RegExp(pattern.source, pattern.flags).test(one));
        if (at < 0) return [...all];
        all.splice(0, at + 1);
        return undefined;
      },
      { source, flags },
    );
    expect(others, `toasts besides "${words}"`).toBeUndefined();
  }).toPass({ timeout: 90_000 });
}

/** What a place says from now on, however short: on a busy machine a state is gone before it is looked for. */
export async function heardFrom(place: Locator): Promise<() => Promise<string>> {
  const texts = await place.evaluateHandle((element) => {
    const all = new Set<string>();
    const changed = new MutationObserver(() => all.add(element.textContent ?? ''));
    changed.observe(element, { subtree: true, childList: true, characterData: true });
    return all;
  });
  return async () => (await texts.evaluate((all) => [...all])).join('\n');
}

/** While nobody trades at an exchange its books stand as they are, and what rests there is not filled. */
export async function standingStill(
  installation: Installation,
  venue: string,
  act: () => Promise<void>,
): Promise<void> {
  await installation.simulate('agents', { venue, paused: true });
  try {
    await act();
  } finally {
    await installation.simulate('agents', { venue, paused: false });
  }
}

/**
 * Makes room in a chart of days, whatever the walk did in the days before: the price of a pair of Binance rises and comes half of the
 * way back, so that today's bar alone reaches far above it and far below.
 */
export async function roomInDays(installation: Installation, symbol: string): Promise<void> {
  const last = async () => {
    const answer = await fetch(`${installation.url}/md/binance/api/v3/ticker/price?symbol=${symbol}`);
    return Number(((await answer.json()) as { readonly price: string }).price);
  };
  for (const factor of [1.15, 1 / 1.08]) {
    const target = (await last()) * factor;
    await installation.simulate('shock', { venue: 'binance', symbol, market: 'spot', factor });
    await expect.poll(async () => Math.abs((await last()) / target - 1)).toBeLessThan(0.02);
  }
}

/** Words where they belong: not those of a toast that says them too. */
export function beside(part: Page | Locator, words: string | RegExp): Locator {
  return part.getByText(words).and(part.locator(':not([data-sonner-toast], [data-sonner-toast] *)'));
}

/** A toast comes to stand where it lies over none of these, or they were scrolled away. */
export async function standsClear(page: Page, parts: readonly Locator[]): Promise<void> {
  await expect(async () => {
    const said = await toast(page).boundingBox();
    expect(said?.y).toBeGreaterThanOrEqual(0);
    for (const part of parts) {
      const { y = 0, height = 0 } = (await part.boundingBox()) ?? {};
      const over = said !== null && y < said.y + said.height && y + height > said.y;
      expect(over, String(part)).toBe(false);
    }
  }).toPass({ timeout: 8_000 });
}

/** The page stands: its heading is there and nothing on it is still on its way. */
export async function settled(page: Page): Promise<void> {
  await expect(page.getByRole('heading', { level: 1 }).first()).toBeAttached();
  await expect(page.locator('[aria-busy="true"]')).toHaveCount(0);
}

/** The page fits its window. */
export async function expectFits(page: Page, where: string): Promise<void> {
  const beyond = await page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    return scrollWidth - clientWidth;
  });
  expect(beyond, `${where}: pixels beyond the window`).toBeLessThanOrEqual(0);
}

/** What comes or goes has come or gone: half seen, its colours are no colours of ours. */
async function stands(page: Page): Promise<void> {
  await page.evaluate(() => {
    const ends = document
      .getAnimations()
      .filter(({ effect }) => effect?.getComputedTiming().endTime !== Infinity);
    return Promise.allSettled(ends.map(({ finished }) => finished)).then(() => undefined);
  });
}

/** The page fits its window, and axe finds nothing at all. */
export async function expectSound(page: Page, where: string): Promise<void> {
  await stands(page);
  await expectFits(page, where);
  const { violations } = await new AxeBuilder({ page }).options({ resultTypes: ['violations'] }).analyze();
  expect(
    violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`),
    where,
  ).toEqual([]);
}

function sessionCookie(url: string, value: string) {
  return {
    name: 'sid',
    value,
    domain: new URL(url).hostname,
    path: '/',
    expires: -1,
    httpOnly: true,
    secure: false,
    sameSite: 'Strict' as const,
  };
}

/** A browser of a member, or of a visitor with settings: the session's cookie, and token and tid in its storage. */
export function logInContext(
  browser: Browser,
  url: string,
  member: Member | undefined,
  look: {
    readonly settings?: Readonly<Record<string, string>>;
    readonly deviceScaleFactor?: number;
    /** The screen of a phone that is touched. */
    readonly touched?: { readonly width: number; readonly height: number };
  } = {},
): Promise<BrowserContext> {
  const { settings = {}, deviceScaleFactor = 1, touched } = look;
  const { cookie, token, tid } = member?.client ?? { cookie: '', token: '', tid: 0 };
  const kept = { ...(member === undefined ? {} : { token, tid: String(tid) }), ...settings };
  return browser.newContext({
    deviceScaleFactor,
    ...(touched === undefined ? {} : { hasTouch: true, viewport: touched }),
    storageState: {
      cookies: member === undefined ? [] : [sessionCookie(url, cookie)],
      origins: [
        { origin: url, localStorage: Object.entries(kept).map(([name, value]) => ({ name, value })) },
      ],
    },
  });
}

/** Playwright's test with an installation of ours. */
export const test = base.extend<TestFixtures, WorkerFixtures>({
  browser: [
    async ({ browser }, use) => {
      const opens = browser.newContext.bind(browser);
      browser.newContext = async (look) => {
        const context = await opens(look);
        await context.addInitScript(keepsToasts);
        return context;
      };
      await use(browser);
    },
    { scope: 'worker' },
  ],
  thirdExchange: ['soon', { scope: 'worker', option: true }],
  installation: [
    async ({ thirdExchange }, use) => {
      const installation = await startInstallation({
        ADDRESS_LIMIT_FACTOR: '1000',
        CAPTCHA_WORK_MAX: '500',
        // That an order never arrived is proved within seconds.
        ABSENCE_SPAN_MILLIS: '3000',
        ...(thirdExchange === 'live' ? { PLATFORM_3: 'live' } : {}),
      });
      await use(installation);
      await installation.stop();
    },
    { scope: 'worker', timeout: 400_000 },
  ],
  memberPage: async ({ browser, installation }, use) => {
    const contexts: BrowserContext[] = [];
    await use(async (member) => {
      const context = await logInContext(browser, installation.url, member);
      contexts.push(context);
      return context.newPage();
    });
    for (const context of contexts) await context.close();
  },
});
