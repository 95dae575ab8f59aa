import { createLanes, type OrderId, type OrderStatus } from '@crossbook/domain';
import type { LedgerStore } from '@crossbook/ledger';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { CALLER, CANCELLED, OPEN, openTradingWorld, stateOf } from '../trading-world.fixture.ts';
import { onVenueEvent } from './on-venue-event.ts';
import { countOpenOrders } from './open-orders.ts';
import { reserve } from './reserve.ts';

test('is what the store says, however orders are placed, ended, refused and lost on the way', async () => {
  const world = await openTradingWorld();
  await world.fund('USDT', '100000');
  const act = fc.record({
    do: fc.constantFrom('place', 'place', 'cancel', 'rest', 'lose', 'count', 'repeat'),
    at: fc.nat(9),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(act, { maxLength: 20 }), async (acts) => {
      let losing = 0;
      /** Commits whose answer is lost, half of them before and half after they happened. */
      const commit: LedgerStore['commit'] = async (unit) => {
        if (losing === 0) return world.ledger.commit(unit);
        losing -= 1;
        if (losing % 2 === 0) await world.ledger.commit(unit);
        throw new Error('the answer was lost');
      };
      const ledger: LedgerStore = {
        commit,
        fundingBalances: (user) => world.ledger.fundingBalances(user),
        tradingBalances: (user, platform) => world.ledger.tradingBalances(user, platform),
      };
      const counted = countOpenOrders({ orders: world.plainOrders, ledger });
      const deps = { ...world.deps, ...counted };
      const lanes = createLanes();
      const made: OrderId[] = [];
      const tell = (id: OrderId | undefined, status: OrderStatus) =>
        id === undefined
          ? undefined
          : lanes.run(id, () => {
              const state = stateOf({ id, symbol: 'BTCUSDT' }, status, '0');
              return onVenueEvent(deps, id, { state, fills: [], barrier: true });
            });
      const count = async (): Promise<number> => {
        const place = { ...world.checked(), platform: 1, symbolType: 'SPOT', symbol: 'BTCUSDT' } as const;
        const { others, giveBack } = await counted.openOrders.take(place);
        giveBack();
        return others;
      };
      const acted = acts.map(async ({ do: what, at }) => {
        const id = made[at % Math.max(1, made.length)];
        if (what === 'lose') losing += 1;
        if (what === 'count') await count();
        if (what === 'cancel') await tell(id, CANCELLED);
        if (what === 'rest') await tell(id, OPEN);
        if (what !== 'place' && what !== 'repeat') return;
        const draft = world.checked(what === 'repeat' && id !== undefined ? { id } : {});
        made.push(draft.id);
        await lanes.run(draft.id, async () => {
          const { giveBack } = await counted.openOrders.take({
            ...draft,
            platform: 1,
            symbolType: 'SPOT',
            symbol: 'BTCUSDT',
          });
          await reserve(deps, draft).finally(giveBack);
        });
      });
      await Promise.allSettled(acted);
      losing = 0;
      const open = await world.plainOrders.openOf(CALLER.user, 1, { symbol: 'BTCUSDT' });
      expect(await count()).toBe(open.length);
      for (const { id } of open) await tell(id, CANCELLED);
      expect(await count()).toBe(0);
    }),
    { numRuns: 25 },
  );
  await world.close();
});
