import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Lots, Millis, PlatformSlug, Ticks } from '@crossbook/domain';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { AccountNumber } from '../exchange.ts';
import type {
  ConditionalRefusal,
  NewConditional,
  NewConditionalLeg,
  PerpConditional,
} from '../perp-conditionals.ts';
import type { NewPerpOrder, SimPositionKey } from '../perp-exchange.ts';
import type { Trigger } from '../triggers/trigger.ts';
import { ContractRig, RIG_START } from './contract-rig.fixture.ts';

/** Conditional orders on contracts: what becomes of them, and in which order it is told. */

const VENUES = ['binance', 'okx', 'bybit'] as const;
const MINUTE = 60_000;
const PRICES = ['LAST', 'MARK', 'INDEX'] as const;

let rig: ContractRig;
let alice: AccountNumber;
let btc = '';
let directory = '';

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'crossbook-conditionals-'));
});
afterEach(async () => {
  await rig.exchange.close();
  rmSync(directory, { recursive: true, force: true });
});

async function begin(slug: PlatformSlug): Promise<void> {
  rig = await ContractRig.open(slug, { dataDirectory: directory });
  alice = await rig.member('alice', '10000');
  btc = rig.symbols[0] ?? '';
  await lines();
}

/** The process ends and another one takes over, at once or later. */
async function restart(
  now: Millis = rig.now,
  path?: (symbol: string, time: Millis) => number,
): Promise<void> {
  const { slug, marks } = rig;
  await rig.exchange.close();
  const followed = path === undefined ? {} : { path, lastFollows: true };
  rig = await ContractRig.open(slug, { dataDirectory: directory, marks, now, ...followed });
}

function at(price: number, direction: 'RISE' | 'FALL', by: Trigger['by'] = 'MARK'): Trigger {
  return { at: 'PRICE', by, direction, price: Math.round(price * 10) as Ticks };
}

function leg(trigger: Trigger, asked: Partial<NewPerpOrder> & { at?: number } = {}): NewConditionalLeg {
  const purpose = trigger.at === 'TRAIL' ? 'TRAILING' : trigger.direction === 'FALL' ? 'STOP' : 'TAKE_PROFIT';
  const sends = rig.order(alice, btc, { side: 'SELL', quantity: 10 as Lots, reduceOnly: true, ...asked });
  return { purpose, trigger, sends };
}

async function placed(
  ...legs: [NewConditionalLeg, ...NewConditionalLeg[]]
): Promise<readonly PerpConditional[]> {
  return accepted(await rig.perps.conditionals.place({ legs }));
}

function accepted<Value>(answer: { ok: true; value: Value } | { ok: false; code: string }): Value {
  if (!answer.ok) throw new Error(answer.code);
  return answer.value;
}

/** What became of everything since it was asked last; accounts' messages left out. */
async function lines(): Promise<string[]> {
  await rig.quiet();
  return rig.lines().filter((line) => !line.includes(' ORDER '));
}

async function long(lots = 10): Promise<void> {
  await rig.trade(alice, btc, { lots, at: 60_000 });
  await lines();
}

function key(): SimPositionKey {
  return { account: alice, symbol: btc, side: 'BOTH', marginMode: 'CROSS' };
}

function states(): string[] {
  return rig.perps.conditionals
    .history(alice, { limit: 100 })
    .map(({ algoId, state, sends }) => `${algoId} ${state} ${sends.quantity}`);
}

