import type { BalanceRow, TransferRow } from '@crossbook/contract';
import { type PlatformType, parseSignedAmount, ZERO } from '@crossbook/domain';
import { createStore } from 'zustand/vanilla';
import { call } from '../member/own-service.ts';

/** A wallet: funding, or the trading wallet of a platform by its wire code. */
export type WalletName = 'funding' | PlatformType;

/** Rows of one wallet and whether they were read. */
export interface WalletState {
  readonly status: 'loading' | 'ready' | 'failed';
  readonly rows: readonly BalanceRow[];
}

/** Balances of the member by wallet. */
export interface BalancesState {
  readonly wallets: Readonly<Partial<Record<WalletName, WalletState>>>;
}

/** Balances; empty for a visitor. */
export const balancesStore = createStore<BalancesState>(() => ({ wallets: {} }));

function keep(wallet: WalletName, state: WalletState): void {
  balancesStore.setState(({ wallets }) => ({ wallets: { ...wallets, [wallet]: state } }));
}

/** Reads one wallet. Rows already shown stay while it is read again. */
export async function loadBalances(wallet: WalletName): Promise<void> {
  const before = balancesStore.getState().wallets[wallet];
  if (before === undefined) keep(wallet, { status: 'loading', rows: [] });
  const answer =
    wallet === 'funding'
      ? await call('connexfunding/fundingbalance', {}, { quiet: true })
      : await call('connexfunding/tradingbalance', { platformType: wallet }, { quiet: true });
  if (answer.ok) keep(wallet, { status: 'ready', rows: answer.data });
  else if (before === undefined || before.status !== 'ready') keep(wallet, { status: 'failed', rows: [] });
}

/** Folds a balance event: the named assets get the new figures, others stay. */
export function applyBalances(wallet: WalletName, changed: readonly BalanceRow[]): void {
  const before = balancesStore.getState().wallets[wallet];
  // Before the first full read a few rows would pass for the whole wallet.
  if (before?.status !== 'ready') {
    void loadBalances(wallet);
    return;
  }
  const key = (row: BalanceRow) => `${row.pocket ?? 'spot'} ${row.asset}`;
  const byKey = new Map(before.rows.map((row) => [key(row), row]));
  for (const row of changed) byKey.set(key(row), row);
  keep(wallet, { status: 'ready', rows: [...byKey.values()] });
}

/** Forgets everything: another member, or none. */
export function forgetBalances(): void {
  balancesStore.setState({ wallets: {} });
}

/** One asset of a wallet as the exact amount available for spot; zero when the wallet has none of it. */
export function availableOf(state: BalancesState, wallet: WalletName, asset: string) {
  const row = state.wallets[wallet]?.rows.find(
    (candidate) => candidate.asset === asset && candidate.pocket !== 'futures',
  );
  return row === undefined ? ZERO : (parseSignedAmount(row.available) ?? ZERO);
}

/** Wallets that a finished or refused movement has changed are read again. */
export async function reloadAfterTransfer(
  transfer: Pick<TransferRow, 'platformType'> | undefined,
): Promise<void> {
  await Promise.all([
    loadBalances('funding'),
    ...(transfer === undefined ? [] : [loadBalances(transfer.platformType)]),
  ]);
}
