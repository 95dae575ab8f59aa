import {
  type Amount,
  amount,
  type Millis,
  ORDER_STATUS,
  type OrderId,
  type OrderStatus,
  plus,
  SIDE,
  type VenueAlgoState,
  type VenueFill,
  type VenueOrderId,
  type VenueOrderState,
  venueClientId,
  ZERO,
} from '@crossbook/domain';
import type { OrderTerms, VenueAlgos } from '@crossbook/venues/trading';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { isEnded } from '../algo.ts';
import { openPerpsWorld, type PerpsWorld } from '../perps/perps-world.fixture.ts';
import type { CrashPoint } from '../ports.ts';
import { BTCUSDT_PERP, CALLER, CANCELLED, FILLED, OPEN, until } from '../trading-world.fixture.ts';
import { AlgoVenue } from './algo-world.fixture.ts';

/** Icebergs of contracts: each slice that the venue makes is an order, booked once; when one is at its end. */

const ID = '01890000-0000-7000-8000-00000000abcd' as OrderId;
const CLIENT = venueClientId(ID);
const OKX = { platform: 2, platformType: 41 } as const;

/** A slice as the venue has it; what it lists no more it still knows by its id. */
interface Slice {
  readonly of: VenueOrderId;
  readonly quantity: Amount;
  readonly since: Millis;
  status: OrderStatus;
  fills: VenueFill[];
  listed: boolean;
}

let perps: PerpsWorld;
let venue: AlgoVenue;
let slices: Map<VenueOrderId, Slice>;
/** When each read of slices begins. */
let reads: Millis[];
/** How the next reads fail. */
let faults: ('refused' | 'thrown')[];

beforeEach(async () => {
  perps = await openPerpsWorld();
  const { world } = perps;
  venue = new AlgoVenue(world);
  world.venue.algos = venue;
  world.second = OKX.platform;
  world.instruments.splice(0, world.instruments.length, { ...BTCUSDT_PERP, platform: OKX.platform });
  const key = { apiKey: 'one wallet', secret: 'secret' };
  await world.accounts.begin(CALLER.user, OKX.platform);
  await world.accounts.complete(CALLER.user, OKX.platform, { accountId: 'sub', credentials: key });
  await world.fund('USDT', '1000', CALLER.user, OKX.platform);
  [slices, reads, faults] = [new Map(), [], []];
  (venue as VenueAlgos).slices = listing;
  const { answers } = world.venue;
  const found = (id: VenueOrderId) => {
    const slice = slices.get(id);
    return slice === undefined
      ? ({ outcome: 'not-found' } as const)
      : ({ outcome: 'found', value: stateOf(id, slice) } as const);
  };
  answers.findByVenueId = async (_credentials, _instrument, id) => found(id);
  answers.fillsOfOrder = async (_credentials, _instrument, id) => ({
    ok: true,
    value: slices.get(id)?.fills ?? [],
  });
  answers.fillsSince = async () => ({ ok: true, value: perps.venue.fills });
  answers.cancelByVenueId = async (_credentials, _instrument, id) => {
    const slice = slices.get(id);
    if (slice?.status !== OPEN) return { outcome: 'gone' };
    slice.status = CANCELLED;
    return { outcome: 'cancelled', state: stateOf(id, slice) };
  };
  answers.openOrders = async () => ({
    ok: true,
    value: [...slices].filter(([, { status }]) => status === OPEN).map(([id, slice]) => stateOf(id, slice)),
  });
});
afterEach(() => perps.world.close());

const listing: NonNullable<VenueAlgos['slices']> = async (_credentials, { venueAlgoId, since }) => {
  reads.push(since);
  const fault = faults.shift();
  if (fault === 'thrown') throw new Error('no list');
  if (fault === 'refused') return { ok: false, code: 'refused' };
  const value = [...slices]
    .filter(([, slice]) => slice.of === venueAlgoId && slice.listed)
    .filter(([, slice]) => slice.status === OPEN || slice.since >= since)
    .map(([id, slice]): OrderTerms => {
      return { state: stateOf(id, slice), price: amount('99'), quantity: slice.quantity };
    });
  return { ok: true, value };
};

function stateOf(venueOrderId: VenueOrderId, { fills, status, since }: Slice): VenueOrderState {
  return {
    ...{ clientId: '' as VenueOrderState['clientId'], venueOrderId, symbol: BTCUSDT_PERP.symbol, status },
    cumulativeQuantity: fills.reduce((sum, { quantity }) => plus(sum, quantity), ZERO),
    cumulativeQuote: fills.reduce((sum, { quoteQuantity }) => plus(sum, quoteQuantity), ZERO),
    time: since,
  };
}