describe.each(VENUES)('%s', (slug) => {
  beforeEach(() => begin(slug));

  test('a stop fires at its price, sends its order, and is finished when that is', async () => {
    await long();
    rig.house(btc, 'BUY', 58_900, 1_000);
    await placed(leg(at(59_000, 'FALL')));
    rig.mark(btc, 59_001);
    expect(await lines()).toEqual(['algo 1 NEW']);
    rig.mark(btc, 58_950);
    expect(await lines()).toEqual([
      'algo 1 TRIGGERING',
      'algo 1 TRIGGERED',
      '1 NEW MEMBER NEW',
      '1 TRADE MEMBER FILLED',
      'algo 1 FINISHED',
    ]);
    const [order] = rig.perps.perpOrders(alice, { limit: 1 });
    expect(order).toMatchObject({ algoId: 1, reduceOnly: true, executed: 10 });
    expect(rig.perps.conditionals.find(alice, { algoId: 1 })).toMatchObject({
      firedPrice: 589_500,
      childId: order?.orderId,
    });
    expect(rig.perps.positions(alice)).toEqual([]);
  });

  test.each(PRICES)('one that follows the %s price fires at that, wherever the others are', async (by) => {
    await long();
    rig.house(btc, 'BUY', 58_000, 1_000);
    await placed(leg(at(59_000, 'FALL', by)));
    for (const other of PRICES) if (other !== by) rig.reach(btc, other, 58_900);
    await rig.quiet();
    expect(states()).toEqual(['1 WAITING 10']);
    rig.reach(btc, by, 59_000);
    await rig.quiet();
    expect(states()).toEqual(['1 FINISHED 10']);
    expect(rig.perps.conditionals.find(alice, { algoId: 1 })).toMatchObject({ firedPrice: 590_000 });
  });

  test('a mark between ticks is cut off at Binance, so that one that falls fires up to a tick before', async () => {
    await long();
    rig.house(btc, 'BUY', 58_000, 1_000);
    await placed(leg(at(59_000, 'FALL'), { quantity: 4 as Lots }));
    await placed(leg(at(61_000, 'RISE'), { quantity: 4 as Lots }));
    rig.mark(btc, 60_999.99);
    expect(states()).toEqual(['1 WAITING 4', '2 WAITING 4']);
    rig.mark(btc, 59_000.09);
    await rig.quiet();
    expect(states()[0]).toBe(slug === 'binance' ? '1 FINISHED 4' : '1 WAITING 4');
  });

  test('one that sends a limit order is finished when that ends', async () => {
    await placed(leg(at(61_000, 'RISE'), { side: 'BUY', reduceOnly: false, at: 60_500 }));
    rig.mark(btc, 61_000);
    expect(await lines()).toEqual([
      'algo 1 NEW',
      'algo 1 TRIGGERING',
      'algo 1 TRIGGERED',
      '1 NEW MEMBER NEW',
    ]);
    expect(rig.perps.conditionals.open(alice).map(({ state }) => state)).toEqual(['TRIGGERED']);
    const [order] = rig.perps.openPerpOrders(alice);
    await rig.perps.cancelPerp(alice, btc, { orderId: order?.orderId as never });
    expect(await lines()).toEqual(['1 CANCELED MEMBER CANCELED', 'algo 1 FINISHED']);
    expect(rig.perps.conditionals.open(alice)).toEqual([]);
  });

  test('it holds no margin, and is refused when there is none as it fires', async () => {
    const before = rig.perps.pool(alice);
    const asked = {
      side: 'BUY',
      reduceOnly: false,
      quantity: (slug === 'okx' ? 900_000 : 90_000) as Lots,
    } as const;
    await placed(leg(at(61_000, 'RISE'), asked));
    expect(rig.perps.pool(alice)).toEqual(before);
    rig.mark(btc, 61_000);
    expect(await lines()).toEqual(['algo 1 NEW', 'algo 1 TRIGGERING', 'algo 1 REFUSED']);
    expect(rig.perps.conditionals.find(alice, { algoId: 1 })).toMatchObject({
      state: 'REFUSED',
      refusal: expect.stringMatching(/INSUFFICIENT_MARGIN|TIER_EXCEEDED/),
    });
    expect(rig.perps.perpOrders(alice, { limit: 9 })).toEqual([]);
  });

  test('what may only close never opens: without a position it is refused, with a small one cut', async () => {
    await placed(leg(at(59_000, 'FALL')), leg(at(61_000, 'RISE'), { quantity: 30 as Lots }));
    await placed(leg(at(58_000, 'FALL'), { quantity: 30 as Lots }));
    rig.mark(btc, 59_000);
    expect((await lines()).slice(3)).toEqual(['algo 1 TRIGGERING', 'algo 1 REFUSED', 'algo 2 CANCELLED']);
    rig.marks.set(btc, 60_000);
    await long();
    rig.house(btc, 'BUY', 58_000, 1_000);
    rig.mark(btc, 58_000);
    await rig.quiet();
    expect(rig.perps.positions(alice)).toEqual([]);
    expect(rig.perps.perpFills(alice, { limit: 1 })).toMatchObject([{ quantity: 10, closedQuantity: 10 }]);
  });

  test('a price that jumps over several fires each, those placed first at first', async () => {
    await long(30);
    rig.house(btc, 'BUY', 57_000, 1_000);
    await placed(leg(at(58_000, 'FALL')));
    await placed(leg(at(59_000, 'FALL')));
    await placed(leg(at(57_500, 'FALL')));
    await lines();
    rig.mark(btc, 57_800);
    const fired = (await lines()).filter((line) => line.endsWith('TRIGGERING'));
    expect(fired).toEqual(['algo 1 TRIGGERING', 'algo 2 TRIGGERING']);
    expect(rig.perps.positions(alice)[0]?.quantity).toBe(10);
  });

  test('of an OCO one leg fires, and ends the other after its order', async () => {
    await long();
    rig.house(btc, 'BUY', 58_000, 1_000);
    await placed(leg(at(61_000, 'RISE')), leg(at(59_000, 'FALL'), { quantity: 4 as Lots }));
    await lines();
    rig.mark(btc, 58_500);
    expect(await lines()).toEqual([
      'algo 2 TRIGGERING',
      'algo 2 TRIGGERED',
      '1 NEW MEMBER NEW',
      '1 TRADE MEMBER FILLED',
      'algo 2 FINISHED',
      'algo 1 CANCELLED',
    ]);
    expect(rig.perps.conditionals.find(alice, { algoId: 1 })).toMatchObject({ cause: 'SIBLING', group: 1 });
  });

  test('cancelled legs: both where the venue counts them as one order', async () => {
    await placed(leg(at(61_000, 'RISE')), leg(at(59_000, 'FALL')));
    const gone = accepted(await rig.perps.conditionals.cancel(alice, { algoId: 2 }));
    const left = slug === 'binance' ? [1] : [];
    expect(gone.map(({ algoId }) => algoId)).toEqual(slug === 'binance' ? [2] : [2, 1]);
    expect(rig.perps.conditionals.open(alice).map(({ algoId }) => algoId)).toEqual(left);
    expect(await rig.perps.conditionals.cancel(alice, { algoId: 2 })).toEqual({
      ok: false,
      code: 'UNKNOWN_ORDER',
    });
    expect((await rig.perps.conditionals.cancelAll(alice, rig.symbols[1])).length).toBe(0);
    expect((await rig.perps.conditionals.cancelAll(alice)).length).toBe(left.length);
  });

  test('what ends with a position does so when that is closed, turned or liquidated', async () => {
    await long();
    const legs: NewConditional['legs'] = [leg(at(61_000, 'RISE'), { quantity: 'WHOLE' })];
    accepted(await rig.perps.conditionals.place({ legs, position: 'WHOLE' }));
    accepted(await rig.perps.conditionals.place({ legs: [leg(at(59_000, 'FALL'))], position: 'PART' }));
    await lines();
    await rig.trade(alice, btc, { lots: -25, at: 60_000 });
    const gone = slug === 'binance' ? 'EXPIRED' : 'CANCELLED';
    expect(await lines()).toEqual([
      '1 NEW MEMBER NEW',
      '1 TRADE MEMBER FILLED',
      `algo 1 ${gone}`,
      `algo 2 ${gone}`,
    ]);
    expect(rig.perps.conditionals.find(alice, { algoId: 2 })).toMatchObject({ cause: 'POSITION' });
  });

  test.runIf(slug === 'okx')('a bracket is for what its order has filled when that is over', async () => {
    const stop = (trigger: number) => ({ by: 'MARK' as const, trigger: trigger as Ticks });
    const attached = { extent: 'PART', takeProfit: stop(610_000), stopLoss: stop(590_000) } as const;
    const asked = { side: 'BUY', at: 60_000, quantity: 20 as Lots, attached } as const;
    rig.house(btc, 'SELL', 60_000, 4);
    await rig.place(alice, btc, asked);
    expect(states()).toEqual([]);
    rig.house(btc, 'SELL', 60_000, 16);
    expect(states()).toEqual(['1 WAITING 20', '2 WAITING 20']);
    rig.house(btc, 'SELL', 60_000, 7);
    await rig.place(alice, btc, { ...asked, timeInForce: 'IOC' });
    expect(states().slice(2)).toEqual(['3 WAITING 7', '4 WAITING 7']);
    await rig.place(alice, btc, { ...asked, timeInForce: 'IOC' });
    expect(states()).toHaveLength(4);
  });

  test.skipIf(slug === 'okx')(
    'a bracket grows with the fills of its order, in whatever parts they come, and ends as one',
    async () => {
      rig.house(btc, 'SELL', 60_000, 4);
      const stop = (trigger: number) => ({ by: 'MARK' as const, trigger: trigger as Ticks });
      const attached = { extent: 'PART', takeProfit: stop(610_000), stopLoss: stop(590_000) } as const;
      await rig.place(alice, btc, { side: 'BUY', at: 60_000, quantity: 20 as Lots, attached });
      expect(states()).toEqual(['1 WAITING 4', '2 WAITING 4']);
      rig.house(btc, 'SELL', 60_000, 7);
      expect(states()).toEqual(['1 WAITING 11', '2 WAITING 11']);
      rig.house(btc, 'BUY', 60_900, 1_000);
      rig.mark(btc, 61_000);
      expect(states()).toEqual(['1 FINISHED 11', '2 CANCELLED 11']);
      rig.marks.set(btc, 60_000);
      rig.clearHouse(btc);
      rig.house(btc, 'SELL', 60_000, 9);
      expect(states().slice(2)).toEqual(['3 WAITING 9', '4 WAITING 9']);
      expect(rig.perps.positions(alice)[0]?.quantity).toBe(9);
      await rig.trade(alice, btc, { lots: -9, at: 60_000, reduceOnly: true });
      const left = slug === 'bybit' ? ['3 CANCELLED 9', '4 CANCELLED 9'] : ['3 WAITING 9', '4 WAITING 9'];
      expect(states().slice(2)).toEqual(left);
    },
  );

  test('a bracket for all of a position takes the place of the one it had', async () => {
    const whole = (profit: number, loss: number) => ({
      attached: {
        extent: 'WHOLE' as const,
        takeProfit: { by: 'MARK' as const, trigger: profit as Ticks, limit: (profit + 1) as Ticks },
        stopLoss: { by: 'MARK' as const, trigger: loss as Ticks },
      },
    });
    await rig.trade(alice, btc, { lots: 10, at: 60_000, ...whole(610_000, 590_000) });
    await rig.trade(alice, btc, { lots: 10, at: 60_000, ...whole(620_000, 580_000) });
    const standing = rig.perps.conditionals.protecting(key());
    expect(
      standing.map(({ algoId, trigger, sends }) => [algoId, trigger, sends.kind, sends.quantity]),
    ).toEqual([
      [1, at(62_000, 'RISE'), 'LIMIT', 'WHOLE'],
      [2, at(58_000, 'FALL'), 'MARKET', 'WHOLE'],
    ]);
    rig.house(btc, 'BUY', 57_900, 1_000);
    rig.mark(btc, 57_900);
    expect(rig.perps.positions(alice)).toEqual([]);
    expect(rig.perps.conditionals.open(alice)).toEqual([]);
  });

  test('a bracket on the wrong side of its order is refused', async () => {
    const attached = { extent: 'PART', stopLoss: { by: 'MARK', trigger: 600_001 as Ticks } } as const;
    expect(await rig.place(alice, btc, { side: 'BUY', at: 60_000, attached })).toBe('ATTACHED_PRICE');
    expect(await rig.place(alice, btc, { side: 'SELL', at: 60_000, attached })).toEqual([]);
  });

  test('a position is protected whole, in place, and in parts', async () => {
    const { conditionals } = rig.perps;
    const by = 'MARK';
    const takeProfit = { by, trigger: 610_000 as Ticks } as const;
    const stopLoss = { by, trigger: 590_000 as Ticks } as const;
    const trailing = { by, back: { ticks: 5_000 as Ticks } } as const;
    const ids = (orders: readonly PerpConditional[]) =>
      orders.map(({ algoId, purpose }) => `${algoId} ${purpose}`);
    expect(await conditionals.protect(key(), { stopLoss })).toEqual({ ok: false, code: 'NO_POSITION' });
    await long();
    accepted(await conditionals.protect(key(), { stopLoss, takeProfit }));
    expect(await conditionals.protect(key(), { stopLoss })).toEqual({ ok: false, code: 'UNCHANGED' });
    const moved = { ...stopLoss, trigger: 595_000 as Ticks };
    expect(ids(accepted(await conditionals.protect(key(), { stopLoss: moved, trailing })))).toEqual([
      '1 TAKE_PROFIT',
      '2 STOP',
      '3 TRAILING',
    ]);
    expect(conditionals.find(alice, { algoId: 2 })?.trigger).toEqual(at(59_500, 'FALL'));
    expect(await conditionals.protect(key(), { stopLoss: { by, trigger: 600_000 as Ticks } })).toEqual({
      ok: false,
      code: 'WOULD_TRIGGER',
    });
    accepted(await conditionals.protect(key(), { takeProfit: 'NONE', trailing: 'NONE' }));
    expect(ids(accepted(await conditionals.protect(key(), { takeProfit, stopLoss }, 4 as Lots)))).toEqual([
      '2 STOP',
      '4 TAKE_PROFIT',
      '5 STOP',
    ]);
    rig.house(btc, 'BUY', 60_900, 1_000);
    rig.mark(btc, 61_000);
    expect(states().slice(3)).toEqual(['4 FINISHED 4', '5 CANCELLED 4']);
    expect(rig.perps.positions(alice)[0]?.quantity).toBe(6);
  });

  test('a trailing stop follows the last price trade by trade, and fires when it came back', async () => {
    await long();
    const trailing: Trigger = { at: 'TRAIL', by: 'LAST', direction: 'FALL', back: { bips: 100 } };
    await placed(leg(trailing));
    const trade = async (price: number): Promise<void> => {
      rig.house(btc, 'SELL', price, 1);
      rig.house(btc, 'BUY', price, 1);
      await rig.quiet();
    };
    await trade(61_000);
    expect(rig.perps.conditionals.find(alice, { algoId: 1 })?.trigger).toMatchObject({ best: 610_000 });
    await restart();
    expect(rig.perps.conditionals.find(alice, { algoId: 1 })?.trigger).toMatchObject({ best: 610_000 });
    await trade(60_500);
    expect(states()).toEqual(['1 WAITING 10']);
    rig.house(btc, 'BUY', 60_000, 100);
    await trade(60_390);
    expect(states()).toEqual(['1 FINISHED 10']);
  });

  test('a change is checked as a new one is, and keeps its place', async () => {
    const { conditionals } = rig.perps;
    await placed(leg(at(59_000, 'FALL')));
    const ref = { clientId: conditionals.find(alice, { algoId: 1 })?.clientId ?? '' };
    const after = accepted(
      await conditionals.amend(alice, ref, {
        trigger: 580_000 as Ticks,
        quantity: 5 as Lots,
        price: 579_000 as Ticks,
      }),
    );
    expect(after).toMatchObject({
      algoId: 1,
      trigger: { price: 580_000 },
      sends: { kind: 'LIMIT', quantity: 5 },
    });
    expect(accepted(await conditionals.amend(alice, ref, { price: 'MARKET' })).sends).toMatchObject({
      kind: 'MARKET',
    });
    const refused = await conditionals.amend(alice, ref, { trigger: 600_000 as Ticks });
    expect(refused).toEqual({ ok: false, code: 'WOULD_TRIGGER' });
    expect(await lines()).toEqual(['algo 1 NEW', 'algo 1 AMENDED', 'algo 1 AMENDED']);
  });

  test.each(PRICES)('a downtime is worked out in its order, at the moments of its %s prices', async (by) => {
    await long();
    await placed(leg(at(59_000, 'FALL', by), { quantity: 4 as Lots }));
    await placed(leg(at(59_500, 'FALL', by), { quantity: 3 as Lots }));
    const path = (_: string, time: Millis): number =>
      60_000 - 300 * Math.max(0, Math.floor((time - RIG_START) / MINUTE) - 10);
    await restart((RIG_START + 15 * MINUTE) as Millis, path);
    const fills = rig.perps.perpFills(alice, { limit: 2 });
    expect(
      fills.map(({ time, quantity, exactPrice }) => [
        (time - RIG_START) / MINUTE,
        quantity,
        exactPrice / 10n ** 18n,
      ]),
    ).toEqual([
      [12, 3, 59_400n],
      [14, 4, 58_800n],
    ]);
    expect(fills.every(({ fee }) => fee > 0n)).toBe(true);
    expect(states()).toEqual(['1 FINISHED 4', '2 FINISHED 3']);
    expect(rig.perps.conditionals.history(alice, { limit: 9 })).toMatchObject([
      { firedAt: RIG_START + 14 * MINUTE },
      { firedAt: RIG_START + 12 * MINUTE },
    ]);
  });

  test('a process that takes over knows every order, and goes on as the first would have', async () => {
    await long();
    await placed(leg(at(61_000, 'RISE')), leg(at(59_000, 'FALL')));
    await placed(
      leg({ at: 'TRAIL', by: 'MARK', direction: 'FALL', back: { bips: 500 }, activation: 610_500 as Ticks }),
    );
    const before = rig.perps.conditionals.history(alice, { limit: 9 });
    await restart();
    expect(rig.perps.conditionals.history(alice, { limit: 9 })).toEqual(before);
    rig.house(btc, 'BUY', 60_900, 1_000);
    rig.mark(btc, 61_000);
    expect(states()).toEqual(['1 FINISHED 10', '2 CANCELLED 10', '3 WAITING 10']);
    expect((await placed(leg(at(59_000, 'FALL'))))[0]?.algoId).toBe(4);
  });
});

