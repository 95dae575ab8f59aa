import { expect, type Locator } from '@playwright/test';
import type { HubClient } from './hub-client.ts';
import type { TradePage } from './trade-page.ts';

/** Orders that wait for a price, by what a member does with them on a trade page. */

/** The trade page of a member with a whole screen of the rows below the chart. */
export interface Sitting {
  readonly client: HubClient;
  readonly trade: TradePage;
}

const EDITS_TRIGGER = /^Edit (?:stop|stop-loss|take-profit) [\d,.]+ /;

/** The rows of the tab of orders that wait. */
export async function waiting({ trade }: Sitting): Promise<Locator> {
  await trade.orders.getByRole('tab', { name: /^Conditional/ }).click();
  return trade.rows();
}

/** Writes what a conditional ticket waits for. */
export async function conditional(
  { trade }: Sitting,
  kind: string,
  fields: Readonly<Record<string, string>>,
): Promise<void> {
  const { ticket } = trade;
  await ticket.getByRole('button', { name: 'Conditional', exact: true }).click();
  await ticket.getByRole('combobox', { name: 'Kind', exact: true }).selectOption({ label: kind });
  for (const [field, text] of Object.entries(fields)) {
    await ticket.getByRole('textbox', { name: field, exact: true }).fill(text);
  }
}

/** A share of the best bid, on a whole dollar. */
export async function share({ trade }: Sitting, of: number): Promise<string> {
  return String(Math.round(Number(await trade.best('Bid')) * of));
}

/** Cancels the newest that waits. */
export async function cancels(sitting: Sitting): Promise<void> {
  const rows = await waiting(sitting);
  await rows
    .first()
    .getByRole('button', { name: /^Cancel/ })
    .click();
  await expect(rows.first()).toContainText('cancelled');
}

/** Writes another trigger into the newest row; Enter sends it. */
export async function editsTrigger({ trade }: Sitting, rows: Locator, trigger: string): Promise<void> {
  await rows.first().getByRole('button', { name: EDITS_TRIGGER }).click();
  await trade.orders.getByRole('textbox', { name: EDITS_TRIGGER }).fill(trigger);
  await trade.page.keyboard.press('Enter');
}

/** The trigger of the newest row as it is shown. */
export function shownTrigger(rows: Locator): Locator {
  return rows.first().getByRole('button', { name: EDITS_TRIGGER });
}

/** Writes take-profit and stop-loss into fields, each in its unit. */
export async function targets(
  fields: Locator,
  asked: readonly { readonly name: string; readonly unit: string; readonly text: string }[],
): Promise<void> {
  for (const { name, unit, text } of asked) {
    await fields.getByRole('combobox', { name: `${name}: Given in` }).selectOption(unit);
    await fields.getByRole('textbox', { name, exact: true }).fill(text);
  }
}

/**
 * The element that the chart is drawn in says that there is something to take hold of. Its heights are tried in the page itself: a
 * hundred pointer moves from outside take minutes on a busy machine.
 */
export async function findsLine({
  trade,
}: Pick<Sitting, 'trade'>): Promise<{ readonly x: number; readonly y: number } | undefined> {
  const box = await trade.chart.boundingBox();
  if (box === null) throw new Error('the chart is not on screen');
  const area = { x: box.x + box.width / 3, top: box.y + 60, bottom: box.y + box.height - 120 };
  return await trade.chart.locator('[data-lines]').evaluate((element, { x, top, bottom }) => {
    for (let y = top; y < bottom; y += 3) {
      const at = { clientX: x, clientY: y, pointerType: 'mouse', bubbles: true };
      element.dispatchEvent(new PointerEvent('pointermove', at));
      // The first height is the edge of what can be taken hold of: the line lies some pixels below.
      if ((element as HTMLElement).style.cursor === 'ns-resize') return { x, y: y + 3 };
    }
    return undefined;
  }, area);
}

/** Draws the price scale together, so that prices beyond all bars are in sight as well. */
export async function widens({ trade }: Pick<Sitting, 'trade'>): Promise<void> {
  const { mouse } = trade.page;
  // Until its bars are there nothing in it is taken hold of.
  await expect(trade.chart.locator('[aria-busy="true"]')).toHaveCount(0);
  const box = await trade.chart.boundingBox();
  if (box === null) throw new Error('no chart');
  const x = box.x + box.width - 25;
  const y = box.y + box.height / 2;
  await mouse.move(x, y);
  await mouse.down();
  await mouse.move(x, y + 60, { steps: 6 });
  await mouse.up();
}

/** Drags a line from a height to another, and lets it go there. */
export async function drags(
  { trade }: Pick<Sitting, 'trade'>,
  x: number,
  from: number,
  to: number,
): Promise<void> {
  const { mouse } = trade.page;
  await mouse.move(x, from);
  await mouse.down();
  await mouse.move(x, to, { steps: 4 });
}
