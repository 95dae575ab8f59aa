import type { MemberCaller } from '@crossbook/contract';
import { amount, formatAmount, SIDE, ZERO } from '@crossbook/domain';
import type { LedgerCommit, LedgerStore, LedgerUnit } from '@crossbook/ledger';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { CutLedger } from '../cut-ledger.fixture.ts';
import { createTradingDesk, type TradingDesk } from '../desk.ts';
import { BTCUSDT_PERP, CALLER } from '../trading-world.fixture.ts';
import { openPerpsWorld, type PerpsWorld, placeContractOrder } from './perps-world.fixture.ts';

let perps: PerpsWorld;
let desk: TradingDesk;
beforeEach(async () => {
  perps = await openPerpsWorld();
  desk = perps.world.desk;
});
afterEach(async () => {
  await desk.stop();
  await perps.world.close();
});

const CONTRACT = { platformType: 43, symbol: 'BTCUSDT' } as const;
const ID = '01890000-0000-7000-8000-00000000abcd' as never;
const BUDGET = { ok: false, code: 'refused', retryAfterMillis: 41_000 } as const;
const LOST = { outcome: 'unknown', why: 'lost' } as const;

/** Every change of a setting: how it is asked for, and what the venue then has. */
const CHANGES = [
  {
    what: 'leverage',
    call: 'setLeverage',
    ask: () => handlers()['connextrade/SetLeverage'](callerNow(), { ...CONTRACT, leverage: 25, effect: 0 }),
    has: () => perps.venue.setting_.leverageLong === 25,
  },
  {
    what: 'margin mode',
    call: 'setMarginMode',
    ask: () => handlers()['x/trade/MarginMode'](callerNow(), { ...CONTRACT, marginMode: 'isolated' }),
    has: () => perps.venue.setting_.marginMode === 'isolated',
  },
  {
    what: 'position mode',
    call: 'setPositionMode',
    ask: () =>
      handlers()['connextrade/ChangePositionMode'](callerNow(), { ...CONTRACT, positionMode: 'hedge' }),
    has: () => perps.venue.setting_.positionMode === 'hedge',
  },
] as const;

const handlers = () => desk.handlers;
const callerNow = (): MemberCaller => ({ ...CALLER, now: perps.world.time.clock() });
const asked = (call: string) => perps.venue.calls.filter((name) => name === call).length;
const errorOf = (answer: { readonly ok: boolean; readonly code?: { readonly error: string } }) =>
  answer.ok ? undefined : answer.code?.error;

async function rows() {
  return perps.world.database.owner.query<{ state: string; reason: string | null }>(
    'select state, reason from setting_changes order by created_at, id',
  );
}

/** The process ends and another one takes over. */
async function anotherLife(ledger = perps.world.ledger as LedgerStore): Promise<void> {
  await desk.stop();
  desk = createTradingDesk({ ...perps.world.deps, ledger });
  await desk.start();
}

