import { amount, type UserId } from '@crossbook/domain';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openedOnce } from '../../../../tests/opened.ts';
import { openTestDatabase } from '../storage/testing.ts';
import { CALLER, until, World } from './wallet-world.fixture.ts';

const database = openedOnce(openTestDatabase);
let world: World;
beforeEach(() => {
  world = new World(database);
  world.platforms = [1, 2];
});
afterEach(() => world.desk.stop());

let users = 500_000;
function demo() {
  users += 1;
  return { ...CALLER, user: users as UserId, demo: true as const };
}

const look = async (caller: ReturnType<typeof demo>) => {
  const answer = await world.desk.handlers['x/demo/Funds'](caller, {});
  return answer.ok ? answer.value.platforms.map(({ platformType, state }) => `${platformType} ${state}`) : [];
};

test('each open platform gets its part, once, however often it is asked for', async () => {
  const caller = demo();
  expect(await look(caller)).toEqual(['43 waiting', '41 waiting']);
  await Promise.all([look(caller), look(caller)]);
  await until(async () => (await look(caller)).join() === '43 done,41 done');
  expect(await world.owns(caller.user, 1)).toBe('30000 10000');
  expect(await world.owns(caller.user, 2)).toBe('30000 10000');
  await look(caller);
  expect(world.asked).toMatchObject([{ amount: amount('10000') }, { amount: amount('10000') }]);
});

test('demos wait for one another at each platform, and another one’s second click takes no second place', async () => {
  const [first, second] = [demo(), demo()];
  await look(first);
  await look(second);
  await look(second);
  await until(async () => (await look(first)).join() === '43 done,41 done');
  expect(await look(second)).toEqual(['43 waiting', '41 waiting']);
  // No time has passed: the pause is not over, however often the second one asks.
  await until(async () => {
    await world.pass(500);
    return (await look(second)).join() === '43 done,41 done';
  });
  expect(world.asked).toHaveLength(4);
});

test('a member gets none, and a closed platform is none', async () => {
  const member = { ...CALLER, user: demo().user };
  const answer = await world.desk.handlers['x/demo/Funds'](member, {});
  expect(answer).toEqual({ ok: true, value: { asset: 'USDT', platforms: [] } });
  world.state = 'coming-soon';
  expect(await look(demo())).toEqual([]);
  expect(world.asked).toEqual([]);
});

test('while no money moves nothing is begun; asked again afterwards it is', async () => {
  const caller = demo();
  world.halted = { error: 'money-halted' };
  await look(caller);
  await world.pass(2_000);
  expect(world.asked).toEqual([]);
  world.halted = undefined;
  await until(async () => {
    await world.pass(500);
    return (await look(caller)).join() === '43 done,41 done';
  });
});
