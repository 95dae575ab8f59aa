import type { LedgerCommand } from '@crossbook/ledger';
import { isEnded, type StoredAlgo } from '../algo.ts';
import { commitWithRows } from '../booking/booked-rows.ts';
import { contractWallet } from '../contract-settle.ts';
import type { TradingDeps } from '../ports.ts';
import { algoRow } from './algo-rows.ts';

/** What of an algo order may change; `undefined` takes a value away. */
export type AlgoChanges = {
  readonly [Name in keyof StoredAlgo]?: StoredAlgo[Name] | undefined;
};

/** The algo order with changes. */
export function changed(deps: TradingDeps, algo: StoredAlgo, changes: AlgoChanges): StoredAlgo {
  const all = { ...algo, ...changes, updatedAt: deps.clock() };
  return Object.fromEntries(
    Object.entries(all).filter(([, value]) => value !== undefined),
  ) as unknown as StoredAlgo;
}

/** Writes what has become of an algo order and, where it ended without a child that has its hold, frees it; then tells its owner. */
export async function recordAlgo(
  deps: TradingDeps,
  algo: StoredAlgo,
  changes: AlgoChanges,
): Promise<StoredAlgo> {
  const after = changed(deps, algo, changes);
  const release: LedgerCommand = { do: 'release', hold: algo.holdId };
  // A child takes the hold over; an iceberg's orders only pay out of it, and it ends last.
  const keeps = after.childId !== undefined && after.plan.kind !== 'iceberg';
  const ends = isEnded(after) && !isEnded(algo);
  if (ends) deps.crash('before-end');
  const frees = ends && !keeps && algo.holdAmount > 0n;
  const done = await commitWithRows(deps, {
    commands: frees ? [release] : [],
    writes: [deps.algos.progress(after)],
  });
  if (!done.ok) throw new Error(`algo order ${algo.id}: ${done.code}`);
  if (ends) deps.crash('after-end');
  tellAlgo(deps, after);
  return after;
}

/** Tells the member of an algo order, and of the wallet that its hold is in. Only after the commit. */
export function tellAlgo(deps: TradingDeps, algo: StoredAlgo): void {
  const { user, platform, base, quote } = algo;
  try {
    deps.publish(user, { kind: 'algo', algo: algoRow(algo) });
  } catch (error) {
    deps.log.note('a change was not announced', { id: algo.id, error: String(error) });
  }
  if (algo.symbolType === 'SPOT') deps.balances.tell({ user, platform }, [base, quote]);
  else deps.balances.tell({ user, platform }, [quote], contractWallet(platform));
}
