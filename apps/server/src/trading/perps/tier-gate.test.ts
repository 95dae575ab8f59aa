import { amount, ORDER_STATUS, SIDE, ZERO } from '@crossbook/domain';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ledgerBreaches } from '../../storage/ledger/ledger-check.ts';
import { CALLER } from '../trading-world.fixture.ts';
import { futuresWallet, openPerpsWorld, type PerpsWorld, placeContractOrder } from './perps-world.fixture.ts';

let perps: PerpsWorld;
beforeEach(async () => {
  perps = await openPerpsWorld();
  perps.world.mark = amount('100');
});
afterEach(async () => {
  expect(await ledgerBreaches(perps.world.database.database, 'fold')).toEqual([]);
  await perps.world.close();
});

/** What keeps a member from opening, and nothing else. */
const BARS = [
  ['a tier that may not open contracts', 'kyc-required', () => (perps.world.mayOpenContracts = false)],
  ['who has not agreed to new terms', 'terms-new', () => (perps.world.barred = { error: 'terms-new' })],
] as const;
const ID = '01890000-0000-7000-8000-00000000abcd';
const callerNow = () => ({ ...CALLER, now: perps.world.time.clock() });
const stop = (part: object) =>
  perps.world.desk.handlers['connextrade/PlaceAlgoOrder'](callerNow(), {
    ...{ platformType: 43, tinstType: 2, symbol: 'BTCUSDT', algoType: 'stop', triggerPrice: amount('90') },
    ...{ side: SIDE.SELL, quantity: amount('1'), marginMode: 'cross', leverage: 10 },
    ...part,
  } as never);

test.each(BARS)(
  '%s is refused before anything is held or sent; closing goes on',
  async (_who, error, bar) => {
    const REFUSED = { ok: false, code: { error } } as const;
    const { world, venue } = perps;
    expect(await placeContractOrder(perps, { quantity: amount('2') })).toMatchObject({ ok: true });
    await world.pass(1_000);
    const [wallet, sent] = [await futuresWallet(perps), venue.sent.length];
    bar();
    expect(await placeContractOrder(perps)).toEqual(REFUSED);
    // A short would be opened by what is more than the position.
    expect(await placeContractOrder(perps, { side: SIDE.SELL })).toEqual(REFUSED);
    expect(await stop({})).toEqual(REFUSED);
    expect([await futuresWallet(perps), venue.sent.length]).toEqual([wallet, sent]);
    const reduce = { side: SIDE.SELL, quantity: amount('1'), reduceOnly: true };
    expect(await placeContractOrder(perps, reduce)).toMatchObject({ ok: true });
    const close = { platformType: 43, symbol: 'BTCUSDT', effect: 0 } as const;
    expect(await world.desk.handlers['connextrade/ClosePosition'](callerNow(), close)).toMatchObject({
      ok: true,
    });
  },
);

test.each(BARS)(
  '%s: an order that waits is not enlarged any more, and can be cancelled',
  async (_who, error, bar) => {
    const { world, venue } = perps;
    const rests = () => ({
      ...{ clientId: ID.replaceAll('-', '') as never, venueOrderId: '77' as never, symbol: 'BTCUSDT' },
      ...{ status: ORDER_STATUS.OPEN, cumulativeQuantity: ZERO, cumulativeQuote: ZERO, time: venue.now },
    });
    world.venue.answers.place = async () => ({ outcome: 'accepted', state: rests(), fills: [] });
    const waiting = { orderType: 1, price: amount('90'), quantity: amount('2'), clientId: ID };
    expect(await placeContractOrder(perps, waiting)).toMatchObject({ ok: true });
    bar();
    const larger = { platformType: 43, orderId: ID, quantity: amount('4') };
    expect(await world.desk.handlers['connextrade/ReplaceOrder'](callerNow(), larger as never)).toEqual({
      ...{ ok: false, code: { error } },
    });
    const cancel = { platformType: 43, orderId: ID };
    expect(await world.desk.handlers['connextrade/CancelOrder'](callerNow(), cancel as never)).toMatchObject({
      ok: true,
    });
  },
);

test('the ticket is told of the tier before anything is tried', async () => {
  perps.world.mayOpenContracts = false;
  const opening = await perps.world.desk.handlers['x/trade/Opening'](callerNow(), { platformType: 43 });
  expect(opening).toEqual({ ok: true, value: { stopped: 'kyc-required' } });
});
