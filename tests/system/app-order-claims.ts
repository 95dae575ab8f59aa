import { type Amount, formatAmount, SIDE, stepsToAmount, TIME_IN_FORCE } from '@crossbook/domain';
import type { VenueCredentials } from '@crossbook/venues/trading';
import { expect, test } from 'vitest';
import { signedHeaders } from '../../packages/venues/src/okx/account/sign.ts';
import type { AlgoRig } from './algo-claims.ts';
import { must, now, until } from './simulator-venue.ts';
import { nextId } from './trading-rig.ts';

/** What a connector keeps of trigger orders that a member of OKX places in the exchange's own app. */
export function claimAppOrders(rigOf: () => Promise<AlgoRig>): void {
  /** As the app places it: the hub has no call for it. */
  async function placedInApp({ simulator, instrument }: AlgoRig, member: VenueCredentials, terms: object) {
    const requestPath = '/api/v5/trade/order-algo';
    const order = { instId: instrument.symbol, tdMode: 'cross', ordType: 'trigger', ...terms };
    const body = JSON.stringify(order);
    const headers = signedHeaders(member, { method: 'POST', requestPath, body }, now());
    const answer = await fetch(`${simulator.url}${requestPath}`, { method: 'POST', headers, body });
    expect(await answer.json()).toMatchObject({ code: '0', data: [{ sCode: '0' }] });
  }

  test.each([
    ['below the price, which sells', SIDE.SELL, 92, 'stop'],
    ['above the price, which sells', SIDE.SELL, 108, 'take-profit'],
    ['above the price, which buys', SIDE.BUY, 108, 'stop'],
    ['below the price, which buys', SIDE.BUY, 92, 'take-profit'],
  ] as const)(
    'a trigger order %s is listed as what it is, with what it brings, and cancelled by its id',
    async (_, side, percent, kind) => {
      const rig = await rigOf();
      const { algos } = rig.connector;
      if (algos === undefined) throw new Error('has no algo orders');
      const { instrument, size: quantity } = rig;
      const member = await rig.holder();
      const price = await rig.price();
      const at = (share: number): Amount =>
        stepsToAmount(Number((price * BigInt(share)) / 100n / instrument.tickSize), instrument.tickSize);
      const [trigger, limit] = [at(percent), at(percent + (side === SIDE.BUY ? 1 : -1))];
      const [profit, loss] = side === SIDE.BUY ? [at(120), at(80)] : [at(80), at(120)];
      await placedInApp(rig, member, {
        ...{ side: side === SIDE.BUY ? 'buy' : 'sell', sz: formatAmount(quantity) },
        ...{ triggerPx: formatAmount(trigger), triggerPxType: 'mark', orderPx: formatAmount(limit) },
        attachAlgoOrds: [
          {
            ...{ tpTriggerPx: formatAmount(profit), tpOrdPx: '-1' },
            ...{ slTriggerPx: formatAmount(loss), slOrdPx: '-1', slTriggerPxType: 'index' },
          },
        ],
      });
      const listed = async () => must(await algos.waiting(member, [instrument]));
      await until('it is listed', async () => (await listed()).length === 1);
      const [row] = await listed();
      expect(row?.shown).toEqual({
        ...{ side, quantity, position: 0, marginMode: 'cross', reduces: false },
        timeInForce: TIME_IN_FORCE.GTC,
        plan: { kind, leg: { trigger: { price: trigger, by: 'mark' }, limit } },
        brings: {
          takeProfit: { trigger: { price: profit, by: 'last' } },
          stopLoss: { trigger: { price: loss, by: 'index' } },
        },
      });
      if (row === undefined) throw new Error('listed');
      const { venueAlgoId } = row;
      const key = { instrument, clientId: nextId(), venueAlgoId, kind } as const;
      expect(await algos.cancel(member, key)).toEqual({ outcome: 'done' });
      expect(await listed()).toEqual([]);
    },
  );
}
