import type { BalanceRow, UserEvent } from '@crossbook/contract';
import { formatAmount, type Platform, platformFacts, type UserId, ZERO } from '@crossbook/domain';
import type { LedgerStore, TradingWallet } from '@crossbook/ledger';
import type { AccountOwner } from '../account-pages.ts';
import { contractWallet } from '../contract-settle.ts';
import type { BalanceUpdates } from '../ports.ts';

/** What the updates are made of. */
export interface BalanceUpdateParts {
  readonly ledger: Pick<LedgerStore, 'tradingBalances'>;
  readonly publish: (user: UserId, event: UserEvent) => void;
  /** Whether anybody hears the member's events: a wallet is not read for nobody, and who comes later reads it. */
  readonly heard: (user: UserId) => boolean;
  readonly note: (event: string, facts: Readonly<Record<string, unknown>>) => void;
}

interface Wallet extends AccountOwner {
  readonly pocket: TradingWallet;
}

/** Makes them. One wallet is read by one reading at a time, so that an older figure is never told after a newer one. */
export function createBalanceUpdates(parts: BalanceUpdateParts): BalanceUpdates {
  /** Assets that moved since the reading under way began, by wallet. */
  const waiting = new Map<string, Set<string>>();
  const running = new Map<string, Promise<void>>();

  const tellAll = async (key: string, wallet: Wallet): Promise<void> => {
    for (let assets = waiting.get(key); assets !== undefined; assets = waiting.get(key)) {
      waiting.delete(key);
      try {
        await tellOnce(parts, wallet, assets);
      } catch (error) {
        parts.note('balances were not announced', { ...wallet, error: String(error) });
      }
    }
    running.delete(key);
  };

  return {
    tell({ user, platform }, assets, pocket = 'TRADING') {
      if (!parts.heard(user)) return;
      const key = `${platform}:${user}:${pocket}`;
      const touched = waiting.get(key) ?? new Set();
      for (const asset of assets) touched.add(asset);
      waiting.set(key, touched);
      if (!running.has(key)) running.set(key, tellAll(key, { user, platform, pocket }));
    },
    async idle() {
      while (running.size > 0) await Promise.all(running.values());
    },
  };
}

async function tellOnce(
  { ledger, publish }: BalanceUpdateParts,
  { user, platform, pocket }: Wallet,
  assets: ReadonlySet<string>,
): Promise<void> {
  const balances = await ledger.tradingBalances(user, platform, pocket);
  const rows = [...assets].map((asset) => {
    // An asset that was spent to the last unit is no longer listed: its row is zero.
    const balance = balances.find((row) => row.asset === asset);
    return {
      asset,
      total: formatAmount(balance?.total ?? ZERO),
      available: formatAmount(balance?.available ?? ZERO),
      locked: formatAmount(balance?.held ?? ZERO),
      ...pocketOf(platform, pocket),
    };
  });
  publish(user, { kind: 'balance', wallet: platformFacts(platform).platformType, rows });
}

/** Which pocket a row is of, where the platform has two. */
function pocketOf(platform: Platform, wallet: TradingWallet): Pick<BalanceRow, 'pocket'> {
  if (contractWallet(platform) === 'TRADING') return {};
  return { pocket: wallet === 'FUTURES' ? 'futures' : 'spot' };
}
