import {
  type Amount,
  floorTo,
  formatAmount,
  isFinalAlgo,
  minus,
  ORDER_STATUS,
  ORDER_TYPE,
  refused,
  SIDE,
  stepsToAmount,
  TIME_IN_FORCE,
  type TimeInForce,
  type VenueAlgoState,
} from '@crossbook/domain';
import type {
  AlgoKey,
  ListedLegs,
  VenueAlgoRequest,
  VenueAlgos,
  VenueCredentials,
} from '@crossbook/venues/trading';
import { beforeAll, describe, expect, test } from 'vitest';
import { signedHeaders } from '../../packages/venues/src/okx/account/sign.ts';
import { type AlgoRig, part, planOf } from './algo-claims.ts';
import { must, now, until } from './simulator-venue.ts';
import { follow, hangingKey, nextId, total } from './trading-rig.ts';

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
        ...{ side, quantity, position: 0, marginMode: 'cross', leverage: expect.any(Number), reduces: false },
        timeInForce: TIME_IN_FORCE.GTC,
        plan: { kind, leg: { trigger: { price: trigger, by: 'mark' }, limit } },
        brings: {
          takeProfit: { trigger: { price: profit, by: 'last' } },
          stopLoss: { trigger: { price: loss, by: 'index' } },
        },
      });
      if (row === undefined) throw new Error('listed');
      // It is read by itself where nothing else is known of.
      expect(must((await algos.opening?.(member, [instrument])) ?? refused('none'))).toEqual([row]);
      const { venueAlgoId } = row;
      const key = { instrument, clientId: nextId(), venueAlgoId, kind } as const;
      expect(await algos.cancel(member, key)).toEqual({ outcome: 'done' });
      expect(await listed()).toEqual([]);
    },
  );
}

/** The claims about an order that goes out with its legs, as one list or for what it fills, where a venue offers that. */
export function claimLegsBehind(rigOf: () => Promise<AlgoRig>, attached: 'list' | 'fills'): void {
  let rig: AlgoRig;
  let algos: VenueAlgos;
  beforeAll(async () => {
    rig = await rigOf();
    if (rig.connector.algos === undefined) throw new Error('has no algo orders');
    algos = rig.connector.algos;
  });
  const move = (factor: number) => rig.simulator.shock(rig.market, rig.instrument.symbol, factor);

  /** Waits until a leg has come to its end, and gives how it stands. */
  async function ended(member: VenueCredentials, key: AlgoKey): Promise<VenueAlgoState> {
    const states: VenueAlgoState[] = [];
    await until('the leg ends', async () => {
      const answer = await algos.find(member, key);
      if (answer.outcome === 'found') states.push(answer.value);
      return states.some(({ status }) => isFinalAlgo(status));
    });
    const last = states.at(-1);
    if (last === undefined) throw new Error('has ended');
    return last;
  }

  describe('an order that goes out with', () => {
    /** A bid a fiftieth below the market, and what it brings along for nine tenths of it. */
    async function listed(kind: 'stop' | 'oco', timeInForce: TimeInForce = TIME_IN_FORCE.GTC) {
      const { instrument, size: quantity } = rig;
      const key: AlgoKey = { instrument, clientId: nextId(), kind };
      const plan = await planOf(rig, kind, { side: SIDE.SELL, near: false, limited: false });
      const sold = floorTo(((quantity * 9n) / 10n) as Amount, instrument.lotSize);
      const order = {
        ...{
          clientId: nextId(),
          instrument,
          side: SIDE.BUY,
          type: ORDER_TYPE.LIMIT,
          quantity,
          timeInForce,
        },
        price: part(await rig.price(), 980, instrument),
      };
      const legs: ListedLegs = {
        ...{ clientId: key.clientId, childClientIds: [nextId(), nextId()], side: SIDE.SELL, plan },
        ...(attached === 'list' ? { quantity: sold } : {}),
        timeInForce: TIME_IN_FORCE.GTC,
      };
      return { key, sold, order: { ...order, listed: legs } };
    }

    test.each(['stop', 'oco'] as const)(
      'a %s: it is no order and waits for nothing before, waits once all has filled, and fires once',
      async (kind) => {
        const member = await rig.holder();
        const { algos: heard, seen, close } = await follow(rig.connector, member);
        const { key, sold, order } = await listed(kind);
        const sent = await rig.connector.place(member, order);
        expect(sent).toMatchObject({ outcome: 'accepted', state: { status: ORDER_STATUS.OPEN } });
        const { instrument } = rig;
        const open = async () =>
          must(await rig.connector.openOrders(member, [instrument])).map(({ clientId }) => clientId);
        const waiting = async () =>
          must(await algos.waiting(member, [instrument])).map(({ clientId }) => clientId);
        expect([await open(), await waiting(), heard]).toEqual([[order.clientId], [], []]);
        await move(0.975);
        await until('its order has filled', async () => (await open()).length === 0);
        expect(await waiting()).toEqual([key.clientId]);
        await until('it was told', () => heard.some(({ clientId }) => clientId === key.clientId));
        expect(seen.orders.map(({ state }) => state.clientId)).toContain(order.clientId);
        const parent = await rig.connector.find(member, instrument, order.clientId);
        if (parent.outcome !== 'found') throw new Error('its order is known');
        await move(0.93);
        const { status, child } = await ended(member, key);
        expect(status).toBe('fired');
        if (child === undefined) throw new Error('it fired without a child');
        const fills = must(await rig.connector.fillsOfOrder(member, instrument, child.venueOrderId));
        if (attached === 'list') expect(total(fills, 'quantity')).toBe(sold);
        if (attached === 'fills') {
          // What has filled less the fees, as the exchange counts it.
          const bought = must(
            await rig.connector.fillsOfOrder(member, instrument, parent.value.venueOrderId),
          );
          const arrived = minus(total(bought, 'quantity'), total(bought, 'fee'));
          expect(total(fills, 'quantity')).toBe(floorTo(arrived, instrument.lotSize));
        }
        close();
      },
    );

    test('a leg that is taken back with it, by either of them', async () => {
      for (const by of attached === 'list' ? (['order', 'leg'] as const) : (['order'] as const)) {
        const member = await rig.holder();
        const { key, order } = await listed('stop', TIME_IN_FORCE.POST_ONLY);
        await rig.connector.place(member, order);
        const { instrument } = rig;
        if (by === 'order')
          expect(await rig.connector.cancel(member, instrument, order.clientId)).toMatchObject({
            outcome: 'cancelled',
            state: { clientId: order.clientId, status: ORDER_STATUS.CANCELLED },
          });
        else expect(await algos.cancel(member, key)).toEqual({ outcome: 'done' });
        const found = await rig.connector.find(member, instrument, order.clientId);
        expect(found).toMatchObject({ value: { status: ORDER_STATUS.CANCELLED } });
        if (attached === 'fills') expect(await algos.find(member, key)).toEqual({ outcome: 'not-found' });
        else
          expect(await ended(member, key)).toMatchObject({
            status: expect.stringMatching(/cancelled|expired/),
          });
      }
    });
  });
}
