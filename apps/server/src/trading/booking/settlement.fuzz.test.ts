import {
  type Amount,
  amount,
  type Millis,
  SIDE,
  type VenueFill,
  type VenueTradeId,
  ZERO,
} from '@crossbook/domain';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { openedOnce } from '../../../../../tests/opened.ts';
import { lookUp } from '../../intents/step.ts';
import { ledgerBreaches } from '../../storage/ledger/ledger-check.ts';
import type { StoredOrder } from '../order.ts';
import { onVenueEvent } from '../orders/on-venue-event.ts';
import { orderRules } from '../orders/order-intent.ts';
import {
  CANCELLED,
  FILLED,
  fillOf,
  OPEN,
  openTradingWorld,
  PART,
  stateOf,
} from '../trading-world.fixture.ts';

const world = openedOnce(openTradingWorld);

/** One part of an order's execution: lots of a thousandth, price in tenths, where the fee is taken. */
interface Part {
  readonly lots: number;
  readonly tenths: number;
  readonly feeAsset: 'BTC' | 'USDT' | 'BNB';
}

/** What a venue did with an order, and how the hub heard of it: which fills in which order, how often, which last. */
interface Story {
  readonly sell: boolean;
  readonly parts: readonly Part[];
  readonly cancelled: boolean;
  /** Fills told of, as places in `parts`, in the order of arrival; one may come often, one never. */
  readonly heard: readonly number[];
  /** After which of them the venue says how the order ended, before the fills it missed. */
  readonly endAt: number;
  /** How much more than was held the venue's prices cost: tenths above the limit. */
  readonly above: number;
}

const story: fc.Arbitrary<Story> = fc.record({
  sell: fc.boolean(),
  parts: fc.array(
    fc.record({
      lots: fc.integer({ min: 60, max: 350 }),
      tenths: fc.integer({ min: 0, max: 20 }),
      feeAsset: fc.constantFrom('BTC' as const, 'BTC' as const, 'USDT' as const, 'BNB' as const),
    }),
    { minLength: 1, maxLength: 5 },
  ),
  cancelled: fc.boolean(),
  heard: fc.array(fc.nat(4), { maxLength: 8 }),
  endAt: fc.nat(8),
  above: fc.constantFrom(0, 0, 0, 40),
});

let trades = 0;

/** The venue's own books of a story: its fills, and how the order ended. */
function executed(reported: Story): readonly VenueFill[] {
  return reported.parts.map((part) => {
    trades += 1;
    const quantity = (BigInt(part.lots) * 10n ** 15n) as Amount;
    const tenths = BigInt(reported.sell ? 1_000 + part.tenths : 1_000 - part.tenths + reported.above);
    const quoteQuantity = ((quantity * tenths) / 10n) as Amount;
    const fee = ((part.feeAsset === 'USDT' ? quoteQuantity : quantity) / 1_000n) as Amount;
    const price = (tenths * 10n ** 17n) as Amount;
    const trade = { tradeId: String(trades) as VenueTradeId, time: trades as Millis };
    return fillOf(trades, '1', { ...trade, quantity, quoteQuantity, price, fee, feeAsset: part.feeAsset });
  });
}

const sum = (fills: readonly VenueFill[], value: 'quantity' | 'quoteQuantity'): Amount =>
  fills.reduce((total, fill) => (total + fill[value]) as Amount, ZERO);

/** A model in a few lines: what the member should own after the fills, whatever was heard when. */
function expectedChange(reported: Story, fills: readonly VenueFill[]): ReadonlyMap<string, bigint> {
  const change = new Map<string, bigint>([
    ['BTC', reported.sell ? -sum(fills, 'quantity') : sum(fills, 'quantity')],
    ['USDT', reported.sell ? sum(fills, 'quoteQuantity') : -sum(fills, 'quoteQuantity')],
    ['BNB', 0n],
  ]);
  for (const { fee, feeAsset } of fills) change.set(feeAsset, (change.get(feeAsset) ?? 0n) - fee);
  return change;
}

