import {
  type Amount,
  amount,
  type Millis,
  minus,
  ORDER_STATUS,
  ORDER_TYPE,
  POSITION_SIDE,
  type PositionUpdate,
  plus,
  SIDE,
  TIME_IN_FORCE,
  type VenueFill,
  ZERO,
} from '@crossbook/domain';
import type { SettingOutcome, VenueCredentials } from '@crossbook/venues/trading';
import { beforeAll, describe, expect, test } from 'vitest';
import { type ContractRig, expectDone, OPENS, REDUCES } from './contract-rig.ts';
import type { ContractCall } from './contract-venues.ts';
import type { ContractWords } from './contract-words.ts';
import { askUntil, must, now, until } from './simulator-venue.ts';
import { follow, nextId, total } from './trading-rig.ts';

/** A change of how contracts are traded: what asks for it, and whether the venue has it. */
interface LostSetting {
  readonly call: ContractCall;
  /** What must stand before. */
  readonly before?: (rig: ContractRig, member: VenueCredentials) => Promise<void>;
  readonly ask: (rig: ContractRig, member: VenueCredentials) => Promise<SettingOutcome>;
  readonly holds: (rig: ContractRig, member: VenueCredentials) => Promise<boolean>;
}

const setting = async (rig: ContractRig, member: VenueCredentials) =>
  must(await rig.contracts.setting(member, rig.btc));
const ISOLATED = { ...OPENS, marginMode: 'isolated' } as const;

async function isolatedPosition(rig: ContractRig, member: VenueCredentials): Promise<void> {
  expectDone(await rig.contracts.setMarginMode(member, rig.btc, 'isolated'));
  await rig.filled(member, { contract: ISOLATED });
}

const moreMargin = (rig: ContractRig, member: VenueCredentials, usdt = '10') => {
  const { platform, symbol } = rig.btc;
  const position = { platform, symbol, side: POSITION_SIDE.NET, marginMode: 'isolated' } as const;
  return rig.contracts.adjustMargin(member, rig.btc, { position, amount: amount(usdt) });
};

const LOST: readonly LostSetting[] = [
  {
    call: 'leverage',
    ask: (rig, member) => rig.leverage(member, 7),
    holds: async (rig, member) => (await setting(rig, member)).leverageLong === 7,
  },
  {
    call: 'marginMode',
    ask: (rig, member) => rig.contracts.setMarginMode(member, rig.btc, 'isolated'),
    holds: async (rig, member) => (await setting(rig, member)).marginMode === 'isolated',
  },
  {
    call: 'positionMode',
    ask: (rig, member) => rig.contracts.setPositionMode(member, rig.btc, 'hedge'),
    holds: async (rig, member) => (await setting(rig, member)).positionMode === 'hedge',
  },
  {
    call: 'margin',
    before: isolatedPosition,
    ask: (rig, member) => moreMargin(rig, member, '1000'),
    holds: async (rig, member) => ((await rig.held(member))[0]?.isolatedMargin ?? ZERO) > amount('1000'),
  },
];

const realised = (fills: readonly VenueFill[]) =>
  fills.reduce((sum, { contract }) => plus(sum, contract?.realisedPnl ?? ZERO), ZERO);
const earned = (fills: readonly VenueFill[]) => minus(realised(fills), total(fills, 'fee'));