describe.each(CHANGES)('a change of $what', ({ call, ask, has }) => {
  test('is written, asked for, read back and told', async () => {
    expect(errorOf(await ask())).toBeUndefined();
    expect(has()).toBe(true);
    expect(await rows()).toEqual([{ state: 'done', reason: null }]);
    expect(perps.world.published.at(-1)?.event).toMatchObject({ kind: 'setting' });
  });

  test('that the exchange refuses has its code, and changes nothing', async () => {
    perps.venue.changes = [{ outcome: 'refused', venueCode: '-4067', message: 'open orders exist' }];
    expect(await ask()).toMatchObject({
      code: { error: 'setting-refused', cause: 'mode-blocked', venueCode: '-4067' },
    });
    expect(has()).toBe(false);
    expect(await rows()).toEqual([{ state: 'refused', reason: '[-4067] open orders exist' }]);
  });

  test('whose answer is lost though it was carried out is read back at once', async () => {
    perps.venue.changes = [{ ...LOST, carriedOut: true }];
    expect(errorOf(await ask())).toBeUndefined();
    expect(asked(call)).toBe(1);
  });

  test('that is carried out late is found by a lookup, never asked for again, and told', async () => {
    const { world, venue } = perps;
    const before = venue.setting_;
    venue.changes = [{ ...LOST, carriedOut: true }];
    venue.answers.setting = async () => ({ ok: true, value: before });
    expect(errorOf(await ask())).toBe('outcome-unknown');
    venue.answers = {};
    const seen = world.published.length;
    await world.pass(2_000);
    expect(await rows()).toEqual([{ state: 'done', reason: null }]);
    expect(asked(call)).toBe(1);
    expect(world.published.slice(seen).map(({ event }) => event.kind)).toContain('setting');
  });

  test('that never arrived is over once no request can arrive any more, and may be asked for anew', async () => {
    const { world } = perps;
    perps.venue.changes = [LOST];
    expect(errorOf(await ask())).toBe('outcome-unknown');
    await world.pass(14_000, 1_000);
    expect((await rows()).map(({ state }) => state)).toEqual(['unknown']);
    await world.pass(12_000, 1_000);
    expect(await rows()).toEqual([{ state: 'refused', reason: 'the exchange never received it' }]);
    expect([has(), asked(call)]).toEqual([false, 1]);
    expect(errorOf(await ask())).toBeUndefined();
    expect(has()).toBe(true);
    expect(world.incidents).toEqual([]);
  });
});

describe.each(CHANGES)('what a change of $what asks of the budget', ({ ask }) => {
  const leverage = () => handlers()['connextrade/GetLeverage'](callerNow(), CONTRACT);
  const other = { platformType: 43, symbol: 'ETHUSDT' } as const;
  beforeEach(async () => {
    perps.world.instruments.push({ ...BTCUSDT_PERP, symbol: other.symbol });
    for (const contract of [CONTRACT, other])
      await handlers()['connextrade/GetLeverage'](callerNow(), contract);
    perps.venue.weight();
  });

  test('answered: the change and one reading, which serves everybody', async () => {
    expect(await ask()).toMatchObject({ ok: true });
    expect(await leverage()).toMatchObject({ ok: true });
    expect(perps.venue.weight()).toBe(11);
  });

  test('proved by a lookup: what proved it is the setting, and nothing is read again', async () => {
    perps.venue.changes = [{ ...LOST, carriedOut: true }];
    const made = await ask();
    expect(made).toMatchObject({ ok: true });
    expect(await leverage()).toEqual(made);
    expect(perps.venue.weight()).toBe(11);
    // What was read of other contracts may be older than the change.
    await handlers()['connextrade/GetLeverage'](callerNow(), other);
    expect(perps.venue.weight()).toBe(10);
  });

  test('found late: each lookup reads once, and the last of them is told', async () => {
    const before = perps.venue.setting_;
    perps.venue.changes = [{ ...LOST, carriedOut: true }];
    perps.venue.answers.setting = async () => ({ ok: true, value: before });
    await ask();
    expect(perps.venue.weight()).toBe(11);
    perps.venue.answers = {};
    await perps.world.pass(2_000);
    expect(await leverage()).toMatchObject({ ok: true });
    expect(perps.venue.weight()).toBe(10);
  });

  test('refused: the change alone', async () => {
    perps.venue.changes = [{ outcome: 'refused', venueCode: '-1', message: 'no' }];
    await ask();
    expect(perps.venue.weight()).toBe(1);
  });
});

