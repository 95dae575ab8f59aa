import {
  type AlgoLeg,
  type AlgoOffer,
  type Amount,
  amount,
  type Instrument,
  isFinalAlgo,
  type Millis,
  ORDER_STATUS,
  ORDER_TYPE,
  plus,
  SIDE,
  type Side,
  stepsToAmount,
  TIME_IN_FORCE,
  type TriggerPlan,
  type VenueAlgoState,
  ZERO,
} from '@crossbook/domain';
import type {
  AlgoKey,
  VenueAlgoRequest,
  VenueAlgos,
  VenueCredentials,
  VenueTrading,
} from '@crossbook/venues/trading';
import { beforeAll, describe, expect, test } from 'vitest';
import { must, type SimulatorVenue, until } from './simulator-venue.ts';
import { expectShown, follow, hangingKey, nextId, total } from './trading-rig.ts';

/** What claims about algo orders must know of one type of market of a venue besides what it offers. */
export interface AlgoWords {
  /** Beginnings of the names of its calls at the simulator, for faults; changes may not be simulated. */
  readonly place: string;
  readonly placeOco?: string;
  readonly placeTrailing?: string;
  readonly cancel: string;
  readonly amend?: string;
  /** An order says whether it is a stop or a target, so that one on the wrong side of the price is refused. */
  readonly sided: boolean;
}

/** One type of market of a venue, as claims about its algo orders know it; its market moves. */
export interface AlgoRig {
  readonly market: 'spot' | 'perps';
  readonly offer: AlgoOffer;
  readonly connector: VenueTrading;
  readonly simulator: SimulatorVenue;
  readonly instrument: Instrument;
  readonly size: Amount;
  /** Present exactly for contracts: one-way, cross, reducing. */
  readonly contract?: NonNullable<VenueAlgoRequest['contract']>;
  /** A new account that can sell `size`: of the pair's coin, or a long position. */
  holder(): Promise<VenueCredentials>;
  /** One that holds no position. */
  flat(): Promise<VenueCredentials>;
  /** The middle of the book, on the tick. */
  price(): Promise<Amount>;
}

/** A price so many thousandths of another, on the tick. */
export function part(price: Amount, thousandths: number, { tickSize }: Instrument): Amount {
  return stepsToAmount(Number((price * BigInt(thousandths)) / 1_000n / tickSize), tickSize);
}

/** What an order waits for: far from the market or so near that a move of 3 % fires it, sold at market or at a limit. */
export async function planOf(
  { price, instrument, offer }: AlgoRig,
  kind: TriggerPlan['kind'],
  { side, near, limited }: { readonly side: Side; readonly near: boolean; readonly limited: boolean },
): Promise<TriggerPlan> {
  const now = await price();
  const away = near ? 15 : 80;
  // Against the side: below the market for a sell.
  const against = side === SIDE.SELL ? 1_000 - away : 1_000 + away;
  const towards = 2_000 - against;
  const leg = (at: number): AlgoLeg => ({
    trigger: { price: part(now, at, instrument), by: 'last' },
    ...(limited ? { limit: part(now, side === SIDE.SELL ? at - 100 : at + 100, instrument) } : {}),
  });
  switch (kind) {
    case 'stop':
      return { kind, leg: leg(against) };
    case 'take-profit':
      return { kind, leg: leg(towards) };
    case 'trailing':
      return {
        kind,
        trailing: {
          by: 'last',
          ...(offer.trailing?.ratio === undefined
            ? { distance: part(now, 10, instrument) }
            : { ratio: amount('0.01') }),
          ...(near ? {} : { activation: part(now, towards, instrument) }),
        },
      };
    case 'oco':
      return { kind, takeProfit: leg(towards), stopLoss: leg(against) };
  }
}