const place = (part: Readonly<Record<string, unknown>> = {}, desk = perps.world.desk) => {
  const { world } = perps;
  world.best = { bid: amount('99.9'), ask: amount('100.1'), receivedAt: world.time.clock() };
  const request = {
    ...{ platformType: OKX.platformType, tinstType: 2, symbol: BTCUSDT_PERP.symbol, side: SIDE.BUY },
    ...{ algoType: 'iceberg', price: amount('105'), quantity: amount('3'), visibleQuantity: amount('1') },
    ...{ behindRatio: amount('0.001'), timeInForce: 1, marginMode: 'cross', leverage: 10, clientId: ID },
    ...part,
  };
  const caller = { ...CALLER, now: world.time.clock() };
  return desk.handlers['connextrade/PlaceAlgoOrder'](caller, request as never);
};
const stored = async () => {
  const row = await perps.world.deps.algos.byId(ID);
  if (row === undefined) throw new Error('no iceberg');
  return row;
};
const kept = () => {
  const found = venue.kept.get(CLIENT);
  if (found === undefined) throw new Error('the venue has none');
  return found;
};
const stream = () => perps.world.venue.streams.at(-1);
const now = () => perps.world.time.clock();

/** The venue makes a slice. */
function made(id: string, part: Partial<Slice> = {}): VenueOrderId {
  const slice = { of: kept().state.venueAlgoId, quantity: amount('1'), since: now(), status: OPEN };
  slices.set(id as VenueOrderId, { ...slice, fills: [], listed: true, ...part });
  return id as VenueOrderId;
}
/** It fills whole; what is told of it a test says. */
function fills(id: VenueOrderId): void {
  const slice = slices.get(id);
  if (slice === undefined) throw new Error('no slice');
  slice.fills = [perps.venue.trade(SIDE.BUY, slice.quantity, { order: id })];
  slice.status = FILLED;
  says({ executed: plus(kept().state.executed ?? ZERO, slice.quantity) });
}
function says(part: Partial<VenueAlgoState>): void {
  const one = kept();
  one.state = { executed: ZERO, ...one.state, ...part };
}
const tell = () => stream()?.onAlgo?.(kept().state);
function tellOrder(id: VenueOrderId): void {
  const slice = slices.get(id);
  const [fill] = slice?.fills ?? [];
  if (slice !== undefined)
    stream()?.onOrder({ state: stateOf(id, slice), ...(fill === undefined ? {} : { fill }) });
}
const orders = async () => {
  const page = await perps.world.orders.history(CALLER.user, OKX.platform, { limit: 50 });
  return page.rows;
};
const order = async (id: VenueOrderId) =>
  perps.world.orders.byVenueId({ user: CALLER.user, platform: OKX.platform }, id, BTCUSDT_PERP);
const booked = async () => {
  const page = await perps.world.orders.fills(CALLER.user, OKX.platform, { limit: 50 });
  return page.rows.length;
};
const restarted = () => perps.world.restarted();
/** Time passes until the iceberg is over. */
const ended = () =>
  until(async () => {
    await perps.world.pass(4_000, 2_000);
    return isEnded(await stored());
  });
const cancel = (desk = perps.world.desk) =>
  desk.handlers['connextrade/CancelAlgoOrder'](CALLER, { platformType: OKX.platformType, algoId: ID });