describe('where every order says its margin mode', () => {
  const AT_OKX = { platformType: 41, symbol: 'BTCUSDT' } as const;
  const leverage = (mode: object = {}) =>
    handlers()['connextrade/GetLeverage'](callerNow(), { ...AT_OKX, ...mode });
  const [cross, isolated] = [{ marginMode: 'cross' }, { marginMode: 'isolated' }] as const;
  beforeEach(async () => {
    perps.world.second = 2;
    await perps.world.account(CALLER.user, 2);
    perps.venue.answers.setting = async (_credentials, _instrument, marginMode = 'cross') => ({
      ok: true,
      value: { ...perps.venue.setting_, marginMode },
    });
    await leverage();
    perps.venue.weight();
  });

  test('each mode is read for itself, and the one that nobody names is cross', async () => {
    for (const mode of [{}, cross, isolated, isolated, cross])
      expect(await leverage(mode)).toMatchObject({ value: { marginMode: 'cross', ...mode } });
    expect(perps.venue.weight()).toBe(10);
  });

  test('a lookup of one mode proves a change of it, and the other is read again', async () => {
    await leverage(isolated);
    perps.venue.changes = [{ ...LOST, carriedOut: true }];
    const set = { ...AT_OKX, ...isolated, leverage: 25, effect: 0 } as const;
    perps.venue.weight();
    expect(await handlers()['connextrade/SetLeverage'](callerNow(), set)).toMatchObject({
      value: { ...isolated, leverageLong: 25 },
    });
    await leverage(isolated);
    expect(perps.venue.weight()).toBe(11);
    expect(await leverage(cross)).toMatchObject({ value: cross });
    expect(perps.venue.weight()).toBe(10);
  });

  test('isolated margin, whose answer is lost, is proved by the setting of that mode', async () => {
    perps.venue.changes = [LOST];
    const made = await handlers()['x/trade/MarginMode'](callerNow(), { ...AT_OKX, ...isolated });
    expect(made).toMatchObject({ ok: true, value: isolated });
  });
});

describe('GetLeverage', () => {
  const leverage = () => handlers()['connextrade/GetLeverage'](callerNow(), CONTRACT);

  test('first after a start, and ten times in half a minute', async () => {
    await leverage();
    expect(perps.venue.weight()).toBe(16);
    for (let at = 0; at < 10; at += 1) await leverage();
    expect(perps.venue.weight()).toBe(0);
  });

  test('that our own budget keeps from asking says so and when there is room, and an order does', async () => {
    perps.venue.answers.setting = async () => BUDGET;
    const refused = { code: { error: 'venue-budget', allowed: '41' } };
    expect(await leverage()).toMatchObject(refused);
    expect(await placeContractOrder(perps)).toMatchObject(refused);
    perps.venue.answers.prepare = async () => ({
      ...{ outcome: 'refused', venueCode: 'LOCAL_RATE_LIMITED', message: 'not sent to the venue' },
      retryAfterMillis: 41_000,
    });
    await anotherLife();
    expect(await leverage()).toMatchObject(refused);
    expect(await placeContractOrder(perps)).toMatchObject(refused);
  });
});

