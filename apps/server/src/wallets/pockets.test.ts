import { amount } from '@crossbook/domain';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ledgerBreaches } from '../storage/ledger/ledger-check.ts';
import { openTestDatabase } from '../storage/testing.ts';
import { CALLER, ID, World } from './wallet-world.fixture.ts';

const OTHER_ID = '01890000-0000-7000-8000-00000000abce' as typeof ID;

let world: World;
beforeEach(async () => {
  world = new World(await openTestDatabase());
});
afterEach(async () => {
  await world.desk.stop();
  expect(await ledgerBreaches(world.database.database, 'fold')).toEqual([]);
  await world.database.close();
});

describe('the two pockets of a platform', () => {
  const SUB = 'sub-7';
  const pockets = async () => {
    const answer = await world.desk.handlers['connexfunding/tradingbalance'](CALLER, { platformType: 43 });
    return answer.ok ? answer.value.map((row) => `${row.pocket} ${row.total}`).join(', ') : '';
  };
  beforeEach(async () => {
    await world.testFunds({ platformType: 43, tradingAmount: amount('100') });
    world.accountOf = async () => SUB;
  });

  test("funds move between them inside the member's account, and to and from each of them", async () => {
    const steps = [
      [
        { direction: 3, amount: amount('60') },
        { from: SUB, to: SUB, pocket: 'futures' },
        'spot 40, futures 60',
      ],
      [{ direction: 4, amount: amount('10') }, { from: SUB, to: SUB, pocket: 'spot' }, 'spot 50, futures 50'],
      [
        { direction: 1, tinstType: 2, amount: amount('5') },
        { to: SUB, pocket: 'futures' },
        'spot 50, futures 55',
      ],
      [{ direction: 2, tinstType: 2, amount: amount('55') }, { from: SUB, pocket: 'futures' }, 'spot 50'],
    ] as const;
    for (const [part, sides, after] of steps) {
      expect(await world.move(part)).toMatchObject({
        ok: true,
        value: { state: 'done', ...part, amount: expect.anything() },
      });
      expect(world.asked.at(-1)).toMatchObject(sides);
      expect(await pockets()).toBe(after);
    }
  });

  const STEPS = [
    'before-hold',
    'after-hold',
    'after-send',
    'after-answer',
    'before-post',
    'after-post',
  ] as const;
  test.each(STEPS)(
    'work that breaks off %s moves nothing twice, and the next process finds out',
    async (step) => {
      await world.move({ direction: 3, amount: amount('50') });
      // What the exchange has of each pocket, by the ids that it was asked with.
      const there = { spot: 50, futures: 50 };
      const made = new Set<string>();
      world.transfer = async ({ clientId, pocket, amount: moved }) => {
        if (!made.has(clientId)) there[pocket ?? 'spot'] += Number(moved / 10n ** 18n);
        if (!made.has(clientId))
          there[pocket === 'futures' ? 'spot' : 'futures'] -= Number(moved / 10n ** 18n);
        made.add(clientId);
        return { outcome: 'done', venueId: '1' };
      };
      world.findTransfer = async (clientId) =>
        made.has(clientId)
          ? { outcome: 'found', value: { outcome: 'done' } as never }
          : { outcome: 'not-found' };
      for (const [direction, id] of [
        [3, ID],
        [4, OTHER_ID],
      ] as const) {
        const asked = { direction, amount: amount('10'), clientId: id };
        world.crash = (reached) => {
          if (reached === step) throw new Error('broken off');
        };
        // A step that throws ends its work; tests/system/contract-crashes.test.ts kills the process there.
        await world.move(asked).catch(() => undefined);
        await world.again();
        await world.pass(90_000);
        const rows = async () => {
          const page = await world.history();
          return page.ok ? page.value.rows.filter(({ transferId }) => transferId === id) : [];
        };
        expect((await rows()).map(({ state }) => state)).toEqual(step === 'before-hold' ? [] : ['done']);
        // The same request again is the same transfer.
        expect(await world.move(asked)).toMatchObject({ ok: true, value: { transferId: id, state: 'done' } });
        expect(await pockets()).toBe(`spot ${there.spot}, futures ${there.futures}`);
        expect(there).toEqual(direction === 3 ? { spot: 40, futures: 60 } : { spot: 50, futures: 50 });
      }
      expect(made.size).toBe(2);
    },
  );

  test('what stands behind positions leaves only as far as the venue lets it', async () => {
    await world.move({ direction: 3, amount: amount('60') });
    world.withdrawable = amount('20');
    expect(await world.move({ direction: 4, amount: amount('21') })).toMatchObject({
      ok: false,
      code: { error: 'funds-insufficient' },
    });
    expect(await world.move({ direction: 4, amount: amount('20') })).toMatchObject({ ok: true });
    // The other pocket stands behind nothing.
    expect(await world.move({ direction: 2, amount: amount('50') })).toMatchObject({ ok: true });
  });

  test('where one wallet serves both there is nothing to move between', async () => {
    expect(await world.move({ platformType: 41, direction: 3 })).toMatchObject({
      ok: false,
      code: { error: 'field-invalid', field: 'direction' },
    });
  });
});
