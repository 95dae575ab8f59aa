import {
  type Amount,
  type Instrument,
  minus,
  ORDER_STATUS,
  ORDER_TYPE,
  plus,
  SIDE,
  stepsToAmount,
  ZERO,
} from '@crossbook/domain';
import type {
  AmendOutcome,
  OrderAmendment,
  OrderTerms,
  VenueCredentials,
  VenueOrderRequest,
  VenueTrading,
} from '@crossbook/venues/trading';
import { beforeAll, expect, test } from 'vitest';
import { must, type SimulatorVenue, until } from './simulator-venue.ts';
import { nextId } from './trading-rig.ts';

/** One type of market of a venue, as claims about changes of its orders know it; its market stands still. */
export interface AmendRig {
  readonly connector: VenueTrading;
  readonly simulator: SimulatorVenue;
  readonly instrument: Instrument;
  /** Beginning of the name of the venue's call at the simulator, for faults. */
  readonly call: string;
  /** The venue cancels the order and places another. */
  readonly replaces: boolean;
  /** An account that can rest about eight times `resting`. */
  member(): Promise<VenueCredentials>;
  /** A bid that rests below the market, and sizes that divide by four. */
  resting(part?: Partial<VenueOrderRequest>): VenueOrderRequest;
  /** The best bid as it stands; a tick above it nothing is offered. */
  bid(): Promise<Amount>;
}

/** A fill that is not there by then went to somebody else. */
const FILL_MILLIS_MAX = 5_000;
const TRIES_MAX = 5;