describe.each(CHANGES)('a change of $what in doubt', ({ call, ask }) => {
  test('stops opening and other changes, never closing', async () => {
    await placeContractOrder(perps, { quantity: amount('2') });
    perps.venue.changes = [LOST];
    await ask();
    const seen = { marginMode: 'cross', leverage: 10 } as const;
    expect(errorOf(await placeContractOrder(perps, seen))).toBe('setting-pending');
    for (const other of CHANGES) expect(errorOf(await other.ask())).toBe('setting-pending');
    expect(asked('setLeverage') + asked('setMarginMode') + asked('setPositionMode')).toBe(1);
    const closing = { side: SIDE.SELL, ...seen, quantity: amount('1'), reduceOnly: true };
    expect(errorOf(await placeContractOrder(perps, closing))).toBeUndefined();
    const close = handlers()['connextrade/ClosePosition'];
    expect(await close(callerNow(), { ...CONTRACT, effect: 0 })).toMatchObject({
      value: { outcome: 'sent' },
    });
    await perps.world.pass(30_000, 1_000);
    expect(errorOf(await placeContractOrder(perps, seen))).toBeUndefined();
  });

  test.each([true, false])(
    'when the process ends is proved by the next one: carried out %s',
    async (carriedOut) => {
      const { venue, world } = perps;
      const before = venue.setting_;
      venue.changes = [{ ...LOST, carriedOut }];
      venue.answers.setting = async () => ({ ok: true, value: before });
      await ask();
      venue.answers = {};
      await anotherLife();
      await world.pass(30_000, 1_000);
      expect((await rows()).map(({ state }) => state)).toEqual([carriedOut ? 'done' : 'refused']);
      expect(asked(call)).toBe(1);
    },
  );

  test('that cannot be read for ten minutes is told to a person, and that is over with its end', async () => {
    const { world, venue } = perps;
    venue.changes = [LOST];
    venue.answers.setting = async () => ({ ok: false, code: 'network' });
    await ask();
    await world.pass(640_000, 5_000);
    expect([...world.open.values()]).toMatchObject([
      { subject: 'setting', what: 'the outcome is still open' },
    ]);
    venue.answers = {};
    await world.pass(60_000, 5_000);
    expect([...world.open.values()]).toEqual([]);
    expect(asked(call)).toBe(1);
  });

  describe('whose row the ledger answers', () => {
    const cut = async (hears: (unit: LedgerUnit) => Promise<LedgerCommit>) => {
      const ledger = new CutLedger(perps.world.ledger);
      ledger.hears = (unit) => {
        ledger.hears = async () => undefined;
        return hears(unit);
      };
      await anotherLife(ledger.store);
    };

    test.each(['busy', 'unavailable'] as const)('with %s is not asked for', async (code) => {
      await cut(async () => ({ ok: false, code }));
      expect(errorOf(await ask())).toBe(code);
      await perps.world.pass(5_000);
      expect([asked(call), await rows()]).toEqual([0, []]);
    });

    test('as it should, but not its end, is proved by a lookup', async () => {
      const ledger = new CutLedger(perps.world.ledger);
      let units = 0;
      ledger.hears = async () => {
        units += 1;
        return units === 2 ? { ok: false, code: 'unavailable' } : undefined;
      };
      await anotherLife(ledger.store);
      expect(errorOf(await ask())).toBe('outcome-unknown');
      await perps.world.pass(2_000);
      expect((await rows()).map(({ state }) => state)).toEqual(['done']);
      expect(asked(call)).toBe(1);
    });

    test('with nothing, though it is there, is not asked for and ends as never sent', async () => {
      await cut(async (unit) => {
        await perps.world.ledger.commit(unit);
        return { ok: false, code: 'outcome-unknown' };
      });
      expect(errorOf(await ask())).toBe('outcome-unknown');
      await perps.world.pass(40_000, 1_000);
      expect(asked(call)).toBe(0);
      expect((await rows()).map(({ state }) => state)).toEqual(['refused']);
    });
  });
});

describe('leverage', () => {
  const set = (leverage: number, part: object = {}) =>
    handlers()['connextrade/SetLeverage'](callerNow(), { ...CONTRACT, leverage, effect: 0, ...part });

  test('the same id is the same change, and another one is refused', async () => {
    expect(await set(25, { clientId: ID })).toMatchObject({ ok: true, value: { leverageLong: 25 } });
    expect(await set(25, { clientId: ID })).toMatchObject({ ok: true, value: { leverageLong: 25 } });
    expect(asked('setLeverage')).toBe(1);
    expect(errorOf(await set(26, { clientId: ID }))).toBe('client-id-reused');
    expect(asked('setLeverage')).toBe(1);
  });

  test('changes side by side wait for each other', async () => {
    const answers = await Promise.all([set(20), set(30), set(40)]);
    expect(answers.map((answer) => answer.ok)).toEqual([true, true, true]);
    expect((await rows()).map(({ state }) => state)).toEqual(['done', 'done', 'done']);
    expect(asked('setLeverage')).toBe(3);
  });

  test('above the largest of the contract nothing is asked', async () => {
    expect(await set(126)).toMatchObject({ code: { error: 'leverage-range', allowed: '1 and 125' } });
    expect(perps.venue.calls).not.toContain('setLeverage');
  });

  test("is bounded by the account's own table, which every answer names; by the list where there is none", async () => {
    const get = () => handlers()['connextrade/GetLeverage'](callerNow(), CONTRACT);
    expect(await get()).toMatchObject({ value: { maxLeverage: 125 } });
    const rates = { maintenanceRate: amount('0.004'), deduction: ZERO };
    perps.venue.tierRows = [
      { tier: 1, unit: 'notional', floor: ZERO, cap: amount('300000'), maxLeverage: 150, ...rates },
    ];
    await perps.world.pass(600_000, 600_000);
    expect(await get()).toMatchObject({ value: { maxLeverage: 150 } });
    expect(await set(150)).toMatchObject({ value: { leverageLong: 150, maxLeverage: 150 } });
    expect(errorOf(await set(151))).toBe('leverage-range');
  });

  test('of a platform that is coming soon is read and never changed', async () => {
    perps.world.platformState = 'coming-soon';
    expect(errorOf(await set(20))).toBe('platform-coming-soon');
    expect(asked('setLeverage')).toBe(0);
    expect(await handlers()['connextrade/GetLeverage'](callerNow(), CONTRACT)).toMatchObject({ ok: true });
  });
});

