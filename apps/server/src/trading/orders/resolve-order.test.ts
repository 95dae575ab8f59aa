import { type Amount, amount, formatAmount, type Millis, type VenueOrderId } from '@crossbook/domain';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ledgerBreaches } from '../../storage/ledger/ledger-check.ts';
import type { OperatorAnswer, OperatorRequest } from '../operator-store.ts';
import type { StoredOrder } from '../order.ts';
import {
  CANCELLED,
  FAIL,
  FILLED,
  OPEN,
  openTradingWorld,
  stateOf,
  type TradingWorld,
  UNKNOWN,
} from '../trading-world.fixture.ts';
import { recordProgress } from './on-venue-event.ts';
import { resolveOrder } from './resolve-order.ts';

const REQUEST_ID = '01890000-0000-4000-8000-000000000001';
const OTHER_ID = '01890000-0000-4000-8000-000000000002';

let world: TradingWorld;
let order: StoredOrder;
beforeEach(async () => {
  world = await openTradingWorld();
  await world.account();
  await world.fund('USDT', '300');
  order = await world.reserved();
  const deadlineAt = (world.time.clock() + 1_000) as Millis;
  order = await recordProgress(world.deps, order, { status: UNKNOWN, deadlineAt });
  world.time.advance(2_000);
  venueHas('300', '0');
});
afterEach(async () => {
  expect(await ledgerBreaches(world.database.database, 'fold')).toEqual([]);
  await world.close();
});

function venueHas(usdt: string, btc: string, locked = '0'): void {
  const row = (asset: string, free: string, held: string) => ({
    ...{ asset, free: amount(free), locked: amount(held) },
  });
  world.venue.answers.balances = async () => ({
    ok: true,
    value: [row('USDT', usdt, locked), row('BTC', btc, '0')],
  });
}

const request = (part: Partial<OperatorRequest> = {}): OperatorRequest => ({
  ...{ id: REQUEST_ID, orderId: order.id, operator: 'ann', reason: 'the exchange confirmed it in writing' },
  signedByTwo: false,
  ...part,
});

/** Asks for it as the command does, once per id. */
async function ask({ id, orderId, operator, reason, filled }: OperatorRequest): Promise<void> {
  const text = (value: bigint | undefined) => (value === undefined ? null : formatAmount(value as Amount));
  await world.database.owner.query(
    `insert into operator_requests (id, order_id, resolution, quantity, quote_quantity, operator, reason, requested_at)
     values ($1, $2, $3, $4, $5, $6, $7, 1) on conflict do nothing`,
    [
      ...[id, orderId, filled === undefined ? 'absent' : 'filled'],
      ...[text(filled?.quantity), text(filled?.quoteQuantity), operator, reason],
    ],
  );
}

async function resolve(part: Partial<OperatorRequest> = {}): Promise<OperatorAnswer> {
  const asked = request(part);
  await ask(asked);
  return resolveOrder(world.deps, asked);
}

const audited = () =>
  world.database.owner.query(
    'select outcome, operator, answer, evidence from operator_audit order by sequence',
  );
const FILLED_WHOLE = { filled: { quantity: amount('1'), quoteQuantity: amount('99') } };

describe('an order that a person ends', () => {
  test('as absent has its money freed, with who asked and why', async () => {
    expect(await resolve()).toMatchObject({ outcome: 'done' });
    const reason = `operator request ${REQUEST_ID}: the exchange confirmed it in writing`;
    expect(await world.order(order.id)).toMatchObject({ status: FAIL, settled: true, reason });
    expect(await world.wallet()).toEqual({ USDT: '300' });
    expect(world.venue.count('place')).toBe(0);
  });

  test('as filled is booked like any fill, once however often it is decided', async () => {
    venueHas('201', '1');
    expect(await resolve(FILLED_WHOLE)).toMatchObject({ outcome: 'done' });
    await expect(resolve(FILLED_WHOLE)).rejects.toThrow('write-refused');
    expect(await world.order(order.id)).toMatchObject({ status: FILLED, settled: true });
    expect(await world.wallet()).toEqual({ USDT: '201', BTC: '1' });
  });

  test('that the venue had acknowledged ends as cancelled, though its instrument is no longer listed', async () => {
    await recordProgress(world.deps, order, { venueOrderId: '9' as VenueOrderId });
    await world.database.owner.query("update orders set symbol = 'GONEUSDT'");
    expect(await resolve()).toMatchObject({ outcome: 'done' });
    expect(await world.order(order.id)).toMatchObject({ status: CANCELLED, settled: true });
    expect(await world.wallet()).toEqual({ USDT: '300' });
  });
});

