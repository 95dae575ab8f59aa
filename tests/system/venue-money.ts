import type { CallInput } from '@crossbook/contract';
import { amount, formatAmount, ORDER_STATUS, type Platform, platformOfType, plus } from '@crossbook/domain';
import { expect } from 'vitest';
import type { TestBrowser } from '../../apps/server/src/main/testing.ts';
import { ledgerBreaches } from '../../apps/server/src/storage/ledger/ledger-check.ts';
import { type HubProcess, ordersOf, type SimulatorProcess, until, type VenueFunds } from './hub-process.ts';

/** One venue as the tests of money at venues know it. */
export interface TradedVenue {
  readonly name: string;
  readonly platformType: 43 | 41 | 42;
  readonly symbol: string;
  /** Names of its calls at the simulator, for faults. */
  readonly calls: { readonly place: string; readonly transfer: string };
}

/** The venues whose acknowledgement of an order is only a receipt. */
export const RECEIPT_VENUES: readonly TradedVenue[] = [
  {
    name: 'OKX',
    platformType: 41,
    symbol: 'BTC-USDT',
    calls: { place: 'order.place', transfer: 'transfer.place' },
  },
  {
    name: 'Bybit',
    platformType: 42,
    symbol: 'BTCUSDT',
    calls: { place: 'order.create', transfer: 'transfer.universal' },
  },
];

/** The platform of a venue. */
export function platformOf(venue: Pick<TradedVenue, 'platformType'>): Platform {
  return platformOfType(venue.platformType)?.platform ?? 1;
}

/** Totals of an account that holds anything. */
function totals(funds: VenueFunds): ReadonlyMap<string, string> {
  const rows = [...funds].map(
    ([asset, { free, locked }]) => [asset, formatAmount(plus(amount(free), amount(locked)))] as const,
  );
  return new Map(rows.filter(([, total]) => total !== '0'));
}

/** The venue is the witness: the member's wallet and the account there agree to the last unit (invariants I1 to I8, I12). */
export async function expectEveryUnitInItsPlace(
  parts: { readonly hub: HubProcess; readonly simulator: SimulatorProcess },
  member: TestBrowser,
  venue: Pick<TradedVenue, 'platformType'>,
): Promise<void> {
  const { platformType } = venue;
  const { data: wallet } = await member.call('connexfunding/tradingbalance', { platformType });
  const theirs = await parts.simulator.balancesOf(member.tid ?? 0, platformOf(venue));
  const ours = new Map((wallet ?? []).map(({ asset, total }) => [asset, total] as const));
  expect(ours).toEqual(totals(theirs));
  expect(await ledgerBreaches(parts.hub.database.database, 'fold')).toEqual([]);
}

/**
 * What lies in funding wallets lies in the operator's account at the first venue, all of it and nothing else, and no
 * other venue keeps any: nothing was lost or made between venues. Holds when no transfer is under way.
 */
export async function expectFundingInCustody(parts: {
  readonly hub: HubProcess;
  readonly simulator: SimulatorProcess;
}): Promise<void> {
  const owed = await parts.hub.database.owner.query<{ asset: string; total: string }>(
    "select asset, sum(posted)::text as total from ledger_accounts where class = 'FUNDING' group by asset",
  );
  const expected = owed.map(({ asset, total }) => [asset, formatAmount(amount(total))] as const);
  expect(totals(await parts.simulator.masterFunds(1))).toEqual(
    new Map(expected.filter(([, total]) => total !== '0')),
  );
  for (const platform of [2, 3] as const)
    expect(totals(await parts.simulator.masterFunds(platform))).toEqual(new Map());
}

/** What a member's wallet at the venue holds back, such as `20 USDT`. */
export async function lockedOf(
  member: TestBrowser,
  { platformType }: Pick<TradedVenue, 'platformType'>,
): Promise<readonly string[]> {
  const { data } = await member.call('connexfunding/tradingbalance', { platformType });
  return (data ?? []).filter(({ locked }) => locked !== '0').map(({ asset, locked }) => `${locked} ${asset}`);
}

/** Waits until all orders of a member at the venue are settled. */
export function settled(member: TestBrowser, { platformType }: Pick<TradedVenue, 'platformType'>) {
  return until(
    () => ordersOf(member, platformType),
    (rows) => rows.length > 0 && rows.every((row) => row.settled),
  );
}

const UNKNOWN_OUTCOMES = [
  ['timeout-after', ORDER_STATUS.FILLED],
  ['reset-after', ORDER_STATUS.FILLED],
  ['silence-after', ORDER_STATUS.FILLED],
  ['timeout-before', ORDER_STATUS.FAIL],
  ['reset-before', ORDER_STATUS.FAIL],
] as const;

/**
 * Five orders whose answer the hub never reads, some carried out and some not: each is held until there is proof, ends
 * as the venue has it, and its request made again is answered without a second order. One after the other meets its
 * fault; their proofs are waited for side by side.
 */
export async function expectUnknownOutcomesProved(
  parts: { readonly hub: HubProcess; readonly simulator: SimulatorProcess },
  venue: Pick<TradedVenue, 'platformType'>,
  request: CallInput<'connextrade/PlaceOrder'>,
  placeCall: string,
): Promise<void> {
  const { hub, simulator } = parts;
  const tried = [];
  for (const [kind, final] of UNKNOWN_OUTCOMES) {
    const member = await hub.memberWithFunds('1000', venue.platformType);
    const clientId = crypto.randomUUID();
    await simulator.admin('faults', { kind, match: placeCall, count: 1 });
    const place = () => member.call('connextrade/PlaceOrder', { ...request, clientId });
    const answer = place();
    await until(
      () => simulator.armedFaults(),
      (left) => left === 0,
    );
    tried.push({ kind, final, member, clientId, place, answer });
  }
  for (const { kind, final, member, clientId, place, answer } of tried) {
    expect([kind, await answer]).toMatchObject([kind, { code: 1, data: { orderId: clientId } }]);
    const ended = [{ orderId: clientId, status: final }];
    expect([kind, await settled(member, venue)]).toMatchObject([kind, ended]);
    expect(await place()).toMatchObject({ code: 1, data: { orderId: clientId, status: final } });
    expect(await ordersOf(member, venue.platformType)).toHaveLength(1);
    expect([kind, await lockedOf(member, venue)]).toEqual([kind, []]);
    await expectEveryUnitInItsPlace(parts, member, venue);
  }
}
