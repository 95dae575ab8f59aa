import { amount, type OrderId, SIDE, ZERO } from '@crossbook/domain';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ledgerBreaches } from '../../storage/ledger/ledger-check.ts';
import { storedFill } from '../booking/booked-rows.ts';
import type { StoredOrder } from '../order.ts';
import {
  CANCELLED,
  FAIL,
  FILLED,
  fillOf,
  NEW,
  OPEN,
  openTradingWorld,
  PART,
  REJECT,
  stateOf,
  type TradingWorld,
  UNKNOWN,
} from '../trading-world.fixture.ts';
import { onVenueEvent, recordProgress } from './on-venue-event.ts';

let world: TradingWorld;
let order: StoredOrder;
beforeEach(async () => {
  world = await openTradingWorld();
  await world.fund('USDT', '100');
  order = await world.reserved();
});
afterEach(async () => {
  expect(await ledgerBreaches(world.database.database, 'fold')).toEqual([]);
  await world.close();
});

type Fills = Parameters<typeof onVenueEvent>[2]['fills'];

/** The venue says something of the order. */
async function reported(
  status: StoredOrder['status'],
  cumulative: string,
  fills: Fills = [],
  barrier = false,
) {
  const booked = await onVenueEvent(world.deps, order.id, {
    state: stateOf(order, status, cumulative),
    fills,
    barrier,
  });
  return { needsLookup: booked?.needsLookup, ...(await world.order(order.id)) };
}

describe('fills', () => {
  test('an order that fills at once settles: paid, received, fee taken, the rest of the hold free', async () => {
    const fill = fillOf(1, '1', { price: amount('90'), quoteQuantity: amount('90') });
    expect(await reported(FILLED, '1', [fill])).toMatchObject({
      status: FILLED,
      settled: true,
      needsLookup: false,
    });
    expect(await world.wallet()).toEqual({ USDT: '10', BTC: '0.999' });
    expect(await world.hold(order.id)).toMatchObject({ paid: amount('90'), released: true });
  });

  test('a partial fill pays only its share and the rest stays held', async () => {
    expect(await reported(PART, '0.4', [fillOf(1, '0.4')])).toMatchObject({ status: PART, settled: false });
    expect(await world.wallet()).toEqual({ USDT: '60 (60 held)', BTC: '0.3996' });
  });

  test('the same update again, and fills that come twice in one, change nothing', async () => {
    const fill = fillOf(1, '0.4');
    await reported(PART, '0.4', [fill, fill]);
    const before = world.published.length;
    expect(await reported(PART, '0.4', [fill])).toMatchObject({
      cumQuantity: amount('0.4'),
      needsLookup: false,
    });
    expect(world.published.length).toBe(before);
    expect(await world.wallet()).toEqual({ USDT: '60 (60 held)', BTC: '0.3996' });
  });

  test('an update that reports more than it brings asks for a lookup and does not settle', async () => {
    expect(await reported(FILLED, '1', [fillOf(2, '0.6')])).toMatchObject({
      ...{ status: FILLED, settled: false, needsLookup: true, cumQuantity: amount('0.6') },
    });
    expect(await reported(FILLED, '1', [fillOf(1, '0.4')])).toMatchObject({
      settled: true,
      needsLookup: false,
    });
    expect(await world.wallet()).toEqual({ BTC: '0.999' });
  });

  test('an older event after the last one does not settle an order that still misses a fill', async () => {
    await reported(FILLED, '1', [fillOf(3, '0.4')]);
    const late = await reported(PART, '0.3', [fillOf(1, '0.3')]);
    expect(late).toMatchObject({ status: FILLED, settled: false, needsLookup: true });
    expect(await reported(PART, '0.6', [fillOf(2, '0.3')])).toMatchObject({
      settled: false,
      needsLookup: true,
    });
    expect(await reported(FILLED, '1', [], true)).toMatchObject({ settled: true });
    expect(await world.wallet()).toEqual({ BTC: '0.999' });
    expect(world.incidents).toEqual([]);
  });

  test('a fill that was booked without its order (a crash between them) counts when the update comes again', async () => {
    const fill = fillOf(1, '0.4');
    await world.ledger.commit({
      commands: [],
      writes: [world.orders.fill(storedFill(order, fill))],
    });
    expect(await reported(OPEN, '0.4')).toMatchObject({
      status: PART,
      cumQuantity: amount('0.4'),
      needsLookup: false,
    });
  });

  test('a sell pays base and receives quote less its fee', async () => {
    await world.fund('BTC', '1');
    order = await world.reserved({ side: SIDE.SELL });
    await reported(FILLED, '1', [fillOf(1, '1', { fee: amount('0.1'), feeAsset: 'USDT' })]);
    expect(await world.wallet()).toEqual({ USDT: '199.9 (100 held)' });
  });

  test('fills, the order and the touched balances are announced, each once, after they are booked', async () => {
    await reported(FILLED, '1', [fillOf(1, '0.4'), fillOf(2, '0.6')]);
    await world.deps.balances.idle();
    expect(world.published.map(({ event }) => event.kind)).toEqual(['fill', 'fill', 'order', 'balance']);
    const [, , , balance] = world.published;
    expect(balance?.event).toMatchObject({
      wallet: 43,
      rows: [
        { asset: 'BTC', total: '0.999', available: '0.999', locked: '0' },
        { asset: 'USDT', total: '0', available: '0', locked: '0' },
      ],
    });
  });

  test('a stream that cannot be told does not undo what is booked', async () => {
    const publish = (): never => {
      throw new Error('no stream');
    };
    const update = { state: stateOf(order, FILLED, '1'), fills: [fillOf(1, '1')], barrier: false };
    await onVenueEvent({ ...world.deps, publish }, order.id, update);
    expect(await world.order(order.id)).toMatchObject({ settled: true });
    expect(world.notes).toEqual(['a change was not announced']);
  });

  test('an update of an order nobody knows, or of another symbol, is an incident and books nothing', async () => {
    const strange = { state: stateOf(order, FILLED, '1'), fills: [fillOf(1, '1')], barrier: true };
    const nobody = '01890000-0000-7000-8000-00000000dead' as OrderId;
    expect(await onVenueEvent(world.deps, nobody, strange)).toBeUndefined();
    const other = { ...strange, state: { ...strange.state, symbol: 'ETHUSDT' } };
    expect(await onVenueEvent(world.deps, order.id, other)).toBeUndefined();
    expect(world.incidents).toHaveLength(2);
    expect(await world.wallet()).toEqual({ USDT: '100 (100 held)' });
  });
});

