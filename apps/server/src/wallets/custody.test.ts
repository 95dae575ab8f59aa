import { amount, venueClientId } from '@crossbook/domain';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ledgerBreaches } from '../storage/ledger/ledger-check.ts';
import { openTestDatabase } from '../storage/testing.ts';
import { CALLER, ID, until, World } from './wallet-world.fixture.ts';

const TO_OKX = { platformType: 41, clientId: ID } as const;
const FROM_OKX = { platformType: 41, direction: 2 } as const;

let world: World;
beforeEach(async () => {
  world = new World(await openTestDatabase());
  world.platforms = [1, 2];
  world.provide = async () => 'moved';
  await world.testFunds();
});
afterEach(async () => {
  await world.desk.stop();
  expect(await ledgerBreaches(world.database.database, 'fold')).toEqual([]);
  await world.database.close();
});

const owns = () => world.owns(CALLER.user, 2);
const state = async () => {
  const page = await world.history();
  return page.ok ? page.value.rows.map((row) => row.state).join() : page.code.error;
};

describe('the operator’s funds', () => {
  test('are at the platform before the member’s money goes there, and stay with the member', async () => {
    world.transfer = async () => {
      expect(world.custody).toEqual(['provide 100 at 2']);
      return { outcome: 'done', venueId: '1' };
    };
    expect(await world.move(TO_OKX)).toMatchObject({ ok: true, value: { state: 'done' } });
    expect(world.custody).toEqual(['provide 100 at 2']);
    expect(await owns()).toBe('49900 100');
  });

  test('are collected before what came back is in the funding wallet', async () => {
    await world.move(TO_OKX);
    world.collect = async () => {
      expect(await owns()).toBe('49900 100(60)');
      return 'done';
    };
    expect(await world.move({ ...FROM_OKX, amount: amount('60') })).toMatchObject({
      value: { state: 'done' },
    });
    expect(world.custody).toEqual(['provide 100 at 2', 'collect 60 at 2']);
    expect(await owns()).toBe('49960 40');
  });

  test('that are short refuse the transfer in words that name the platform, and nothing is asked of it', async () => {
    world.provide = async () => 'short';
    const answer = await world.move(TO_OKX);
    expect(answer).toMatchObject({
      ok: false,
      code: { error: 'transfer-refused', given: expect.stringMatching(/enough USDT at Binance/) },
    });
    expect([world.asked, world.custody]).toEqual([[], ['provide 100 at 2']]);
    expect(await owns()).toBe('50000 0');
    expect(await world.move(TO_OKX)).toEqual(answer);
    expect(world.custody).toHaveLength(1);
  });

  test.each(['moved', 'there'] as const)(
    'that were %s for a transfer the platform refused are taken back before the money is free',
    async (provided) => {
      world.provide = async () => provided;
      world.transfer = async () => ({ outcome: 'refused', venueCode: '1', message: 'not today' });
      world.collect = async () => {
        expect(await owns()).toBe('50000(100) 0');
        return 'done';
      };
      expect(await world.move(TO_OKX)).toMatchObject({
        code: { error: 'transfer-refused', given: 'not today' },
      });
      const collected = provided === 'moved' ? ['collect 100 at 2'] : [];
      expect(world.custody).toEqual(['provide 100 at 2', 'provide 100 at 2', ...collected]);
      expect(await owns()).toBe('50000 0');
    },
  );
});