/** The claims about algo orders that every connector keeps against its simulated venue. */
export function claimAlgos(rigOf: () => Promise<AlgoRig>, offer: AlgoOffer, words: AlgoWords): void {
  let rig: AlgoRig;
  let algos: VenueAlgos;
  beforeAll(async () => {
    rig = await rigOf();
    if (rig.connector.algos === undefined) throw new Error('has no algo orders');
    algos = rig.connector.algos;
  });

  async function requestOf(
    kind: TriggerPlan['kind'],
    how: { readonly side?: Side; readonly near?: boolean; readonly limited?: boolean } = {},
  ): Promise<VenueAlgoRequest> {
    const { side = SIDE.SELL, near = false, limited = false } = how;
    return {
      ...{ clientId: nextId(), childClientIds: [nextId(), nextId()], instrument: rig.instrument, side },
      plan: await planOf(rig, kind, { side, near, limited }),
      ...(hangsOn(kind) ? { whole: true } : { quantity: rig.size }),
      timeInForce: TIME_IN_FORCE.GTC,
      ...(rig.contract === undefined ? {} : { contract: rig.contract }),
    };
  }

  /** Whether one of a kind hangs on a position, and has no id of ours at the venue. */
  const hangsOn = (kind: AlgoKey['kind']) => kind === 'trailing' && offer.trailing?.ofPosition === true;
  const nameOf = ({ plan, clientId }: VenueAlgoRequest) => (hangsOn(plan.kind) ? '' : clientId);

  const keyOf = (request: VenueAlgoRequest): AlgoKey => {
    const { instrument, clientId, plan } = request;
    return hangsOn(plan.kind) ? hangingKey(request) : { instrument, clientId, kind: plan.kind };
  };

  async function found(member: VenueCredentials, request: VenueAlgoRequest): Promise<VenueAlgoState> {
    const answer = await algos.find(member, keyOf(request));
    if (answer.outcome !== 'found') throw new Error(JSON.stringify(answer));
    return answer.value;
  }

  async function accepted(member: VenueCredentials, request: VenueAlgoRequest): Promise<VenueAlgoState> {
    const sent = await algos.place(member, request);
    if (sent.outcome !== 'accepted') throw new Error(JSON.stringify([request.plan, sent], json));
    return sent.state;
  }

  /** Waits until one has come to its end, and gives how it stands. */
  async function ended(member: VenueCredentials, request: VenueAlgoRequest): Promise<VenueAlgoState> {
    const states: VenueAlgoState[] = [];
    await until(`${request.plan.kind} ends`, async () => {
      // Who looks as often as here is refused for a moment now and then.
      const answer = await algos.find(member, keyOf(request));
      if (answer.outcome === 'found') states.push(answer.value);
      return states.some(({ status }) => isFinalAlgo(status));
    });
    const last = states.at(-1);
    if (last === undefined) throw new Error('has ended');
    return last;
  }

  /** Icebergs wait for no price. */
  const waiting = offer.kinds.filter((kind) => kind !== 'iceberg');

  const move = (factor: number) => rig.simulator.shock(rig.market, rig.instrument.symbol, factor);

  describe.each(waiting)('%s', (kind) => {
    test.each([
      ['at market', false],
      ['at a limit', true],
    ])(
      '%s: waits, is found and listed, is no open order, is cancelled once and gone afterwards',
      async (_, limited) => {
        if (limited && kind === 'trailing') return;
        const member = await rig.holder();
        const request = await requestOf(kind, { limited });
        const { clientId } = request;
        const placed = await accepted(member, request);
        expect(placed).toMatchObject({ clientId, symbol: rig.instrument.symbol, status: 'waiting' });
        expect(await found(member, request)).toMatchObject({
          ...{ clientId, venueAlgoId: placed.venueAlgoId, status: 'waiting' },
        });
        const listed = must(await algos.waiting(member, [rig.instrument]));
        expect(listed).toMatchObject([{ clientId: nameOf(request) }]);
        if (request.contract !== undefined) expectShown(request, listed[0], hangsOn(kind));
        expect(must(await rig.connector.openOrders(member, [rig.instrument]))).toEqual([]);
        expect(await algos.cancel(member, keyOf(request))).toEqual({ outcome: 'done' });
        expect(await algos.cancel(member, keyOf(request))).toEqual({ outcome: 'gone' });
        expect(await found(member, request)).toMatchObject({ clientId, status: 'cancelled' });
        expect(must(await algos.waiting(member, [rig.instrument]))).toEqual([]);
      },
    );

    test('fires when the price comes; its child is told, found and filled once', async () => {
      const member = await rig.holder();
      const { seen, algos: heard, malformed, close } = await follow(rig.connector, member);
      const request = await requestOf(kind, { near: true });
      await accepted(member, request);
      await move(kind === 'take-profit' ? 1.03 : 0.97);
      const state = await ended(member, request);
      expect(state).toMatchObject({ status: 'fired', child: { venueOrderId: expect.any(String) } });
      const { child } = state;
      if (kind === 'oco') expect(child?.leg).toBe('stop-loss');
      const childId = child?.venueOrderId ?? state.venueAlgoId;
      const fills = () => rig.connector.fillsOfOrder(member, rig.instrument, childId);
      await until('the child fills', async () => total(must(await fills()), 'quantity') === rig.size);
      const order = await rig.connector.findByVenueId(member, rig.instrument, childId);
      expect(order).toMatchObject({ outcome: 'found', value: { status: ORDER_STATUS.FILLED } });
      expect(must(await algos.waiting(member, [rig.instrument]))).toEqual([]);
      const own = () => heard.filter(({ clientId }) => clientId === nameOf(request));
      await until('its end was told', () => own().some(({ status }) => isFinalAlgo(status)));
      expect(own().find(({ status }) => isFinalAlgo(status))).toMatchObject({ status: 'fired', child });
      const reported = () => seen.orders.filter(({ state: { venueOrderId } }) => venueOrderId === childId);
      await until('its fills were told', () => {
        const sum = reported().reduce((all, { fill }) => all + (fill?.quantity ?? ZERO), 0n);
        return sum === rig.size;
      });
      // What waits is no order: none was told before it fired.
      expect(reported().map((event) => event.state.status)).not.toContain(ORDER_STATUS.CANCELLED);
      expect(malformed).toEqual([]);
      close();
    });

    test.each([
      // What is silent waits for its answer in vain: one kind is enough.
      [kind === 'stop' ? 'silence-after' : 'timeout-after', true],
      ['reset-before', false],
    ])(
      '%s leaves the outcome unknown; a lookup tells, and nothing is sent twice',
      async (fault, carriedOut) => {
        const member = await rig.holder();
        const request = await requestOf(kind);
        const call =
          (kind === 'oco' && words.placeOco) || (hangsOn(kind) && words.placeTrailing) || words.place;
        await rig.simulator.plantFault(fault, call);
        const sent = await algos.place(member, request);
        await rig.simulator.clearFaults();
        expect(sent).toMatchObject({ outcome: 'unknown', deadlineAt: expect.any(Number) });
        expect((await algos.find(member, keyOf(request))).outcome).toBe(carriedOut ? 'found' : 'not-found');
        const listed = must(await algos.waiting(member, [rig.instrument]));
        expect(listed.map(({ clientId }) => clientId)).toEqual(carriedOut ? [nameOf(request)] : []);
        expect((await algos.cancel(member, keyOf(request))).outcome).toBe(carriedOut ? 'done' : 'gone');
      },
    );
  });

  test('a cancel whose answer is lost is unknown; a lookup tells', async () => {
    const member = await rig.holder();
    for (const [fault, status] of [
      ['timeout-before', 'waiting'],
      ['timeout-after', 'cancelled'],
    ] as const) {
      const request = await requestOf('stop');
      await accepted(member, request);
      await rig.simulator.plantFault(fault, words.cancel);
      expect((await algos.cancel(member, keyOf(request))).outcome).toBe('unknown');
      await rig.simulator.clearFaults();
      expect(await found(member, request)).toMatchObject({ status });
    }
  });

  test('one that would fire at once is refused by name, and nothing waits', async () => {
    const member = await rig.holder();
    const { plan, ...rest } = await requestOf('take-profit');
    if (plan.kind !== 'take-profit' || !words.sided) return;
    const wrong = { ...rest, plan: { kind: 'stop', leg: plan.leg } } as const;
    expect(await algos.place(member, wrong)).toMatchObject({ outcome: 'refused' });
    expect(await algos.find(member, keyOf(wrong))).toEqual({ outcome: 'not-found' });
    expect(must(await algos.waiting(member, [rig.instrument]))).toEqual([]);
  });

  test('one that never was is not found, nor its cancel', async () => {
    const member = await rig.flat();
    for (const kind of waiting) {
      const request = await requestOf(kind);
      expect([kind, await algos.find(member, keyOf(request))]).toEqual([kind, { outcome: 'not-found' }]);
      expect([kind, await algos.cancel(member, keyOf(request))]).toEqual([kind, { outcome: 'gone' }]);
    }
  });

  if (!offer.locks)
    test('what it sends can be refused when it fires, and the venue says why', async () => {
      const member = await rig.flat();
      const { algos: heard, close } = await follow(rig.connector, member);
      const request = await requestOf('stop', { near: true });
      await accepted(member, request);
      await move(0.97);
      expect(await ended(member, request)).toMatchObject({ status: 'refused' });
      await until('it was told', () => heard.some(({ status }) => status === 'refused'));
      close();
    });

  if (offer.attached === 'venue')
    test('what comes with an order waits when that has filled, names it, and ends with one of its legs', async () => {
      const member = await rig.flat();
      const { algos: heard, close } = await follow(rig.connector, member);
      const { instrument, size: quantity, contract } = rig;
      const plan = await planOf(rig, 'oco', { side: SIDE.SELL, near: true, limited: false });
      if (plan.kind !== 'oco' || contract === undefined) throw new Error('a bracket on a contract');
      const { takeProfit, stopLoss } = plan;
      const order = {
        ...{ clientId: nextId(), instrument, side: SIDE.BUY, type: ORDER_TYPE.MARKET, quantity },
        ...{ timeInForce: TIME_IN_FORCE.IOC, contract: { ...contract, reduceOnly: false } },
      };
      const sent = await rig.connector.place(member, { ...order, attached: { takeProfit, stopLoss } });
      expect(sent.outcome).toBe('accepted');
      const waiting = async () => must(await algos.waiting(member, [instrument]));
      await until('it waits', async () => (await waiting()).length > 0);
      for (const { parent } of await waiting()) expect(parent).toBe(order.clientId);
      const made = async () =>
        must(
          (await algos.attached?.(member, {
            ...{ ...order, targets: { takeProfit, stopLoss }, since: 0 as Millis },
          })) ?? {
            ok: false,
            code: 'refused',
          },
        );
      const ids = async () => (await made()).map(({ venueAlgoId }) => venueAlgoId).toSorted();
      expect(await ids()).toEqual((await waiting()).map(({ venueAlgoId }) => venueAlgoId).toSorted());
      expect((await made()).map((leg) => leg.quantity)).toEqual((await made()).map(() => quantity));
      const own = () => heard.filter(({ parent }) => parent === order.clientId);
      await until('it was told', () => own().some(({ status }) => status === 'waiting'));
      await move(0.97);
      await until('one leg fired', () => own().some(({ status }) => status === 'fired'));
      await until('none waits', async () => (await waiting()).length === 0);
      expect((await made()).map(({ status }) => status)).toContain('fired');
      for (const { status, child } of own())
        if (status === 'fired') expect(child).toMatchObject({ leg: 'stop-loss' });
      close();
    });

  const { amend: amendCall } = words;
  if (offer.amends && amendCall !== undefined)
    describe('a change of one that waits', () => {
      test('is done: it fires at the new price with the new quantity', async () => {
        const member = await rig.holder();
        const request = await requestOf('stop');
        await accepted(member, request);
        const { plan: near } = await requestOf('stop', { near: true });
        if (near.kind !== 'stop' || near.leg.trigger === undefined) throw new Error('a stop has a trigger');
        const quantity = (rig.size / 2n) as Amount;
        const change = { quantity, stopLoss: { trigger: near.leg.trigger.price } };
        expect(await algos.amend(member, keyOf(request), change)).toEqual({ outcome: 'done' });
        expect(await found(member, request)).toMatchObject({ status: 'waiting' });
        await move(0.97);
        const { child } = await ended(member, request);
        const childId = child?.venueOrderId;
        if (childId === undefined) throw new Error('no child');
        await until('the child fills', async () => {
          const fills = must(await rig.connector.fillsOfOrder(member, rig.instrument, childId));
          return total(fills, 'quantity') === quantity;
        });
        expect(await algos.amend(member, keyOf(request), change)).toEqual({ outcome: 'gone' });
      });

      test('off the tick is refused, and it waits as it was; of none it is gone', async () => {
        const member = await rig.holder();
        const request = await requestOf('stop');
        const { plan } = request;
        if (plan.kind !== 'stop' || plan.leg.trigger === undefined) throw new Error('a stop has a trigger');
        const off = { stopLoss: { trigger: plus(plan.leg.trigger.price, 1n as Amount) } };
        expect(await algos.amend(member, keyOf(request), off)).toEqual({ outcome: 'gone' });
        await accepted(member, request);
        expect(await algos.amend(member, keyOf(request), off)).toMatchObject({ outcome: 'refused' });
        expect(await found(member, request)).toMatchObject({ status: 'waiting' });
      });

      test.each(['timeout-after', 'reset-before'])('by %s is unknown, and it still waits', async (fault) => {
        const member = await rig.holder();
        const request = await requestOf('stop');
        await accepted(member, request);
        await rig.simulator.plantFault(fault, amendCall);
        const change = { quantity: (rig.size / 2n) as Amount };
        expect(await algos.amend(member, keyOf(request), change)).toMatchObject({ outcome: 'unknown' });
        await rig.simulator.clearFaults();
        expect(await found(member, request)).toMatchObject({ status: 'waiting' });
      });
    });

  if (offer.whole !== 'never')
    test('one without a quantity closes the whole position', async () => {
      const member = await rig.holder();
      const { quantity: _, ...request } = {
        ...(await requestOf('stop', { near: true })),
        whole: true as const,
      };
      await accepted(member, request);
      await move(0.97);
      const { child } = await ended(member, request);
      const childId = child?.venueOrderId;
      if (childId === undefined) throw new Error('no child');
      await until('it fills', async () => {
        const fills = must(await rig.connector.fillsOfOrder(member, rig.instrument, childId));
        return total(fills, 'quantity') === rig.size;
      });
    });
}

const json = (_: string, value: unknown) => (typeof value === 'bigint' ? `${value}` : value);
