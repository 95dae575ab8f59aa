import { amount, SIDE } from '@crossbook/domain';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type PerpsWorld, placeContractOrder } from '../perps/perps-world.fixture.ts';
import { CALLER, CANCELLED, FILLED, fillOf, stateOf, until } from '../trading-world.fixture.ts';
import type { AlgoVenue } from './algo-world.fixture.ts';
import { barePositions, bothStand, ID, legStates, openLegsWorld, TARGETS } from './legs-world.fixture.ts';

/** What should have legs and has none, or less than it needs: said, whatever took them away. */

let perps: PerpsWorld;
let venue: AlgoVenue;
beforeEach(async () => {
  ({ perps, venue } = await openLegsWorld());
});
afterEach(() => perps.world.close());

const legs = () => perps.world.deps.algos.ofParent(ID);
const states = () => legStates(perps);
const standing = () => bothStand(perps);
const bare = () => barePositions(perps.world.desk);
const kept = (kind: 'stop' | 'take-profit') => {
  const found = [...venue.kept.values()].find(({ request }) => request.plan.kind === kind);
  if (found === undefined) throw new Error(`no ${kind}`);
  return found;
};

describe('a position is bare', () => {
  test('where what a leg sent was over before it had closed its part, and the other leg is gone', async () => {
    await placeContractOrder(perps, TARGETS);
    await standing();
    const target = kept('take-profit');
    const { venueOrderId: _own, ...fill } = perps.venue.trade(SIDE.SELL, amount('0.4'));
    venue.fire(target.request.clientId, '0.4', fill);
    const { orderOf } = venue;
    Object.assign(venue, {
      orderOf: (one: typeof target) => ({ ...orderOf.call(venue, one), status: CANCELLED }),
    });
    perps.world.venue.streams.at(-1)?.onAlgo?.(target.state);
    await until(async () => (await states()).join() === 'stop cancelled,take-profit fired');
    await perps.world.pass(5_000, 500);
    expect(
      (await perps.world.deps.contracts.booked(CALLER as never)).map(({ quantity }) => quantity),
    ).toEqual([amount('0.6')]);
    expect(await bare()).toEqual([true]);
  });

  test.each(['cancelled', 'expired'] as const)('where the exchange itself has %s a leg', async (status) => {
    await placeContractOrder(perps, TARGETS);
    await standing();
    const stop = kept('stop');
    stop.state = { ...stop.state, status, reason: 'Reduce Only reject' };
    perps.world.venue.streams.at(-1)?.onAlgo?.(stop.state);
    await until(async () => (await states()).join() === `stop ${status},take-profit waiting`);
    expect(await bare()).toEqual([true]);
  });

  test('not where its member has taken a leg away', async () => {
    await placeContractOrder(perps, TARGETS);
    await standing();
    const own = (await legs()).find(({ plan }) => plan.kind === 'stop');
    const caller = { ...CALLER, now: perps.world.time.clock() };
    await perps.world.desk.handlers['connextrade/CancelAlgoOrder'](caller, {
      ...{ platformType: 43, algoId: own?.id },
    } as never);
    await until(async () => (await states()).join() === 'stop cancelled,take-profit waiting');
    expect(await bare()).toEqual([false]);
  });
});

describe('a buy of a pair whose coins are not all there any more', () => {
  /** It has filled, and before its legs are written some of the coins are promised elsewhere. */
  const boughtAndPromised = async (promised: string) => {
    const { world } = perps;
    await world.fund('USDT', '300');
    world.venue.answers.place = async () => ({
      outcome: 'accepted',
      state: stateOf({ id: ID, symbol: 'BTCUSDT' }, FILLED, '1'),
      fills: [fillOf(1, '1')],
    });
    world.best = { bid: amount('99.9'), ask: amount('100'), receivedAt: world.time.clock() };
    // At market: a limit order goes out with its legs.
    const order = {
      platformType: 43,
      tinstType: 1,
      symbol: 'BTCUSDT',
      side: 1,
      orderType: 2,
      timeInForce: 1,
    };
    world.diesAt('before-legs');
    await world.desk.handlers['connextrade/PlaceOrder']({ ...CALLER, now: world.time.clock() }, {
      ...{ ...order, quantity: amount('1'), ...TARGETS },
    } as never);
    await until(() => world.dead);
    await world.desk.stop();
    const next = world.nextDesk();
    await next.handlers['connextrade/PlaceAlgoOrder']({ ...CALLER, now: world.time.clock() }, {
      ...{ platformType: 43, tinstType: 1, symbol: 'BTCUSDT', side: SIDE.SELL, algoType: 'stop' },
      ...{ triggerPrice: amount('70'), quantity: amount(promised), timeInForce: 1 },
    } as never);
    await next.start();
    await world.pass(25_000, 1_000);
  };

  test('has legs for those that are', async () => {
    await boughtAndPromised('0.5');
    expect(await states()).toEqual(['oco waiting']);
    expect((await legs()).map(({ quantity }) => quantity)).toEqual([amount('0.499')]);
    expect(await perps.world.wallet()).toMatchObject({ BTC: '0.999 (0.999 held)' });
  });

  test('is told that it has none where nothing is left, once, and is asked about no more', async () => {
    await boughtAndPromised('0.999');
    expect(await states()).toEqual(['oco refused']);
    expect((await legs())[0]?.reason).toBe('the balance did not suffice');
    const reported = perps.world.published.filter(
      ({ event }) => event.kind === 'algo' && event.algo.parentOrderId === ID,
    );
    expect(reported).toHaveLength(1);
    expect(await perps.world.deps.algos.targets.open()).toEqual([]);
    expect(await perps.world.wallet()).toMatchObject({ BTC: '0.999 (0.999 held)' });
  });
});
