import { expect, type Page } from '@playwright/test';
import { heard, test } from './fixtures.ts';
import { TradePage } from './trade-page.ts';

/** The content policy: what is not ours does not run, and what is ours never collides with it. */

/** Directives that a page violated since it was opened, whatever page came after. */
async function violationsOf(page: Page): Promise<readonly string[]> {
  const seen: string[] = [];
  await page.exposeBinding('reportViolation', (_source, text: string) => void seen.push(text));
  await page.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', (event) => {
      const report = (window as unknown as { reportViolation(text: string): void }).reportViolation;
      report(`${event.violatedDirective} ${event.blockedURI} ${event.sourceFile}`);
    });
  });
  return seen;
}

test('normal use, from the home page through an order to the histories, violates nothing @full', async ({
  installation,
  memberPage,
}) => {
  const page = await memberPage(await installation.member('10000'));
  const violations = await violationsOf(page);
  await page.goto(installation.url);
  await page.getByRole('banner').getByRole('link', { name: 'Markets' }).click();
  const trade = new TradePage(page);
  await trade.open(installation.url);
  await trade.type('Market');
  await trade.field('Spend').fill('50');
  await trade.send('Buy');
  await heard(page, 'Order successfully');
  for (const path of ['/wallet/WalletOverviewSub', '/history/spot_trading_details', '/dev/outbox']) {
    await page.goto(`${installation.url}${path}`);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  }
  expect(violations).toEqual([]);
});

test('a script that got into the page does not run, however it got there', async ({ page, installation }) => {
  const violations = await violationsOf(page);
  await page.route(installation.url, async (route) => {
    const answer = await route.fetch();
    const html = (await answer.text()).replace('</head>', '<script>window.stolen = 1;</script></head>');
    await route.fulfill({ response: answer, body: html });
  });
  await page.goto(installation.url);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  const stolen = await page.evaluate(() => {
    const target = document.createElement('div');
    document.body.append(target);
    const refused: string[] = [];
    const tries: Readonly<Record<string, () => void>> = {
      'markup of an image': () => {
        target.innerHTML = '<img src="x:" onerror="window.stolen = 2">';
      },
      'text of a script': () => {
        const script = document.createElement('script');
        script.textContent = 'window.stolen = 3';
        target.append(script);
      },
      'address of a script': () => {
        const script = document.createElement('script');
        script.src = 'https://scripts.example/stolen.js';
        target.append(script);
      },
    };
    for (const [name, attempt] of Object.entries(tries)) {
      try {
        attempt();
      } catch {
        refused.push(name);
      }
    }
    return { refused, ran: (window as unknown as { stolen?: number }).stolen };
  });
  expect(stolen).toEqual({
    refused: ['markup of an image', 'text of a script', 'address of a script'],
    ran: undefined,
  });
  await expect.poll(() => violations.some((text) => text.startsWith('script-src'))).toBe(true);
});