describe('funds of which nobody can say where they are', () => {
  test('keep the transfer waiting with its money held; it goes on by itself and moves once', async () => {
    world.provide = async () => 'unknown';
    expect(await world.move(TO_OKX)).toMatchObject({ ok: true, value: { state: 'unknown' } });
    await world.desk.start();
    await world.pass(60_000);
    expect([await state(), await owns(), world.asked.length]).toEqual(['unknown', '50000(100) 0', 0]);
    world.provide = async () => 'moved';
    await world.pass(4_000);
    expect([await state(), await owns(), world.asked.length]).toEqual(['done', '49900 100', 1]);
    expect(world.notes).toEqual(['transfer outcome unknown']);
    expect(await world.move(TO_OKX)).toMatchObject({ ok: true, value: { state: 'done' } });
  });

  test('one transfer that waits for them keeps no other from going on', async () => {
    world.provide = async ({ platform }) => {
      if (platform === 2) throw new Error('broken');
      return 'there';
    };
    await world.move({ platformType: 41 });
    world.transfer = async () => ({ outcome: 'unknown', why: 'lost' });
    await world.move({ platformType: 43 });
    world.findTransfer = async () => ({ outcome: 'found', value: { venueId: '9' } });
    await world.desk.start();
    await world.pass(4_000);
    expect((await state()).split(',').sort()).toEqual(['done', 'pending']);
  });

  test('a platform that does not answer keeps no transfer at another one waiting', async () => {
    world.transfer = async () => ({ outcome: 'unknown', why: 'lost' });
    await world.move(TO_OKX);
    await world.move({ platformType: 43 });
    const atOkx = venueClientId(ID);
    let answer = (): void => undefined;
    const silent = new Promise<void>((resolve) => {
      answer = resolve;
    });
    world.findTransfer = async (clientId) => {
      if (clientId === atOkx) await silent;
      return { outcome: 'found', value: { venueId: '9' } };
    };
    await world.desk.start();
    await world.pass(1_000);
    expect((await state()).split(',').sort().join()).toBe('done,unknown');
    answer();
    await until(async () => (await state()) === 'done,done');
  });

  test('a stop waits for the question under way and asks no further one', async () => {
    world.transfer = async () => ({ outcome: 'unknown', why: 'lost' });
    for (let made = 0; made < 3; made += 1) await world.move({ platformType: 41 });
    let answer = (): void => undefined;
    let asked = 0;
    const silent = new Promise<void>((resolve) => {
      answer = resolve;
    });
    world.findTransfer = async () => {
      asked += 1;
      await silent;
      return { outcome: 'not-found' };
    };
    await world.desk.start();
    world.time.advance(0);
    await until(() => asked === 1);
    const stopped = world.desk.stop();
    answer();
    await stopped;
    expect(asked).toBe(1);
  });

  test('hold back what came from a member until they are collected, and it arrives once', async () => {
    await world.move(TO_OKX);
    world.collect = async () => 'unknown';
    expect(await world.move(FROM_OKX)).toMatchObject({ ok: true, value: { state: 'unknown' } });
    world.findTransfer = async () => ({ outcome: 'found', value: { venueId: '9' } });
    await world.desk.start();
    await world.pass(10_000);
    expect(await owns()).toBe('49900 100(100)');
    world.collect = async () => 'done';
    await world.pass(4_000);
    expect([await state(), await owns()]).toEqual(['done,done', '50000 0']);
    expect(world.asked).toHaveLength(2);
  });

  test('after a refusal keep the money held and the venue’s words, until they are taken back', async () => {
    world.transfer = async () => ({ outcome: 'refused', venueCode: '1', message: 'not today' });
    world.collect = async () => 'unknown';
    expect(await world.move(TO_OKX)).toMatchObject({ value: { state: 'unknown' } });
    await world.desk.start();
    await world.pass(70_000);
    expect([await state(), await owns()]).toEqual(['unknown', '50000(100) 0']);
    world.collect = async () => 'done';
    await world.pass(4_000);
    expect(await owns()).toBe('50000 0');
    expect(await world.move(TO_OKX)).toMatchObject({
      code: { error: 'transfer-refused', given: 'not today' },
    });
    expect(world.asked).toHaveLength(1);
  });

  test('after a refusal are asked about until it is certain whether they were moved, and only then taken back', async () => {
    world.transfer = async () => {
      world.provide = async () => 'unknown';
      return { outcome: 'refused', venueCode: '1', message: 'not today' };
    };
    expect(await world.move(TO_OKX)).toMatchObject({ value: { state: 'unknown' } });
    await world.desk.start();
    await world.pass(70_000);
    expect([await owns(), world.custody.includes('collect 100 at 2')]).toEqual(['50000(100) 0', false]);
    world.provide = async () => 'moved';
    await world.pass(4_000);
    expect(world.custody.slice(-2)).toEqual(['provide 100 at 2', 'collect 100 at 2']);
    expect([await state(), await owns(), world.asked.length]).toEqual(['refused', '50000 0', 1]);
  });

  test('once they may have gone home, the platform is not asked again, though it has time now', async () => {
    world.transfer = async () => ({ outcome: 'not-now', why: 'limiter' });
    // Taken home, and the answer lost.
    world.collect = async () => 'unknown';
    await world.move(TO_OKX);
    await world.desk.start();
    await world.pass(64_000);
    expect([await state(), await owns()]).toEqual(['unknown', '50000(100) 0']);
    const before = world.asked.length;
    world.transfer = async () => ({ outcome: 'done', venueId: '1' });
    await world.pass(70_000);
    world.collect = async () => 'done';
    await world.pass(4_000);
    expect([await state(), await owns(), world.asked.length]).toEqual(['refused', '50000 0', before]);
    expect(await world.move(TO_OKX)).toMatchObject({
      code: { error: 'transfer-refused', given: 'the exchange is too busy' },
    });
  });

  test('a request to a platform that takes it for half a minute is waited out before it counts as never made', async () => {
    world.transfer = async () => ({ outcome: 'unknown', why: 'lost' });
    await world.move(TO_OKX);
    await world.desk.start();
    await world.pass(40_000);
    expect([await state(), await owns()]).toEqual(['unknown', '50000(100) 0']);
    // It was carried out in the last second in which the platform still took it.
    world.findTransfer = async () => ({ outcome: 'found', value: { venueId: '9' } });
    await world.pass(4_000);
    expect([await state(), await owns()]).toEqual(['done', '49900 100']);
  });
});
