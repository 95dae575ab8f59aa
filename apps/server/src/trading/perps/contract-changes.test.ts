import { amount, type Millis, ORDER_STATUS, type OrderId, SIDE, ZERO } from '@crossbook/domain';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ledgerBreaches } from '../../storage/ledger/ledger-check.ts';
import { CALLER } from '../trading-world.fixture.ts';
import { futuresWallet, openPerpsWorld, type PerpsWorld, placeContractOrder } from './perps-world.fixture.ts';

const ID = '01890000-0000-7000-8000-00000000abcd' as OrderId;

let perps: PerpsWorld;
beforeEach(async () => {
  perps = await openPerpsWorld();
  const { world } = perps;
  world.mark = amount('100');
  world.venue.answers.place = async () => ({ outcome: 'accepted', state: rests(), fills: [] });
});
afterEach(async () => {
  expect(await ledgerBreaches(perps.world.database.database, 'fold')).toEqual([]);
  await perps.world.close();
});

const rests = () => ({
  ...{ clientId: ID.replaceAll('-', '') as never, venueOrderId: '77' as never, symbol: 'BTCUSDT' },
  ...{ status: ORDER_STATUS.OPEN, cumulativeQuantity: ZERO, cumulativeQuote: ZERO, time: perps.venue.now },
});
/** A buy of two at 90, ten times: 18 of margin. */
const place = () =>
  placeContractOrder(perps, { orderType: 1, price: amount('90'), quantity: amount('2'), clientId: ID });
const enlarge = (quantity: string) =>
  perps.world.desk.handlers['connextrade/ReplaceOrder']({ ...CALLER, now: perps.world.time.clock() }, {
    ...{ platformType: 43, orderId: ID, quantity: amount(quantity) },
  } as never);

test('an order that grows before the venue was read after it holds all of itself, until it is read', async () => {
  const { world } = perps;
  world.venue.answers.amend = async () => ({ outcome: 'amended', state: rests() });
  expect(await place()).toMatchObject({ ok: true });
  expect(await futuresWallet(perps)).toBe('1000 (18 held)');
  expect(await enlarge('4')).toMatchObject({ ok: true, value: { outcome: 'amended' } });
  expect(await futuresWallet(perps)).toBe('1000 (36 held)');
  await world.pass(1_000);
  expect(await futuresWallet(perps)).toBe('1000');
});

test('one that the venue was read after holds what it grows by', async () => {
  const { world } = perps;
  world.venue.answers.amend = async () => ({ outcome: 'amended', state: rests() });
  await place();
  await world.pass(1_000);
  expect(await enlarge('3')).toMatchObject({ ok: true, value: { outcome: 'amended' } });
  expect(await futuresWallet(perps)).toBe('1000 (9 held)');
  await world.pass(1_000);
  expect(await futuresWallet(perps)).toBe('1000');
});

test('what it grows by stays held though it fills while the change is open', async () => {
  const { world, venue } = perps;
  const deadlineAt = (venue.now + 600_000) as Millis;
  world.venue.answers.amend = async () => ({ outcome: 'unknown', why: 'lost', deadlineAt });
  await place();
  await world.pass(1_000);
  expect(await enlarge('4')).toMatchObject({ ok: true, value: { outcome: 'pending' } });
  expect(await futuresWallet(perps)).toBe('1000 (18 held)');
  venue.price = amount('90');
  const fill = venue.trade(SIDE.BUY, amount('1'), { order: '77' });
  const state = {
    ...{ ...rests(), status: ORDER_STATUS.PARTIALLY_FILLED, cumulativeQuantity: fill.quantity },
    cumulativeQuote: fill.quoteQuantity,
  };
  const found = { state, price: amount('90'), quantity: amount('2') };
  world.venue.answers.findTerms = async () => ({ outcome: 'found', value: found });
  world.venue.answers.fillsOfOrder = async () => ({ ok: true, value: venue.fills });
  await world.pass(20_000);
  expect(await world.order(ID)).toMatchObject({ cumQuantity: amount('1') });
  expect((await world.order(ID)).amendment).toBeDefined();
  expect(await futuresWallet(perps)).toBe('999.955 (18 held)');
});
