import { expect } from 'vitest';
import type { TestBrowser } from '../../apps/server/src/main/testing.ts';
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

/** Something that a member asks for about contracts, which may be lost on its way there or back. */
export interface LostChange {
  readonly name: string;
  readonly call: ContractCall;
  /** What must be there before. */
  readonly before?: (member: TestBrowser, venue: ContractVenue) => Promise<void>;
  /** Asks; the same id again is the same request. */
  readonly ask: (
    member: TestBrowser,
    venue: ContractVenue,
    clientId: string,
  ) => Promise<{ readonly code: number }>;
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
    ...{ name: 'closing everything', call: 'place' },
    before: (member, venue) => trade(member, venue),
    ask: (member, { platformType }) => member.call('connextrade/ClosePositionAll', { platformType }),
    ended: (parts, member, venue) => orderEnded(parts, member, venue, { closes: true, withoutId: true }),
  },
];