describe('an order that shares the hold of an iceberg', () => {
  beforeEach(() =>
    world.database.owner.query(
      `update orders set shares_hold = true, algo_id = gen_random_uuid(), venue_order_id = '9', venue_client_id = ''`,
    ),
  );

  test('as absent frees nothing: its iceberg does', async () => {
    venueHas('200', '0', '100');
    expect(await resolve()).toMatchObject({ outcome: 'done' });
    expect(await world.order(order.id)).toMatchObject({ status: CANCELLED, settled: true });
    expect(await world.wallet()).toEqual({ USDT: '300 (100 held)' });
  });

  test('as filled takes what it cost out of it, and no more', async () => {
    venueHas('201', '1');
    expect(await resolve(FILLED_WHOLE)).toMatchObject({ outcome: 'done' });
    expect(await world.wallet()).toEqual({ USDT: '201 (1 held)', BTC: '1' });
  });

  test('is asked after by the id that it has at the exchange, where it has none of ours', async () => {
    const value = stateOf(order, OPEN, '0');
    world.venue.answers.findByVenueId = async (...given) =>
      given[2] === '9' ? { outcome: 'found', value } : { outcome: 'not-found' };
    expect(await resolve()).toMatchObject({ answer: expect.stringMatching(/knows the order/) });
  });
});

describe('is refused, and the money stays held', () => {
  const refusals: readonly [string, () => unknown, Partial<OperatorRequest>, RegExp][] = [
    ['an order nobody knows', () => undefined, { orderId: REQUEST_ID as never }, /no such order/],
    [
      'one whose outcome is certain',
      () => recordProgress(world.deps, order, { status: OPEN }),
      {},
      /not in doubt/,
    ],
    [
      'one whose request may still arrive',
      () => {
        const deadlineAt = (world.time.clock() + 1) as Millis;
        return recordProgress(world.deps, order, { deadlineAt });
      },
      {},
      /may still arrive/,
    ],
    [
      'one while a transfer is under way',
      () => {
        world.moving = true;
      },
      {},
      /transfer/,
    ],
    [
      'one that the venue knows',
      () => {
        world.venue.answers.find = async () => ({ outcome: 'found', value: stateOf(order, OPEN, '0') });
      },
      {},
      /knows the order/,
    ],
    [
      'one of which the venue gives no clear answer',
      () => {
        world.venue.answers.find = async () => ({ outcome: 'unknown', why: 'lost' });
      },
      {},
      /no clear answer/,
    ],
    [
      'balances that cannot be read',
      () => {
        world.venue.answers.balances = async () => ({ ok: false, code: 'network' });
      },
      {},
      /cannot be read/,
    ],
    ['money that the venue has not', () => venueHas('299.999999', '0'), {}, /less USDT/],
    ['money that the venue has locked for it', () => venueHas('200', '0', '100'), {}, /less USDT/],
    ['a purchase that the venue has not', () => venueHas('201', '0.999'), FILLED_WHOLE, /less BTC/],
    [
      'a purchase dearer than what is held',
      () => venueHas('300', '9'),
      { filled: { quantity: amount('1'), quoteQuantity: amount('100.1') } },
      /more than is held/,
    ],
    [
      'a purchase of more than was ordered',
      () => venueHas('300', '9'),
      { filled: { quantity: amount('1.001'), quoteQuantity: amount('99') } },
      /more than was ordered/,
    ],
    [
      'an order of which more was booked than who asked saw',
      () => undefined,
      { seen: { quantity: amount('0.5'), quoteQuantity: amount('0') } },
      /booked since/,
    ],
    [
      'an order of which other money was booked than who asked saw',
      () => undefined,
      { seen: { quantity: amount('0'), quoteQuantity: amount('50') } },
      /booked since/,
    ],
  ];
  test.each(refusals)('%s', async (_name, prepare, part, why) => {
    await prepare();
    expect(await resolve(part)).toMatchObject({ outcome: 'refused', answer: expect.stringMatching(why) });
    expect(await world.order(order.id)).toMatchObject({ settled: false });
    expect(await world.wallet()).toEqual({ USDT: '300 (100 held)' });
  });

  test('an order on a contract, though it would pass every rule of pairs', async () => {
    await world.database.owner.query(
      `update orders set symbol_type = 'SWAP', effect = 0, margin_mode = 'cross', reduce_only = false, leverage = 10`,
    );
    expect(await resolve()).toMatchObject({
      outcome: 'refused',
      answer: expect.stringMatching(/order on a contract is not resolved by hand/),
    });
    expect(await world.order(order.id)).toMatchObject({ settled: false });
    expect(await world.wallet()).toEqual({ USDT: '300 (100 held)' });
  });

  test('with real money what one person asks for; what two signed is done by the same rules', async () => {
    world.operator.realMoney = true;
    const signedByTwo = true;
    venueHas('299', '0');
    expect(await resolve({ signedByTwo })).toMatchObject({
      answer: expect.stringMatching(/has less USDT than the member would have/),
    });
    venueHas('300', '0');
    const seen = { quantity: amount('0'), quoteQuantity: amount('0') };
    expect(await resolve({ id: OTHER_ID, signedByTwo, seen })).toMatchObject({ outcome: 'done' });
    expect(await world.wallet()).toEqual({ USDT: '300' });
  });

  test('everything with real money, and an order that has ended', async () => {
    world.operator.realMoney = true;
    expect(await resolve()).toMatchObject({ answer: expect.stringMatching(/two people/) });
    expect(await world.wallet()).toEqual({ USDT: '300 (100 held)' });
    world.operator.realMoney = false;
    await resolve({ id: OTHER_ID });
    expect(await resolve({ id: '01890000-0000-4000-8000-000000000003' })).toMatchObject({
      outcome: 'refused',
      answer: expect.stringMatching(/ended already/),
    });
  });
});

