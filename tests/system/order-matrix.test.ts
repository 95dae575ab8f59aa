import type { CallInput } from '@crossbook/contract';
import { type AlgoOffer, type Amount, amount, formatAmount, platformOfType } from '@crossbook/domain';
import { venueProfile } from '@crossbook/venues';
import { describe, expect, test, vi } from 'vitest';
import type { TestBrowser } from '../../apps/server/src/main/testing.ts';
import { playedHub } from '../played-hub.ts';
import { FULL } from '../property-runs.ts';
import { algosOf, priceAt, shocked } from './algo-rows.ts';
import { expectBooksEqual, memberWithMargin, orderAsSeen, trade } from './contract-books.ts';
import { CONTRACT_VENUES, type ContractVenue } from './contract-venues.ts';
import { until } from './hub-process.ts';
import { expectEveryUnitInItsPlace, lockedOf, settled } from './venue-money.ts';

/**
 * Every kind of order x side x effect x mode x market x venue, through the calls that a member makes: taken or refused by
 * name, cancelled or fired, and the books of hub and venue alike to the last unit.
 */

// Prices reach a whole market of agents before triggers feel them; on a busy machine several times as long.
vi.setConfig({ testTimeout: 900_000 });

const BUY = 1;
/** What a shock sets off has happened by then, also on a busy machine. */
const SHOCK_MILLIS = 60_000;
const ICEBERG_SHOCKS_MAX = 5;
const SELL = 2;
type Sides = 1 | 2;
type Effect = 0 | 1 | 2;

/** What an order is, by its name, and what it asks for; prices are parts of the market's. */
interface Kind {
  readonly name: string;
  /** What the venue's profile calls it; absent: an order that does not wait. */
  readonly algo?: 'stop' | 'take-profit' | 'trailing' | 'oco' | 'iceberg';
  /** Fields with a part of the price, of a sell; of a buy the part lies on the other side. */
  readonly prices: Readonly<Record<string, number>>;
  /** What it asks for besides. */
  readonly fields?: {
    readonly [Name in 'timeInForce' | 'triggerBy' | 'trailingDistance' | 'visibleQuantity']?: string | number;
  };
  /** Ends at once, filled or not: nothing of it stands. */
  readonly ends?: true;
  /** How many legs it brings along, that protect what it opens: on pairs what was bought. */
  readonly brings?: 1 | 2;
}

/** In per mille of the price. Limits stay within the band that exchanges let orders have around the mark. */
const KINDS: readonly Kind[] = [
  { name: 'limit', prices: { price: 1_100 } },
  { name: 'iceberg', prices: { price: 1_100 }, fields: { visibleQuantity: '0.001' } },
  { name: 'market', prices: {}, ends: true },
  { name: 'stop at market', algo: 'stop', prices: { triggerPrice: 985 } },
  { name: 'stop limit', algo: 'stop', prices: { triggerPrice: 985, price: 930 } },
  { name: 'take-profit at market', algo: 'take-profit', prices: { triggerPrice: 1_015 } },
  { name: 'take-profit limit', algo: 'take-profit', prices: { triggerPrice: 1_015, price: 985 } },
  { name: 'trailing', algo: 'trailing', prices: {} },
  { name: 'pair of legs', algo: 'oco', prices: { takeProfit: 1_015, stopLoss: 985 } },
  { name: 'iceberg as an algo order', algo: 'iceberg', prices: { price: 985 } },
  { name: 'limit that brings a stop', prices: { price: 1_100, stopLoss: 1_110 }, brings: 1 },
];

/** In the full tier besides: both legs, legs of what fills, times in force, what a trigger follows, and trailing by a distance. */
const MORE_KINDS: readonly Kind[] = [
  { name: 'limit that brings both', prices: { price: 1_100, stopLoss: 1_110, takeProfit: 930 }, brings: 2 },
  { name: 'market that brings a stop', prices: { stopLoss: 1_060 }, brings: 1 },
  { name: 'limit, immediate or cancelled', prices: { price: 1_100 }, fields: { timeInForce: 2 }, ends: true },
  { name: 'limit, whole or not at all', prices: { price: 1_100 }, fields: { timeInForce: 3 }, ends: true },
  { name: 'limit, only making', prices: { price: 1_100 }, fields: { timeInForce: 4 } },
  ...(['mark', 'index'] as const).flatMap((triggerBy): readonly Kind[] => [
    { name: `stop by ${triggerBy}`, algo: 'stop', prices: { triggerPrice: 985 }, fields: { triggerBy } },
    {
      ...{ name: `take-profit by ${triggerBy}`, algo: 'take-profit' },
      ...{ prices: { triggerPrice: 1_015 }, fields: { triggerBy } },
    },
  ]),
  { name: 'trailing by a distance', algo: 'trailing', prices: {}, fields: { trailingDistance: '1500' } },
];
const ALL_KINDS = FULL ? [...KINDS, ...MORE_KINDS] : KINDS;

