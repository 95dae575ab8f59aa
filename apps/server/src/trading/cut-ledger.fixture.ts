import type { LedgerCommit, LedgerStore, LedgerUnit } from '@crossbook/ledger';

/** The ledger behind a connection that a test cuts: each unit may be answered otherwise than it ended. */
export class CutLedger {
  readonly store: LedgerStore;
  /** What the caller hears of a unit; `undefined` is the truth. */
  hears: (unit: LedgerUnit) => Promise<LedgerCommit | undefined> = async () => undefined;

  constructor(ledger: LedgerStore) {
    const commit = async (unit: LedgerUnit) => (await this.hears(unit)) ?? ledger.commit(unit);
    this.store = new Proxy(ledger, {
      get(target, name) {
        if (name === 'commit') return commit;
        const value: unknown = Reflect.get(target, name);
        return typeof value === 'function' ? value.bind(target) : value;
      },
    });
  }
}
