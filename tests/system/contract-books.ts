import type { CallInput, CallResponse } from '@crossbook/contract';
import {
  type Amount,
  amount,
  formatAmount,
  type MarginMode,
  minus,
  platformOfType,
  ZERO,
} from '@crossbook/domain';
import { expect } from 'vitest';
import type { TestBrowser } from '../../apps/server/src/main/testing.ts';
import { ledgerBreaches } from '../../apps/server/src/storage/ledger/ledger-check.ts';
import type { ContractVenue } from './contract-venues.ts';
import { type HubProcess, type SimulatorProcess, until } from './hub-process.ts';

/** The code of the catalogue for a price that is too old for an order at market. */
const PRICE_STALE = 3009;

/** The processes of a test. */
export interface ContractParts {
  readonly hub: HubProcess;
  readonly simulator: SimulatorProcess;
}

/** A member whose money is all behind contracts, at a leverage of 20. */
export async function memberWithMargin(
  { hub }: Pick<ContractParts, 'hub'>,
  { platformType, ownPocket, symbol }: ContractVenue,
  usdt: string,
): Promise<TestBrowser> {
  const member = await hub.memberWithFunds(usdt, platformType);
  if (ownPocket) await moveToFutures(member, platformType, usdt);
  await setLeverage(member, { platformType, symbol, leverage: 20, effect: 0 });
  return member;
}

/** Sets a leverage, again while our own budget for the venue is used up: the next minute has room. */
export async function setLeverage(
  member: TestBrowser,
  wanted: CallInput<'connextrade/SetLeverage'>,
): Promise<void> {
  await until(
    () => member.call('connextrade/SetLeverage', wanted),
    ({ code }) => code === 1,
  );
}

/** Puts money behind contracts where they have a wallet of their own. */
export async function moveToFutures(
  member: TestBrowser,
  platformType: 43 | 41 | 42,
  usdt: string,
): Promise<void> {
  const move = { platformType, direction: 3, asset: 'USDT', amount: usdt } as const;
  expect(await member.call('connexfunding/UniversalTransfer', move)).toMatchObject({ code: 1 });
  await until(
    async () => (await member.call('connexfunding/UniversalTransferHistory', {})).data?.rows ?? [],
    (rows) => rows.every(({ state }) => state === 'done'),
  );
}

/** How the contract is set. */
export async function settingOf(
  member: TestBrowser,
  { platformType, symbol }: ContractVenue,
  meant?: MarginMode,
): Promise<CallResponse<'connextrade/GetLeverage'>> {
  const request = {
    ...{ platformType, symbol },
    // Where every order says its mode, each mode has a leverage of its own (OKX).
    ...(meant === undefined ? {} : { marginMode: meant }),
  };
  const { data, msg } = await until(
    () => member.call('connextrade/GetLeverage', request),
    // Hubs that start one after the other use up the minute of their address; the next minute has room.
    (answer) => answer.data !== null,
  );
  if (data === null) throw new Error(msg);
  return data;
}

/** An order of a member who has seen how the contract is set; at market unless a part says otherwise. */
export async function orderAsSeen(
  member: TestBrowser,
  venue: ContractVenue,
  part: Partial<CallInput<'connextrade/PlaceOrder'>>,
): Promise<CallInput<'connextrade/PlaceOrder'>> {
  const { marginMode, leverageLong: leverage } = await settingOf(member, venue, part.marginMode);
  const { platformType, symbol, size } = venue;
  const seen = { platformType, tinstType: 2, symbol, marginMode, leverage } as const;
  return { ...seen, side: 1, orderType: 2, quantity: size, ...part };
}

/** Whether nothing was sent, because the market's prices are not heard yet. */
export function isTooEarly({ code, data }: { readonly code: number; readonly data: unknown }): boolean {
  return code === PRICE_STALE || (data as { readonly outcome?: string } | null)?.outcome === 'refused';
}