describe('refused when placed', () => {
  const trail = (back: { bips: number } | { ticks: Ticks }): Trigger => ({
    at: 'TRAIL',
    by: 'MARK',
    direction: 'FALL',
    back,
  });
  test.each<[ConditionalRefusal, () => NewConditional]>([
    [
      'UNKNOWN_SYMBOL',
      () => ({ legs: [{ ...leg(at(59_000, 'FALL')), sends: rig.order(alice, 'ZZZUSDT', {}) }] }),
    ],
    ['POSITION_SIDE_MISMATCH', () => ({ legs: [leg(at(59_000, 'FALL'), { positionSide: 'LONG' })] })],
    ['TRIGGER_PRICE', () => ({ legs: [leg(at(0, 'FALL'))] })],
    ['TRIGGER_PRICE', () => ({ legs: [leg({ ...at(0, 'FALL'), price: 1.5 as Ticks } as Trigger)] })],
    ['TRAILING_RANGE', () => ({ legs: [leg(trail({ bips: 9 }))] })],
    ['TRAILING_RANGE', () => ({ legs: [leg(trail({ bips: 2_001 }))] })],
    ['TRAILING_RANGE', () => ({ legs: [leg(trail({ ticks: 0 as Ticks }))] })],
    ['PRICE_FILTER', () => ({ legs: [leg(at(59_000, 'FALL'), { kind: 'LIMIT' })] })],
    ['LOT_SIZE', () => ({ legs: [leg(at(59_000, 'FALL'), { quantity: 0 as Lots })] })],
    ['MARKET_LOT_SIZE', () => ({ legs: [leg(at(59_000, 'FALL'), { quantity: 200_000_000 as Lots })] })],
    ['WOULD_TRIGGER', () => ({ legs: [leg(at(60_000, 'FALL'))] })],
    ['WOULD_TRIGGER', () => ({ legs: [leg(at(59_999.9, 'RISE'))] })],
    ['DUPLICATE_CLIENT_ID', () => ({ legs: [leg(at(59_000, 'FALL'), { clientId: 'mine' })] })],
    ['NO_POSITION', () => ({ legs: [leg(at(61_000, 'RISE'), { side: 'BUY' })], position: 'PART' })],
    ['CLOSE_EXISTS', () => ({ legs: [leg(at(59_000, 'FALL'), { quantity: 'WHOLE' })], position: 'WHOLE' })],
  ])('%s', async (refusal, asked) => {
    await begin('binance');
    await long();
    await placed(leg(at(59_000, 'FALL'), { clientId: 'mine' }));
    const legs: NewConditional['legs'] = [leg(at(59_000, 'FALL'), { quantity: 'WHOLE' })];
    accepted(await rig.perps.conditionals.place({ legs, position: 'WHOLE' }));
    const drawn = asked();
    expect(rig.perps.conditionals.check(drawn)).toEqual({ ok: false, code: refusal });
    expect(await rig.perps.conditionals.place(drawn)).toEqual({ ok: false, code: refusal });
  });

  test.each<[PlatformSlug, number]>([
    ['binance', 200],
    ['okx', 500],
    ['bybit', 10],
  ])('%s lets %i wait', async (slug, most) => {
    await begin(slug);
    for (let at_ = 0; at_ < most; at_ += 1) await placed(leg(at(59_000, 'FALL')));
    const more: NewConditional = { legs: [leg(at(59_000, 'FALL'))] };
    expect(rig.perps.conditionals.check(more)).toEqual({ ok: false, code: 'MAX_NUM_ALGO_ORDERS' });
    const elsewhere = leg(at(59_000, 'FALL'));
    const sends = { ...elsewhere.sends, symbol: rig.symbols[1] ?? '' };
    const answer = rig.perps.conditionals.check({ legs: [{ ...elsewhere, sends }] });
    expect(answer.ok).toBe(slug !== 'binance');
    // What protects an order's fills is counted with these, or apart where it ends with the position.
    const stopLoss = { by: 'MARK', trigger: 590_000 as Ticks } as const;
    const fate = await rig.place(alice, btc, {
      side: 'BUY',
      at: 60_000,
      attached: { extent: 'PART', stopLoss },
    });
    expect(fate).toEqual(slug === 'bybit' ? [] : 'MAX_NUM_ORDERS');
  });
});

describe.each(VENUES)('a change of mode at %s', (slug) => {
  test('an order that waits is an open order to it; once it is gone the mode changes', async () => {
    await begin(slug);
    const [waits] = await placed(leg(at(59_000, 'FALL'), { reduceOnly: false }));
    const refusal = { ok: false, code: 'HAS_ORDERS' };
    const { perps } = rig;
    expect(await perps.setPositionMode(alice, btc, 'HEDGE')).toEqual(refusal);
    // Where orders carry their margin mode there is none to change.
    if (slug !== 'okx') expect(await perps.setMarginMode(alice, btc, 'ISOLATED')).toEqual(refusal);
    accepted(await perps.conditionals.cancel(alice, { algoId: waits?.algoId ?? 0 }));
    expect(await perps.setPositionMode(alice, btc, 'HEDGE')).toMatchObject({ ok: true });
  });
});
