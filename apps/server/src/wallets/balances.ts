import type { BalanceRow, CallAnswer, CallRequest, CallResponse, MemberCaller } from '@crossbook/contract';
import {
  formatAmount,
  PLATFORMS,
  type Platform,
  platformFacts,
  platformOfType,
  type UserId,
  ZERO,
} from '@crossbook/domain';
import type { WalletBalance } from '@crossbook/ledger';
import { contractWalletOf } from './contract-wallet.ts';
import type { WalletDeps } from './ports.ts';

/** A balance as its owner sees it: exactly the ledger's figures, no cache between (invariant I22). */
export function balanceRow(balance: WalletBalance): BalanceRow {
  return {
    asset: balance.asset,
    total: formatAmount(balance.total),
    available: formatAmount(balance.available),
    locked: formatAmount(balance.held),
  };
}

/** The pockets of a platform's trading wallet: one, or spot and futures. */
async function pocketsOf(
  deps: WalletDeps,
  user: UserId,
  platform: Platform,
): Promise<
  readonly { readonly pocket: Pick<BalanceRow, 'pocket'>; readonly balances: readonly WalletBalance[] }[]
> {
  const spot = await deps.ledger.tradingBalances(user, platform);
  if (contractWalletOf(platform) === 'TRADING') return [{ pocket: {}, balances: spot }];
  const futures = await deps.ledger.tradingBalances(user, platform, 'FUTURES');
  return [
    { pocket: { pocket: 'spot' }, balances: spot },
    { pocket: { pocket: 'futures' }, balances: futures },
  ];
}

async function tradingRows(
  deps: WalletDeps,
  user: UserId,
  platform: Platform,
): Promise<readonly BalanceRow[]> {
  const pockets = await pocketsOf(deps, user, platform);
  return pockets.flatMap(({ pocket, balances }) =>
    balances.map((row) => ({ ...balanceRow(row), ...pocket })),
  );
}

function only(rows: readonly BalanceRow[], asset: string | undefined): BalanceRow[] {
  return rows.filter((row) => asset === undefined || row.asset === asset);
}

/** fundingbalance. */
export async function fundingBalance(
  deps: WalletDeps,
  caller: MemberCaller,
  request: CallRequest<'connexfunding/fundingbalance'>,
): Promise<CallAnswer<BalanceRow[]>> {
  const balances = await deps.ledger.fundingBalances(caller.user);
  return { ok: true, value: only(balances.map(balanceRow), request.asset) };
}

/** tradingbalance of one platform. */
export async function tradingBalance(
  deps: WalletDeps,
  caller: MemberCaller,
  request: CallRequest<'connexfunding/tradingbalance'>,
): Promise<CallAnswer<BalanceRow[]>> {
  const platform = platformOfType(request.platformType)?.platform ?? 1;
  return { ok: true, value: only(await tradingRows(deps, caller.user, platform), request.asset) };
}

/** tradingbalancesum: the trading wallets of all platforms side by side. */
export async function tradingBalanceSum(
  deps: WalletDeps,
  caller: MemberCaller,
  request: CallRequest<'connexfunding/tradingbalancesum'>,
): Promise<CallAnswer<CallResponse<'connexfunding/tradingbalancesum'>>> {
  const asked = PLATFORMS.filter(
    (facts) => request.platformType === undefined || facts.platformType === request.platformType,
  );
  const wallets = asked.map(async ({ platform, platformType }) => {
    return { platformType, rows: [...(await tradingRows(deps, caller.user, platform))] };
  });
  return { ok: true, value: await Promise.all(wallets) };
}

/** Tells a member how the funding wallet, and a trading wallet if one is named, stand after a movement. */
export async function announceWallets(
  deps: WalletDeps,
  user: UserId,
  asset: string,
  platform?: Platform,
): Promise<void> {
  const funding = await deps.ledger.fundingBalances(user);
  deps.publish(user, { kind: 'balance', wallet: 'funding', rows: [rowOf(funding, asset)] });
  if (platform === undefined) return;
  const pockets = await pocketsOf(deps, user, platform);
  const rows = pockets.map(({ pocket, balances }) => ({ ...rowOf(balances, asset), ...pocket }));
  deps.publish(user, { kind: 'balance', wallet: platformFacts(platform).platformType, rows });
}

/** An asset that was spent to the last unit is no longer listed: its row is zero. */
function rowOf(balances: readonly WalletBalance[], asset: string): BalanceRow {
  const none = { asset, total: ZERO, available: ZERO, held: ZERO };
  return balanceRow(balances.find((row) => row.asset === asset) ?? none);
}
