import type { AccountNumber, SimBalance } from '../../../exchange.ts';
import type { PerpPool } from '../../../perp-exchange.ts';
import { walletRow } from '../account/account.ts';
import type { Desk } from '../endpoint.ts';

/** What changed of an account's money since it was last reported. */
interface Changed {
  readonly balances: Map<string, SimBalance>;
  pool: PerpPool | undefined;
}

/** Tells of the wallet after all else that one step did: pairs and contracts share it, and both tell of it. */
export class WalletUpdates {
  readonly #desk: Desk;
  readonly #changed = new Map<AccountNumber, Changed>();

  constructor(desk: Desk) {
    this.#desk = desk;
  }

  /** @param pool what stands behind contracts now, where they changed. */
  note(account: AccountNumber, balances: readonly SimBalance[], pool?: PerpPool): void {
    if (!this.#desk.userStreams.isHeard(account)) return;
    const changed = this.#changed.get(account) ?? { balances: new Map(), pool: undefined };
    for (const balance of balances) changed.balances.set(balance.asset, balance);
    changed.pool = pool ?? changed.pool;
    if (this.#changed.has(account)) return;
    this.#changed.set(account, changed);
    // A step is reported without a pause: what waits for its end is reported behind it.
    queueMicrotask(() => this.#tell(account));
  }

  #tell(account: AccountNumber): void {
    const changed = this.#changed.get(account);
    if (changed === undefined) return;
    this.#changed.delete(account);
    const desk = this.#desk;
    const rows = [...changed.balances.values()];
    desk.userStreams.tell(account, { kind: 'wallet' }, () => [walletRow(desk, account, rows, changed.pool)]);
  }
}
