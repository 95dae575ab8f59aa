import { type Amount, assert, minus, ok, type Result, refused, ZERO } from '@crossbook/domain';
import type { AccountNumber, Exchange, KeyRights, NewKey, SimBalance, SimPocket } from '../exchange.ts';
import type { JournalRecord } from '../journal/records.ts';
import type { Listeners } from './listeners.ts';
import { HOUSE } from './state/balances.ts';
import type { Keeper } from './state/keeper.ts';
import type { MemberState } from './state/member-state.ts';
import type { StepPublisher } from './step-publisher.ts';

const KEY_BYTES = 32;

/** A transfer as it is asked for. */
export type TransferAsked = Parameters<Exchange['transfer']>[0];
/** Why a transfer was refused; nothing moved. */
export type TransferRefusal = 'INSUFFICIENT_BALANCE' | 'ID_REUSED';

/** Money of one account that a record moves; below 0 it leaves. */
interface Move {
  readonly account: AccountNumber;
  readonly asset: string;
  readonly amount: Amount;
  readonly pocket?: SimPocket | undefined;
}

/** Accounts, keys, and funds that move without an order. Everything asked twice under one id happens once. */
export class Treasury {
  readonly #publisher: StepPublisher;
  readonly #state: MemberState;
  readonly #listeners: Listeners;
  readonly #randomBytes: (size: number) => Uint8Array;
  readonly #keeper: Keeper;
  readonly #contractsTeller: (move: Move) => () => void;

  constructor(parts: {
    readonly publisher: StepPublisher;
    readonly listeners: Listeners;
    readonly randomBytes: (size: number) => Uint8Array;
    readonly keeper: Keeper;
    /** Money has just moved in a wallet of contracts. @returns tells their listeners, once it is on disk. */
    readonly contractsTeller: (move: Move) => () => void;
  }) {
    this.#publisher = parts.publisher;
    this.#state = parts.publisher.state;
    this.#listeners = parts.listeners;
    this.#randomBytes = parts.randomBytes;
    this.#keeper = parts.keeper;
    this.#contractsTeller = parts.contractsTeller;
  }

  /** See `Exchange.openAccount`. */
  async openAccount(label: string): Promise<AccountNumber> {
    const known = this.#state.accountOfLabel(label);
    // A repeated call may come before the first is on disk, and its answer is an acknowledgement too.
    if (known !== undefined) return this.#keeper.journal.flushed().then(() => known);
    const account = this.#state.nextAccount;
    await this.#keep({ kind: 'account', account, label });
    return account;
  }

  /** See `Exchange.createKey`: 64 hexadecimal characters each, as many as Binance's have. */
  async createKey(account: AccountNumber, passphrase?: string, rights?: KeyRights): Promise<NewKey> {
    assert(this.#state.hasAccount(account), 'a key belongs to an account');
    const apiKey = hex(this.#randomBytes(KEY_BYTES));
    const secret = hex(this.#randomBytes(KEY_BYTES));
    const key = { apiKey, secret, ...(passphrase === undefined ? {} : { passphrase }) };
    await this.#keep({ kind: 'key', account, ...key, ...(rights === undefined ? {} : { rights }) });
    return key;
  }

  /** See `Exchange.permitKey`. */
  async permitKey(apiKey: string, rights: KeyRights): Promise<void> {
    const owner = this.#state.keyOwner(apiKey);
    assert(owner !== undefined, 'rights are those of a key');
    await this.#keep({ kind: 'key', apiKey, ...owner, rights });
  }

  /** See `Exchange.credit`. */
  async credit(account: AccountNumber, asset: string, amount: Amount, creditId: string): Promise<boolean> {
    assert(this.#state.hasAccount(account) && amount > 0n, 'a credit is positive and has an account');
    if (this.#state.isCredited(creditId)) return this.#keeper.journal.flushed().then(() => false);
    const time = this.#publisher.now();
    await this.#keep({ kind: 'credit', account, asset, amount, creditId, time }, { account, asset, amount });
    return true;
  }

  /** See `Exchange.transfer`. */
  async transfer(move: TransferAsked): Promise<Result<{ readonly sequence: number }, TransferRefusal>> {
    const { from, to, asset, amount, transferId, fromPocket, toPocket } = move;
    for (const account of [from, to]) {
      assert(account === HOUSE || this.#state.hasAccount(account), 'a transfer is between accounts');
    }
    assert(amount > 0n, 'a transfer is positive');
    const made = this.#state.transfer(transferId);
    if (made !== undefined) {
      const same = made.from === from && made.to === to && made.asset === asset && made.amount === amount;
      if (!same || made.fromPocket !== fromPocket || made.toPocket !== toPocket) return refused('ID_REUSED');
      return this.#keeper.journal.flushed().then(() => ok({ sequence: made.sequence }));
    }
    if (from !== HOUSE && this.#state.spendable(from, asset, fromPocket) < amount) {
      return refused('INSUFFICIENT_BALANCE');
    }
    const sequence = this.#state.nextTransferSequence;
    const time = this.#publisher.now();
    await this.#keep(
      {
        ...{ kind: 'transfer', sequence, from, to, asset, amount, transferId, time },
        ...(fromPocket === undefined ? {} : { fromPocket }),
        ...(toPocket === undefined ? {} : { toPocket }),
      },
      { account: from, asset, amount: minus(ZERO, amount), pocket: fromPocket },
      { account: to, asset, amount, pocket: toPocket },
    );
    return ok({ sequence });
  }

  /** What tells of a move that has just been applied: by the time it is on disk others may have moved more. */
  #tellerOf(move: Move): (balances: readonly SimBalance[] | undefined) => void {
    const { account, asset, amount, pocket } = move;
    const concerns = pocket === 'FUTURES' || this.#state.futures === this.#state.balances;
    const tellContracts = concerns ? this.#contractsTeller(move) : undefined;
    return (balances) => {
      if (pocket !== 'FUTURES' && balances !== undefined)
        this.#listeners.balances(account, balances, { asset, amount });
      tellContracts?.();
    };
  }

  /** Applies and keeps a record; resolves when it is on disk and the listeners were told what moved. */
  #keep(record: JournalRecord, ...moves: readonly Move[]): Promise<void> {
    this.#keeper.assertOpen();
    return new Promise((resolve, reject) => {
      this.#publisher.keep(record, (failure, changed) => {
        if (failure !== undefined) {
          reject(failure);
          return;
        }
        for (const { account, tell } of tellers) tell(changed.get(account));
        resolve();
      });
      const tellers = moves
        .filter(({ account }) => account !== HOUSE)
        .map((move) => ({ account: move.account, tell: this.#tellerOf(move) }));
    });
  }
}

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex');
}
