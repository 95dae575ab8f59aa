import {
  AMOUNT_MAX,
  type Amount,
  assert,
  minus,
  ok,
  type Platform,
  plus,
  type Result,
  refused,
  type UserId,
  ZERO,
} from '@crossbook/domain';
import {
  type AccountKey,
  type AccountRef,
  accountKey,
  mayBeNegative,
  type TradingWallet,
} from './account.ts';
import type { HoldId, LedgerCommand, LedgerRefusal, TransferId, TransferKind } from './command.ts';
import type { AccountBalance, HoldState } from './statement.ts';
import type {
  CompanionWrite,
  LedgerCommit,
  LedgerReceipt,
  LedgerStore,
  LedgerUnit,
  WalletBalance,
} from './store.ts';

interface ModelAccount {
  readonly ref: AccountRef;
  posted: Amount;
  held: Amount;
}

interface ModelTransfer {
  readonly from: AccountKey;
  readonly to: AccountKey;
  readonly amount: Amount;
  readonly kind: TransferKind;
  readonly hold?: HoldId;
}

interface ModelHold {
  readonly account: AccountKey;
  readonly amount: Amount;
  readonly kind: TransferKind;
  paid: Amount;
  released: boolean;
}

/** Companion rows in the model: all of them or none; false refuses the unit. */
export type ModelWriter = (writes: readonly CompanionWrite[]) => boolean;

type Outcome = 'effect' | 'none' | LedgerRefusal;
type Undo = () => void;

/**
 * The ledger as plain maps, one command after the other: the second witness of the SQL (house style 17). It shares
 * no code with it, is obviously right rather than fast, and its order of checks is the order of the refusals.
 */
export class LedgerModel implements LedgerStore {
  readonly accounts = new Map<AccountKey, ModelAccount>();
  readonly transfers = new Map<TransferId, ModelTransfer>();
  readonly holds = new Map<HoldId, ModelHold>();
  readonly #write: ModelWriter;
  #undo: Undo[] = [];

  constructor(write: ModelWriter = () => true) {
    this.#write = write;
  }

  async commit(unit: LedgerUnit): Promise<LedgerCommit> {
    return this.apply(unit);
  }

  /** `commit` without the promise. */
  apply(unit: LedgerUnit): Result<LedgerReceipt, LedgerRefusal> {
    this.#undo = [];
    let effects = 0;
    for (const command of unit.commands) {
      const outcome = this.#one(command);
      if (outcome === 'effect') effects += 1;
      else if (outcome !== 'none') return this.#refuse(outcome);
    }
    const replayed = unit.commands.length > 0 && effects === 0;
    if (!replayed && !this.#write(unit.writes ?? [])) return this.#refuse('write-refused');
    return ok({ replayed });
  }

  async fundingBalances(user: UserId): Promise<readonly WalletBalance[]> {
    return this.#wallet((ref) => ref.class === 'FUNDING' && ref.user === user);
  }

  async tradingBalances(
    user: UserId,
    platform: Platform,
    wallet: TradingWallet = 'TRADING',
  ): Promise<readonly WalletBalance[]> {
    return this.#wallet((ref) => ref.class === wallet && ref.user === user && ref.platform === platform);
  }

  /** One account's figures; zeros when it was never used. */
  balance(ref: AccountRef): AccountBalance {
    const { posted, held } = this.accounts.get(accountKey(ref)) ?? { posted: ZERO, held: ZERO };
    return { total: posted, held, available: minus(posted, held) };
  }

  /** A hold as it stands. */
  hold(id: HoldId): HoldState | undefined {
    const hold = this.holds.get(id);
    if (hold === undefined) return undefined;
    return { account: hold.account, amount: hold.amount, paid: hold.paid, released: hold.released };
  }

  #wallet(wanted: (ref: AccountRef) => boolean): readonly WalletBalance[] {
    return [...this.accounts.values()]
      .filter(({ ref, posted }) => wanted(ref) && posted !== 0n)
      .map(({ ref, posted, held }) => ({
        asset: ref.asset,
        total: posted,
        available: minus(posted, held),
        held,
      }))
      .sort((left, right) => (left.asset < right.asset ? -1 : 1));
  }

  #refuse(code: LedgerRefusal): Result<LedgerReceipt, LedgerRefusal> {
    for (const undo of this.#undo.reverse()) undo();
    return refused(code);
  }

