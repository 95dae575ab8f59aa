import type { Lanes, Millis, VenueIncome } from '@crossbook/domain';
import type { OutsideParty, TransferKind } from '@crossbook/ledger';
import type { AccountOwner } from '../account-pages.ts';
import { bookMoney } from '../booking/book-contract-fills.ts';
import { contractWallet } from '../contract-settle.ts';
import type { TradingDeps } from '../ports.ts';
import { ownerKey } from '../rotation.ts';
import type { ContractAccount } from './contract-accounts.ts';
import { fundingRow } from './position-rows.ts';

/** Entries may become visible a while after the time that they bear: so far back they are asked for again. */
const OVERLAP_MILLIS = 120_000;
/** Pages of one reading; what is behind them is read by the next one. */
const PAGES_MAX = 20;

/** What an entry without a fill moves; the others are booked as fills or as transfers. */
const MOVES: Readonly<
  Partial<Record<VenueIncome['kind'], { readonly party: OutsideParty; readonly kind: TransferKind }>>
> = {
  funding: { party: 'funding', kind: 'funding' },
  insurance: { party: 'insurance', kind: 'insurance' },
  'liquidation-fee': { party: 'insurance', kind: 'liquidation' },
};

/** What reading an account's income needs. */
export interface IncomeParts {
  readonly deps: TradingDeps;
  readonly lanes: Lanes;
  /** Entries that belong to trades: fills that nobody told of are found by them. */
  readonly trades: (account: ContractAccount, rows: readonly VenueIncome[]) => Promise<boolean>;
}

/**
 * Reads what the venue booked in an account since the last time and books what is not known: funding and whatever else
 * has no trade, each once under the venue's id. @returns false where something is still missing.
 */
export function readIncome(parts: IncomeParts, account: ContractAccount): Promise<boolean> {
  const { deps, lanes } = parts;
  const { owner } = account;
  return lanes.run(`income:${ownerKey(owner)}`, async () => {
    const until = await deps.contracts.incomeUntil(owner);
    if (until === undefined) return true;
    const since = Math.max(0, until - OVERLAP_MILLIS) as Millis;
    const begunAt = deps.clock();
    const rows = await entriesSince(account, since);
    if (rows === undefined) return false;
    for (const row of await unknownOf(deps, owner, rows.entries)) await bookEntry(deps, owner, row);
    const found = await parts.trades(account, rows.entries);
    const last = rows.entries.at(-1)?.time ?? until;
    if (found) await deps.contracts.readUntil(owner, rows.complete ? begunAt : last);
    return found && rows.complete;
  });
}

async function entriesSince(
  { contracts, credentials }: ContractAccount,
  since: Millis,
): Promise<{ readonly entries: readonly VenueIncome[]; readonly complete: boolean } | undefined> {
  const entries: VenueIncome[] = [];
  let next: string | undefined;
  for (let page = 0; page < PAGES_MAX; page += 1) {
    const read = await contracts.income(credentials, next === undefined ? { since } : { since, next });
    if (!read.ok) return undefined;
    entries.push(...read.value.rows);
    next = read.value.next;
    if (next === undefined) return { entries, complete: true };
  }
  return { entries, complete: false };
}

async function unknownOf(
  deps: TradingDeps,
  owner: AccountOwner,
  entries: readonly VenueIncome[],
): Promise<readonly VenueIncome[]> {
  const moving = entries.filter(({ kind }) => MOVES[kind] !== undefined);
  if (moving.length === 0) return [];
  const known = await deps.contracts.knownIncome(owner, moving);
  const byName = new Map(moving.map((row) => [`${row.kind} ${row.id}`, row]));
  return [...byName].filter(([name]) => !known.has(name)).map(([, row]) => row);
}

async function bookEntry(deps: TradingDeps, owner: AccountOwner, row: VenueIncome): Promise<void> {
  const move = MOVES[row.kind];
  if (move === undefined) return;
  const { user, platform } = owner;
  await bookMoney(deps, {
    wallet: { user, platform, asset: row.asset },
    legs: [{ id: ['income', platform, user, row.kind, row.id], amount: row.amount, ...move }],
    writes: [deps.contracts.income(owner, row)],
  });
  deps.balances.tell(owner, [row.asset], contractWallet(platform));
  if (row.kind !== 'funding') return;
  const { id, symbol = '', side = 0, amount, time, quantity, markPrice, rate } = row;
  const funding = fundingRow({
    ...{ id, platform, symbol, side, amount, time },
    ...(quantity === undefined ? {} : { quantity }),
    ...(markPrice === undefined ? {} : { markPrice }),
    ...(rate === undefined ? {} : { rate }),
  });
  deps.publish(user, { kind: 'funding', funding });
}