/** The claims about changes of orders that every connector keeps against its simulated venue. */
export function claimAmendments(rigOf: () => Promise<AmendRig>): void {
  let rig: AmendRig;
  beforeAll(async () => {
    rig = await rigOf();
  });

  const lower = (price: Amount): Amount => minus(price, stepsToAmount(10, rig.instrument.tickSize));
  const half = (quantity: Amount): Amount => (quantity / 2n) as Amount;

  async function placed(member: VenueCredentials, part: Partial<VenueOrderRequest> = {}) {
    const order = rig.resting(part);
    const { price = ZERO, quantity = ZERO } = order;
    const sent = await rig.connector.place(member, order);
    if (sent.outcome !== 'accepted') throw new Error(JSON.stringify(sent));
    return { ...order, price, quantity };
  }

  /** Sells at the market what the order resting at the top of the book asks for in part. */
  async function sell(seller: VenueCredentials, quantity: Amount): Promise<void> {
    const { price: _, ...order } = rig.resting({ side: SIDE.SELL, type: ORDER_TYPE.MARKET, quantity });
    await until('it was sold', async () => {
      const sent = await rig.connector.place(seller, { ...order, clientId: nextId() });
      // Our own budget of calls refused it, so that nothing was sent.
      if (sent.outcome === 'refused' && sent.retryAfterMillis !== undefined) return false;
      if (sent.outcome !== 'accepted') throw new Error(JSON.stringify(sent));
      return true;
    });
  }

  /**
   * A bid alone at the top of the book, of which half is sold. On a busy machine the book may have moved above it since it was
   * read: then the sale met others, and another is placed.
   */
  async function filledInPart(member: VenueCredentials, seller: VenueCredentials) {
    for (let tries = 0; tries < TRIES_MAX; tries += 1) {
      const order = await placed(member, { price: plus(await rig.bid(), rig.instrument.tickSize) });
      const executed = half(order.quantity);
      await sell(seller, executed);
      const end = performance.now() + FILL_MILLIS_MAX;
      while (performance.now() < end) {
        const found = await rig.connector.findTerms(member, rig.instrument, order.clientId);
        if (found.outcome === 'found' && found.value.state.cumulativeQuantity === executed)
          return { order, executed };
        await new Promise((next) => setTimeout(next, 50));
      }
      await rig.connector.cancel(member, rig.instrument, order.clientId);
    }
    throw new Error('no bid was sold to in part');
  }

  const changeOf = (
    order: Awaited<ReturnType<typeof placed>>,
    to: Partial<OrderAmendment>,
  ): OrderAmendment => {
    const { clientId, instrument, side, timeInForce, price, quantity, contract } = order;
    const same = { clientId, instrument, side, timeInForce, price, quantity };
    return {
      ...{ ...same, executed: ZERO, replacementId: nextId() },
      ...(contract === undefined ? {} : { contract }),
      ...to,
    };
  };

  async function termsOf(
    member: VenueCredentials,
    clientId: OrderAmendment['clientId'],
  ): Promise<OrderTerms> {
    const found = await rig.connector.findTerms(member, rig.instrument, clientId);
    if (found.outcome !== 'found') throw new Error(JSON.stringify(found));
    return found.value;
  }

  const open = async (member: VenueCredentials) =>
    must(await rig.connector.openOrders(member, [rig.instrument])).map(({ clientId }) => clientId);

  /** That what was asked for was done in the venue's way; the id under which the order rests then. */
  async function expectDone(
    member: VenueCredentials,
    { clientId, replacementId, executed }: OrderAmendment,
    outcome: AmendOutcome,
  ) {
    if (!rig.replaces) {
      expect(outcome).toMatchObject({ outcome: 'amended', state: { clientId } });
      return clientId;
    }
    expect(outcome).toMatchObject({
      outcome: 'replaced',
      cancelled: { clientId, status: ORDER_STATUS.CANCELLED, cumulativeQuantity: executed },
      placed: { outcome: 'accepted', state: { clientId: replacementId } },
    });
    expect((await termsOf(member, clientId)).state.status).toBe(ORDER_STATUS.CANCELLED);
    return replacementId;
  }

  test('price, quantity and both are changed of an order that rests; its terms and no other order are there', async () => {
    const member = await rig.member();
    for (const part of ['price', 'quantity', 'both'] as const) {
      const order = await placed(member);
      const price = part === 'quantity' ? order.price : lower(order.price);
      const quantity = part === 'price' ? order.quantity : half(order.quantity);
      const amendment = changeOf(order, { price, quantity });
      const id = await expectDone(member, amendment, await rig.connector.amend(member, amendment));
      expect(await termsOf(member, id)).toMatchObject({
        price,
        quantity,
        state: { status: ORDER_STATUS.OPEN },
      });
      expect(await open(member)).toEqual([id]);
      await rig.connector.cancel(member, rig.instrument, id);
    }
  });

  test('what has executed is counted: the rest is what is asked for less that', async () => {
    const member = await rig.member();
    const seller = await rig.member();
    const { order, executed } = await filledInPart(member, seller);
    const quarter = half(executed);
    const quantity = plus(executed, quarter);
    const amendment = changeOf(order, { price: lower(order.price), quantity, executed });
    const id = await expectDone(member, amendment, await rig.connector.amend(member, amendment));
    const { state, ...terms } = await termsOf(member, id);
    expect(terms).toEqual({ price: lower(order.price), quantity: rig.replaces ? quarter : quantity });
    expect(state.cumulativeQuantity).toBe(rig.replaces ? ZERO : executed);
    await rig.connector.cancel(member, rig.instrument, id);
  });

  test('what has executed more than was known is not replaced: it is gone, and rests as it was', async () => {
    if (!rig.replaces) return;
    const member = await rig.member();
    const seller = await rig.member();
    const order = await placed(member, { price: plus(await rig.bid(), rig.instrument.tickSize) });
    await sell(seller, half(order.quantity));
    const amendment = changeOf(order, { price: lower(order.price) });
    expect(await rig.connector.amend(member, amendment)).toEqual({ outcome: 'gone' });
    expect(await open(member)).toEqual([order.clientId]);
    await rig.connector.cancel(member, rig.instrument, order.clientId);
  });

  test('an order that never was, or was cancelled, is gone', async () => {
    const member = await rig.member();
    const order = await placed(member);
    const to = { price: lower(order.price) };
    const stranger = changeOf({ ...order, clientId: nextId() }, to);
    expect(await rig.connector.amend(member, stranger)).toEqual({ outcome: 'gone' });
    await rig.connector.cancel(member, rig.instrument, order.clientId);
    expect(await rig.connector.amend(member, changeOf(order, to))).toEqual({ outcome: 'gone' });
    expect(await rig.connector.findTerms(member, rig.instrument, stranger.replacementId)).toEqual({
      outcome: 'not-found',
    });
  });

  test('a change that the venue does not take is refused, and the order rests as it was', async () => {
    const member = await rig.member();
    const order = await placed(member);
    const off = changeOf(order, { price: minus(order.price, 1n as Amount) });
    expect(await rig.connector.amend(member, off)).toMatchObject({ outcome: 'refused' });
    const { price, quantity } = order;
    expect(await termsOf(member, order.clientId)).toMatchObject({ price, quantity });
    expect(await open(member)).toEqual([order.clientId]);
  });

  test('a change that the account cannot pay is refused; where orders are replaced, the old one is gone by then', async () => {
    const member = await rig.member();
    const order = await placed(member);
    const quantity = (order.quantity * 100n) as Amount;
    const outcome = await rig.connector.amend(member, changeOf(order, { quantity }));
    expect(outcome).toMatchObject(
      rig.replaces
        ? { outcome: 'replaced', cancelled: { clientId: order.clientId }, placed: { outcome: 'refused' } }
        : { outcome: 'refused' },
    );
    expect(await open(member)).toEqual(rig.replaces ? [] : [order.clientId]);
  });

  test('a change to what an order asks for already is done', async () => {
    const member = await rig.member();
    const order = await placed(member);
    const amendment = changeOf(order, {});
    await expectDone(member, amendment, await rig.connector.amend(member, amendment));
  });

  test.each([
    ['timeout-after', true],
    ['reset-after', true],
    ['silence-after', true],
    ['reset-before', false],
  ])('%s leaves a change unknown; the terms tell, and nothing is sent twice', async (fault, carriedOut) => {
    const member = await rig.member();
    const order = await placed(member);
    const amendment = changeOf(order, { price: lower(order.price), quantity: half(order.quantity) });
    await rig.simulator.plantFault(fault, rig.call);
    const outcome = await rig.connector.amend(member, amendment);
    await rig.simulator.clearFaults();
    expect(outcome).toMatchObject({ outcome: 'unknown', deadlineAt: expect.any(Number) });
    const id = rig.replaces && carriedOut ? amendment.replacementId : order.clientId;
    const { price, quantity } = carriedOut ? amendment : order;
    expect(await termsOf(member, id)).toMatchObject({ price, quantity });
    expect(await open(member)).toEqual([id]);
  });
}