  #one(command: LedgerCommand): Outcome {
    switch (command.do) {
      case 'post':
        return this.#post(command);
      case 'hold':
        return this.#hold(command);
      case 'post-held':
        return this.#postHeld(command);
      case 'release':
        return this.#release(command.hold);
    }
  }

  #account(ref: AccountRef): ModelAccount {
    const key = accountKey(ref);
    const found = this.accounts.get(key);
    if (found !== undefined) return found;
    const made: ModelAccount = { ref, posted: ZERO, held: ZERO };
    this.accounts.set(key, made);
    return made;
  }

  #post(command: LedgerCommand & { do: 'post' }): Outcome {
    const wanted: ModelTransfer = {
      from: accountKey(command.from),
      to: accountKey(command.to),
      amount: command.amount,
      kind: command.kind,
    };
    const known = this.transfers.get(command.id);
    if (known !== undefined) return same(known, wanted) ? 'none' : 'id-reused';
    if (command.from.asset !== command.to.asset) return 'asset-mismatch';
    const from = this.#account(command.from);
    if (!mayBeNegative(command.from) && minus(from.posted, from.held) < command.amount) {
      return 'insufficient-funds';
    }
    return this.#move(command.id, wanted, from, this.#account(command.to));
  }

  #move(id: TransferId, transfer: ModelTransfer, from: ModelAccount, to: ModelAccount): Outcome {
    const before = { from: from.posted, to: to.posted };
    from.posted = minus(from.posted, transfer.amount);
    to.posted = plus(to.posted, transfer.amount);
    this.#undo.push(() => {
      to.posted = before.to;
      from.posted = before.from;
      this.transfers.delete(id);
    });
    if (-from.posted > AMOUNT_MAX || to.posted > AMOUNT_MAX) return 'balance-out-of-range';
    this.transfers.set(id, transfer);
    return 'effect';
  }

  #hold(command: LedgerCommand & { do: 'hold' }): Outcome {
    const { id, amount, kind } = command;
    const key = accountKey(command.account);
    const known = this.holds.get(id);
    if (known !== undefined) {
      return known.account === key && known.amount === amount && known.kind === kind ? 'none' : 'id-reused';
    }
    const account = this.#account(command.account);
    if (!mayBeNegative(command.account) && minus(account.posted, account.held) < amount) {
      return 'insufficient-funds';
    }
    const before = account.held;
    account.held = plus(account.held, amount);
    this.#undo.push(() => {
      account.held = before;
      this.holds.delete(id);
    });
    if (account.held > AMOUNT_MAX) return 'balance-out-of-range';
    this.holds.set(id, { account: key, amount, kind, paid: ZERO, released: false });
    return 'effect';
  }

  #postHeld(command: LedgerCommand & { do: 'post-held' }): Outcome {
    const to = accountKey(command.to);
    const known = this.transfers.get(command.id);
    if (known !== undefined) {
      const wanted = { ...known, to, amount: command.amount, kind: command.kind, hold: command.hold };
      return same(known, wanted) ? 'none' : 'id-reused';
    }
    const hold = this.holds.get(command.hold);
    if (hold === undefined) return 'unknown-hold';
    const from = this.accounts.get(hold.account);
    assert(from !== undefined, 'a hold stands on an account');
    if (from.ref.asset !== command.to.asset) return 'asset-mismatch';
    if (hold.released) return 'hold-resolved';
    if (plus(hold.paid, command.amount) > hold.amount) return 'hold-exceeded';
    const before = { paid: hold.paid, held: from.held };
    hold.paid = plus(hold.paid, command.amount);
    from.held = minus(from.held, command.amount);
    this.#undo.push(() => {
      hold.paid = before.paid;
      from.held = before.held;
    });
    const { amount, kind } = command;
    const transfer: ModelTransfer = { from: hold.account, to, amount, kind, hold: command.hold };
    return this.#move(command.id, transfer, from, this.#account(command.to));
  }

  #release(id: HoldId): Outcome {
    const hold = this.holds.get(id);
    if (hold === undefined) return 'unknown-hold';
    if (hold.released) return 'none';
    const account = this.accounts.get(hold.account);
    assert(account !== undefined, 'a hold stands on an account');
    const before = account.held;
    account.held = minus(account.held, minus(hold.amount, hold.paid));
    hold.released = true;
    this.#undo.push(() => {
      account.held = before;
      hold.released = false;
    });
    return 'effect';
  }
}

function same(left: ModelTransfer, right: ModelTransfer): boolean {
  return (
    left.from === right.from &&
    left.to === right.to &&
    left.amount === right.amount &&
    left.kind === right.kind &&
    left.hold === right.hold
  );
}