/** Places one, again while the market is not heard yet, and expects it filled. */
export async function trade(
  member: TestBrowser,
  venue: ContractVenue,
  part: Partial<CallInput<'connextrade/PlaceOrder'>> = {},
): Promise<void> {
  const order = await orderAsSeen(member, venue, part);
  const { code, msg } = await until(
    () => member.call('connextrade/PlaceOrder', order),
    (placed) => placed.code !== PRICE_STALE,
  );
  expect(code, msg).toBe(1);
  await until(
    async () => (await ordersOf(member, venue))[0],
    (row) => row?.status === 4 && row.settled,
  );
}

/** A member's orders on contracts, newest first. */
export async function ordersOf(member: TestBrowser, { platformType }: ContractVenue) {
  const { data, msg } = await member.call('connextrade/OrderHistory', { platformType, tinstType: 2 });
  if (data === null) throw new Error(msg);
  return data.rows;
}

/** Wallet less debt and positions: by the hub's books, and by the venue's. */
async function bothSides({ hub, simulator }: ContractParts, member: TestBrowser, venue: ContractVenue) {
  const { platformType, lot, ownPocket } = venue;
  const platform = platformOfType(platformType)?.platform ?? 1;
  const tid = member.tid ?? 0;
  const theirs = await simulator.contractsOf(tid, platform);
  const { data: rows } = await member.call('connexfunding/tradingbalance', { platformType });
  const pocket = ownPocket ? 'futures' : 'spot';
  const own = rows?.find((row) => row.asset === 'USDT' && (row.pocket ?? 'spot') === pocket);
  const [debt] = await hub.database.owner.query<{ owed: string }>(
    'select coalesce(sum(amount), 0)::text as owed from contract_debts where user_id = $1',
    [tid],
  );
  const { data: open } = await member.call('connextrade/CurPositionList', { platformType });
  const runs = await hub.database.owner.query<{ symbol: string; effect: number; quantity: string }>(
    'select symbol, effect, quantity::text from contract_runs where user_id = $1 and quantity <> 0',
    [tid],
  );
  const text = (symbol: string, side: number, quantity: Amount) =>
    `${symbol} ${side} ${formatAmount(quantity)}`;
  const sides = { BOTH: 0, LONG: 1, SHORT: 2 } as const;
  const sized = theirs.positions
    .filter(({ lots }) => lots !== 0)
    .map(({ symbol, side, lots }) => {
      const count = side === 'BOTH' ? lots : Math.abs(lots);
      return text(symbol, sides[side], (BigInt(count) * lot) as Amount);
    });
  return {
    hub: {
      wallet: formatAmount(minus(amount(own?.total ?? '0'), amount(debt?.owed ?? '0'))),
      locked: own?.locked ?? '0',
      shown: (open?.positions ?? [])
        .map(({ symbol, effect, quantity }) => text(symbol, effect, amount(quantity)))
        .sort(),
      booked: runs.map(({ symbol, effect, quantity }) => text(symbol, effect, amount(quantity))).sort(),
    },
    venue: { wallet: theirs.wallet, positions: sized.sort() },
  };
}

/** Hub and venue agree to the last unit, nothing is held, nobody's wallet is below zero. @returns the positions there. */
export async function expectBooksEqual(
  parts: ContractParts,
  member: TestBrowser,
  venue: ContractVenue,
): Promise<readonly string[]> {
  const agreed = await until(
    () => bothSides(parts, member, venue),
    (both) =>
      amount(both.hub.wallet) - amount(both.venue.wallet) === ZERO &&
      both.hub.locked === '0' &&
      both.hub.shown.join() === both.venue.positions.join() &&
      both.hub.booked.join() === both.venue.positions.join(),
    // After a start all members of the file are compared in turn, about ten a minute at Binance.
    300_000,
  ).catch((error: unknown) => {
    throw new Error(`${String(error)}\n${parts.hub.said.slice(-5).join('\n')}`);
  });
  expect(await ledgerBreaches(parts.hub.database.database, 'fold')).toEqual([]);
  return agreed.venue.positions;
}
