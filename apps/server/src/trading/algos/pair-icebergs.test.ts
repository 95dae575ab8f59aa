import { amount, SIDE, type VenueAlgoState, type VenueOrderId, ZERO } from '@crossbook/domain';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ledgerBreaches } from '../../storage/ledger/ledger-check.ts';
import { CALLER, OPEN, openTradingWorld, type TradingWorld, until } from '../trading-world.fixture.ts';
import { type Filling, ID, OF, PairVenue, PLATFORM, place, prepare, SIZE } from './pair-iceberg.fixture.ts';

/** Icebergs of pairs: their money is held once, paid out of by their orders, and free once they are over. */

let world: TradingWorld;
let venue: PairVenue;
beforeEach(async () => {
  world = await openTradingWorld();
  venue = new PairVenue(world, SIDE.BUY);
  await prepare(world);
});
afterEach(async () => {
  expect(await ledgerBreaches(world.database.database, 'fold')).toEqual([]);
  await world.close();
});

const FILL: Filling = { mille: 500, better: 50, feeAsset: 'BTC', tells: true };
const held = async (): Promise<readonly string[]> => {
  const wallet = await world.ledger.tradingBalances(CALLER.user, PLATFORM);
  return wallet.filter((row) => row.held > 0n).map((row) => `${row.held / 10n ** 15n} ${row.asset}`);
};
const stored = () => world.deps.algos.byId(ID);
const cancel = () =>
  world.desk.handlers['connextrade/CancelAlgoOrder']({ ...CALLER, now: world.time.clock() }, OF);
const heard = (state: Partial<VenueAlgoState>) => {
  const { kept } = venue;
  if (kept === undefined) throw new Error('the venue has none');
  kept.state = { ...kept.state, ...state };
  world.venue.streams.at(-1)?.onAlgo?.(kept.state);
};

describe('what it holds', () => {
  test.each([
    ['a buy: all of it at its limit', SIDE.BUY, {}, ['200000 USDT']],
    ['a sell: all of it', SIDE.SELL, {}, ['2000 BTC']],
    ['less at a lower limit', SIDE.BUY, { price: amount('90.5') }, ['181000 USDT']],
  ] as const)('%s', async (_claim, side, part, holds) => {
    expect(await place(world, side, part)).toMatchObject({ ok: true, value: { state: 'waiting' } });
    expect(await held()).toEqual(holds);
    expect(await cancel()).toMatchObject({ ok: true });
    await world.pass(20_000, 2_000);
    expect(await stored()).toMatchObject({ state: 'cancelled' });
    expect(await held()).toEqual([]);
  });

  test.each([
    ['a buy', SIDE.BUY, { price: amount('250.1') }],
    ['a sell', SIDE.SELL, { quantity: amount('3.001') }],
  ] as const)('%s of more than there is is refused, and nothing is sent', async (_claim, side, part) => {
    const code = { error: 'balance-insufficient' };
    expect(await place(world, side, part)).toMatchObject({ ok: false, code });
    expect(venue.algos.calls).not.toContain('place');
    expect(await held()).toEqual([]);
  });

  test('is free again where the exchange refuses it', async () => {
    venue.algos.next = ['refused'];
    expect(await place(world, SIDE.BUY)).toMatchObject({ ok: false });
    expect(await held()).toEqual([]);
  });
});

describe('its orders', () => {
  beforeEach(async () => {
    await place(world, SIDE.BUY);
    venue.fill(FILL);
    await until(async () => (await stored())?.executed === amount('0.5'));
  });
  const slice = () =>
    world.orders.byVenueId({ user: CALLER.user, platform: PLATFORM }, 's0' as VenueOrderId, {
      symbol: 'BTCUSDT',
    });

  test('are paid out of its hold; one that is over frees nothing', async () => {
    // Five below the limit: 47.5 for half a coin.
    expect(await held()).toEqual(['152500 USDT']);
    expect(await slice()).toMatchObject({ sharesHold: true, holdAmount: amount('70') });
    venue.move(true);
    await until(async () => (await slice())?.settled === true);
    expect(await held()).toEqual(['152500 USDT']);
  });

  test('are not changed by themselves, so that its hold is never another', async () => {
    const orderId = (await slice())?.id;
    const request = { platformType: OF.platformType, orderId, price: amount('99') } as never;
    const caller = { ...CALLER, now: world.time.clock() };
    const answer = await world.desk.handlers['connextrade/ReplaceOrder'](caller, request);
    expect(answer).toMatchObject({ ok: false, code: { error: 'iceberg-part' } });
    expect(await held()).toEqual(['152500 USDT']);
  });

  test('keep its hold while one of them is not over, though the exchange has ended it or forgotten it', async () => {
    heard({ status: 'cancelled' });
    await until(async () => (await stored())?.state === 'firing');
    await world.pass(10_000, 2_000);
    expect(await held()).toEqual(['152500 USDT']);
    const { kept } = venue;
    venue.algos.kept.clear();
    await world.pass(120_000, 5_000);
    expect(await stored()).toMatchObject({ state: 'firing' });
    expect([(await slice())?.settled, await held()]).toEqual([false, ['152500 USDT']]);
    if (kept !== undefined) venue.algos.kept.set(kept.request.clientId, kept);
    venue.move(true);
    await world.pass(60_000, 5_000);
    expect(await stored()).toMatchObject({ state: 'cancelled', executed: amount('0.5') });
    expect(await held()).toEqual([]);
  });

  test('that fill after its end are booked all the same, out of what is free, and a person is told', async () => {
    heard({ status: 'cancelled' });
    venue.move(true);
    await world.pass(60_000, 5_000);
    expect(await stored()).toMatchObject({ state: 'cancelled' });
    const [late] = venue.slices;
    if (late === undefined) throw new Error('no order of it');
    late.status = OPEN;
    venue.fill({ ...FILL, mille: 100 });
    await until(async () => (await slice())?.cumQuantity === amount('0.6'));
    expect(await held()).toEqual([]);
    const wallet = await world.ledger.tradingBalances(CALLER.user, PLATFORM);
    expect(wallet.find(({ asset }) => asset === 'USDT')?.total).toBe(venue.owned().USDT);
    expect(world.incidents).toContain('a fill did not fit its hold');
  });

  test('that are all of it end it, and what they did not cost is free', async () => {
    for (const mille of [200, 700, 600]) venue.fill({ ...FILL, mille });
    expect(venue.executed).toBe(SIZE);
    await world.pass(60_000, 5_000);
    expect(await stored()).toMatchObject({ state: 'fired', executed: SIZE });
    expect(await held()).toEqual([]);
    const wallet = await world.ledger.tradingBalances(CALLER.user, PLATFORM);
    expect(wallet.find(({ asset }) => asset === 'USDT')?.available ?? ZERO).toBe(amount('310'));
  });
});