/** One market in one mode of a member's account there. */
interface Mode {
  readonly name: string;
  readonly positions?: 'one-way' | 'hedge';
  readonly margin?: 'cross' | 'isolated';
}
const MODES: readonly Mode[] = [
  { name: 'pairs' },
  ...(['one-way', 'hedge'] as const).flatMap((positions) =>
    (['cross', 'isolated'] as const).map((margin) => ({
      ...{ name: `contracts, ${positions}, ${margin}`, positions, margin },
    })),
  ),
];

interface Row {
  readonly kind: Kind;
  readonly side: Sides;
  readonly effect: Effect;
}
const ROWS: readonly Row[] = ALL_KINDS.flatMap((kind) =>
  ([BUY, SELL] as const).flatMap((side) => ([0, 1, 2] as const).map((effect) => ({ kind, side, effect }))),
);

const VENUES = CONTRACT_VENUES.map((contracts) => {
  const { platformType } = contracts;
  const pair = platformType === 41 ? 'BTC-USDT' : 'BTCUSDT';
  return { name: contracts.name, contracts, pair: { platformType, symbol: pair } };
});

/** All in the full tier; before, pairs and one mode of contracts at each venue, and a fifth of the rows there. */
const modesAt = (venue: number) => MODES.filter((_, at) => FULL || at === 0 || at === venue + 2);
const rowsAt = (venue: number) => ROWS.filter((_, at) => FULL || at % 5 === venue);

// Each venue has processes of its own, so that its rows wait beside those of the others.
describe.concurrent.each(VENUES)('orders at $name', (venue) => {
  describe('kind x side x effect', { concurrent: false }, () => claimMatrix(venue));
});

