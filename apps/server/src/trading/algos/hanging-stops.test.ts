import { amount, type OrderId, SIDE, type Trailing, type VenueClientId } from '@crossbook/domain';
import type { VenueAlgos } from '@crossbook/venues/trading';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type PerpsWorld, placeContractOrder } from '../perps/perps-world.fixture.ts';
import type { CrashPoint } from '../ports.ts';
import { CALLER, until } from '../trading-world.fixture.ts';
import type { AlgoVenue } from './algo-world.fixture.ts';
import { BYBIT_PERP, ID, openBybitWorld } from './legs-world.fixture.ts';

/** The trailing stop of a position at a venue that gives it an id and no name of ours (Bybit). */

const OTHER = '01890000-0000-7000-8000-00000000abce' as OrderId;
const NAMELESS = '' as VenueClientId;
let perps: PerpsWorld;
let venue: AlgoVenue;
/** What stands at the venue. */
let values: Trailing | undefined;

/** Of one without an id it knows what hangs on the position, or the last that did. */
function namesNone(): void {
  const { place, find, cancel } = venue;
  const newest = () => [...venue.kept.values()].filter(({ request }) => request.whole === true).at(-1);
  const nameless: Pick<VenueAlgos, 'place' | 'find' | 'cancel' | 'amend'> = {
    async place(credentials, request) {
      const sent = await place(credentials, request);
      const kept = venue.kept.get(request.clientId);
      if (kept !== undefined && request.plan.kind === 'trailing') {
        kept.state = { ...kept.state, clientId: NAMELESS };
        values = request.plan.trailing;
      }
      return sent;
    },
    async find(credentials, key) {
      if (key.venueAlgoId !== undefined) {
        const found = await find(credentials, { ...key, clientId: NAMELESS });
        const asks = key.hangs?.changing === true && values !== undefined ? { trailing: values } : undefined;
        return found.outcome === 'found' && asks !== undefined
          ? { ...found, value: { ...found.value, asks } }
          : found;
      }
      venue.calls.push('find');
      const kept = newest();
      return kept === undefined
        ? { outcome: 'not-found' }
        : { outcome: 'found', value: { ...kept.state, clientId: key.clientId } };
    },
    async cancel(credentials, key) {
      if (key.venueAlgoId !== undefined) return cancel(credentials, { ...key, clientId: NAMELESS });
      const kept = newest();
      return kept?.state.status === 'waiting'
        ? cancel(credentials, { ...key, clientId: NAMELESS, venueAlgoId: kept.state.venueAlgoId })
        : { outcome: 'gone' };
    },
    async amend(_credentials, { hangs }, { trailing }) {
      venue.calls.push('amend');
      const how = venue.next.shift() ?? 'done';
      if (how !== 'dropped' && hangs !== undefined) values = { ...hangs.trailing, ...trailing };
      return how === 'done' ? { outcome: 'done' } : { outcome: 'unknown', why: 'lost' };
    },
  };
  Object.assign(venue, nameless);
}

beforeEach(async () => {
  ({ perps, venue } = await openBybitWorld());
  values = undefined;
  namesNone();
});
afterEach(() => perps.world.close());

const opens = async () => {
  expect(await placeContractOrder(perps, { platformType: 42 })).toMatchObject({ ok: true });
  await until(async () => (await held()).join() === '1');
};
const held = async () =>
  (await perps.world.deps.contracts.booked({ user: CALLER.user, platform: 3 })).map(
    ({ quantity }) => `${quantity / 10n ** 18n}`,
  );
const set = (part: Readonly<Record<string, unknown>> = {}, desk = perps.world.desk) => {
  const { world } = perps;
  world.best = { bid: amount('99.9'), ask: amount('100.1'), receivedAt: world.time.clock() };
  const request = {
    ...{ platformType: 42, tinstType: 2, symbol: BYBIT_PERP.symbol, side: SIDE.SELL, algoType: 'trailing' },
    ...{ trailingDistance: amount('5'), whole: true, reduceOnly: true, timeInForce: 1 },
    ...{ marginMode: 'cross', leverage: 10, clientId: ID },
    ...part,
  };
  const caller = { ...CALLER, now: world.time.clock() };
  return desk.handlers['connextrade/PlaceAlgoOrder'](caller, request as never);
};
const change = (part: Readonly<Record<string, unknown>>) =>
  perps.world.desk.handlers['connextrade/ReplaceAlgoOrder']({ ...CALLER, now: perps.world.time.clock() }, {
    platformType: 42,
    algoId: ID,
    ...part,
  } as never);