/** Wallet and debt together: what a venue took that we did not hold for stands as a debt, and is not lost. */
async function owned(user: StoredOrder['user']): Promise<ReadonlyMap<string, bigint>> {
  const owns = new Map<string, bigint>();
  for (const asset of ['BTC', 'USDT', 'BNB']) {
    const debt = await world.ledger.balanceOf({ class: 'EXTERNAL', counterparty: 'debt:1', asset });
    const wallet = await world.ledger.balanceOf({ class: 'TRADING', user, platform: 1, asset });
    expect(wallet.available).toBeGreaterThanOrEqual(0n);
    owns.set(asset, wallet.total + debt.total);
  }
  return owns;
}

async function hear(order: StoredOrder, reported: Story, fills: readonly VenueFill[]): Promise<void> {
  const seen: VenueFill[] = [];
  const end = reported.cancelled ? CANCELLED : FILLED;
  const update = async (status: StoredOrder['status'], cumulative: Amount, fill: readonly VenueFill[]) => {
    const state = { ...stateOf(order, status, '0'), cumulativeQuantity: cumulative };
    await onVenueEvent(world.deps, order.id, { state, fills: fill, barrier: false });
    const { settled, cumQuantity } = await world.order(order.id);
    // Money is never freed while a fill that the venue made is missing, in whatever order its words come.
    if (settled) expect(cumQuantity).toBe(sum(fills, 'quantity'));
  };
  for (const [at, place] of reported.heard.entries()) {
    if (at === reported.endAt) await update(end, sum(fills, 'quantity'), []);
    const fill = fills[place];
    if (fill === undefined) continue;
    seen.push(fill);
    const before = fills.slice(0, place + 1);
    const last = place === fills.length - 1 && !reported.cancelled;
    await update(last ? FILLED : PART, sum(before, 'quantity'), [fill]);
  }
}

test('however an order and its fills are heard, the member ends with what the venue did, once', async () => {
  let members = 1_000;
  await fc.assert(
    fc.asyncProperty(story, async (reported) => {
      members += 1;
      const user = members as StoredOrder['user'];
      await world.account(user);
      await world.fund('USDT', '200', user);
      await world.fund('BTC', '2', user);
      const fills = executed(reported);
      const quantity = (sum(fills, 'quantity') + (reported.cancelled ? 10n ** 15n : 0n)) as Amount;
      const side = reported.sell ? SIDE.SELL : SIDE.BUY;
      const before = await owned(user);
      const order = await world.reserved({ user, side, quantity, price: amount('100') });
      await onVenueEvent(world.deps, order.id, {
        state: stateOf(order, OPEN, '0'),
        fills: [],
        barrier: false,
      });
      await hear(order, reported, fills);
      world.venue.answers = {
        find: async () => ({
          outcome: 'found',
          value: {
            ...stateOf(order, reported.cancelled ? CANCELLED : FILLED, '0'),
            cumulativeQuantity: sum(fills, 'quantity'),
          },
        }),
        fillsOfOrder: async () => ({ ok: true, value: fills }),
      };
      const rules = orderRules(world.deps, { lookupsMin: 1, spanMillisMin: 0 });
      for (let twice = 0; twice < 2; twice += 1) {
        const looked = await lookUp(rules, world.time.clock, order.id);
        expect(looked).toEqual({ outcome: 'done' });
      }
      const end = await world.order(order.id);
      expect(end).toMatchObject({ settled: true, cumQuantity: sum(fills, 'quantity') });
      expect(await world.orders.fillsOfOrder(order.id)).toHaveLength(fills.length);
      expect(await world.hold(order.id)).toMatchObject({ released: true });
      const after = await owned(user);
      for (const [asset, change] of expectedChange(reported, fills)) {
        expect([asset, (after.get(asset) ?? 0n) - (before.get(asset) ?? 0n)]).toEqual([asset, change]);
      }
      for (const row of await world.ledger.tradingBalances(user, 1)) expect(row.held).toBe(0n);
    }),
    { numRuns: 60 },
  );
  expect(await ledgerBreaches(world.database.database, 'fold')).toEqual([]);
});
