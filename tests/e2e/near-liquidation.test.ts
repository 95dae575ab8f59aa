import { expect } from '@playwright/test';
import { BINANCE, BYBIT, OKX, sized, withMargin } from './contract-venues.ts';
import { complaintsOf, heard, test } from './fixtures.ts';
import { countsTones, TradePage, tonesOf } from './trade-page.ts';

test.use({ thirdExchange: 'live' });

interface Pool {
  readonly margin: readonly { readonly ratio: number | null }[];
}

/**
 * Lowers the price of bitcoin in steps that none of the exchange's marks of danger is missed by, until something is so. Each step
 * has arrived before the next, and from a ratio that is near enough there is none: what is said of it is only waited for.
 */
async function fallsUntil(
  { shock, ratio, near }: { shock: () => Promise<unknown>; ratio: () => Promise<number>; near: number },
  holds: () => Promise<boolean>,
): Promise<void> {
  await expect(async () => {
    if (await holds()) return;
    const before = await ratio();
    if (before < near) {
      await shock();
      // The market may have risen as much meanwhile.
      await expect.poll(ratio, { timeout: 5_000 }).toBeGreaterThan(before);
    }
    expect(await holds()).toBe(true);
  }).toPass({ timeout: 180_000, intervals: [1_500] });
}

/**
 * What comes before a liquidation, exchange by exchange: at what leverage and value the ratio begins just below, and what is said.
 * Bybit's documents have no such message: there the ratio on the page says it.
 */
const CALLS = [
  {
    ...{ venue: BINANCE, leverage: 150, usdt: 128_000, factor: 0.9997, from: 0.4, near: 0.83 },
    ...{ said: /^Margin call at Binance: BTCUSDT/, alarm: true },
  },
  {
    ...{ venue: OKX, leverage: 100, usdt: 62_000, factor: 0.9997, from: 0.2, near: 0.36 },
    ...{ said: /^Margin call at OKX: BTC-USDT-SWAP/, alarm: false },
  },
  {
    ...{ venue: BYBIT, leverage: 100, usdt: 82_000, factor: 0.9996, from: 0.3, near: 0.87 },
    ...{ said: /^Margin ratio at Bybit: (≈ )?(8[5-9]|9\d|100)\.\d %/, alarm: true },
  },
] as const;
for (const { venue, leverage, usdt, factor, from, near, said, alarm } of CALLS)
  test(`near liquidation at ${venue.slug} is a toast that offers margin, a notice and a sound @full`, async ({
    installation,
    memberPage,
  }) => {
    test.setTimeout(300_000);
    const client = await withMargin(installation, venue);
    const { platformType, symbol } = venue;
    await client.must('connextrade/SetLeverage', { platformType, symbol, leverage: String(leverage) });
    const page = await memberPage({ email: '', password: '', client });
    const complaints = complaintsOf(page);
    await countsTones(page);
    const trade = new TradePage(page);
    await trade.openPath(installation.url, `/futures/${venue.slug}/${symbol}`);
    const coins = Math.floor((usdt / Number(await trade.best('Bid'))) * 1_000) / 1_000;
    const order = {
      ...{ platformType, symbol, effect: '0', reduceOnly: 'false', timeInForce: '1', tinstType: '2' },
      ...{ marginMode: 'cross', side: '1', orderType: '2', leverage: String(leverage) },
    };
    const quantity = (coins / venue.contract).toFixed(3);
    await client.must('connextrade/PlaceOrder', { ...order, quantity });
    await heard(page, /^Bought/);
    await trade.connection.getByRole('status').click();
    const ratio = async () =>
      (await client.must<Pool>('connextrade/CurPositionList', { platformType })).margin[0]?.ratio ?? 0;
    await expect.poll(ratio).toBeGreaterThan(from);
    await expect(trade.rows()).toContainText([`${sized(venue, coins)} BTC`]);

    const before = await tonesOf(page);
    const market = { venue: venue.slug, symbol, market: 'perps' };
    await fallsUntil(
      { shock: () => installation.simulate('shock', { ...market, factor }), ratio, near },
      () =>
        page.evaluate(
          (words) => (window.toastsSaid ?? []).some((one) => new RegExp(words).test(one)),
          said.source,
        ),
    );
    await heard(page, new RegExp(`${said.source}.*Add margin.*Close…`, 's'));
    // An alarm has four tones, a warning two.
    await expect.poll(() => tonesOf(page)).toBeGreaterThanOrEqual(before + (alarm ? 4 : 2));
    if (alarm) await expect(page).toHaveTitle(/^\(\d+\) alarm/i);
    await page.getByRole('button', { name: /^Notices/ }).click();
    await expect(page.getByRole('dialog', { name: 'Notices' }).getByText(said).first()).toBeVisible();
    expect(complaints.all).toEqual([]);
  });