describe('cancelled orders', () => {
  test.each([
    ['nothing', '0', [], { USDT: '100' }],
    ['what is booked', '0.4', [fillOf(1, '0.4')], { USDT: '60', BTC: '0.3996' }],
  ] as const)(
    'that executed %s by the venue’s own final word free their money at once, without a lookup',
    async (_name, cumulative, fills, wallet) => {
      await reported(PART, cumulative, fills);
      const ended = await reported(CANCELLED, cumulative);
      expect(ended).toMatchObject({ status: CANCELLED, settled: true, needsLookup: false });
      expect(await world.wallet()).toEqual(wallet);
    },
  );

  test('that executed more than is booked hold their money until the rest has come', async () => {
    const more = await reported(CANCELLED, '0.4', [fillOf(1, '0.1')]);
    expect(more).toMatchObject({ status: CANCELLED, settled: false, needsLookup: true });
    expect(await world.wallet()).toEqual({ USDT: '90 (90 held)', BTC: '0.0999' });
    const fills = [fillOf(1, '0.1'), fillOf(2, '0.3')];
    expect(await reported(CANCELLED, '0.4', fills, true)).toMatchObject({
      settled: true,
      needsLookup: false,
    });
    expect(await world.wallet()).toEqual({ USDT: '60', BTC: '0.3996' });
  });

  test('of which less was told than is booked are looked up: the word is not of the end', async () => {
    await reported(PART, '0.4', [fillOf(1, '0.4')]);
    expect(await reported(CANCELLED, '0.1')).toMatchObject({ settled: false, needsLookup: true });
    expect(await reported(CANCELLED, '0.4', [fillOf(1, '0.4')], true)).toMatchObject({ settled: true });
  });

  test('book a late fill and stay cancelled; an earlier word that adds up proves no end', async () => {
    await reported(CANCELLED, '0.4');
    expect(await reported(PART, '0.4', [fillOf(1, '0.4')])).toMatchObject({
      status: CANCELLED,
      settled: false,
    });
    expect(await reported(CANCELLED, '0.4')).toMatchObject({ status: CANCELLED, settled: true });
    expect(await world.wallet()).toEqual({ USDT: '60', BTC: '0.3996' });
  });

  test('a lookup that lags behind the cancel does not settle', async () => {
    await reported(CANCELLED, '0.4', [fillOf(1, '0.1')]);
    const lagging = await reported(OPEN, '0.1', [fillOf(1, '0.1')], true);
    expect(lagging).toMatchObject({ settled: false, needsLookup: true });
    await reported(CANCELLED, '0.4', [fillOf(1, '0.1'), fillOf(2, '0.3')], true);
    expect(await world.wallet()).toEqual({ USDT: '60', BTC: '0.3996' });
  });

  test('a cancel that meets a filled order leaves it filled', async () => {
    await reported(FILLED, '1', [fillOf(1, '1')]);
    expect(await reported(CANCELLED, '1')).toMatchObject({
      status: FILLED,
      settled: true,
      needsLookup: false,
    });
  });

  test('a cancel that was asked for and did not happen is no longer pending once the venue was read', async () => {
    await reported(OPEN, '0');
    await recordProgress(world.deps, await world.order(order.id), { cancelPending: true });
    expect(await reported(OPEN, '0')).toMatchObject({ cancelPending: true });
    expect(await reported(OPEN, '0', [], true)).toMatchObject({ cancelPending: false });
  });
});