describe('an iceberg', () => {
  test('is orders of its owner, one after the other, and done once all of it is', async () => {
    expect(await place()).toMatchObject({
      ok: true,
      value: {
        ...{ algoId: ID, algoType: 'iceberg', state: 'waiting', quantity: '3', executed: '0' },
        iceberg: { price: '105', visibleQuantity: '1', behindRatio: '0.001', behindDistance: null },
      },
    });
    for (const [at, name] of ['s1', 's2', 's3'].entries()) {
      const id = made(name);
      tellOrder(id);
      await until(async () => (await order(id))?.status === OPEN);
      expect(await order(id)).toMatchObject({ algoId: ID, price: amount('99'), holdAmount: ZERO });
      fills(id);
      tellOrder(id);
      tell();
      await until(async () => (await order(id))?.settled === true);
      await until(async () => (await stored()).executed === amount(String(at + 1)));
      perps.world.time.advance(10);
    }
    says({ status: 'fired' });
    tell();
    await until(async () => (await stored()).state === 'firing');
    await ended();
    const last = await order('s3' as VenueOrderId);
    expect(await stored()).toMatchObject({ state: 'fired', executed: amount('3'), childId: last?.id });
    expect(await booked()).toBe(3);
    expect(perps.world.incidents).toEqual([]);
  });

  test('that nobody heard of is read at the next start, and booked once', async () => {
    await place();
    await perps.world.desk.stop();
    for (const name of ['s1', 's2', 's3']) fills(made(name));
    says({ status: 'fired' });
    await restarted();
    await ended();
    expect(await stored()).toMatchObject({ state: 'fired', executed: amount('3') });
    expect([(await orders()).length, await booked()]).toEqual([3, 3]);
  });

  test('whose orders cannot be read is asked again, and another one goes on beside it', async () => {
    const other = '01890000-0000-7000-8000-00000000abce' as OrderId;
    // Comparing once a minute begins with the desk: what a read that throws leaves is found by it.
    await perps.world.desk.start();
    await place();
    await place({ clientId: other });
    const beside = venue.kept.get(venueClientId(other));
    if (beside === undefined) throw new Error('no second one');
    const id = made('s1', { of: beside.state.venueAlgoId });
    faults = ['thrown', 'refused', 'thrown'];
    tell();
    tellOrder(id);
    await until(async () => {
      await perps.world.pass(10_000, 2_000);
      return (await order(id))?.algoId === other;
    });
    fills(made('s2'));
    tell();
    await until(async () => {
      await perps.world.pass(10_000, 2_000);
      return (await stored()).executed === amount('1');
    });
  });

  test('is at most twenty at a time', async () => {
    const id = (at: number) => `01890000-0000-7000-8000-0000000000${10 + at}` as OrderId;
    for (let at = 0; at < 20; at += 1)
      expect(await place({ clientId: id(at) }), String(at)).toMatchObject({ ok: true });
    const refused = { error: 'too-many-open-orders', allowed: '20' };
    expect(await place({ clientId: id(20) })).toMatchObject({ ok: false, code: refused });
  });
});

/** When one is over: what the venue says of it, of its orders, and what is known here by then. */
interface End {
  readonly when: string;
  readonly slices: () => void;
  readonly said: Partial<VenueAlgoState>;
  /** Known before the end: read once. */
  readonly known?: true;
  /** What happens after the end was told, and what it is before. */
  readonly later?: { readonly is: string; readonly does: () => void };
  readonly becomes: object;
}
const slice = (name: string) => slices.get(name as VenueOrderId) as Slice;
const ENDS: readonly End[] = [
  {
    ...{ when: 'nothing of it rests or has filled', slices: () => undefined },
    ...{ said: { status: 'cancelled' }, becomes: { state: 'cancelled', executed: ZERO } },
  },
  {
    when: 'all has filled, also what nobody knew',
    slices: () => {
      for (const name of ['s1', 's2', 's3']) fills(made(name));
    },
    ...{ said: { status: 'fired' }, becomes: { state: 'fired', executed: amount('3') } },
  },
  {
    ...{ when: 'it is refused', slices: () => undefined, said: { status: 'refused', reason: '51008' } },
    becomes: { state: 'refused', reason: '51008' },
  },
  {
    when: 'an order of it rests still',
    ...{ slices: () => void made('s1'), said: { status: 'cancelled' } },
    later: { is: 'firing', does: () => Object.assign(slice('s1'), { status: CANCELLED }) },
    becomes: { state: 'cancelled', executed: ZERO },
  },
  {
    when: 'an order of ours is listed nowhere: it is asked for by itself',
    ...{ slices: () => void made('s1'), said: { status: 'cancelled' }, known: true },
    later: {
      is: 'firing',
      does: () => Object.assign(slice('s1'), { status: CANCELLED }),
    },
    becomes: { state: 'cancelled', executed: ZERO },
  },
  {
    when: 'more has executed than is known',
    slices: () => {
      fills(made('s1'));
      slice('s1').listed = false;
    },
    said: { status: 'cancelled' },
    later: { is: 'firing', does: () => Object.assign(slice('s1'), { listed: true }) },
    becomes: { state: 'cancelled', executed: amount('1') },
  },
  {
    when: 'it is done, and no order of it is known',
    ...{ slices: () => undefined, said: { status: 'fired' } },
    later: { is: 'firing', does: () => fills(made('s1')) },
    becomes: { state: 'fired', executed: amount('1') },
  },
];

