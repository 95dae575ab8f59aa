import { expect, type Locator, type Page } from '@playwright/test';

/** The tabs of the panel below the chart. */
export type OrdersTab = 'Open orders' | 'Order history' | 'Trade history' | 'Assets';

/** The trade page by the names a screen reader says. */
export class TradePage {
  readonly page: Page;
  readonly ticket: Locator;
  readonly book: Locator;
  readonly chart: Locator;
  readonly connection: Locator;
  readonly orders: Locator;

  constructor(page: Page) {
    this.page = page;
    this.ticket = page.getByRole('region', { name: 'Order ticket' });
    this.book = page.getByRole('region', { name: 'Order book' });
    this.chart = page.getByRole('region', { name: 'Chart', exact: true });
    this.connection = page.getByRole('region', { name: 'Connection' });
    this.orders = page.getByRole('region', { name: 'Orders and balances' });
  }

  /** Opens a pair of Binance and waits until the market is live. */
  open(url: string, symbol = 'BTCUSDT'): Promise<void> {
    return this.openPath(url, `/spot/binance/${symbol}`);
  }

  /** Opens a market by its path and waits until it is live. */
  async openPath(url: string, path: string): Promise<void> {
    await this.page.goto(`${url}${path}`);
    await this.live();
  }

  /** The status bar says that the figures are live, and the book has both sides. */
  async live(): Promise<void> {
    await expect(this.connection.getByRole('status')).toHaveText('Live');
    await expect(this.book.getByRole('row', { name: /^Bid / }).first()).toBeAttached();
    await expect(this.book.getByRole('row', { name: /^Ask / }).first()).toBeAttached();
  }

  /** Rows of the book as a screen reader reads them: side, price, size. */
  async bookRows(): Promise<readonly string[]> {
    return await this.book.getByRole('row').allInnerTexts();
  }

  /** Best price of a side, as text without separators. */
  async best(side: 'Bid' | 'Ask'): Promise<string> {
    const row = this.book.getByRole('row', { name: new RegExp(`^${side} `) }).first();
    return ((await row.getByRole('cell').nth(1).textContent()) ?? '').replaceAll(',', '');
  }

  field(name: 'Price' | 'Quantity' | 'Spend'): Locator {
    return this.ticket.getByRole('textbox', { name, exact: true });
  }

  async side(side: 'Buy' | 'Sell'): Promise<void> {
    await this.ticket.getByRole('button', { name: side, exact: true }).click();
  }

  async type(type: 'Limit' | 'Market'): Promise<void> {
    const types = this.ticket.getByRole('group', { name: 'Order type' });
    await types.getByRole('button', { name: type, exact: true }).click();
  }

  /** Presses the button that sends. */
  async send(side: 'Buy' | 'Sell', asset = 'BTC'): Promise<void> {
    await this.sendButton(side, asset).click();
  }

  /** The button that sends: a sentence that begins with what is done, how much of it, and the asset. */
  sendButton(side: 'Buy' | 'Sell', asset = 'BTC'): Locator {
    return this.ticket.getByRole('button', { name: new RegExp(`^${side} (?:[\\d,.]+ )?${asset}\\b`) });
  }

  async tab(name: OrdersTab): Promise<void> {
    await this.orders.getByRole('tab', { name: new RegExp(`^${name}`) }).click();
  }

  /** Rows of the table under the open tab, without its head. */
  rows(): Locator {
    return this.orders
      .getByRole('tabpanel')
      .getByRole('row')
      .filter({ has: this.page.getByRole('cell') });
  }

  /** Texts of the rows once there are any; a table that is still loading has rows that say nothing. */
  async #said(): Promise<readonly string[]> {
    let said: readonly string[] = [];
    await expect
      .poll(async () => {
        said = (await this.rows().allInnerTexts()).filter((text) => text.trim() !== '');
        return said.length;
      })
      .toBeGreaterThan(0);
    return said;
  }

  /** Cells of the asset table by asset (of contracts: `USDT Futures`): total as shown. */
  async assets(): Promise<ReadonlyMap<string, string>> {
    await this.tab('Assets');
    return new Map(
      (await this.#said()).map((text) => {
        const [asset = '', total = ''] = text.split('\t').map((cell) => cell.trim());
        return [asset.replace(/\s+Spot$/, ''), total] as const;
      }),
    );
  }

  /** Trade history as shown, newest first, one text per row. */
  async fills(): Promise<readonly string[]> {
    await this.tab('Trade history');
    return await this.#said();
  }

  /** Writes a whole limit order into the ticket. */
  async limit(price: string, quantity: string, time = 'GTC: until cancelled'): Promise<void> {
    await this.type('Limit');
    await this.field('Price').fill(price);
    await this.field('Quantity').fill(quantity);
    await this.ticket.getByRole('combobox', { name: 'Time in force' }).selectOption({ label: time });
  }

  /** A price this share away from the best bid, on a whole dollar and so on every tick. */
  async priceAwayFromBid(share: number): Promise<string> {
    return String(Math.round(Number(await this.best('Bid')) * (1 + share)));
  }
}

/**
 * Colours on the canvases of a part of the page; a blank canvas has one. Each canvas is copied before it is read: Chromium
 * warns on the console of a page whose own canvas is read a second time, and a look that is repeated must leave no trace.
 */
export function coloursPainted(part: Locator): Promise<number> {
  return part.locator('canvas').evaluateAll((canvases) => {
    const colours = new Set<number>();
    for (const element of canvases) {
      const canvas = element as HTMLCanvasElement;
      if (canvas.width === 0 || canvas.height === 0) continue;
      const copy = document.createElement('canvas');
      copy.width = canvas.width;
      copy.height = canvas.height;
      const surface = copy.getContext('2d', { willReadFrequently: true });
      surface?.drawImage(canvas, 0, 0);
      const pixels = surface?.getImageData(0, 0, copy.width, copy.height);
      for (const pixel of new Uint32Array(pixels?.data.buffer ?? new ArrayBuffer(0))) colours.add(pixel);
    }
    return colours.size;
  });
}

/** What the canvases of a part show, as one text: equal texts are equal pictures. */
export function picture(part: Locator): Promise<string> {
  return part
    .locator('canvas')
    .evaluateAll((canvases) => canvases.map((canvas) => (canvas as HTMLCanvasElement).toDataURL()).join());
}

/** Counts the tones that a page starts, from its next load on. */
export function countsTones(page: Page): Promise<unknown> {
  return page.addInitScript(() => {
    const { start } = OscillatorNode.prototype;
    OscillatorNode.prototype.start = function counted(...when): void {
      const { dataset } = document.documentElement;
      dataset.tones = String(Number(dataset.tones ?? 0) + 1);
      start.apply(this, when);
    };
  });
}

/** How many it has started since it was loaded. */
export function tonesOf(page: Page): Promise<number> {
  return page.evaluate(() => Number(document.documentElement.dataset.tones ?? 0));
}