describe('orders that come back', () => {
  test.each([
    ['refused', REJECT],
    ['failed', FAIL],
  ] as const)(
    'a %s order that fills is an incident, paid out of what is free, and settles again',
    async (_name, status) => {
      await recordProgress(world.deps, order, { status, settled: true });
      expect(await world.wallet()).toEqual({ USDT: '100' });
      const back = await reported(FILLED, '0.3', [fillOf(1, '0.3')]);
      expect(back).toMatchObject({ status: UNKNOWN, settled: false, needsLookup: true });
      expect(world.incidents).toContain('a finished order came back');
      expect(await world.wallet()).toEqual({ USDT: '70', BTC: '0.2997' });
      expect(await reported(FILLED, '0.3', [], true)).toMatchObject({ status: FILLED, settled: true });
      expect(await world.wallet()).toEqual({ USDT: '70', BTC: '0.2997' });
    },
  );

  test('a settled cancelled order that had filled is paid from what is free, the rest is a debt, never negative', async () => {
    await reported(CANCELLED, '0', [], true);
    const second = await world.reserved({ quantity: amount('0.9') });
    expect(await world.wallet()).toEqual({ USDT: '100 (90 held)' });
    expect(await reported(CANCELLED, '0.3', [fillOf(1, '0.3')])).toMatchObject({ status: UNKNOWN });
    expect(await world.wallet()).toEqual({ USDT: '90 (90 held)', BTC: '0.2997' });
    expect(await world.debt('USDT')).toBe('-20');
    expect(await world.hold(second.id)).toMatchObject({ paid: ZERO, released: false });
  });

  test('an order that filled further than it was filled', async () => {
    await reported(FILLED, '1', [fillOf(1, '1')]);
    await world.fund('USDT', '50');
    expect(await reported(FILLED, '1.2', [fillOf(2, '0.2')])).toMatchObject({ status: UNKNOWN });
    expect(await reported(FILLED, '1.2', [], true)).toMatchObject({ status: FILLED, settled: true });
    expect(await world.wallet()).toEqual({ USDT: '30', BTC: '1.1988' });
  });
});

describe('a venue that does more than we held for', () => {
  test('a fill above the hold takes the hold first, then what is free, then stands as a debt', async () => {
    await world.fund('USDT', '4');
    await reported(FILLED, '1', [fillOf(1, '1', { price: amount('110'), quoteQuantity: amount('110') })]);
    expect(await world.wallet()).toEqual({ BTC: '0.999' });
    expect(await world.debt('USDT')).toBe('-6');
    expect(world.incidents).toContain('a fill stands as a debt');
    expect(await world.order(order.id)).toMatchObject({ settled: true });
  });

  test('a fill above the hold within what is free needs no debt', async () => {
    await world.fund('USDT', '40');
    await reported(FILLED, '1.1', [fillOf(1, '0.6'), fillOf(2, '0.5')]);
    expect(await world.wallet()).toEqual({ USDT: '30', BTC: '1.0989' });
    expect(await world.debt('USDT')).toBe('0');
    expect(world.incidents).toEqual(['a fill cost more than was held']);
  });

  test('a fee in a third asset leaves that wallet when it holds enough', async () => {
    await world.fund('BNB', '1');
    await reported(FILLED, '1', [fillOf(1, '1', { fee: amount('0.2'), feeAsset: 'BNB' })]);
    expect(await world.wallet()).toEqual({ BTC: '1', BNB: '0.8' });
    expect(world.incidents).toEqual([]);
  });

  test('a fee in a third asset that is not there is a debt of that asset alone; the price was paid from the hold', async () => {
    await reported(FILLED, '1', [fillOf(1, '1', { fee: amount('0.2'), feeAsset: 'BNB' })]);
    expect(await world.wallet()).toEqual({ BTC: '1' });
    expect(await world.debt('BNB')).toBe('-0.2');
    expect(await world.debt('USDT')).toBe('0');
  });

  test('a fee above what was received is a debt, and the fill is not dropped', async () => {
    await reported(FILLED, '1', [fillOf(1, '1', { fee: amount('3') })]);
    expect(await world.wallet()).toEqual({ BTC: '1' });
    expect(await world.debt('BTC')).toBe('-3');
  });
});

test('a status may not move where the table does not lead, whoever asks (invariant I17)', async () => {
  await reported(FILLED, '1', [fillOf(1, '1')]);
  const filled = await world.order(order.id);
  await expect(recordProgress(world.deps, filled, { status: OPEN })).rejects.toThrow('write-refused');
  await expect(recordProgress(world.deps, filled, { status: NEW })).rejects.toThrow('write-refused');
  await expect(recordProgress(world.deps, filled, { cumQuantity: ZERO })).rejects.toThrow('write-refused');
  await expect(recordProgress(world.deps, filled, { settled: false })).rejects.toThrow('write-refused');
  expect(await world.order(order.id)).toEqual(filled);
});
