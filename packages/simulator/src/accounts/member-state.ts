import { type Amount, minus, ZERO } from '@crossbook/domain';
import type { AccountNumber, KeyOwner, SimBalance, SimFill, SimOrder } from '../exchange.ts';
import type { JournalRecord, StepRecord, TransferRecord } from '../journal/records.ts';
import { Balances, HOUSE } from './balances.ts';
import { OrderHistory } from './order-history.ts';
import { moneyOfFill, netOf, reservationOf, type Terms } from './terms.ts';

const HISTORY_PER_RECORD = 100;

/**
 * Everything that belongs to members. It changes only by `apply`, with the same records while running and while
 * recovering, so that a recovered state cannot differ from the one that was lost.
 */
export class MemberState {
  readonly balances = new Balances();
  readonly history = new OrderHistory();
  readonly #terms: ReadonlyMap<string, Terms>;
  readonly #labels = new Map<string, AccountNumber>();
  readonly #keys = new Map<string, KeyOwner>();
  readonly #credits = new Set<string>();
  readonly #transfers = new Map<string, TransferRecord>();

  constructor(terms: ReadonlyMap<string, Terms>) {
    this.#terms = terms;
  }

  /** The number the next account gets; 0 is the house. */
  get nextAccount(): AccountNumber {
    return (this.#labels.size + 1) as AccountNumber;
  }

  get nextTransferSequence(): number {
    return this.#transfers.size + 1;
  }

  accountOfLabel(label: string): AccountNumber | undefined {
    return this.#labels.get(label);
  }

  /** In the order they were opened. */
  accounts(): readonly { readonly account: AccountNumber; readonly label: string }[] {
    return [...this.#labels].map(([label, account]) => ({ account, label }));
  }

  hasAccount(account: AccountNumber): boolean {
    return Number.isInteger(account) && account >= 1 && account < this.nextAccount;
  }

  keyOwner(apiKey: string): KeyOwner | undefined {
    return this.#keys.get(apiKey);
  }

  isCredited(creditId: string): boolean {
    return this.#credits.has(creditId);
  }

  transfer(transferId: string): TransferRecord | undefined {
    return this.#transfers.get(transferId);
  }

  /** Takes a record in. @returns the members' balances it changed. @throws Error when a balance would be negative. */
  apply(record: JournalRecord): ReadonlyMap<AccountNumber, readonly SimBalance[]> {
    const touched = new Touched(this.balances);
    switch (record.kind) {
      case 'account':
        this.#labels.set(record.label, record.account);
        break;
      case 'key':
        this.#keys.set(record.apiKey, ownerOf(record));
        break;
      case 'credit':
        this.#credits.add(record.creditId);
        touched.move(record.account, record.asset, record.amount);
        break;
      case 'transfer':
        this.#transfers.set(record.transferId, record);
        touched.move(record.from, record.asset, minus(ZERO, record.amount));
        touched.move(record.to, record.asset, record.amount);
        break;
      case 'step':
        this.#applyStep(record, touched);
        break;
      case 'total':
        this.balances.move(record.account, record.asset, record.total);
        break;
      case 'history':
        for (const order of record.orders) this.#putOrder(order, touched);
        for (const fill of record.fills) this.history.putFill(fill);
        break;
      case 'credited':
        this.#credits.add(record.creditId);
        break;
      case 'transferred':
        this.#transfers.set(record.transfer.transferId, record.transfer);
        break;
      case 'reserve':
      case 'status':
        break;
    }
    return touched.settle();
  }

  /** The whole state as records. The objects are immutable, so they may be written out later. */
  records(): JournalRecord[] {
    const records: JournalRecord[] = [];
    for (const [label, account] of this.#labels) records.push({ kind: 'account', account, label });
    for (const [apiKey, owner] of this.#keys) records.push({ kind: 'key', apiKey, ...owner });
    for (const held of this.balances.totals()) records.push({ kind: 'total', ...held });
    for (const { orders, fills } of this.history.everything()) {
      for (const part of parts([...orders])) records.push({ kind: 'history', orders: part, fills: [] });
      for (const part of parts(fills)) records.push({ kind: 'history', orders: [], fills: part });
    }
    for (const creditId of this.#credits) records.push({ kind: 'credited', creditId });
    for (const transfer of this.#transfers.values()) records.push({ kind: 'transferred', transfer });
    return records;
  }

  #applyStep(step: StepRecord, touched: Touched): void {
    for (const fill of step.fills) {
      const money = moneyOfFill(this.#termsOf(fill.symbol), fill);
      this.#exchange(fill, touched, money.pays.asset, minus(ZERO, money.pays.amount));
      this.#exchange(fill, touched, money.receives.asset, netOf(money));
      this.history.putFill(fill);
    }
    for (const order of step.orders) this.#putOrder(order, touched);
  }

  // What a member gives the house takes, and the other way round: between two members only the fees stay with it.
  #exchange(fill: SimFill, touched: Touched, asset: string, change: Amount): void {
    touched.move(fill.account, asset, change);
    this.balances.move(HOUSE, asset, minus(ZERO, change));
  }

  #putOrder(order: SimOrder, touched: Touched): void {
    const terms = this.#termsOf(order.symbol);
    const before = this.history.find(order.account, order.symbol, { orderId: order.orderId });
    const locked = before === undefined ? ZERO : reservationOf(terms, before).amount;
    const needed = reservationOf(terms, order);
    touched.lock(order.account, needed.asset, minus(needed.amount, locked));
    this.history.put(order);
  }

  #termsOf(symbol: string): Terms {
    const terms = this.#terms.get(symbol);
    if (terms === undefined)
      throw new Error(`invariant broken: the data directory names ${symbol}, which is not listed`);
    return terms;
  }
}

/** The balances that one record changed. */
class Touched {
  readonly #balances: Balances;
  readonly #assets = new Map<AccountNumber, Set<string>>();

  constructor(balances: Balances) {
    this.#balances = balances;
  }

  move(account: AccountNumber, asset: string, change: Amount): void {
    this.#balances.move(account, asset, change);
    this.#note(account, asset);
  }

  lock(account: AccountNumber, asset: string, change: Amount): void {
    if (change === 0n) return;
    this.#balances.lock(account, asset, change);
    this.#note(account, asset);
  }

  settle(): ReadonlyMap<AccountNumber, readonly SimBalance[]> {
    const changed = new Map<AccountNumber, readonly SimBalance[]>();
    for (const [account, assets] of this.#assets) {
      for (const asset of assets) this.#balances.settle(account, asset);
      changed.set(
        account,
        [...assets].map((asset) => this.#balances.balance(account, asset)),
      );
    }
    return changed;
  }

  #note(account: AccountNumber, asset: string): void {
    const assets = this.#assets.get(account);
    if (assets === undefined) this.#assets.set(account, new Set([asset]));
    else assets.add(asset);
  }
}

function ownerOf({ account, secret, passphrase }: KeyOwner): KeyOwner {
  return passphrase === undefined ? { account, secret } : { account, secret, passphrase };
}

function* parts<Item>(items: readonly Item[]): Generator<readonly Item[]> {
  for (let at = 0; at < items.length; at += HISTORY_PER_RECORD)
    yield items.slice(at, at + HISTORY_PER_RECORD);
}
