import { amount, type OrderId } from '@crossbook/domain';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { CutLedger } from '../cut-ledger.fixture.ts';
import { createTradingDesk, type TradingDesk } from '../desk.ts';
import {
  CALLER,
  CANCELLED,
  OPEN,
  openTradingWorld,
  stateOf,
  type TradingWorld,
  UNKNOWN,
} from '../trading-world.fixture.ts';

const ID = '01890000-0000-7000-8000-00000000abcd' as OrderId;

let world: TradingWorld;
let ledger: CutLedger;
let desk: TradingDesk;
beforeEach(async () => {
  world = await openTradingWorld();
  await world.account();
  await world.fund('USDT', '300');
  ledger = new CutLedger(world.ledger);
  desk = createTradingDesk({ ...world.deps, ledger: ledger.store });
});
afterEach(async () => {
  await desk.stop();
  await world.close();
});

const place = () =>
  desk.handlers['connextrade/PlaceOrder'](CALLER, {
    ...{ platformType: 43, tinstType: 1, symbol: 'BTCUSDT', side: 1, orderType: 1, timeInForce: 1 },
    ...{ price: amount('100'), quantity: amount('1'), clientId: ID },
  });
const cancel = () => desk.handlers['connextrade/CancelOrder'](CALLER, { platformType: 43, orderId: ID });

test('an order whose hold is durable and unanswered is looked up at once, not sent, and its money stays held', async () => {
  ledger.hears = async (unit) => {
    ledger.hears = async () => undefined;
    await world.ledger.commit(unit);
    return { ok: false, code: 'outcome-unknown' };
  };
  expect(await place()).toEqual({ ok: false, code: { error: 'outcome-unknown' } });
  expect(desk.stats().waiting).toBe(1);
  await world.pass(1_000);
  expect([world.venue.count('place'), world.venue.count('find')]).toEqual([0, 1]);
  expect(await world.order(ID)).toMatchObject({ status: UNKNOWN, settled: false });
  expect(await world.wallet()).toEqual({ USDT: '300 (100 held)' });
});

test.each(['busy', 'unavailable', 'outcome-unknown'] as const)(
  'a cancel that the venue carried out and the ledger answers with %s is unknown, looked up, and then booked',
  async (code) => {
    await world.reserved({ id: ID });
    const state = stateOf({ id: ID, symbol: 'BTCUSDT' }, CANCELLED, '0');
    world.venue.answers.cancel = async () => {
      ledger.hears = async () => ({ ok: false, code });
      return { outcome: 'cancelled', state };
    };
    expect(await cancel()).toEqual({ ok: false, code: { error: 'outcome-unknown' } });
    expect(await world.order(ID)).toMatchObject({ cancelPending: true, settled: false });
    ledger.hears = async () => undefined;
    world.venue.answers.find = async () => ({ outcome: 'found', value: state });
    await world.pass(1_000);
    expect(await world.order(ID)).toMatchObject({ status: CANCELLED, settled: true });
    expect(await world.wallet()).toEqual({ USDT: '300' });
  },
);

test('a cancel whose mark has no answer asks the venue nothing, and a lookup clears the mark', async () => {
  await world.reserved({ id: ID });
  ledger.hears = async (unit) => {
    ledger.hears = async () => undefined;
    await world.ledger.commit(unit);
    return { ok: false, code: 'outcome-unknown' };
  };
  expect(await cancel()).toEqual({ ok: false, code: { error: 'outcome-unknown' } });
  expect(world.venue.count('cancel')).toBe(0);
  const state = stateOf({ id: ID, symbol: 'BTCUSDT' }, OPEN, '0');
  world.venue.answers.find = async () => ({ outcome: 'found', value: state });
  await world.pass(1_000);
  expect(await world.order(ID)).toMatchObject({ status: OPEN, cancelPending: false });
});

test.each(['busy', 'unavailable'] as const)(
  'a cancel whose mark the ledger answers with %s says so, asks the venue nothing and leaves the order as it was',
  async (code) => {
    const before = await world.reserved({ id: ID });
    ledger.hears = async () => ({ ok: false, code });
    expect(await cancel()).toEqual({ ok: false, code: { error: code } });
    await world.pass(5_000);
    expect([world.venue.count('cancel'), world.venue.count('find')]).toEqual([0, 0]);
    expect(await world.order(ID)).toEqual(before);
  },
);
