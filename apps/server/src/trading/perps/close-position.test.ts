import { type Amount, amount, formatAmount, ORDER_STATUS, SIDE, ZERO } from '@crossbook/domain';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ledgerBreaches } from '../../storage/ledger/ledger-check.ts';
import { CALLER } from '../trading-world.fixture.ts';
import { futuresWallet, openPerpsWorld, type PerpsWorld, placeContractOrder } from './perps-world.fixture.ts';

let perps: PerpsWorld;
beforeEach(async () => {
  perps = await openPerpsWorld();
});
afterEach(async () => {
  expect(await ledgerBreaches(perps.world.database.database, 'fold')).toEqual([]);
  await perps.world.close();
});

const one = amount('1');
const sell = { side: SIDE.SELL } as const;
const CONTRACT = { platformType: 43, symbol: 'BTCUSDT' } as const;
const LESS_MARGIN = { ...CONTRACT, effect: 0, direction: 2, amount: amount('1') } as const;
const callerNow = () => ({ ...CALLER, now: perps.world.time.clock() });
/** What the venue has, to the unit. */
const venueWallet = () => formatAmount(perps.venue.wallet);

async function closed() {
  const answer = await perps.world.desk.handlers['connextrade/PositionHistory'](CALLER, { limit: 50 });
  return answer.ok ? answer.value.rows : [];
}

test('all of it is what the venue says; the same id again closes nothing more', async () => {
  await placeContractOrder(perps, { quantity: amount('2') });
  const close = perps.world.desk.handlers['connextrade/ClosePosition'];
  const clientId = '01890a5d-ac96-774b-bcce-b302099a8057' as never;
  const first = await close(callerNow(), { ...CONTRACT, effect: 0, clientId });
  expect(first).toMatchObject({ ok: true, value: { outcome: 'sent', order: { quantity: '2', side: 2 } } });
  expect(await close(callerNow(), { ...CONTRACT, effect: 0, clientId })).toMatchObject({
    ok: true,
    value: { outcome: 'sent', order: { quantity: '2' } },
  });
  expect(perps.venue.sent).toHaveLength(2);
  expect(await close(callerNow(), { ...CONTRACT, effect: 0 })).toMatchObject({
    code: { error: 'position-none' },
  });
});

test.each([
  ['a limit', { price: amount('110') }, { outcome: 'sent', order: { timeInForce: 1, price: '110' } }],
  ['a limit that only makes', { price: amount('110'), timeInForce: 4 }, { order: { timeInForce: 4 } }],
  ['market, only making', { timeInForce: 4 }, { outcome: 'refused', reason: expect.any(String) }],
  ['market, a part', { quantity: amount('0.5') }, { outcome: 'sent', order: { quantity: '0.5', side: 2 } }],
  ['market, more than there is', { quantity: amount('9') }, { outcome: 'sent', order: { quantity: '2' } }],
] as const)(
  'at %s it says how long it waits, and is no larger than the position',
  async (_what, how, value) => {
    await placeContractOrder(perps, { quantity: amount('2') });
    const close = perps.world.desk.handlers['connextrade/ClosePosition'];
    const answer = await close(callerNow(), { ...CONTRACT, effect: 0, ...how });
    expect(answer).toMatchObject({ ok: true, value });
  },
);

test('goes out when nothing but closing may still ask the venue; what cannot be read is not called absent', async () => {
  await placeContractOrder(perps, { quantity: amount('2') });
  for (const kind of ['lookup', 'reconciliation'] as const) perps.venue.spent.add(kind);
  const { handlers } = perps.world.desk;
  expect(await handlers['x/trade/AdjustMargin'](callerNow(), LESS_MARGIN)).toMatchObject({
    code: { error: 'venue-budget', allowed: '7' },
  });
  expect(await handlers['connextrade/ClosePosition'](callerNow(), { ...CONTRACT, effect: 0 })).toMatchObject({
    ok: true,
    value: { outcome: 'sent', order: { quantity: '2', side: 2 } },
  });
});

test('of a position leaves every other order of its market where it rests', async () => {
  const { world, venue } = perps;
  await placeContractOrder(perps, { quantity: amount('2') });
  const { place } = world.venue.answers;
  world.venue.answers.place = async (_credentials, { clientId }) => ({
    outcome: 'accepted',
    state: {
      ...{ clientId, venueOrderId: '78' as never, symbol: 'BTCUSDT', status: ORDER_STATUS.OPEN },
      ...{ cumulativeQuantity: ZERO, cumulativeQuote: ZERO, time: venue.now },
    },
    fills: [],
  });
  const rests = { orderType: 1, price: amount('90'), quantity: one };
  const placed = await placeContractOrder(perps, rests);
  world.venue.answers.place = place as NonNullable<typeof place>;
  expect(
    await world.desk.handlers['connextrade/ClosePosition'](callerNow(), { ...CONTRACT, effect: 0 }),
  ).toMatchObject({ ok: true, value: { outcome: 'sent' } });
  expect(world.venue.count('cancel')).toBe(0);
  expect(placed).toMatchObject({ ok: true, value: { status: ORDER_STATUS.OPEN } });
  const open = await world.desk.handlers['connextrade/CurOrderList'](callerNow(), { platformType: 43 });
  expect(open).toMatchObject({ ok: true, value: [{ price: '90', status: ORDER_STATUS.OPEN }] });
});

