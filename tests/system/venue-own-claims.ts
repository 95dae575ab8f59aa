import { type Amount, formatAmount, SIDE, stepsToAmount, TIME_IN_FORCE } from '@crossbook/domain';
import type { VenueAlgoRequest, VenueCredentials } from '@crossbook/venues/trading';
import { expect, test } from 'vitest';
import { signedHeaders } from '../../packages/venues/src/okx/account/sign.ts';
import type { AlgoRig } from './algo-claims.ts';
import { hangingKey } from './hanging-key.ts';
import { must, now, until } from './simulator-venue.ts';
import { nextId } from './trading-rig.ts';

/** What a connector keeps of orders that wait and that its venue alone has, besides what it keeps of every one. */

/** The trailing stop of a position. @param place the beginning of the name of the call that sets it, for faults. */
export function claimTrailingOfPosition(rigOf: () => Promise<AlgoRig>, place: string): void {
  test('a trailing stop of a position is changed in its place, and a lookup says how it stands', async () => {
    const rig = await rigOf();
    const { algos } = rig.connector;
    if (algos === undefined || rig.contract === undefined) throw new Error('has no trailing stops');
    const { instrument } = rig;
    const member = await rig.holder();
    const now = await rig.price();
    const percent = (share: number): Amount =>
      stepsToAmount(Number((now * BigInt(share)) / 100n / instrument.tickSize), instrument.tickSize);
    const [before, distance, activation] = [percent(2), percent(1), percent(110)];
    const request: VenueAlgoRequest = {
      ...{ clientId: nextId(), childClientIds: [nextId(), nextId()], instrument, side: SIDE.SELL },
      plan: { kind: 'trailing', trailing: { distance: before, activation, by: 'last' } },
      ...{ whole: true, timeInForce: TIME_IN_FORCE.GTC, contract: rig.contract },
    };
    const sent = await algos.place(member, request);
    if (sent.outcome !== 'accepted') throw new Error(sent.outcome);
    const { venueAlgoId } = sent.state;
    const key = { ...hangingKey(request, true), venueAlgoId };
    const change = { trailing: { distance } };
    for (const [fault, outcome, stands] of [
      ['reset-before', 'unknown', before],
      ['timeout-after', 'unknown', distance],
      [undefined, 'done', distance],
    ] as const) {
      if (fault !== undefined) await rig.simulator.plantFault(fault, place);
      expect((await algos.amend(member, key, change)).outcome).toBe(outcome);
      await rig.simulator.clearFaults();
      const asks = { trailing: { distance: stands, activation } };
      expect(await algos.find(member, key)).toMatchObject({
        ...{ outcome: 'found', value: { venueAlgoId, asks } },
      });
    }
    expect(await algos.cancel(member, key)).toEqual({ outcome: 'done' });
    // The position is there still, so that the venue makes another one of the change: it does not stay.
    expect(await algos.amend(member, key, change)).toEqual({ outcome: 'gone' });
    expect(must(await algos.waiting(member, [instrument]))).toEqual([]);
  });
}

/** Trigger orders that a member of OKX places in the exchange's own app. */
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
