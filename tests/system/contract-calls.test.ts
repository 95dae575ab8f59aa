import type { CallInput } from '@crossbook/contract';
import { type Amount, amount, floorTo, formatAmount, minus, platformFacts, plus } from '@crossbook/domain';
import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import type { TestBrowser } from '../../apps/server/src/main/testing.ts';
import { playedHub } from '../played-hub.ts';
import { FULL } from '../property-runs.ts';
import {
  expectBooksEqual,
  memberWithMargin,
  orderAsSeen,
  ordersOf,
  setLeverage,
  trade,
} from './contract-books.ts';
import { CONTRACT_VENUES, type ContractVenue } from './contract-venues.ts';
import { until } from './hub-process.ts';
import { expectNoAccountAnswers } from './no-account-claims.ts';
import { platformOf } from './venue-money.ts';

vi.setConfig({ testTimeout: 900_000 });

const BUY = 1;
const SELL = 2;

type Mode = 'cross' | 'isolated';
type Positions = 'one-way' | 'hedge';

/** Sets both modes; at a venue that is told the margin mode with every order there is nothing to set. */
async function setModes(
  member: TestBrowser,
  { platformType, symbol }: ContractVenue,
  { margin, positions }: { readonly margin: Mode; readonly positions: Positions },
): Promise<void> {
  const at = { platformType, symbol } as const;
  for (const done of [
    await member.call('connextrade/ChangePositionMode', { ...at, positionMode: positions }),
    await member.call('x/trade/MarginMode', { ...at, marginMode: margin }),
  ])
    expect(done.code, done.msg).toBe(1);
}

/**
 * One order after the other, each of the size of the test: what it is, how it is answered (the code of the catalogue; 1 is
 * taken), and the positions then, in sizes of the test. 3021: the account is not set so; 3014: it cannot be meant; 3017:
 * the exchange says no.
 */
const ORDERS: Readonly<
  Record<Positions, readonly (readonly [side: 1 | 2, effect: 0 | 1 | 2, reduces: boolean, number, string])[]>
> = {
  'one-way': [
    [SELL, 0, true, 3017, ''],
    [BUY, 1, false, 3021, ''],
    [SELL, 2, false, 3021, ''],
    [BUY, 0, false, 1, '0:1'],
    [BUY, 0, true, 3017, '0:1'],
    [BUY, 0, false, 1, '0:2'],
    [SELL, 0, true, 1, '0:1'],
    [SELL, 0, false, 1, ''],
    [SELL, 0, false, 1, '0:-1'],
    [BUY, 0, true, 1, ''],
  ],
  hedge: [
    [BUY, 0, false, 3021, ''],
    [SELL, 0, false, 3021, ''],
    [BUY, 1, true, 3014, ''],
    [SELL, 2, true, 3014, ''],
    [SELL, 1, false, 3017, ''],
    [BUY, 2, false, 3017, ''],
    [BUY, 1, false, 1, '1:1'],
    [SELL, 2, false, 1, '1:1 2:1'],
    [SELL, 1, false, 1, '2:1'],
    [BUY, 2, true, 1, ''],
  ],
};

/** Each with each at the first venue and in the full tier; at the others both of each, before it. */
function modesAt({ name }: ContractVenue) {
  const all = (['one-way', 'hedge'] as const).flatMap((positions) =>
    (['cross', 'isolated'] as const).map((margin) => ({ margin, positions })),
  );
  return FULL || name === 'Binance' ? all : all.filter((_, at) => at === 0 || at === all.length - 1);
}

/** Positions in sizes of the test, such as `1:1 2:1` for both legs of one size. */
async function positionsOf(member: TestBrowser, { platformType, size }: ContractVenue): Promise<string> {
  const { data } = await member.call('connextrade/CurPositionList', { platformType });
  return (data?.positions ?? [])
    .map(({ effect, quantity }) => `${effect}:${Number(quantity) / Number(size)}`)
    .sort()
    .join(' ');
}

interface Tried {
  readonly beyond: string;
  readonly within: string;
}

function isBoundary({ beyond, within }: Tried): boolean {
  return beyond.startsWith('refused') && within === 'taken';
}

// Each venue has processes of its own, so that its rows wait beside those of the others.
describe.concurrent.each(CONTRACT_VENUES)('contracts at $name', (venue) => {
  describe('call by call', { concurrent: false }, () => claimCalls(venue));
});

