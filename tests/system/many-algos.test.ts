import { describe, expect, test, vi } from 'vitest';
import type { TestBrowser } from '../../apps/server/src/main/testing.ts';
import { playedHub } from '../played-hub.ts';
import { FULL } from '../property-runs.ts';
import { algosOf, expectKilled, priceAt } from './algo-rows.ts';
import { until } from './hub-process.ts';
import { expectEveryUnitInItsPlace, lockedOf, RECEIPT_VENUES, settled } from './venue-money.ts';

/** Many orders that wait at OKX for a price and are cancelled side by side: few calls of the exchange, each with an end of its own. */

// An exchange takes so many in two seconds; on a busy machine several times as long.
vi.setConfig({ testTimeout: 300_000 });

const TWELVE = 12;
/** Answers that are lost: to what was carried out, and to what was not. */
const LOST = FULL ? (['reset-after', 'timeout-before'] as const) : (['reset-after'] as const);
const PLATFORM = 41;

const { simulator, hub } = playedHub({});
const parts = () => ({ hub, simulator });
const venue = okx();
const PAIR = { platformType: PLATFORM, tinstType: 1, symbol: venue.symbol } as const;

function okx() {
  const found = RECEIPT_VENUES.find(({ platformType }) => platformType === PLATFORM);
  if (found === undefined) throw new Error('OKX is not played');
  return found;
}

/** So many requests have been let through to the exchange. */
async function asked(): Promise<number> {
  const text = await (await fetch(`${hub.url}/metrics`)).text();
  return Number(/venue="okx",stat="granted"\} (\d+)/.exec(text)?.[1]);
}

/** A member with twelve stops of a thousandth, each of which holds its own. */
async function memberWithStops(): Promise<{ readonly member: TestBrowser; readonly ids: readonly string[] }> {
  const member = await hub.memberWithFunds('10000', PLATFORM);
  const bought = await member.call('connextrade/PlaceOrder', {
    ...{ ...PAIR, side: 1, orderType: 2, quantity: '0.05' },
  });
  expect(bought, bought.msg).toMatchObject({ code: 1 });
  await settled(member, venue);
  const triggerPrice = await priceAt(simulator, venue, { factor: '0.8', market: 'spot' });
  const ids: string[] = [];
  for (let at = 0; at < TWELVE; at += 1) {
    const clientId = crypto.randomUUID();
    const stop = { ...PAIR, side: 2, algoType: 'stop', quantity: '0.001', clientId, triggerPrice } as const;
    // What finds no room in these two seconds is asked for again under the same id.
    await until(
      () => member.call('connextrade/PlaceAlgoOrder', stop),
      ({ code }) => code === 1,
    );
    ids.push(clientId);
  }
  await until(
    () => algosOf(member),
    (rows) => rows.length === TWELVE && rows.every(({ state }) => state === 'waiting'),
  );
  expect(await lockedOf(member, venue)).toEqual(['0.012 BTC']);
  return { member, ids };
}

const cancel = (member: TestBrowser, algoId: string) =>
  member.call('connextrade/CancelAlgoOrder', { platformType: PLATFORM, algoId });

/** All end, none has become an order, and nothing is held here or there. */
async function expectAllEnded(member: TestBrowser): Promise<void> {
  await until(
    async () => {
      const rows = await algosOf(member);
      // What found no room on a busy machine is left to another press.
      const left = rows.filter(({ state, cancelPending }) => state === 'waiting' && !cancelPending);
      await Promise.all(left.map(({ algoId }) => cancel(member, algoId)));
      return rows;
    },
    (rows) => rows.every(({ state, unknown }) => state === 'cancelled' && !unknown),
  );
  expect(await algosOf(member)).toHaveLength(TWELVE);
  expect(await lockedOf(member, venue)).toEqual([]);
  await expectEveryUnitInItsPlace(parts(), member, venue);
  const there = await simulator.balancesOf(member.tid ?? 0, 2);
  expect([...there.values()].filter(({ locked }) => Number(locked) !== 0)).toEqual([]);
}

describe('twelve stops that are cancelled side by side', { concurrent: false }, () => {
  test('end by fewer requests than there are of them', async () => {
    const { member, ids } = await memberWithStops();
    const before = await asked();
    const answers = await Promise.all(ids.map((id) => cancel(member, id)));
    const requests = (await asked()) - before;
    expect(answers.map(({ code, msg }) => [code, msg])).toEqual(ids.map(() => [1, expect.anything()]));
    // One by one each took a cancel and a look.
    expect(requests).toBeLessThan(TWELVE * 2);
    await expectAllEnded(member);
  });

  test.each(LOST)('whose answers meet %s are each looked up', async (kind) => {
    const { member, ids } = await memberWithStops();
    await simulator.admin('faults', { kind, match: 'order.algo.cancel', count: 2 });
    const answers = await Promise.all(ids.map((id) => cancel(member, id)));
    expect(await simulator.armedFaults()).toBe(0);
    const pending = answers.filter(({ data }) => data?.state === 'waiting' && data.cancelPending);
    expect(pending.length).toBeGreaterThan(1);
    await expectAllEnded(member);
  });

  test.each(['after-send', 'after-answer'])('are found after a kill %s', async (point) => {
    const { member, ids } = await memberWithStops();
    await hub.kill();
    await hub.again({ CRASH_AT: point });
    await Promise.allSettled(ids.map((id) => cancel(member, id)));
    await expectKilled(hub);
    await hub.again();
    await expectAllEnded(member);
  });
});
