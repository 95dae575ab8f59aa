import type { UserEvent } from '@crossbook/contract';
import { formatAmount, platformFacts, type UserId, ZERO } from '@crossbook/domain';
import type { LedgerStore } from '@crossbook/ledger';
import type { AccountOwner, BalanceUpdates } from './ports.ts';

/** What the updates are made of. */
export interface BalanceUpdateParts {
  readonly ledger: Pick<LedgerStore, 'tradingBalances'>;
  readonly publish: (user: UserId, event: UserEvent) => void;
  /** Whether anybody hears the member's events: a wallet is not read for nobody, and who comes later reads it. */
  readonly heard: (user: UserId) => boolean;
  readonly note: (event: string, facts: Readonly<Record<string, unknown>>) => void;
}

/** Makes them. One wallet is read by one reading at a time, so that an older figure is never told after a newer one. */
export function createBalanceUpdates(parts: BalanceUpdateParts): BalanceUpdates {
  /** Assets that moved since the reading under way began, by wallet. */
  const waiting = new Map<string, Set<string>>();
  const running = new Map<string, Promise<void>>();

  const tellAll = async (key: string, owner: AccountOwner): Promise<void> => {
    for (let assets = waiting.get(key); assets !== undefined; assets = waiting.get(key)) {
      waiting.delete(key);
      try {
        await tellOnce(parts, owner, assets);
      } catch (error) {
        parts.note('balances were not announced', { ...owner, error: String(error) });
      }
    }
    running.delete(key);
  };

  return {
    tell(owner, assets) {
      if (!parts.heard(owner.user)) return;
      const key = `${owner.platform}:${owner.user}`;
      const touched = waiting.get(key) ?? new Set();
      for (const asset of assets) touched.add(asset);
      waiting.set(key, touched);
      if (!running.has(key)) running.set(key, tellAll(key, owner));
    },
    async idle() {
      while (running.size > 0) await Promise.all(running.values());
    },
  };
}

async function tellOnce(
  { ledger, publish }: BalanceUpdateParts,
  { user, platform }: AccountOwner,
  assets: ReadonlySet<string>,
): Promise<void> {
  const balances = await ledger.tradingBalances(user, platform);
  const rows = [...assets].map((asset) => {
    // An asset that was spent to the last unit is no longer listed: its row is zero.
    const balance = balances.find((row) => row.asset === asset);
    return {
      asset,
      total: formatAmount(balance?.total ?? ZERO),
      available: formatAmount(balance?.available ?? ZERO),
      locked: formatAmount(balance?.held ?? ZERO),
    };
  });
  publish(user, { kind: 'balance', wallet: platformFacts(platform).platformType, rows });
}