/** The claims about contracts that every connector keeps against its simulated venue, in one suite's own order. */
export function claimContracts(rigOf: () => Promise<ContractRig>, words: ContractWords): void {
  let rig: ContractRig;
  beforeAll(async () => {
    rig = await rigOf();
  });

  test('tiers begin at nothing and follow each other without a gap; the leverage of the first is the largest', async () => {
    const member = await rig.member();
    const tiers = must(await rig.contracts.tiers(member, rig.btc));
    expect(tiers.length).toBeGreaterThan(3);
    expect(tiers.map(({ tier }) => tier)).toEqual(tiers.map((_, at) => at + 1));
    expect(tiers.map(({ floor }) => floor)).toEqual([ZERO, ...tiers.slice(0, -1).map(({ cap }) => cap)]);
    const largest = tiers[0]?.maxLeverage ?? 0;
    expectDone(await rig.leverage(member, largest));
    const venueCode = words.settings.leverageTooHigh;
    expect(await rig.leverage(member, largest + 1)).toMatchObject({ outcome: 'refused', venueCode });
    expect(await setting(rig, member)).toMatchObject({ leverageLong: largest, leverageShort: largest });
  });

  test('a position is what its fills say, from opening to flat; wallet and income change by the same to the unit', async () => {
    const since = (now() - 1_000) as Millis;
    const member = await rig.member();
    const began = await rig.wallet(member);
    const opened = await rig.filled(member);
    expect(total(opened.fills, 'quantity')).toBe(rig.size);
    expect(realised(opened.fills)).toBe(ZERO);
    for (const { fee, feeAsset, maker, contract } of opened.fills)
      expect([fee > ZERO, feeAsset, maker, contract?.cause]).toEqual([true, 'USDT', false, 'trade']);
    const [position, ...others] = await rig.held(member);
    expect(others).toEqual([]);
    expect(position).toMatchObject({
      ...{ symbol: rig.btc.symbol, side: POSITION_SIDE.NET, marginMode: 'cross' },
      ...{ quantity: rig.size, leverage: 20, status: 'normal' },
    });
    expect([...opened.fills.map(({ price }) => price)].sort()[0]).toBeLessThanOrEqual(
      position?.entryPrice ?? ZERO,
    );
    const pool = must(await rig.contracts.pool(member));
    expect(pool).toMatchObject({ asset: 'USDT', wallet: plus(began, earned(opened.fills)) });
    expect([pool.positionInitial > ZERO, pool.available < pool.wallet]).toEqual([true, true]);

    const half = (rig.size / 2n) as Amount;
    const reduced = await rig.filled(member, { side: SIDE.SELL, quantity: half, contract: REDUCES });
    expect((await rig.held(member)).map(({ quantity }) => quantity)).toEqual([minus(rig.size, half)]);
    const before = await rig.wallet(member);
    await rig.trading.simulator.fund(rig.btc.symbol);
    const closed = await rig.filled(member, { side: SIDE.SELL, quantity: half, contract: REDUCES });
    expect(await rig.held(member)).toEqual([]);
    const ended = await rig.wallet(member);
    const funding = minus(minus(ended, before), earned(closed.fills));
    expect(funding).not.toBe(ZERO);

    const { rows, next } = must(await rig.contracts.income(member, { since }));
    expect(next).toBeUndefined();
    const fills = [...opened.fills, ...reduced.fills, ...closed.fills];
    const sumOf = (kind: string) =>
      rows.reduce((sum, row) => (row.kind === kind ? plus(sum, row.amount) : sum), ZERO);
    expect(new Set(rows.map(({ id, kind }) => `${kind} ${id}`)).size).toBe(rows.length);
    expect(sumOf('funding')).toBe(funding);
    expect(sumOf('commission')).toBe(minus(ZERO, total(fills, 'fee')));
    expect(sumOf('realised-pnl')).toBe(realised(fills));
    expect(minus(ended, began)).toBe(
      plus(plus(sumOf('funding'), sumOf('commission')), sumOf('realised-pnl')),
    );
    expect(
      must(await rig.connector.fillsSince(member, rig.btc, since))
        .map(({ tradeId }) => tradeId)
        .sort(),
    ).toEqual(fills.map(({ tradeId }) => tradeId).sort());
  });

  test('a resting order is found and listed, holds margin, is cancelled once, and gone afterwards', async () => {
    const member = await rig.member();
    const free = must(await rig.contracts.pool(member)).available;
    const order = rig.resting();
    const { clientId } = order;
    const rests = await rig.placed(member, order, ORDER_STATUS.OPEN);
    expect(await rig.connector.findByVenueId(member, rig.btc, rests.venueOrderId)).toEqual({
      ...{ outcome: 'found', value: rests },
    });
    expect(must(await rig.connector.openOrders(member, [rig.btc]))).toMatchObject([{ clientId }]);
    expect(must(await rig.contracts.pool(member)).available).toBeLessThan(free);
    const none = { clientId, status: ORDER_STATUS.CANCELLED, cumulativeQuantity: ZERO };
    const cancelled = await rig.connector.cancel(member, rig.btc, clientId);
    expect(cancelled).toMatchObject({ outcome: 'cancelled', state: none });
    expect(await rig.connector.cancel(member, rig.btc, clientId)).toEqual({ outcome: 'gone' });
    expect(await rig.connector.find(member, rig.btc, clientId)).toMatchObject({ value: none });
    expect(await rig.connector.openOrders(member, [rig.btc])).toEqual({ ok: true, value: [] });
    expect(must(await rig.contracts.pool(member)).available).toBe(free);
    expect(await rig.connector.find(member, rig.btc, nextId())).toEqual({ outcome: 'not-found' });
  });

  test('leverage and modes are read back as they were set; setting them again is done', async () => {
    const member = await rig.member();
    expect(await setting(rig, member)).toMatchObject({
      ...{ marginMode: 'cross', positionMode: 'one-way', leverageLong: 20, leverageShort: 20 },
    });
    for (const { call, ask, holds } of LOST.filter(({ before }) => before === undefined)) {
      if (!(call in rig.venue.calls)) continue;
      expect([call, await holds(rig, member)]).toEqual([call, false]);
      expectDone(await ask(rig, member));
      expect([call, await holds(rig, member)]).toEqual([call, true]);
      expectDone(await ask(rig, member));
    }
  });

  test('legs stand beside each other; isolated margin is moved into a leg and out of it', async () => {
    const member = await rig.member();
    expectDone(await rig.contracts.setMarginMode(member, rig.btc, 'isolated'));
    expectDone(await rig.contracts.setPositionMode(member, rig.btc, 'hedge'));
    const leg = { positionMode: 'hedge', marginMode: 'isolated', reduceOnly: false } as const;
    const long = { ...leg, side: POSITION_SIDE.LONG };
    const short = { ...leg, side: POSITION_SIDE.SHORT };
    await rig.filled(member, { contract: long });
    await rig.filled(member, { side: SIDE.SELL, contract: short });
    const legs = async () => [...(await rig.held(member))].sort((left, right) => left.side - right.side);
    const sized = { marginMode: 'isolated', quantity: rig.size };
    expect(await legs()).toMatchObject([
      { ...sized, side: POSITION_SIDE.LONG },
      { ...sized, side: POSITION_SIDE.SHORT },
    ]);
    const margin = async () => (await legs())[0]?.isolatedMargin ?? ZERO;
    const { platform, symbol } = rig.btc;
    const position = { platform, symbol, side: POSITION_SIDE.LONG, marginMode: 'isolated' } as const;
    const before = await margin();
    for (const [moved, after] of [
      ['100', '100'],
      ['-40', '60'],
    ] as const) {
      expectDone(await rig.contracts.adjustMargin(member, rig.btc, { position, amount: amount(moved) }));
      expect(minus(await margin(), before)).toBe(amount(after));
    }
    await rig.filled(member, { side: SIDE.SELL, contract: { ...long, reduceOnly: true } });
    await rig.filled(member, { contract: { ...short, reduceOnly: true } });
    expect(await legs()).toEqual([]);
  });

  test("definitive refusals of orders and settings carry the venue's own code, and nothing has changed", async () => {
    const member = await rig.member();
    const untouched = [await rig.wallet(member), await setting(rig, member)];
    const said = async (part: Parameters<typeof rig.order>[0]) =>
      rig.connector.place(member, rig.order(part));
    for (const [part, venueCode] of words.orders(rig))
      expect({ venueCode, ...(await said(part)) }).toMatchObject({ venueCode, outcome: 'refused' });
    expect(await rig.connector.openOrders(member, [rig.btc])).toEqual({ ok: true, value: [] });
    expect([await rig.wallet(member), await setting(rig, member)]).toEqual(untouched);
    const order = rig.resting();
    await rig.placed(member, order, ORDER_STATUS.OPEN);
    const expectRefused = async (row: keyof ContractWords['settings'], change: Promise<SettingOutcome>) =>
      expect({ row, ...(await change) }).toMatchObject({
        outcome: 'refused',
        venueCode: words.settings[row],
      });
    await expectRefused('modeWithOrder', rig.contracts.setPositionMode(member, rig.btc, 'hedge'));
    await rig.connector.cancel(member, rig.btc, order.clientId);
    await rig.filled(member);
    await expectRefused('modeWithPosition', rig.contracts.setPositionMode(member, rig.btc, 'hedge'));
    await expectRefused('marginOfCross', moreMargin(rig, member));
    expect(await setting(rig, member)).toEqual(untouched[1]);
  });

  describe.each([
    ['timeout-after', true],
    ['reset-after', true],
    ['silence-after', true],
    ['timeout-before', false],
    ['reset-before', false],
  ])('%s', (kind, carriedOut) => {
    test('leaves an order unknown; a lookup tells, nothing is sent twice', async () => {
      const member = await rig.member();
      const order = rig.order({ type: ORDER_TYPE.MARKET });
      await rig.trading.simulator.plantFault(kind, rig.venue.calls.place);
      const sent = await rig.connector.place(member, order);
      await rig.trading.simulator.clearFaults();
      expect(sent).toMatchObject({ outcome: 'unknown', deadlineAt: expect.any(Number) });
      const found = await askUntil(
        (outcome) => outcome !== 'unknown',
        () => rig.connector.find(member, rig.btc, order.clientId),
      );
      expect(found.outcome).toBe(carriedOut ? 'found' : 'not-found');
      expect((await rig.held(member)).map(({ quantity }) => quantity)).toEqual(carriedOut ? [rig.size] : []);
    });

    // What is silent waits for its answer in vain: once, with an order, is enough.
    if (kind !== 'silence-after')
      test('leaves every change of a setting unknown; reading it tells', async () => {
        for (const { call, before, ask, holds } of LOST) {
          const match = rig.venue.calls[call];
          if (match === undefined) continue;
          const member = await rig.member();
          await before?.(rig, member);
          await rig.trading.simulator.plantFault(kind, match);
          const outcome = await ask(rig, member);
          await rig.trading.simulator.clearFaults();
          expect({ call, ...outcome }).toMatchObject({ call, outcome: 'unknown' });
          expect({ call, holds: await holds(rig, member) }).toEqual({ call, holds: carriedOut });
        }
      });
  });

  test('the private stream tells fills and positions as the answers do, and goes on after the venue drops it', async () => {
    const member = await rig.member();
    const positions: PositionUpdate[] = [];
    const { seen, malformed, close } = await follow(rig.connector, member, ({ positions: changed }) =>
      positions.push(...changed),
    );
    const streamed = (fills: readonly VenueFill[]) => {
      const ids = new Set(fills.map(({ venueOrderId }) => venueOrderId));
      return seen.orders.flatMap(({ fill }) => (fill && ids.has(fill.venueOrderId) ? [fill] : []));
    };
    const heard = async (quantity: bigint, { fills }: { readonly fills: readonly VenueFill[] }) => {
      await until('every fill was heard', () => streamed(fills).length === fills.length);
      expect(total(streamed(fills), 'fee')).toBe(total(fills, 'fee'));
      expect(realised(streamed(fills))).toBe(realised(fills));
      await until('the position was heard', () => positions.at(-1)?.quantity === quantity);
    };
    await heard(rig.size, await rig.filled(member));
    const open = seen.open;
    await rig.trading.simulator.dropSockets();
    await until('the stream is open again', () => seen.open > open);
    expect(seen.closed).toBeGreaterThanOrEqual(1);
    await heard(ZERO, await rig.filled(member, { side: SIDE.SELL, contract: REDUCES }));
    expect(malformed).toEqual([]);
    close();
  });

  test('orders that may not rest end without a fill and open nothing', async () => {
    const member = await rig.member();
    for (const timeInForce of [TIME_IN_FORCE.IOC, TIME_IN_FORCE.FOK]) {
      const sent = await rig.connector.place(member, rig.resting({ timeInForce }));
      expect(sent.outcome).not.toBe('unknown');
    }
    expect(await rig.connector.openOrders(member, [rig.btc])).toEqual({ ok: true, value: [] });
    expect(await rig.held(member)).toEqual([]);
  });
}