test('both legs of hedge mode are closed by the side and the leg of the position', async () => {
  const { venue, world } = perps;
  venue.setting_ = { ...venue.setting_, positionMode: 'hedge' };
  await placeContractOrder(perps, { effect: 1, quantity: amount('2') });
  await placeContractOrder(perps, { effect: 2, ...sell, quantity: one });
  const answer = await world.desk.handlers['connextrade/ClosePositionAll'](callerNow(), {});
  expect(answer).toMatchObject({ ok: true, value: [{ outcome: 'sent' }, { outcome: 'sent' }] });
  expect(
    venue.sent
      .slice(2)
      .map(({ side, contract, quantity = 0n as Amount }) => [
        side,
        contract?.side,
        contract?.positionMode,
        formatAmount(quantity),
      ]),
  ).toEqual([
    [2, 1, 'hedge', '2'],
    [1, 2, 'hedge', '1'],
  ]);
  expect(await futuresWallet(perps)).toBe(venueWallet());
  expect((await closed()).map(({ effect, direction }) => [effect, direction])).toEqual([
    [2, 'short'],
    [1, 'long'],
  ]);
});

describe('turning around', () => {
  const reverse = (side: 1 | 2, part: { readonly effect?: 0 | 1 | 2; readonly clientId?: never } = {}) =>
    perps.world.desk.handlers['x/trade/ReversePosition'](callerNow(), {
      ...{ ...CONTRACT, effect: 0, side, leverage: 10, ...part },
    });
  const held = () => [...perps.venue.open.values()].map(({ quantity }) => formatAmount(quantity));

  test('is twice of what the venue says is held, whatever a screen has seen; the same id again turns nothing', async () => {
    await placeContractOrder(perps, { quantity: amount('2') });
    const seen = perps.venue.open.get(0);
    if (seen === undefined) throw new Error('no position');
    // Half of it went while the member looked.
    await placeContractOrder(perps, { ...sell, quantity: one, reduceOnly: true });
    const clientId = '01890a5d-ac96-774b-bcce-b302099a8057' as never;
    const first = await reverse(1, { clientId });
    expect(first).toMatchObject({ ok: true, value: { outcome: 'sent', half: false, order: { side: 2 } } });
    expect(held()).toEqual(['-1']);
    expect(await reverse(1, { clientId })).toMatchObject({ ok: true, value: { outcome: 'sent' } });
    expect(held()).toEqual(['-1']);
    expect(await futuresWallet(perps)).toBe(venueWallet());
  });

  test.each([
    ['nothing', undefined],
    ['the other side', sell],
  ] as const)('is refused where %s is held by then, and nothing is sent', async (_what, order) => {
    if (order !== undefined) await placeContractOrder(perps, { ...order, quantity: one });
    const sent = perps.venue.sent.length;
    expect(await reverse(1)).toMatchObject({ ok: false, code: { error: 'position-none' } });
    expect(perps.venue.sent).toHaveLength(sent);
  });

  test('of a leg closes it and opens as much of the other one', async () => {
    perps.venue.setting_ = { ...perps.venue.setting_, positionMode: 'hedge' };
    await placeContractOrder(perps, { effect: 1, quantity: amount('2') });
    expect(await reverse(1, { effect: 1 })).toMatchObject({
      ok: true,
      value: { outcome: 'sent', half: false },
    });
    expect(
      perps.venue.sent.slice(1).map(({ side, contract }) => [side, contract?.side, contract?.reduceOnly]),
    ).toEqual([
      [2, 1, true],
      [2, 2, false],
    ]);
    expect(await futuresWallet(perps)).toBe(venueWallet());
  });

  test('of a leg whose other side is refused says that it is closed, and why it is not opened', async () => {
    perps.venue.setting_ = { ...perps.venue.setting_, positionMode: 'hedge' };
    await placeContractOrder(perps, { effect: 1, quantity: amount('2') });
    perps.world.halted = { error: 'money-halted' };
    expect(await reverse(1, { effect: 1 })).toMatchObject({
      ok: true,
      value: { outcome: 'refused', half: true, order: null, reason: expect.any(String) },
    });
    expect(perps.venue.open.get(1)?.quantity ?? 0n).toBe(0n);
    perps.world.halted = undefined;
  });
});
