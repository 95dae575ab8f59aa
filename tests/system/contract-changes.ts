import { expect } from 'vitest';
import type { TestBrowser } from '../../apps/server/src/main/testing.ts';
import { priceAt } from './algo-rows.ts';
import {
  type ContractParts,
  expectBooksEqual,
  orderAsSeen,
  ordersOf,
  settingOf,
  trade,
} from './contract-books.ts';
import type { ContractCall, ContractVenue } from './contract-venues.ts';
import { until } from './hub-process.ts';
import { platformOf } from './venue-money.ts';

/** Something that a member asks for about contracts, which may be lost on its way there or back. */
export interface LostChange {
  readonly name: string;
  readonly call: ContractCall;
  /** Another one goes the same way: left to the tiers that have time for all. */
  readonly alike?: true;
  /** What must be there before. */
  readonly before?: (member: TestBrowser, venue: ContractVenue, parts: ContractParts) => Promise<void>;
  /** What was written and never sent goes out at the next start; an order would be too old by then. */
  readonly resumes?: true;
  /** Asks; the same id again is the same request. */
  readonly ask: (
    member: TestBrowser,
    venue: ContractVenue,
    clientId: string,
  ) => Promise<{ readonly code: number; readonly data: unknown }>;
  /** Waits for its end and compares it with the venue. @returns whether it was carried out. */
  readonly ended: (parts: ContractParts, member: TestBrowser, venue: ContractVenue) => Promise<boolean>;
}

const at = ({ platformType, symbol }: ContractVenue) => ({ platformType, symbol });

/** Which order was asked for: an opening one or a closing one; without an id asking again is another order. */
interface AskedOrder {
  readonly closes: boolean;
  readonly withoutId?: true;
}

/** The order that was asked for has an end, is filled once at the most, and both books show it. */
async function orderEnded(
  parts: ContractParts,
  member: TestBrowser,
  venue: ContractVenue,
  { closes, withoutId }: AskedOrder,
): Promise<boolean> {
  const rows = await until(
    () => ordersOf(member, venue),
    (found) => found.every(({ settled }) => settled),
  );
  const positions = await expectBooksEqual(parts, member, venue);
  const asked = rows.filter(({ side }) => side === (closes ? 2 : 1));
  if (withoutId === undefined) expect(asked.length).toBeLessThanOrEqual(1);
  const fills = asked.filter(({ status }) => status === 4).length;
  expect(fills).toBeLessThanOrEqual(1);
  const filled = fills === 1;
  expect(positions).toHaveLength(filled !== closes ? 1 : 0);
  return filled;
}

/** The change has an end, and the venue is set as its end says. */
async function settingEnded(
  { hub }: ContractParts,
  member: TestBrowser,
  { wanted, has }: { readonly wanted: object; readonly has: () => Promise<boolean> },
): Promise<boolean> {
  const [row] = await until(
    () =>
      hub.database.owner.query<{ state: string }>(
        `select state from setting_changes where user_id = $1 and change @> $2::jsonb
          order by created_at desc limit 1`,
        [member.tid ?? 0, JSON.stringify(wanted)],
      ),
    (rows) => rows.every(({ state }) => state !== 'asked' && state !== 'unknown'),
  );
  const done = await has();
  expect(row?.state ?? 'never begun').toMatch(done ? /^done$/ : /^(refused|never begun)$/);
  return done;
}

const MARGIN = '50';
/** What stood behind the isolated position before margin was asked for. */
const marginBefore = new WeakMap<TestBrowser, string>();

async function isolatedMargin(member: TestBrowser, { platformType }: ContractVenue): Promise<string> {
  const { data } = await member.call('connextrade/CurPositionList', { platformType });
  return data?.positions[0]?.isolatedMargin ?? '';
}

/** What is held stands in the mode that the change ended with, is the position that it was, and has ended nowhere. */
async function movedEnded(parts: ContractParts, member: TestBrowser, venue: ContractVenue): Promise<boolean> {
  const isolated = await settingEnded(parts, member, {
    wanted: { kind: 'margin-mode' },
    has: async () => (await settingOf(member, venue)).marginMode === 'isolated',
  });
  const { platformType, symbol, size } = venue;
  const mode = isolated ? 'isolated' : 'cross';
  await until(
    async () => (await member.call('connextrade/CurPositionList', { platformType })).data?.positions ?? [],
    (rows) =>
      rows.length === 1 &&
      rows.every((row) => row.marginMode === mode && row.positionId === heldAs.get(member)),
  );
  expect(await expectBooksEqual(parts, member, venue)).toEqual([`${symbol} 0 ${size}`]);
  expect((await member.call('connextrade/PositionHistory', {})).data?.rows).toEqual([]);
  return isolated;
}

/** The position that goes along, by whose it is. */
const heldAs = new WeakMap<TestBrowser, string>();

async function holds(member: TestBrowser, venue: ContractVenue): Promise<void> {
  const { platformType, symbol } = venue;
  await trade(member, venue);
  const [row] = await until(
    async () => (await member.call('connextrade/CurPositionList', { platformType })).data?.positions ?? [],
    // Until its fill is booked it has a name of its own.
    ([found]) => found !== undefined && !found.positionId.includes(symbol),
  );
  heldAs.set(member, row?.positionId ?? '');
}

