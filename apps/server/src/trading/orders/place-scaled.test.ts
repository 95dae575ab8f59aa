import type { CallRequest } from '@crossbook/contract';
import { amount, type Millis, type OrderId, type UserId } from '@crossbook/domain';
import type { SendOutcome, VenueOrderRequest } from '@crossbook/venues/trading';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  BTCUSDT,
  CALLER,
  OPEN,
  openTradingWorld,
  REJECT,
  stateOf,
  type TradingWorld,
  UNKNOWN,
} from '../trading-world.fixture.ts';
import { scaledId } from './place-scaled.ts';

let world: TradingWorld;
beforeEach(async () => {
  world = await openTradingWorld();
  await world.account();
  await world.fund('USDT', '300');
});
afterEach(() => world.close());

type ScaledRequest = CallRequest<'x/trade/PlaceScaled'>;
const ID = '01890000-0000-7000-8000-00000000abcd' as OrderId;
const SCALED: ScaledRequest = {
  ...{ platformType: 43, tinstType: 1, symbol: 'BTCUSDT', side: 1, timeInForce: 1, clientId: ID },
  ...{ from: amount('100'), to: amount('90'), count: 3, skew: 0, quantity: amount('0.6') },
};
const LOST: SendOutcome = { outcome: 'unknown', why: 'lost', deadlineAt: 0 as Millis };

const scaled = (part: Partial<ScaledRequest> = {}, caller = CALLER) =>
  world.desk.handlers['x/trade/PlaceScaled']({ ...caller, now: world.time.clock() }, { ...SCALED, ...part });

/** What became of each, as `placed 0.2@100`. */
async function rowsOf(asked: ReturnType<typeof scaled>): Promise<readonly string[]> {
  const answer = await asked;
  if (!answer.ok) return [answer.code.error];
  return answer.value.map(({ outcome, price, quantity, order }) => {
    return `${outcome} ${quantity}@${price}${order === null ? ', none' : ''}`;
  });
}

/** The venue takes every order but some, the first being 1. */
function venueTakes(but: Readonly<Record<number, SendOutcome>> = {}): VenueOrderRequest[] {
  const sent: VenueOrderRequest[] = [];
  world.venue.answers.place = async (_credentials, request): Promise<SendOutcome> => {
    sent.push(request);
    const other = but[sent.length];
    if (other !== undefined) return other;
    const state = { ...stateOf({ id: ID, symbol: 'BTCUSDT' }, OPEN, '0', String(sent.length)) };
    return { outcome: 'accepted', state: { ...state, clientId: request.clientId }, fills: [] };
  };
  return sent;
}

const ALL = ['placed 0.2@100', 'placed 0.2@95', 'placed 0.2@90'];

describe('a scaled order', () => {
  test('is so many ordinary orders, one after the other, each with its own hold and id', async () => {
    const sent = venueTakes();
    expect(await rowsOf(scaled())).toEqual(ALL);
    expect(sent.map(({ price, quantity }) => [price, quantity])).toEqual([
      [amount('100'), amount('0.2')],
      [amount('95'), amount('0.2')],
      [amount('90'), amount('0.2')],
    ]);
    expect(await world.wallet()).toEqual({ USDT: '300 (57 held)' });
    const open = await world.orders.openOf(CALLER.user, 1);
    const ids = [0, 1, 2].map((at) => scaledId(CALLER.user, ID, at));
    expect(open.map(({ id }) => id).toSorted()).toEqual(ids.toSorted());
  });

  test.each<[string, Partial<ScaledRequest>, object]>([
    ['between ticks', { from: amount('100.05') }, { error: 'price-step', field: 'from', allowed: '0.1' }],
    [
      'with an order below the smallest value',
      { count: 14 },
      { error: 'notional-too-small', field: 'quantity', allowed: '5 USDT (order 1 of 14)' },
    ],
    [
      'with more orders than prices',
      { to: amount('99.9') },
      { error: 'field-invalid', field: 'count', allowed: '2 – 2' },
    ],
    ['of an unknown pair', { symbol: 'NOPEUSDT' }, { error: 'symbol-unknown', field: 'symbol' }],
    [
      'at a platform without an account of ours',
      { platformType: 41 },
      { error: 'symbol-unknown', field: 'symbol' },
    ],
    ['beyond all money at once', { quantity: amount('60') }, { error: 'balance-insufficient' }],
    ['with settings of contracts', { reduceOnly: true }, { error: 'order-combination' }],
  ])('%s is refused as a whole, and nothing is sent', async (_claim, part, code) => {
    const sent = venueTakes();
    expect(await scaled(part)).toMatchObject({ ok: false, code });
    expect(sent).toEqual([]);
    expect(await world.orders.openOf(CALLER.user, 1)).toEqual([]);
    expect(await world.wallet()).toEqual({ USDT: '300' });
  });

  test('that would be more open orders than there may be is refused before the first is sent; a repeat is answered', async () => {
    const sent = venueTakes();
    expect(await rowsOf(scaled())).toEqual(ALL);
    await world.fund('USDT', '1200');
    for (let made = 0; made < 196; made += 1)
      await world.reserved({ price: amount('10'), quantity: amount('0.5') });
    const other = { clientId: '01890000-0000-7000-8000-00000000ffff' as OrderId };
    expect(await rowsOf(scaled(other))).toEqual(['too-many-open-orders']);
    expect(sent).toHaveLength(3);
    expect(await rowsOf(scaled())).toEqual(ALL);
    expect(sent).toHaveLength(3);
  });
});