describe.each([
  ['absent', {}, { USDT: '300' }],
  ['filled', FILLED_WHOLE, { USDT: '201', BTC: '1' }],
] as const)('a hub that dies while it ends an order as %s', (_name, part, owned) => {
  beforeEach(() => venueHas(owned.USDT, 'BTC' in owned ? owned.BTC : '0'));

  test('before it is written has moved nothing and said nothing; the next one decides it, once', async () => {
    world.crash = (point) => {
      if (point === 'before-post') throw new Error('killed');
    };
    await expect(resolve(part)).rejects.toThrow('killed');
    expect(await world.wallet()).toEqual({ USDT: '300 (100 held)' });
    expect(await world.order(order.id)).toMatchObject({ settled: false });
    expect(await audited()).toEqual([]);
    world.crash = () => undefined;
    expect(await resolve(part)).toMatchObject({ outcome: 'done' });
    expect(await world.wallet()).toEqual(owned);
    expect(await audited()).toMatchObject([{ outcome: 'done' }]);
  });

  test('after it is written has booked and audited all of it; nobody is asked again', async () => {
    world.crash = (point) => {
      if (point === 'after-post') throw new Error('killed');
    };
    await expect(resolve(part)).rejects.toThrow('killed');
    world.crash = () => undefined;
    expect(await world.operator.store.waiting()).toEqual([]);
    expect(await world.wallet()).toEqual(owned);
    expect(await world.order(order.id)).toMatchObject({ settled: true });
    expect(await audited()).toMatchObject([{ outcome: 'done' }]);
  });

  test('whose audit cannot be written leaves the order as it is', async () => {
    await world.database.owner.query("alter table operator_audit add check (outcome <> 'done')");
    await expect(resolve(part)).rejects.toThrow('write-refused');
    expect(await world.wallet()).toEqual({ USDT: '300 (100 held)' });
    expect(await world.order(order.id)).toMatchObject({ settled: false });
  });
});

test('the running hub decides what waits, answers once, and the audit cannot be changed', async () => {
  const { owner, database } = world.database;
  await ask(request());
  // No lookup of its own ends it meanwhile.
  world.venue.answers.find = async () => ({ outcome: 'unknown', why: 'lost' });
  await world.desk.start();
  await world.pass(2_500);
  expect(await audited()).toMatchObject([{ outcome: 'refused', operator: 'ann' }]);
  world.venue.answers = { ...world.venue.answers, find: async () => ({ outcome: 'not-found' }) };
  await ask(request({ id: OTHER_ID, operator: 'ben' }));
  await world.pass(5_000);
  expect(await audited()).toMatchObject([
    { outcome: 'refused' },
    { outcome: 'done', operator: 'ben', evidence: { order: { symbol: 'BTCUSDT' } } },
  ]);
  expect(await world.wallet()).toEqual({ USDT: '300' });
  for (const change of [
    'update operator_audit set reason = $1',
    'delete from operator_audit where $1 <> $1',
  ]) {
    await expect(database.query(change, ['x'])).rejects.toThrow(/append-only/);
    await expect(owner.query(change, ['x'])).rejects.toThrow(/append-only/);
  }
});
