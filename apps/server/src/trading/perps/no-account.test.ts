import { amount } from '@crossbook/domain';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { BTCUSDT_PERP, CALLER } from '../trading-world.fixture.ts';
import { openPerpsWorld, type PerpsWorld } from './perps-world.fixture.ts';

/** The member has an account at the first exchange and none at the second; the system tests ask each exchange. */
let perps: PerpsWorld;
beforeEach(async () => {
  perps = await openPerpsWorld();
  perps.world.second = 2;
});
afterEach(() => perps.world.close());

const AT = { platformType: 41, symbol: BTCUSDT_PERP.symbol } as const;
const ORDER = {
  ...{ ...AT, tinstType: 2, side: 1, orderType: 2, timeInForce: 1, quantity: amount('1') },
  ...{ marginMode: 'cross', leverage: 5 },
};
/** Calls about contracts and what they say where the platform is not live, and where contracts are not connected. */
const CALLS = [
  ['connextrade/GetLeverage', AT, undefined, 'contracts-away'],
  ['connextrade/GetPositionTiers', { platformType: 41, sym: AT.symbol }, undefined, 'contracts-away'],
  ['connextrade/AvailableOpen', { ...AT, side: 1, effect: 0 }, undefined, 'contracts-away'],
  ['connextrade/AvailableClose', { ...AT, effect: 0 }, undefined, 'contracts-away'],
  ['connextrade/ClosePosition', { ...AT, effect: 0 }, 'position-none', 'contracts-away'],
  ['x/trade/ReversePosition', { ...AT, effect: 0, side: 1, leverage: 5 }, 'position-none', 'contracts-away'],
  [
    'x/trade/AdjustMargin',
    { ...AT, effect: 0, direction: 1, amount: amount('1') },
    'position-none',
    'contracts-away',
  ],
  ['connextrade/ClosePositionAll', { platformType: 41 }, undefined, undefined],
  ['connextrade/SetLeverage', { ...AT, leverage: 5, effect: 0 }, 'platform-coming-soon', 'contracts-away'],
  [
    'connextrade/ChangePositionMode',
    { ...AT, positionMode: 'hedge' },
    'platform-coming-soon',
    'contracts-away',
  ],
  ['x/trade/MarginMode', { ...AT, marginMode: 'isolated' }, 'platform-coming-soon', 'contracts-away'],
  ['connextrade/PlaceOrder', ORDER, 'platform-coming-soon', 'contracts-away'],
  ['connextrade/PlaceOrder', { ...ORDER, reduceOnly: true }, 'position-none', 'contracts-away'],
] as const;

async function asked(name: (typeof CALLS)[number][0], request: object): Promise<string | undefined> {
  const caller = { ...CALLER, now: perps.world.time.clock() };
  const answer = await perps.world.desk.handlers[name](caller, request as never);
  return answer.ok ? undefined : answer.code.error;
}

/** What each call is answered. */
async function answers(): Promise<readonly (readonly [string, string | undefined])[]> {
  const said: (readonly [string, string | undefined])[] = [];
  for (const [name, request] of CALLS) said.push([name, await asked(name, request)]);
  return said;
}

test('each call without an account at a platform that is not live', async () => {
  perps.world.platformState = 'coming-soon';
  expect(await answers()).toEqual(CALLS.map(([name, , notLive]) => [name, notLive]));
});

test('each call where contracts are not connected', async () => {
  delete perps.world.venue.contracts;
  expect(await answers()).toEqual(CALLS.map(([name, , , apart]) => [name, apart]));
});

const CONTRACT = { platformType: 43, symbol: 'NOSUCHUSDT' } as const;
const ASKED_OF_NONE = {
  ...ORDER,
  ...CONTRACT,
  orderType: undefined,
  algoType: 'stop',
  triggerPrice: amount('90'),
};
test.each([
  ...CALLS.filter(([name]) => !/Tiers|All$/.test(name)).map(
    ([name, asked_]) => [name, { ...asked_, ...CONTRACT }, 'symbol'] as const,
  ),
  ['connextrade/GetPositionTiers', { platformType: 43, sym: 'NOSUCH-USDT' }, 'sym'],
  ['connextrade/PlaceAlgoOrder', ASKED_OF_NONE, 'symbol'],
] as const)('%s of a contract that is not listed says so by its field', async (name, request, field) => {
  const { world, venue } = perps;
  const answer = await world.desk.handlers[name](CALLER, request as never);
  expect(answer).toMatchObject({ ok: false, code: { error: 'symbol-unknown', field } });
  expect([venue.calls, world.venue.calls]).toEqual([[], []]);
});

test('the table that everybody without an account sees is asked for once', async () => {
  const { world, venue } = perps;
  for (const user of [7, 8, 9]) {
    const caller = { ...CALLER, user: user as typeof CALLER.user };
    const request = { platformType: 41, sym: AT.symbol } as const;
    expect(await world.desk.handlers['connextrade/GetPositionTiers'](caller, request)).toMatchObject({
      ok: true,
    });
  }
  expect(venue.calls).toEqual(['tiers']);
});