/** The orders that rest, by whose they are, and the price that each is to have. */
const restingOf = new WeakMap<TestBrowser, string>();
const changedTo = new WeakMap<TestBrowser, string>();

/** A buy that rests 3 % below the market. */
async function rests(member: TestBrowser, venue: ContractVenue, { simulator }: ContractParts): Promise<void> {
  const price = await priceAt(simulator, venue, { factor: '0.97', market: 'perps' });
  const { data, msg } = await member.call(
    'connextrade/PlaceOrder',
    await orderAsSeen(member, venue, { orderType: 1, price }),
  );
  if (data === null) throw new Error(msg);
  restingOf.set(member, data.orderId);
  await until(
    () => ordersOf(member, venue),
    ([row]) => row?.status === 2,
  );
}

/** What was asked to end has ended, or rests on and nobody waits for its end; it never filled. */
async function cancelEnded(
  parts: ContractParts,
  member: TestBrowser,
  venue: ContractVenue,
): Promise<boolean> {
  const [row] = await until(
    () => ordersOf(member, venue),
    ([found]) => found?.cancelPending === false && (found.status === 2 || found.settled),
  );
  expect(await expectBooksEqual(parts, member, venue)).toEqual([]);
  expect([2, 3]).toContain(row?.status);
  return row?.status === 3;
}

/** The order rests on as it was or as was asked for, nobody waits for its change, and it never filled. */
async function changeEnded(
  parts: ContractParts,
  member: TestBrowser,
  venue: ContractVenue,
): Promise<boolean> {
  const rows = await until(
    () => ordersOf(member, venue),
    ([found]) => found?.change === null && found.status === 2,
  );
  expect(await expectBooksEqual(parts, member, venue)).toEqual([]);
  expect(rows).toMatchObject([{ orderId: restingOf.get(member), cumQuantity: '0' }]);
  return rows[0]?.price === changedTo.get(member);
}

/** The position is as large on the other side, or as it was: turned around once at the most. */
async function turnEnded(parts: ContractParts, member: TestBrowser, venue: ContractVenue): Promise<boolean> {
  const rows = await until(
    () => ordersOf(member, venue),
    (found) => found.every(({ settled }) => settled),
  );
  const turned = rows.filter(({ side, status }) => side === 2 && status === 4).length;
  expect(turned).toBeLessThanOrEqual(1);
  const size = `${turned === 1 ? '-' : ''}${venue.size}`;
  expect(await expectBooksEqual(parts, member, venue)).toEqual([`${venue.symbol} 0 ${size}`]);
  return turned === 1;
}

/** What is moved between the two pockets, and where it goes. */
const MOVED = '100';
const TO_FUTURES = 3;
const TO_SPOT = 4;

async function moves(member: TestBrowser) {
  return (await member.call('connexfunding/UniversalTransferHistory', {})).data?.rows ?? [];
}

const move = (direction: typeof TO_FUTURES | typeof TO_SPOT): Pick<LostChange, 'ask' | 'ended'> => ({
  ask: (member, { platformType }, clientId) =>
    member.call('connexfunding/UniversalTransfer', {
      ...{ platformType, direction, asset: 'USDT', amount: MOVED, clientId },
    }),
  ended: (parts, member, venue) => moveEnded(parts, member, { venue, direction }),
});

/** The transfer has an end and was made once at the most; both pockets are what the exchange has of them. */
async function moveEnded(
  parts: ContractParts,
  member: TestBrowser,
  { venue, direction }: { readonly venue: ContractVenue; readonly direction: number },
): Promise<boolean> {
  const rows = await until(
    () => moves(member),
    (found) => found.every(({ state }) => state === 'done' || state === 'refused'),
  );
  expect(await expectBooksEqual(parts, member, venue)).toEqual([]);
  const { platformType } = venue;
  const { data } = await member.call('connexfunding/tradingbalance', { platformType });
  const spot = data?.find(({ asset, pocket }) => asset === 'USDT' && pocket === 'spot');
  const theirs = await parts.simulator.balancesOf(member.tid ?? 0, platformOf(venue));
  const { free = '0', locked = '0' } = theirs.get('USDT') ?? {};
  expect([spot?.available ?? '0', spot?.locked ?? '0']).toEqual([free, locked]);
  const made = rows.filter((row) => row.direction === direction && row.amount === MOVED);
  expect(made.length).toBeLessThanOrEqual(1);
  return made[0]?.state === 'done';
}