const row = async (id = ID) => {
  const found = await perps.world.deps.algos.byId(id);
  if (found === undefined) throw new Error('no row');
  return found;
};
const stateNow = async (id = ID) => {
  const { state, unknown } = await row(id);
  return unknown ? `${state} unknown` : state;
};
/** It fires at the venue and closes what there is. */
const fires = () => {
  const [name] = [...venue.kept.keys()].slice(-1);
  if (name === undefined) throw new Error('nothing hangs there');
  const { venueOrderId: _own, ...fill } = perps.venue.trade(SIDE.SELL, amount('1'));
  return venue.fire(name, '1', fill);
};
const restarts = async () => {
  perps.world.crash = () => undefined;
  await perps.world.desk.stop();
  await perps.world.restarted();
  await perps.world.pass(75_000, 1_000);
};

describe('the trailing stop of a position', () => {
  test('is a row by the id that the venue gave it, fires, and what it sent is booked once', async () => {
    await opens();
    expect(await set({ activation: amount('101') })).toMatchObject({
      ...{ ok: true, value: { algoType: 'trailing', state: 'waiting', quantity: null, placed: true } },
    });
    expect((await row()).plan).toEqual({
      ...{ kind: 'trailing', trailing: { distance: amount('5'), activation: amount('101'), by: 'last' } },
    });
    const { state } = fires();
    perps.world.venue.streams.at(-1)?.onAlgo?.(state);
    perps.world.venue.streams.at(-1)?.onAlgo?.(state);
    await until(async () => (await stateNow()) === 'fired');
    await until(async () => (await held()).length === 0);
    const { childId } = await row();
    expect(await perps.world.orders.fillsOfOrder(childId as OrderId)).toHaveLength(1);
  });

  test('that is not known by its id yet is nobody else’s, though the list shows it', async () => {
    const { world } = perps;
    await opens();
    const { waiting } = venue;
    const shown = {
      ...{ side: SIDE.SELL, plan: { kind: 'trailing', trailing: { by: 'last' } }, position: 0 },
      ...{ reduces: true, timeInForce: 1 },
    };
    Object.assign(venue, {
      waiting: async (...given: Parameters<typeof waiting>) => {
        const listed = await waiting(...given);
        return listed.ok ? { ok: true, value: listed.value.map((one) => ({ ...one, shown })) } : listed;
      },
      find: async () => ({ outcome: 'unknown', why: 'silent' }),
    });
    venue.next = ['lost'];
    await world.desk.start();
    expect(await set()).toMatchObject({ ok: true, value: { unknown: true } });
    const rows = async () => {
      const answer = await world.desk.handlers['connextrade/CurAlgoOrderList'](CALLER, { platformType: 42 });
      return answer.ok ? answer.value.map(({ algoId, ofExchange }) => [algoId, ofExchange]) : [];
    };
    await rows();
    await world.pass(3_000, 500);
    expect(await rows()).toEqual([[ID, undefined]]);
  });

  test.each<[string, Readonly<Record<string, unknown>>, object]>([
    ['of no position', { marginMode: 'isolated' }, { error: 'position-none' }],
    ['that the other side closes', { side: SIDE.BUY }, { error: 'position-none' }],
    [
      'of a part',
      { whole: undefined, quantity: amount('1') },
      { error: 'algo-not-offered', field: 'quantity' },
    ],
    [
      'by a share',
      { trailingDistance: undefined, trailingRatio: amount('0.01') },
      { error: 'algo-not-offered', field: 'trailingRatio' },
    ],
    ['by the mark', { triggerBy: 'mark' }, { error: 'algo-not-offered', field: 'triggerBy' }],
    [
      'between two ticks',
      { trailingDistance: amount('5.05') },
      { error: 'price-step', field: 'trailingDistance' },
    ],
    [
      'as far as the price',
      { trailingDistance: amount('100') },
      { error: 'trailing-range', field: 'trailingDistance' },
    ],
    [
      'from where the price has been',
      { activation: amount('99') },
      { error: 'trigger-at-once', field: 'activation' },
    ],
  ])('%s is refused by name, and nothing is sent', async (_, part, code) => {
    if (part.marginMode === undefined) await opens();
    expect(await set(part)).toMatchObject({ ok: false, code });
    expect(venue.calls).not.toContain('place');
  });

  test('is one: another is refused, and the first is changed in its place', async () => {
    await opens();
    await set({ activation: amount('101') });
    expect(await set({ clientId: OTHER })).toMatchObject({
      ...{ ok: false, code: { error: 'order-combination', field: 'algoType' } },
    });
    // The price has been where it began: only what is new is looked at.
    perps.world.best = {
      bid: amount('102'),
      ask: amount('102.2'),
      receivedAt: perps.world.time.clock(),
    };
    expect(await change({ trailingDistance: amount('7') })).toMatchObject({
      ...{ ok: true, value: { trailing: { distance: '7', activation: '101' } } },
    });
    expect(await change({ quantity: amount('1') })).toMatchObject({
      code: { error: 'algo-not-offered', field: 'quantity' },
    });
    expect(values).toEqual({ distance: amount('7'), activation: amount('101'), by: 'last' });
    expect(venue.calls.filter((call) => call === 'place')).toHaveLength(1);
  });

  test('is removed, and takes no place of what waits', async () => {
    await opens();
    for (let at = 0; at < 10; at += 1)
      expect(
        await set({
          ...{ algoType: 'stop', triggerPrice: amount('80'), trailingDistance: undefined },
          ...{ whole: undefined, quantity: amount('0.1') },
          clientId: ID.replace(/.$/, String(at)),
        }),
      ).toMatchObject({ ok: true });
    expect(await set()).toMatchObject({ ok: true });
    const caller = { ...CALLER, now: perps.world.time.clock() };
    const { handlers } = perps.world.desk;
    expect(
      await handlers['connextrade/CancelAlgoOrder'](caller, { platformType: 42, algoId: ID } as never),
    ).toMatchObject({ ok: true, value: { state: 'cancelled' } });
    expect(await set({ clientId: OTHER })).toMatchObject({ ok: true });
  });

  test('that never arrived is not taken for the one before it', async () => {
    await opens();
    await set();
    perps.world.venue.streams.at(-1)?.onAlgo?.(fires().state);
    await until(async () => (await stateNow()) === 'fired' && (await held()).length === 0);
    await opens();
    venue.next = ['dropped'];
    expect(await set({ clientId: OTHER })).toMatchObject({ ok: true, value: { state: 'placing' } });
    await perps.world.desk.start();
    await perps.world.pass(75_000, 1_000);
    expect(await row(OTHER)).toMatchObject({ state: 'refused', reason: 'the exchange never received it' });
    expect(await held()).toEqual(['1']);
  });

  test.each([
    ['lost', '7'],
    ['dropped', '5'],
  ] as const)('a change whose answer was %s is what the venue shows', async (how, distance) => {
    await opens();
    await set();
    venue.next = [how];
    expect(await change({ trailingDistance: amount('7') })).toMatchObject({
      ...{ ok: true, value: { unknown: true } },
    });
    await perps.world.desk.start();
    await perps.world.pass(75_000, 1_000);
    expect([await stateNow(), (await row()).plan]).toEqual([
      'waiting',
      { kind: 'trailing', trailing: { distance: amount(distance), by: 'last' } },
    ]);
  });
});

const POINTS: readonly CrashPoint[] = ['after-hold', 'after-send', 'after-answer'];
describe.each(POINTS)('a process that dies at %s', (point) => {
  test.each([false, true])('leaves one that the next knows once, fired meanwhile: %s', async (fired) => {
    await opens();
    perps.world.diesAt(point);
    await set().catch(() => undefined);
    await until(() => perps.world.dead);
    const sent = venue.kept.size > 0;
    if (sent && fired) fires();
    await restarts();
    const closed = sent && fired;
    expect(await stateNow()).toBe(closed ? 'fired' : sent ? 'waiting' : 'refused');
    await until(async () => (await held()).join() === (closed ? '' : '1'));
    expect(venue.calls.filter((call) => call === 'place')).toHaveLength(sent ? 1 : 0);
    const { childId } = await row();
    if (closed) expect(await perps.world.orders.fillsOfOrder(childId as OrderId)).toHaveLength(1);
  });
});
