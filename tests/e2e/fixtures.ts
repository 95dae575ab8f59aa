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
  /** One installation for all tests that kill nothing. */
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

/**
 * Listens to a page for toasts: the answer to what a member did stays for two seconds, and a busy page may be asked less often than that.
 * @returns what gives the words of all that came since.
 */
export async function toastsOf(page: Page): Promise<() => Promise<readonly string[]>> {
  const words = await page.evaluateHandle(() => {
    const all: string[] = [];
    const known = new WeakSet<Element>();
    new MutationObserver(() => {
      for (const one of document.querySelectorAll('[data-sonner-toast]')) {
        if (!known.has(one)) all.push(one.textContent);
        known.add(one);
      }
    }).observe(document.body, { subtree: true, childList: true });
    return all;
  });
  return () => words.jsonValue();
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

/** The page fits its window, and axe finds nothing at all. */
export async function expectSound(page: Page, where: string): Promise<void> {
  const beyond = await page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    return scrollWidth - clientWidth;
  });
  expect(beyond, `${where}: pixels beyond the window`).toBeLessThanOrEqual(0);
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
  installation: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of what a fixture needs from this pattern
    async ({}, use) => {
      const installation = await startInstallation({
        ADDRESS_LIMIT_FACTOR: '1000',
        CAPTCHA_WORK_MAX: '500',
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