/** Every call about contracts that changes something. */
export const LOST_CHANGES: readonly LostChange[] = [
  {
    ...{ name: 'an order', call: 'place' },
    ask: async (member, venue, clientId) =>
      member.call('connextrade/PlaceOrder', await orderAsSeen(member, venue, { clientId })),
    ended: (parts, member, venue) => orderEnded(parts, member, venue, { closes: false }),
  },
  {
    ...{ name: 'closing', call: 'place' },
    before: (member, venue) => trade(member, venue),
    ask: (member, venue, clientId) =>
      member.call('connextrade/ClosePosition', { ...at(venue), effect: 0, clientId }),
    ended: (parts, member, venue) => orderEnded(parts, member, venue, { closes: true }),
  },
  {
    ...{ name: 'leverage', call: 'leverage' },
    ask: (member, venue, clientId) =>
      member.call('connextrade/SetLeverage', { ...at(venue), effect: 0, leverage: 7, clientId }),
    ended: (parts, member, venue) =>
      settingEnded(parts, member, {
        wanted: { kind: 'leverage', leverage: 7 },
        has: async () => (await settingOf(member, venue)).leverageLong === 7,
      }),
  },
  {
    ...{ name: 'margin mode', call: 'marginMode' },
    ask: (member, venue) => member.call('x/trade/MarginMode', { ...at(venue), marginMode: 'isolated' }),
    ended: (parts, member, venue) =>
      settingEnded(parts, member, {
        wanted: { kind: 'margin-mode' },
        has: async () => (await settingOf(member, venue)).marginMode === 'isolated',
      }),
  },
  {
    ...{ name: 'margin mode of what is held', call: 'movedMode' },
    before: holds,
    ask: (member, venue) => member.call('x/trade/MarginMode', { ...at(venue), marginMode: 'isolated' }),
    ended: movedEnded,
  },
  {
    ...{ name: 'position mode', call: 'positionMode' },
    ask: (member, venue) =>
      member.call('connextrade/ChangePositionMode', { ...at(venue), positionMode: 'hedge' }),
    ended: (parts, member, venue) =>
      settingEnded(parts, member, {
        wanted: { kind: 'position-mode' },
        has: async () => (await settingOf(member, venue)).positionMode === 'hedge',
      }),
  },
  {
    ...{ name: 'isolated margin', call: 'margin' },
    async before(member, venue) {
      await member.call('x/trade/MarginMode', { ...at(venue), marginMode: 'isolated' });
      // Where orders say the mode, each mode has a leverage of its own.
      const set = { leverage: 20, effect: 0, marginMode: 'isolated' } as const;
      await member.call('connextrade/SetLeverage', { ...at(venue), ...set });
      await trade(member, venue, { marginMode: 'isolated' });
      await until(
        () => isolatedMargin(member, venue),
        (margin) => margin !== '',
      );
      marginBefore.set(member, await isolatedMargin(member, venue));
    },
    ask: (member, venue, clientId) =>
      member.call('x/trade/AdjustMargin', {
        ...at(venue),
        effect: 0,
        direction: 1,
        amount: MARGIN,
        clientId,
      }),
    ended: (parts, member, venue) =>
      settingEnded(parts, member, {
        wanted: { kind: 'margin' },
        has: async () => (await isolatedMargin(member, venue)) !== marginBefore.get(member),
      }),
  },
  {
    ...{ name: 'money to contracts', call: 'pocket', resumes: true },
    async before(member, { platformType }) {
      const back = { platformType, direction: TO_SPOT, asset: 'USDT', amount: '300' } as const;
      expect(await member.call('connexfunding/UniversalTransfer', back)).toMatchObject({ code: 1 });
      await until(
        () => moves(member),
        (rows) => rows.every(({ state }) => state === 'done'),
      );
    },
    ...move(TO_FUTURES),
  },
  { ...{ name: 'money back', call: 'pocket', resumes: true, alike: true }, ...move(TO_SPOT) },
  {
    ...{ name: 'closing everything', call: 'place' },
    before: (member, venue) => trade(member, venue),
    ask: (member, { platformType }) => member.call('connextrade/ClosePositionAll', { platformType }),
    ended: (parts, member, venue) => orderEnded(parts, member, venue, { closes: true, withoutId: true }),
  },
  {
    ...{ name: 'turning around', call: 'place', alike: true },
    before: (member, venue) => trade(member, venue),
    ask: (member, venue, clientId) =>
      member.call('x/trade/ReversePosition', { ...at(venue), effect: 0, side: 1, leverage: 20, clientId }),
    ended: turnEnded,
  },
  {
    ...{ name: 'cancelling', call: 'cancel', alike: true },
    before: rests,
    ask: (member, { platformType }) =>
      member.call('connextrade/CancelOrder', { platformType, orderId: restingOf.get(member) ?? '' }),
    ended: cancelEnded,
  },
  {
    ...{ name: 'cancelling everything', call: 'cancel', alike: true },
    before: rests,
    ask: (member, venue) => member.call('connextrade/CancelAll', at(venue)),
    ended: cancelEnded,
  },
  {
    ...{ name: 'changing an order', call: 'amend', alike: true },
    async before(member, venue, parts) {
      await rests(member, venue, parts);
      changedTo.set(member, await priceAt(parts.simulator, venue, { factor: '0.96', market: 'perps' }));
    },
    ask: (member, { platformType }) =>
      member.call('connextrade/ReplaceOrder', {
        ...{ platformType, orderId: restingOf.get(member) ?? '', price: changedTo.get(member) },
      }),
    ended: changeEnded,
  },
];