describe('the same request again', () => {
  test('answers for what there is and sends nothing twice, also side by side', async () => {
    const sent = venueTakes();
    const both = await Promise.all([rowsOf(scaled()), rowsOf(scaled())]);
    expect(both).toEqual([ALL, ALL]);
    expect(await rowsOf(scaled())).toEqual(ALL);
    expect(sent).toHaveLength(3);
    expect(await world.wallet()).toEqual({ USDT: '300 (57 held)' });
  });

  test('with other values is refused, and adds nothing', async () => {
    const sent = venueTakes();
    await scaled();
    for (const part of [{ count: 5 }, { skew: 1 }, { to: amount('80') }, { side: 2 as const }])
      expect(await rowsOf(scaled(part))).toEqual(['client-id-reused']);
    expect(sent).toHaveLength(3);
  });

  test('on a market that is halted by now tells what there is; a first one is refused', async () => {
    const sent = venueTakes();
    await scaled();
    world.instruments[0] = { ...BTCUSDT, status: 'halted' };
    expect(await rowsOf(scaled())).toEqual(ALL);
    const other = { clientId: '01890000-0000-7000-8000-00000000ffff' as OrderId };
    expect(await rowsOf(scaled(other))).toEqual(['symbol-halted']);
    expect(sent).toHaveLength(3);
  });

  test("under another member's id is another order", async () => {
    const sent = venueTakes();
    await scaled();
    const other = 8 as UserId;
    await world.account(other);
    await world.fund('USDT', '300', other);
    expect(await rowsOf(scaled({}, { ...CALLER, user: other }))).toEqual(ALL);
    expect(new Set(sent.map(({ clientId }) => clientId)).size).toBe(6);
  });

  test('after a crash between two orders sends what is missing, once; the restart itself sends nothing', async () => {
    const sent = venueTakes();
    world.crash = (point) => {
      if (point === 'before-hold' && sent.length === 1) throw new Error('the process dies');
    };
    await expect(scaled()).rejects.toThrow('the process dies');
    world.crash = () => undefined;
    await world.desk.start();
    expect(sent).toHaveLength(1);
    expect(await world.orders.openOf(CALLER.user, 1)).toHaveLength(1);
    expect(await rowsOf(scaled())).toEqual(ALL);
    expect(sent).toHaveLength(3);
    expect(await world.wallet()).toEqual({ USDT: '300 (57 held)' });
  });

  test('after a crash with an order on its way knows that one, and goes on once it is known', async () => {
    const sent = venueTakes();
    world.crash = (point) => {
      if (point === 'after-send' && sent.length === 2) throw new Error('the process dies');
    };
    const crashed = await scaled().catch(() => undefined);
    expect(crashed?.ok === true ? crashed.value.map(({ outcome }) => outcome) : 'died').not.toEqual(ALL);
    world.crash = () => undefined;
    const second = scaledId(CALLER.user, ID, 1);
    const state = stateOf({ id: second, symbol: 'BTCUSDT' }, OPEN, '0', '2');
    world.venue.answers.find = async () => ({ outcome: 'found', value: state });
    await world.desk.start();
    await world.pass(5_000);
    expect((await world.order(second)).status).toBe(OPEN);
    expect(await rowsOf(scaled())).toEqual(ALL);
    expect(sent).toHaveLength(3);
  });
});

describe('an order of it', () => {
  test('that the exchange refuses keeps nobody from the next, is told, and is not sent again', async () => {
    const refused: SendOutcome = { outcome: 'refused', venueCode: '-2010', message: 'would cross' };
    const sent = venueTakes({ 1: refused });
    const rows = ['refused 0.2@100', ...ALL.slice(1)];
    expect(await rowsOf(scaled())).toEqual(rows);
    const again = await scaled();
    expect(again).toMatchObject({
      ok: true,
      value: [{ reason: expect.stringContaining('-2010') }, {}, {}],
    });
    expect(await world.order(scaledId(CALLER.user, ID, 0))).toMatchObject({ status: REJECT });
    expect(sent).toHaveLength(3);
  });

  test('that the money does not reach for ends it; once there is more, a repeat sends what is missing', async () => {
    const sent = venueTakes();
    const part = { quantity: amount('6') };
    const missing = ['placed 2@100', 'refused 2@95, none', 'refused 2@90, none'];
    expect(await rowsOf(scaled(part))).toEqual(missing);
    const again = await scaled(part);
    const reasons = again.ok ? again.value.map(({ reason }) => reason ?? '') : [];
    expect(reasons[1]).toContain('Available Balance is insufficient');
    expect(reasons[2]).toContain('Sending again sends what is missing');
    await world.fund('USDT', '300');
    expect(await rowsOf(scaled(part))).toEqual(['placed 2@100', 'placed 2@95', 'placed 2@90']);
    expect(sent).toHaveLength(3);
  });

  test('of which nobody knows what became ends it: nothing more is sent, and a repeat waits for it too', async () => {
    const sent = venueTakes({ 2: LOST });
    const rows = ['placed 0.2@100', 'unknown 0.2@95', 'refused 0.2@90, none'];
    expect(await rowsOf(scaled())).toEqual(rows);
    expect(await rowsOf(scaled())).toEqual(rows);
    expect(sent).toHaveLength(2);
    expect(await world.order(scaledId(CALLER.user, ID, 1))).toMatchObject({ status: UNKNOWN });
    expect(await world.wallet()).toEqual({ USDT: '300 (39 held)' });
  });

  test('whose turn comes later than ten seconds after the click is not sent', async () => {
    const sent = venueTakes();
    const { place } = world.venue.answers;
    world.venue.answers.place = async (...given) => {
      world.time.advance(6_000);
      return place === undefined ? LOST : place(...given);
    };
    expect(await rowsOf(scaled())).toEqual(['placed 0.2@100', 'placed 0.2@95', 'refused 0.2@90, none']);
    expect(sent).toHaveLength(2);
  });
});