function claimCalls(venue: ContractVenue): void {
  const { simulator, hub } = playedHub({ PLATFORM_3: 'live' });
  const parts = () => ({ hub, simulator });
  const { platformType, symbol, lot } = venue;
  const slug = platformFacts(platformOf(venue)).slug;

  test.each(modesAt(venue))(
    'every side and effect, $margin, $positions: taken or refused by name',
    async (modes) => {
      const member = await memberWithMargin(parts(), venue, '5000');
      await setModes(member, venue, modes);
      for (const [at, [side, effect, reduceOnly, code, after]] of ORDERS[modes.positions].entries()) {
        const asked = { side, effect, reduceOnly, marginMode: modes.margin } as const;
        const answer = await member.call('connextrade/PlaceOrder', await orderAsSeen(member, venue, asked));
        const what = `${at}: ${JSON.stringify(asked)}`;
        // Where an answer is a receipt, the refusal comes as the order's end.
        const refusedLater = code === 3017 && answer.code === 1;
        expect([what, refusedLater ? 3017 : answer.code, answer.msg]).toEqual([
          what,
          code,
          expect.anything(),
        ]);
        await until(
          () => positionsOf(member, venue),
          (shown) => shown === after,
        );
        await expectBooksEqual(parts(), member, venue);
      }
    },
  );

  test('who has no account there is told the right reason by every call', async () => {
    await expectNoAccountAnswers(hub, venue);
  });

  test('the tiers of the family that a contract is listed with begin at nothing and follow each other', async () => {
    const member = await memberWithMargin(parts(), venue, '1000');
    const about = { platformType, tstate: 1, tinstType: 2, tinstId: symbol } as const;
    const { data: [listed] = [] } = (await member.call('connexbasicdata/QuerySymInfo', about)) as {
      readonly data?: readonly { readonly tinstFamily: string; readonly tlever: number }[];
    };
    expect(listed?.tinstFamily).toBe('BTC-USDT');
    const asked = { platformType, sym: listed?.tinstFamily ?? '' };
    const { data: tiers, msg } = await member.call('connextrade/GetPositionTiers', asked);
    if (tiers === null) throw new Error(msg);
    expect(tiers.map(({ tier }) => tier)).toEqual(tiers.map((_, at) => at + 1));
    expect(tiers.map(({ floor }) => floor)).toEqual(['0', ...tiers.slice(0, -1).map(({ cap }) => cap)]);
    const { data: setting } = await member.call('connextrade/GetLeverage', { platformType, symbol });
    expect(setting?.maxLeverage).toBe(tiers[0]?.maxLeverage);
    // Binance lists no leverage: 5 stands in its place (spec section 9).
    expect(listed?.tlever).toBe(venue.name === 'Binance' ? 5 : tiers[0]?.maxLeverage);
    expect(await member.call('connextrade/GetPositionTiers', { platformType, sym: symbol })).toMatchObject({
      data: tiers,
    });
    const other = { platformType, sym: 'NOSUCH-USDT' };
    expect(await member.call('connextrade/GetPositionTiers', other)).toMatchObject({
      code: 3002,
      data: null,
    });
  });

  // Legs are closed in each venue's own way; the quick tier's browser flow has the other mode.
  test.each(FULL ? (['one-way', 'hedge'] as const) : (['hedge'] as const))(
    '%s: closing at a limit that may only make waits reduce-only; one that would take closes nothing',
    async (positions) => {
      const member = await memberWithMargin(parts(), venue, '5000');
      await setModes(member, venue, { margin: 'cross', positions });
      const effect = positions === 'hedge' ? 1 : 0;
      await trade(member, venue, { side: BUY, effect });
      const close = async (price?: string) =>
        member.call('connextrade/ClosePosition', {
          ...{ platformType, symbol, effect },
          ...(price === undefined ? {} : { price, timeInForce: 4 as const }),
        });
      const waits = await close(await restingPrice(member, SELL, 20));
      expect(waits).toMatchObject({
        code: 1,
        data: { outcome: 'sent', order: { timeInForce: 4, side: SELL } },
      });
      const [rests] = await until(
        async () => (await member.call('connextrade/CurOrderList', { platformType })).data ?? [],
        (rows) => rows.length === 1 && rows[0]?.status === 2,
      );
      expect(rests).toMatchObject({ timeInForce: 4, reduceOnly: true, quantity: venue.size, effect });
      // By the id of the exchange, as its row tells it.
      const cancelled = await member.call('connextrade/CancelOrder', {
        ...{ platformType, orderId: rests?.venueOrderId ?? '' },
      });
      expect(cancelled, cancelled.msg).toMatchObject({ code: 1, data: { orderId: rests?.orderId } });
      await expectBooksEqual(parts(), member, venue);
      // Below the market a sell would take: the exchange says so at once, or ends the order unfilled.
      const taking = await close(await restingPrice(member, BUY, 20));
      expect(taking.code, taking.msg).toBe(1);
      await until(
        async () => (await member.call('connextrade/CurOrderList', { platformType })).data ?? [],
        (rows) => rows.length === 0,
      );
      const { data } = await member.call('connextrade/OrderHistory', { platformType, tinstType: 2 });
      const ends = data?.rows.filter(({ timeInForce }) => timeInForce === 4) ?? [];
      expect(ends.map(({ cumQuantity }) => cumQuantity)).toEqual(ends.map(() => '0'));
      if (taking.data?.outcome !== 'refused') expect(ends).toHaveLength(2);
      expect(await positionsOf(member, venue)).toBe(`${effect}:1`);
      expect(await close()).toMatchObject({ code: 1, data: { outcome: 'sent' } });
      expect(await expectBooksEqual(parts(), member, venue)).toEqual([]);
    },
  );

  test('legs with limits close a part of a position, given with an order or afterwards', async () => {
    const member = await memberWithMargin(parts(), venue, '5000');
    await setModes(member, venue, { margin: 'cross', positions: 'one-way' });
    await trade(member, venue, { side: BUY });
    const seen = await orderAsSeen(member, venue, { side: SELL });
    const { orderType: _, quantity, ...terms } = seen;
    const leg = { ...terms, reduceOnly: true, algoType: 'stop' } as const;
    const [near, rests] = [await restingPrice(member, BUY, 10), await restingPrice(member, SELL, 10)];
    const stop = { ...leg, quantity, triggerPrice: near, price: rests } as const;
    const far = await restingPrice(member, SELL, 100);
    const target = { ...leg, quantity, algoType: 'take-profit', triggerPrice: far, price: far } as const;
    // Made by the exchange with the order, or by the hub after it.
    await trade(member, venue, { side: BUY, takeProfit: far, takeProfitPrice: far });
    for (const order of [stop, target]) {
      const placed = await member.call('connextrade/PlaceAlgoOrder', order);
      expect(placed.code, placed.msg).toBe(1);
    }
    const waiting = async () =>
      (await member.call('connextrade/CurAlgoOrderList', { platformType })).data ?? [];
    const rows = await until(
      waiting,
      (found) => found.length === 3 && found.every(({ state }) => state === 'waiting'),
    );
    const brought = rows.filter(({ parentOrderId }) => parentOrderId !== null);
    expect(brought).toMatchObject([{ quantity, takeProfit: { triggerPrice: far, price: far } }]);
    await simulator.admin('shock', { venue: slug, market: 'perps', symbol, factor: 0.97 });
    const [child] = await until(
      async () => (await member.call('connextrade/CurOrderList', { platformType })).data ?? [],
      (rows) => rows.length === 1 && rows[0]?.status === 2,
    );
    expect(child).toMatchObject({ side: SELL, price: rests, quantity, reduceOnly: true, cumQuantity: '0' });
    await member.call('connextrade/CancelAll', { platformType, symbol });
    expect(await member.call('connextrade/ClosePositionAll', { platformType })).toMatchObject({ code: 1 });
    // What waited for the position ends with it.
    await until(waiting, (left) => left.length === 0);
    expect(await expectBooksEqual(parts(), member, venue)).toEqual([]);
  });

  test.each([
    ['one-way', 0, '0:-1'],
    ['hedge', 1, '2:1'],
  ] as const)(
    '%s: a position turned around is as large on the other side',
    async (positions, effect, after) => {
      const member = await memberWithMargin(parts(), venue, '5000');
      await setModes(member, venue, { margin: 'cross', positions });
      await trade(member, venue, { side: BUY, effect });
      await expectBooksEqual(parts(), member, venue);
      const { leverage = 20 } = await orderAsSeen(member, venue, {});
      const seen = { platformType, symbol, effect, leverage } as const;
      const turned = await member.call('x/trade/ReversePosition', { ...seen, side: 1 });
      expect(turned).toMatchObject({ code: 1, data: { outcome: 'sent', half: false } });
      await until(
        () => positionsOf(member, venue),
        (shown) => shown === after,
      );
      await expectBooksEqual(parts(), member, venue);
      // What was long is not any more.
      expect(await member.call('x/trade/ReversePosition', { ...seen, side: 1 })).toMatchObject({
        data: null,
      });
      await member.call('connextrade/ClosePositionAll', { platformType });
      expect(await expectBooksEqual(parts(), member, venue)).toEqual([]);
    },
  );

  test('what AvailableOpen and AvailableClose say is taken, and one lot more is not', async () => {
    const standStill = (paused: boolean) => simulator.admin('agents', { venue: slug, paused });
    const scene = fc.record({
      leverage: fc.constantFrom(2, 5, 9, 20),
      side: fc.constantFrom<1 | 2>(BUY, SELL),
      margin:
        venue.calls.marginMode === undefined
          ? fc.constant('cross' as const)
          : fc.constantFrom<Mode>('cross', 'isolated'),
      positions: fc.constantFrom<Positions>('one-way', 'hedge'),
      /** In per mille of the mark; far enough from the market to rest. */
      below: fc.integer({ min: 2, max: 60 }),
      /** What is held already lies on the side of the order. */
      same: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(scene, async ({ leverage, side, margin, positions, below, same }) => {
        // One of his own for each: a member has a tenth of Binance's budget a minute for such questions.
        const member = await memberWithMargin(parts(), venue, '3000');
        await setModes(member, venue, { margin, positions });
        const at = { platformType, symbol } as const;
        const [effect, held] =
          positions === 'one-way' ? ([0, 0] as const) : ([side, same ? side : 3 - side] as const);
        for (const leg of positions === 'one-way' ? ([0] as const) : ([1, 2] as const)) {
          await setLeverage(member, {
            ...at,
            leverage,
            effect: leg,
            marginMode: margin,
          });
        }
        // An order at market opens against fresh prices alone, and a market that stands still has none.
        await standStill(false);
        await trade(member, venue, {
          side: (same ? side : 3 - side) as 1 | 2,
          effect: held as 0 | 1 | 2,
          marginMode: margin,
        });
        await standStill(true);
        await expectBooksEqual(parts(), member, venue);
        const close = await member.call('connextrade/AvailableClose', {
          ...{ ...at, effect: held as 0 | 1 | 2, marginMode: margin },
        });
        expect(close.data).toEqual({ quantity: venue.size, inClosingOrders: '0' });
        const price = await restingPrice(member, side, below);
        const part = { side, effect, orderType: 1, price, marginMode: margin } as const;
        // The mark moves between question and order: a boundary that is right is met while it stands still.
        let seen = await availableTried(member, part);
        for (let again = 0; again < 3 && !isBoundary(seen); again += 1)
          seen = await availableTried(member, part);
        expect(seen).toSatisfy(isBoundary);
        await expectCloseBoundary(member, {
          ...{ side: (same ? 3 - side : side) as 1 | 2, effect: held as 0 | 1 | 2, marginMode: margin },
          ...(positions === 'one-way' ? { reduceOnly: true } : {}),
        });
        expect(await expectBooksEqual(parts(), member, venue)).toEqual([]);
      }),
      { numRuns: FULL ? 40 : 4, endOnFailure: true },
    );
    await standStill(false);
  });

  test.runIf(FULL)(
    'what AvailableOpen says of a market order is filled, and one lot more is refused',
    async () => {
      const member = await memberWithMargin(parts(), venue, '3000');
      const at = { platformType, symbol } as const;
      await setLeverage(member, { ...at, leverage: 2, effect: 0, marginMode: 'cross' });
      const tried = async (): Promise<string> => {
        const asked = { ...at, side: BUY, effect: 0, marginMode: 'cross' } as const;
        const quantity = amount(
          (await member.call('connextrade/AvailableOpen', asked)).data?.quantity ?? '0',
        );
        const beyond = await outcome(member, { quantity: formatAmount(plus(quantity, lot)) });
        const within = await outcome(member, { quantity: formatAmount(quantity) });
        await member.call('connextrade/ClosePositionAll', { platformType });
        await expectBooksEqual(parts(), member, venue);
        return `${beyond.split(':')[0]}, ${within}`;
      };
      // The market moves between question and order.
      const seen = await until(tried, (said) => said === 'refused, filled');
      expect(seen).toBe('refused, filled');
    },
  );

  /**
   * With a lot of the position in an order that rests: of a leg Binance and OKX take what AvailableClose says and refuse one lot
   * more; everywhere else what exceeds the position is cut off, and no lot more is traded (decision 0067).
   */
  async function expectCloseBoundary(
    member: TestBrowser,
    part: Partial<CallInput<'connextrade/PlaceOrder'>> & { readonly side: 1 | 2; readonly effect: 0 | 1 | 2 },
  ): Promise<void> {
    const { side, effect, marginMode } = part;
    const one = formatAmount(lot);
    const price = await restingPrice(member, side, 70);
    expect(await outcome(member, { ...part, orderType: 1, price, quantity: one })).toBe('taken');
    const { data } = await member.call('connextrade/AvailableClose', {
      ...{ platformType, symbol, effect, marginMode },
    });
    expect(data).toEqual({ quantity: venue.size, inClosingOrders: one });
    const refuses = effect !== 0 && venue.cutsLegs === undefined;
    const size = amount(venue.size);
    const most = refuses && venue.sumsCloses === true ? minus(size, lot) : size;
    const beyond = { ...part, quantity: formatAmount(plus(most, lot)) };
    if (refuses) expect(await outcome(member, beyond)).toMatch(/^refused/);
    const closed = refuses ? { ...part, quantity: formatAmount(most) } : beyond;
    expect(await closedBy(member, closed)).toBe(formatAmount(most));
    await member.call('connextrade/CancelAll', { platformType, symbol });
    await member.call('connextrade/ClosePositionAll', { platformType });
  }

  /** How much an order at market has traded once it is over. */
  async function closedBy(
    member: TestBrowser,
    part: Partial<CallInput<'connextrade/PlaceOrder'>>,
  ): Promise<string | undefined> {
    const { data, msg } = await member.call('connextrade/PlaceOrder', await orderAsSeen(member, venue, part));
    if (data === null) return msg;
    const over = async () => (await ordersOf(member, venue)).find(({ orderId }) => orderId === data.orderId);
    return (await until(over, (row) => row?.settled === true))?.cumQuantity;
  }

  /** A price on the tick, so far from the mark that it rests. */
  async function restingPrice(member: TestBrowser, side: number, below: number): Promise<string> {
    const { data: listed } = await member.call('connexbasicdata/QuerySymInfo', {
      ...{ platformType, tstate: 1, tinstType: 2, tinstId: symbol },
    });
    const [held] = await until(
      async () => (await member.call('connextrade/CurPositionList', { platformType })).data?.positions ?? [],
      (positions) => positions.length > 0,
    );
    const mark = amount(held?.markPrice ?? '0');
    const wanted = (mark * BigInt(side === BUY ? 1_000 - below : 1_000 + below)) / 1_000n;
    return formatAmount(floorTo(wanted as Amount, amount(listed?.[0]?.ttickSz ?? '1')));
  }

  /** Whether the venue has the order now, or why not. */
  /** What becomes of an order of one lot more than AvailableOpen says, and then of one that is as large as it says. */
  async function availableTried(
    member: TestBrowser,
    part: Partial<CallInput<'connextrade/PlaceOrder'>> & { readonly side: 1 | 2; readonly effect: 0 | 1 | 2 },
  ) {
    const { side, effect, price, marginMode } = part;
    const asked = { platformType, symbol, side, effect, price, marginMode };
    const { data, code, msg } = await member.call('connextrade/AvailableOpen', asked);
    expect(code, msg).toBe(1);
    const quantity = amount(data?.quantity ?? '0');
    expect(quantity > 0n).toBe(true);
    const sized = (size: Amount) => ({ ...part, quantity: formatAmount(size) });
    const beyond = await outcome(member, sized(plus(quantity, lot)));
    const within = await outcome(member, sized(quantity));
    await member.call('connextrade/CancelAll', { platformType, symbol });
    return { quantity: formatAmount(quantity), beyond, within };
  }

  async function outcome(
    member: TestBrowser,
    part: Partial<CallInput<'connextrade/PlaceOrder'>>,
  ): Promise<string> {
    const { data, msg } = await member.call('connextrade/PlaceOrder', await orderAsSeen(member, venue, part));
    if (data === null) return `refused: ${msg}`;
    const orders = await until(
      async () =>
        (await member.call('connextrade/OrderHistory', { platformType, tinstType: 2 })).data?.rows ?? [],
      (rows) => rows.some(({ orderId, status }) => orderId === data.orderId && status > 1),
    );
    const row = orders.find(({ orderId }) => orderId === data.orderId);
    if (row?.status === 4) return 'filled';
    return row?.status === 2 ? 'taken' : `refused: ${row?.reason}`;
  }
}