describe('the end of one', () => {
  test.each(ENDS)('$when', async ({ slices: prepare, said, known, later, becomes }) => {
    await place();
    prepare();
    if (known === true) {
      tell();
      await until(async () => (await orders()).length === 1);
      slice('s1').listed = false;
    }
    says(said);
    tell();
    if (later !== undefined) {
      await until(async () => (await stored()).state === later.is);
      await perps.world.pass(20_000, 2_000);
      expect(await stored()).toMatchObject({ state: later.is });
      later.does();
    }
    await ended();
    expect(await stored()).toMatchObject({ ...becomes, cancelPending: false, unknown: false });
    expect((await orders()).every(({ settled }) => settled)).toBe(true);
  });

  test('asked for by its member, is told once its orders are over', async () => {
    await place();
    const id = made('s1');
    tellOrder(id);
    await until(async () => (await order(id)) !== undefined);
    expect(await cancel()).toMatchObject({ ok: true, value: { state: 'waiting', cancelPending: true } });
    Object.assign(slice('s1'), { status: CANCELLED });
    await ended();
    expect(await stored()).toMatchObject({ state: 'cancelled', cancelPending: false });
    expect(await order(id)).toMatchObject({ status: CANCELLED, settled: true });
    expect(await cancel()).toMatchObject({ ok: false, code: { error: 'order-final' } });
  });
});

describe('an order of one', () => {
  const asked = async (id: VenueOrderId) => {
    const of = { platformType: OKX.platformType, orderId: (await order(id))?.id } as const;
    const { handlers } = perps.world.desk;
    const caller = { ...CALLER, now: now() };
    return {
      cancel: await handlers['connextrade/CancelOrder'](caller, of as never),
      change: await handlers['connextrade/ReplaceOrder'](caller, { ...of, price: amount('98') } as never),
    };
  };

  test('is neither cancelled nor changed by itself; once the iceberg is over, what rests still is cancelled', async () => {
    await place();
    const id = made('s1');
    tellOrder(id);
    await until(async () => (await order(id)) !== undefined);
    const refused = { ok: false, code: { error: 'iceberg-part', field: 'orderId' } };
    expect(await asked(id)).toMatchObject({ cancel: refused, change: refused });
    const all = await perps.world.desk.handlers['connextrade/CancelAll']({ ...CALLER, now: now() }, {});
    expect(all).toMatchObject({ ok: true, value: [{ outcome: 'refused', order: null }] });
    expect(slice('s1').status).toBe(OPEN);
    says({ status: 'cancelled' });
    tell();
    await until(async () => (await stored()).state === 'firing');
    expect(await asked(id)).toMatchObject({
      cancel: { ok: true, value: { status: CANCELLED, icebergId: ID } },
    });
    await ended();
    expect(await stored()).toMatchObject({ state: 'cancelled' });
  });

  test('is read again for ten minutes, and beyond that only where the venue has executed more', async () => {
    await place();
    const begun = (await stored()).createdAt;
    fills(made('s1'));
    tell();
    await until(async () => (await stored()).executed === amount('1'));
    expect(new Set(reads)).toEqual(new Set([begun]));
    perps.world.time.advance(3_600_000);
    const later = now();
    fills(made('s2'));
    tell();
    await until(async () => (await stored()).executed === amount('2'));
    reads.length = 0;
    tell();
    await until(() => reads.length > 0);
    expect(reads).toEqual([later - 600_000]);
    fills(made('s0', { since: (begun + 1) as Millis }));
    tell();
    await until(async () => (await stored()).executed === amount('3'));
    expect(reads).toContain(begun);
  });
});

const POINTS: readonly CrashPoint[] = [
  ...(['after-hold', 'after-send', 'before-child', 'after-child', 'before-post', 'after-post'] as const),
];
test.each(POINTS)('a process that dies at %s leaves an iceberg that the next books once', async (point) => {
  const { world } = perps;
  world.diesAt(point);
  await place().catch(() => undefined);
  const taken = venue.kept.has(CLIENT);
  if (taken) fills(made('s1'));
  if (!world.dead) tell();
  if (!world.dead) await until(() => world.dead);
  await world.desk.stop();
  if (taken) {
    fills(made('s2'));
    made('s3', { status: CANCELLED });
    says({ status: 'cancelled' });
  }
  await restarted();
  await ended();
  expect(await stored()).toMatchObject(
    taken ? { state: 'cancelled', executed: amount('2') } : { state: 'refused', executed: ZERO },
  );
  expect(await booked()).toBe(taken ? 2 : 0);
  const made_ = await orders();
  expect(made_.map(({ status }) => status).sort()).toEqual(
    taken ? [ORDER_STATUS.CANCELLED, ORDER_STATUS.FILLED, ORDER_STATUS.FILLED].sort() : [],
  );
  expect(made_.every(({ settled }) => settled)).toBe(true);
});