function claimMatrix({ name, contracts, pair }: (typeof VENUES)[number]): void {
  const { platformType } = contracts;
  const at = VENUES.findIndex((venue) => venue.name === name);
  const platform = platformOfType(platformType)?.platform ?? 1;
  const { algos, spot } = venueProfile(platform).trading;
  const icebergs = spot.icebergPartsMax !== undefined;
  const { simulator, hub } = playedHub({ PLATFORM_3: 'live' });
  const parts = () => ({ hub, simulator });

  /** A member with coins, or with a long position, and a short one where there are two. */
  async function memberIn({ positions, margin }: Mode): Promise<TestBrowser> {
    if (positions === undefined || margin === undefined) {
      const member = await hub.memberWithFunds('20000', platformType);
      const buy = { platformType, tinstType: 1, symbol: pair.symbol, side: BUY, orderType: 2 } as const;
      expect(await member.call('connextrade/PlaceOrder', { ...buy, quantity: '0.06' })).toMatchObject({
        code: 1,
      });
      await settled(member, pair);
      return member;
    }
    const member = await memberWithMargin(parts(), contracts, '20000');
    const of = { platformType, symbol: contracts.symbol } as const;
    for (const done of [
      await member.call('connextrade/ChangePositionMode', { ...of, positionMode: positions }),
      await member.call('x/trade/MarginMode', { ...of, marginMode: margin }),
    ])
      expect(done.code, done.msg).toBe(1);
    for (const effect of positions === 'hedge' ? ([1, 2] as const) : ([0] as const)) {
      const set = { ...of, leverage: 5, effect, marginMode: margin } as const;
      expect(await member.call('connextrade/SetLeverage', set)).toMatchObject({ code: 1 });
      const side = effect === 2 ? SELL : BUY;
      const quantity = times(contracts, 6);
      await trade(member, contracts, { side, effect, marginMode: margin, quantity });
    }
    return member;
  }

  /** The fields of a kind, as the market is now. */
  async function pricesOf(mode: Mode, { kind, side }: Row): Promise<Readonly<Record<string, string>>> {
    const [of, market] =
      mode.positions === undefined ? ([pair, 'spot'] as const) : ([contracts, 'perps'] as const);
    const fields = Object.entries(kind.prices).map(async ([field, part]) => {
      const mille = side === SELL ? part : 2_000 - part;
      return [field, await priceAt(simulator, of, { factor: String(mille / 1_000), market })] as const;
    });
    return {
      ...Object.fromEntries(await Promise.all(fields)),
      ...(kind.algo === 'trailing' && kind.fields === undefined ? { trailingRatio: '0.01' } : {}),
      ...(kind.algo === 'iceberg' ? { behindRatio: '0.01' } : {}),
    };
  }

  /** What is asked for, as its member has seen the market. */
  async function place(member: TestBrowser, mode: Mode, row: Row) {
    const { kind, side, effect } = row;
    const prices = await pricesOf(mode, row);
    const { orderType: _type, ...seen } =
      mode.margin === undefined
        ? {
            ...({ platformType, tinstType: 1, symbol: pair.symbol, quantity: '0.002' } as const),
            orderType: 1,
          }
        : await orderAsSeen(member, contracts, { marginMode: mode.margin });
    const asked = { ...seen, side, ...(effect === 0 ? {} : { effect }), ...prices, ...kind.fields };
    const clientId = crypto.randomUUID();
    if (kind.algo === undefined) {
      const orderType = kind.prices.price === undefined ? 2 : 1;
      const order = { ...asked, orderType, clientId } as CallInput<'connextrade/PlaceOrder'>;
      return { clientId, answer: await member.call('connextrade/PlaceOrder', order) };
    }
    // One order at a time is all of it.
    const shown = kind.algo === 'iceberg' ? { visibleQuantity: seen.quantity } : {};
    const algo = {
      ...asked,
      ...shown,
      algoType: kind.algo,
      clientId,
    } as CallInput<'connextrade/PlaceAlgoOrder'>;
    return { clientId, answer: await member.call('connextrade/PlaceAlgoOrder', algo) };
  }

  /**
   * How it is answered. 1: taken; 3014: it cannot be meant; 3021: the account is not set so; 3017: what closes is always
   * sent, and the exchange says that it is not set so; 3026: not offered here.
   */
  function expected({ positions }: Mode, { kind, side, effect }: Row): number {
    const brings = kind.brings ?? 0;
    if (positions === undefined && (effect !== 0 || (brings > 0 && side === SELL))) return 3014;
    if (kind.fields?.visibleQuantity !== undefined && (positions !== undefined || !icebergs)) return 3014;
    const elsewhere = positions !== undefined && (positions === 'hedge') === (effect === 0);
    const closes = (side === SELL && effect === 1) || (side === BUY && effect === 2);
    if (closes && brings > 0) return 3014;
    // Where the exchange binds no two of a pair, they do not come along together.
    if (positions === undefined && brings === 2 && !algos.SPOT.kinds.includes('oco')) return 3026;
    if (elsewhere && !closes) return 3021;
    if (!offers(algos[positions === undefined ? 'SPOT' : 'SWAP'], kind)) return 3026;
    return elsewhere ? 3017 : 1;
  }

  const same = (member: TestBrowser, mode: Mode) =>
    mode.positions === undefined
      ? expectEveryUnitInItsPlace(parts(), member, pair)
      : expectBooksEqual(parts(), member, contracts);

  /** Nothing rests, waits or is held any more. */
  async function cleared(member: TestBrowser, { positions }: Mode): Promise<void> {
    const tinstType = positions === undefined ? 1 : 2;
    await member.call('connextrade/CancelAll', { platformType, tinstType });
    for (const { algoId } of (await member.call('connextrade/CurAlgoOrderList', {})).data ?? [])
      await member.call('connextrade/CancelAlgoOrder', { platformType, algoId });
    await until(
      () => algosOf(member),
      (rows) => rows.every(({ state }) => ['fired', 'cancelled', 'refused', 'expired'].includes(state)),
    );
    await until(
      async () =>
        (await member.call('connextrade/OrderHistory', { platformType, tinstType })).data?.rows ?? [],
      (rows) => rows.every((row) => row.settled),
    );
    expect(await lockedOf(member, { platformType })).toEqual([]);
  }

  test.each(modesAt(at))('$name: taken or refused by name, and cancelled without a trace', async (mode) => {
    const member = await memberIn(mode);
    for (const row of rowsAt(at)) {
      const what = `${row.kind.name}, side ${row.side}, effect ${row.effect}`;
      const { answer, clientId } = await place(member, mode, row);
      expect([what, answer.code, answer.msg]).toEqual([what, expected(mode, row), expect.anything()]);
      if (answer.code !== 1 || row.kind.ends === true) continue;
      await expectStanding(member, mode, row, clientId);
      await cleared(member, mode);
    }
    await expectScaled(member, mode);
    await cleared(member, mode);
    await same(member, mode);
  });

  /** A scaled buy stands as so many orders, and asked for again as the same ones. */
  async function expectScaled(member: TestBrowser, mode: Mode): Promise<void> {
    const [of, market] =
      mode.positions === undefined ? ([pair, 'spot'] as const) : ([contracts, 'perps'] as const);
    const [from, to] = await Promise.all([
      priceAt(simulator, of, { factor: '0.97', market }),
      priceAt(simulator, of, { factor: '0.93', market }),
    ]);
    const count = FULL ? 20 : 5;
    const effect = mode.positions === 'hedge' ? { effect: 1 as const } : {};
    const { orderType: _type, ...seen } =
      mode.margin === undefined
        ? ({ platformType, tinstType: 1, symbol: pair.symbol } as const)
        : await orderAsSeen(member, contracts, { marginMode: mode.margin });
    const quantity = mode.margin === undefined ? '0.02' : times(contracts, 2 * count);
    const asked = { from, to, count, skew: -1, quantity, side: BUY, timeInForce: 4, ...effect } as const;
    const scaled = { ...seen, ...asked, clientId: crypto.randomUUID() } as CallInput<'x/trade/PlaceScaled'>;
    const first = await member.call('x/trade/PlaceScaled', scaled);
    const rows = first.data ?? [];
    expect([first.msg, ...rows.map(({ outcome, reason }) => [outcome, reason])]).toEqual([
      expect.anything(),
      ...Array.from({ length: count }, () => ['placed', null]),
    ]);
    const again = await member.call('x/trade/PlaceScaled', scaled);
    expect(again.data?.map(({ orderId, outcome }) => [orderId, outcome])).toEqual(
      rows.map(({ orderId }) => [orderId, 'placed']),
    );
    const tinstType = mode.positions === undefined ? 1 : 2;
    const open = await until(
      async () => (await member.call('connextrade/CurOrderList', { platformType, tinstType })).data ?? [],
      (found) => found.length >= count && found.every(({ status }) => status === 2),
    );
    expect(open.map(({ orderId }) => orderId).toSorted()).toEqual(
      rows.map(({ orderId }) => orderId).toSorted(),
    );
  }

  /** It stands at the exchange as it was asked for, and what it holds is what the venue of a pair would lock. */
  async function expectStanding(
    member: TestBrowser,
    mode: Mode,
    { kind, side, effect }: Row,
    clientId: string,
  ): Promise<void> {
    if (kind.brings !== undefined && kind.prices.price === undefined) {
      const legs = await until(
        async () => (await algosOf(member)).filter(({ state }) => state === 'waiting'),
        (rows) => rows.length > 0,
      );
      // One for each fill where the hub places them.
      const [first] = legs;
      expect(first).toMatchObject({ algoType: 'stop', side: side === BUY ? SELL : BUY, effect });
      return;
    }
    if (kind.algo === undefined) {
      const tinstType = mode.positions === undefined ? 1 : 2;
      await until(
        async () => (await member.call('connextrade/CurOrderList', { platformType, tinstType })).data ?? [],
        (rows) => rows.some(({ orderId, status }) => orderId === clientId && status === 2),
      );
    } else {
      const [row] = await until(
        async () => (await algosOf(member)).filter(({ algoId }) => algoId === clientId),
        ([found]) => found?.state === 'waiting',
      );
      expect(row).toMatchObject({ algoType: kind.algo, side, effect });
    }
    const held = await lockedOf(member, { platformType });
    if (mode.positions === undefined) {
      expect(held).toEqual([side === SELL ? '0.002 BTC' : expect.stringMatching(/ USDT$/)]);
      await expectCovered(member, { kind, side }, held);
    } else if (kind.algo !== undefined) expect(held).toEqual([]);
  }

  /**
   * What the ledger holds of a pair's order is what the exchange has locked, to the last unit where it sells or has a limit, and at market no
   * less; what waits is locked where the exchange does that.
   */
  async function expectCovered(
    member: TestBrowser,
    { kind: { name: what, algo, prices }, side }: Pick<Row, 'kind' | 'side'>,
    held: readonly string[],
  ): Promise<void> {
    const [size = '0', asset = ''] = held[0]?.split(' ') ?? [];
    const locked = amount((await simulator.balancesOf(member.tid ?? 0, platform)).get(asset)?.locked ?? '0');
    const whole = algo !== 'iceberg' && locked > 0n && (side === SELL || prices.price !== undefined);
    expect([what, asset, whole ? amount(size) - locked : 0n]).toEqual([what, asset, 0n]);
    expect([what, asset, amount(size) >= locked]).toEqual([what, asset, true]);
    // An iceberg locks its slice alone, which comes and goes.
    if (algo === 'iceberg') return;
    expect([what, asset, locked > 0n]).toEqual([what, asset, algo === undefined || algos.SPOT.locks]);
  }

  /** Prices have come to rest after a shock: a trigger beside them is beside mark and index too. */
  async function calm({ positions }: Mode): Promise<void> {
    const [of, market] =
      positions === undefined ? ([pair, 'spot'] as const) : ([contracts, 'perps'] as const);
    const seen: number[] = [];
    await until(
      async () => {
        seen.push(Number(await priceAt(simulator, of, { factor: '1', market })));
        return seen.slice(-8);
      },
      (last) => last.length === 8 && Math.max(...last) / Math.min(...last) < 1.001,
    );
  }

  /** Whether a shock leaves no more than so many that wait. */
  async function shockedUntilGone(
    member: TestBrowser,
    { positions }: Mode,
    { factor, leaves }: { readonly factor: number; readonly leaves: number },
  ): Promise<boolean> {
    const [of, market] =
      positions === undefined ? ([pair, 'spot'] as const) : ([contracts, 'perps'] as const);
    const there = await shocked(simulator, of, { factor, market });
    const gone = await until(
      () => algosOf(member),
      (found) => found.filter(({ state }) => state === 'waiting').length <= leaves,
      SHOCK_MILLIS,
    ).then(
      () => true,
      () => false,
    );
    await there();
    return gone;
  }

  test.each(modesAt(at))('$name: what waits fires once its price is reached, and is booked', async (mode) => {
    const member = await memberIn(mode);
    const legs: readonly Effect[] =
      mode.positions === undefined || mode.positions === 'one-way' ? [0] : [1, 2];
    const waiting = ALL_KINDS.filter(({ algo }) => algo !== undefined);
    for (const [number, kind] of waiting.entries()) {
      if (!FULL && number !== at) continue;
      const rows = ([BUY, SELL] as const).flatMap((side) => legs.map((effect) => ({ kind, side, effect })));
      const taken = rows.filter((row) => expected(mode, row) === 1);
      // Shocks that nothing waits for would pass before a trade is made at their prices.
      if (taken.length === 0) continue;
      await calm(mode);
      for (const row of taken) {
        // The market is still on its way from the shock before: asked again at the price of then.
        const { answer } = await until(
          () => place(member, mode, row),
          ({ answer: { code } }) => code !== 3032,
        );
        expect([kind.name, row.side, row.effect, answer.code, answer.msg]).toEqual([
          ...[kind.name, row.side, row.effect, 1, expect.anything()],
        ]);
      }
      for (const factor of [0.975, 1.05]) {
        const leaves = factor < 1 ? taken.length / 2 : 0;
        // A part that rests behind the market may be taken in part alone as prices pass; what is left follows them.
        const shocksMax = kind.algo === 'iceberg' ? ICEBERG_SHOCKS_MAX : 1;
        let gone = false;
        for (let shocks = 0; !gone && shocks < shocksMax; shocks += 1)
          gone = await shockedUntilGone(member, mode, { factor, leaves });
        expect([kind.name, factor, gone]).toEqual([kind.name, factor, true]);
      }
      await cleared(member, mode);
      const fired = (await algosOf(member)).slice(0, taken.length).map(({ state }) => state);
      expect([kind.name, ...fired]).toEqual([kind.name, ...taken.map(() => 'fired')]);
    }
    await same(member, mode);
  });
}

/** Whether the venue has it, by what its profile says. */
function offers({ kinds, triggerBy, trailing }: AlgoOffer, { algo, fields }: Kind): boolean {
  if (algo === undefined) return true;
  if (!kinds.includes(algo)) return false;
  // What hangs on a position has no size: it has tests of its own.
  if (algo === 'trailing' && trailing?.ofPosition === true) return false;
  if (fields?.trailingDistance !== undefined) return trailing?.distance === true;
  return fields?.triggerBy === undefined || triggerBy.some((by) => by === fields.triggerBy);
}

/** So many times the size of the tests. */
function times({ size }: ContractVenue, count: number): string {
  return formatAmount((amount(size) * BigInt(count)) as Amount);
}
