import { amount, SIDE } from '@crossbook/domain';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type PerpsWorld, placeContractOrder } from '../perps/perps-world.fixture.ts';
import { BTCUSDT_PERP, CALLER, FILLED, stateOf, until } from '../trading-world.fixture.ts';
import { type AlgoVenue, cancelsTogether } from './algo-world.fixture.ts';
import { ID, openLegsWorld, TARGETS } from './legs-world.fixture.ts';

let perps: PerpsWorld;
let venue: AlgoVenue;
let release: () => void;
let released: Promise<void>;
beforeEach(async () => {
  ({ perps, venue } = await openLegsWorld());
  released = new Promise((done) => {
    release = done;
  });
});
afterEach(async () => {
  release();
  await perps.world.close();
});

const legs = async () =>
  (await perps.world.deps.algos.ofParent(ID)).map(({ plan, state }) => `${plan.kind} ${state}`).sort();
const standing = () => until(async () => (await legs()).join() === 'stop waiting,take-profit waiting');
const gone = () => until(async () => (await legs()).join() === 'stop cancelled,take-profit cancelled');
/** What this process was not told of: the position was closed. */
const closed = (platform: 1 | 3, at: number) =>
  perps.world.database.owner.query(
    `insert into closed_positions (position_id, user_id, platform, symbol, effect, direction, margin_mode, leverage,
        max_quantity, entry_price, exit_price, realised_pnl, fees, funding, ended, opened_at, closed_at)
      values (gen_random_uuid(), $1, $2, 'BTCUSDT', 0, 'long', 'cross', 10, 1, 1, 1, 0, 0, 0, 'closed', 1, $3)`,
    [CALLER.user, platform, at],
  );

test('an exchange that never answers holds up no leg at another one', async () => {
  const { world } = perps;
  await placeContractOrder(perps, TARGETS);
  await standing();
  world.second = 3;
  world.instruments.push({ ...BTCUSDT_PERP, platform: 3 });
  await world.account(CALLER.user, 3);
  // The oldest of all.
  await world.database.owner.query(
    `insert into algo_orders select (jsonb_populate_record(a, jsonb_build_object('id', gen_random_uuid(), 'platform', 3,
        'hold_id', gen_random_uuid(), 'created_at', 1, 'parent_id', null))).* from algo_orders a limit 1`,
  );
  let silent = false;
  const { cancel } = venue;
  Object.assign(venue, {
    cancel: async (...[credentials, key]: Parameters<typeof cancel>) => {
      if (venue.kept.has(key.clientId)) return cancel(credentials, key);
      silent = true;
      await released;
      return { outcome: 'gone' };
    },
  });
  await closed(3, 2);
  await closed(1, world.time.clock() + 1);
  await world.desk.start();
  await until(() => silent);
  await gone();
});

test('many fills of one contract are two looks at most, and the last of them is seen', async () => {
  const { world } = perps;
  await placeContractOrder(perps, TARGETS);
  await standing();
  const { withoutPosition } = world.deps.algos;
  let looks = 0;
  Object.assign(world.deps.algos, {
    withoutPosition: async (...given: Parameters<typeof withoutPosition>) => {
      looks += 1;
      const found = await withoutPosition(...given);
      await released;
      return found;
    },
  });
  for (let at = 0; at < 10; at += 1) {
    world.time.advance(10);
    const fill = perps.venue.trade(SIDE.SELL, amount('0.1'), { order: 'elsewhere' });
    const state = stateOf({ id: ID, symbol: 'BTCUSDT' }, FILLED, '1', fill.venueOrderId);
    world.venue.streams.at(-1)?.onOrder({ state: { ...state, clientId: 'else' as never }, fill });
  }
  const owner = { user: CALLER.user, platform: 1 } as const;
  await until(async () => (await world.deps.contracts.booked(owner)).length === 0);
  await world.pass(500);
  release();
  await gone();
  expect(looks).toBe(2);
});

test('the legs of a closed position are cancelled side by side', async () => {
  const { world } = perps;
  await placeContractOrder(perps, TARGETS);
  await standing();
  release = cancelsTogether(venue, 2);
  await closed(1, world.time.clock() + 1);
  await world.desk.start();
  await gone();
});