describe('margin of an isolated position', () => {
  beforeEach(async () => {
    perps.venue.setting_ = { ...perps.venue.setting_, marginMode: 'isolated' };
    await placeContractOrder(perps, { quantity: amount('2') });
  });
  const move = (direction: 1 | 2, text: string, part: object = {}) =>
    handlers()['x/trade/AdjustMargin'](callerNow(), {
      ...{ ...CONTRACT, effect: 0, direction, amount: amount(text) },
      ...part,
    });
  const stands = () => formatAmount(perps.venue.open.get(0)?.isolatedMargin ?? ZERO);

  test('is added and taken, and the position says so', async () => {
    expect(await move(1, '5')).toMatchObject({ ok: true, value: { isolatedMargin: '15' } });
    expect(await move(2, '3')).toMatchObject({ ok: true, value: { isolatedMargin: '12' } });
    expect((await rows()).map(({ state }) => state)).toEqual(['done', 'done']);
  });

  test.each([
    { carriedOut: true, error: undefined, margin: '15', state: 'done', later: undefined },
    {
      ...{ carriedOut: false, error: 'outcome-unknown', margin: '10', state: 'refused' },
      later: 'setting-refused',
    },
  ])('whose answer is lost, carried out $carriedOut, is asked for once', async (as) => {
    perps.venue.changes = [{ ...LOST, carriedOut: as.carriedOut }];
    expect(errorOf(await move(1, '5', { clientId: ID }))).toBe(as.error);
    await perps.world.pass(30_000, 1_000);
    expect([stands(), asked('adjustMargin')]).toEqual([as.margin, 1]);
    expect((await rows()).map((row) => row.state)).toEqual([as.state]);
    expect(errorOf(await move(1, '5', { clientId: ID }))).toBe(as.later);
    expect(asked('adjustMargin')).toBe(1);
  });

  test('that something else moves as well is not guessed: it ends unproved, and is not asked for again', async () => {
    const besides = () => perps.venue.moveMargin(0, amount('-0.3'));
    perps.venue.changes = [{ ...LOST, carriedOut: true, besides }];
    expect(errorOf(await move(1, '5', { clientId: ID }))).toBe('outcome-unknown');
    await perps.world.pass(30_000, 1_000);
    expect(await rows()).toEqual([{ state: 'unproved', reason: 'the position has changed since' }]);
    expect(errorOf(await move(1, '5', { clientId: ID }))).toBe('outcome-unknown');
    expect(asked('adjustMargin')).toBe(1);
    expect(await move(1, '1')).toMatchObject({ ok: true });
  });

  test('in doubt keeps nobody from opening', async () => {
    perps.venue.changes = [LOST];
    await move(1, '5');
    expect(await placeContractOrder(perps, { quantity: amount('1') })).toMatchObject({ ok: true });
  });

  test('is not there in a cross position', async () => {
    perps.venue.setting_ = { ...perps.venue.setting_, marginMode: 'cross' };
    await placeContractOrder(perps, { side: SIDE.SELL, quantity: amount('1'), reduceOnly: true });
    await perps.world.pass(1_000);
    expect(errorOf(await move(1, '5'))).toBe('position-none');
    expect(asked('adjustMargin')).toBe(0);
  });
});
