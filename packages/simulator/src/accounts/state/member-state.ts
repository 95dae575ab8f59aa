import { type Amount, minus, ZERO } from '@crossbook/domain';
import type { AccountNumber, KeyOwner, SimBalance, SimFill, SimOrder, SimPocket } from '../../exchange.ts';
import type { ContractEntry } from '../../journal/contract-entries.ts';
import type { JournalRecord, StepRecord, TransferRecord } from '../../journal/records.ts';
import type { SimOrderList } from '../../order-list-port.ts';
import { Balances, HOUSE } from './balances.ts';
import type { Kept } from './keeper.ts';
import { OrderHistory } from './order-history.ts';
import { listsOf } from './order-lists.ts';
import { moneyOfFill, netOf, reservationOf, type Terms } from './terms.ts';

const HISTORY_PER_RECORD = 100;
/** 2024-01-01: ids of lists stay small for long. */
const FIRST_LIST_IDS_SINCE = Date.UTC(2024, 0, 1);
/** What contracts are paid in. */
const MARGIN_ASSET = 'USDT';

/** What contracts do to the money of accounts; the house takes the other side. */
export interface ContractMoney {
  move(account: AccountNumber, amount: Amount): void;
  /** The insurance fund gained this much from the house. */
  fund(amount: Amount): void;
}

/** Money that came into a wallet of contracts, or left it, by a transfer. */
export interface ContractTransfer {
  readonly account: AccountNumber;
  readonly amount: Amount;
  readonly walletAfter: Amount;
  readonly time: TransferRecord['time'];
}

/** The state of contracts, which lives in the same journal. */
export interface ContractKeeper {
  /** @param money absent where the entry's money is in the totals already. */
  apply(entry: ContractEntry, money: ContractMoney | undefined): void;
  transferred(transfer: ContractTransfer): void;
  records(): JournalRecord[];
  /** What of an account's free funds in its wallet of contracts stands behind positions and orders. */
  inUse(account: AccountNumber): Amount;
}

/**
 * Everything that belongs to members. It changes only by `apply`, with the same records while running and while
 * recovering, so that a recovered state cannot differ from the one that was lost.
 */
export class MemberState implements Kept {
  readonly balances: Balances;
  /** Wallets of contracts; the same as `balances` where one wallet serves both. */
  readonly futures: Balances;
  readonly history = new OrderHistory();
  #contracts: ContractKeeper | undefined;
  readonly #terms: ReadonlyMap<string, Terms>;
  readonly #labels = new Map<string, AccountNumber>();
  readonly #keys = new Map<string, KeyOwner>();
  readonly #credits = new Set<string>();
  readonly #transfers = new Map<string, TransferRecord>();
  #lastListId = 0;

  /** @param wallet whether contracts have a wallet of their own; absent: there are none. */
  constructor(terms: ReadonlyMap<string, Terms>, wallet?: 'APART' | 'SHARED') {
    this.#terms = terms;
    this.balances = wallet === 'SHARED' ? new Balances(MARGIN_ASSET) : new Balances();
    this.futures = wallet === 'APART' ? new Balances(MARGIN_ASSET) : this.balances;
  }

  /** Takes the state of contracts in, before the first record. */
  join(contracts: ContractKeeper): void {
    this.#contracts = contracts;
  }

  /** What an account may spend of an asset: neither locked by an order nor behind a position. */
  spendable(account: AccountNumber, asset: string, pocket: SimPocket = 'SPOT'): Amount {
    const wallet = pocket === 'FUTURES' ? this.futures : this.balances;
    const free = wallet.free(account, asset);
    if (this.#contracts === undefined || wallet !== this.futures || asset !== MARGIN_ASSET) return free;
    const left = minus(free, this.#contracts.inUse(account));
    return left < 0n ? ZERO : left;
  }

  /** Begins a step of contracts: its entries are applied one by one, and `end` tells which balances changed. */
  contractStep(): {
    apply(entry: ContractEntry): void;
    end(): ReadonlyMap<AccountNumber, readonly SimBalance[]>;
  } {
    const touched = new Touched(this.futures);
    const money = this.#moneyOf(touched);
    return {
      apply: (entry) => this.#contracts?.apply(entry, money),
      end: () => {
        const changed = touched.settle();
        return this.futures === this.balances ? changed : new Map();
      },
    };
  }

  /** The number the next account gets; 0 is the house. */
  get nextAccount(): AccountNumber {
    return (this.#labels.size + 1) as AccountNumber;
  }

  get nextTransferSequence(): number {
    return this.#transfers.size + 1;
  }

  /** An id for a new list. @param now keeps it above those of lists that nobody remembers. */
  nextListId(now: number): number {
    return Math.max(this.#lastListId + 1, now - FIRST_LIST_IDS_SINCE);
  }

  /** An account's lists of which an order is open. */
  openLists(account: AccountNumber): SimOrderList[] {
    return listsOf(this.history.open(account));
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
        if (this.futures === this.balances) this.#tellContracts(record, record.asset);
        break;
      case 'transfer':
        this.#transfers.set(record.transferId, record);
        this.#moveFunds(record, touched);
        break;
      case 'step':
        this.#applyStep(record, touched);
        break;
      case 'contracts':
        this.#applyContracts(record, touched);
        break;
      case 'total':
        this.#walletOf(record.pocket).move(record.account, record.asset, record.total);
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
    if (this.futures !== this.balances) {
      for (const held of this.futures.totals()) records.push({ kind: 'total', ...held, pocket: 'FUTURES' });
    }
    records.push(...(this.#contracts?.records() ?? []));
    for (const { orders, fills } of this.history.everything()) {
      for (const part of parts([...orders])) records.push({ kind: 'history', orders: part, fills: [] });
      for (const part of parts(fills)) records.push({ kind: 'history', orders: [], fills: part });
    }
    for (const creditId of this.#credits) records.push({ kind: 'credited', creditId });
    for (const transfer of this.#transfers.values()) records.push({ kind: 'transferred', transfer });
    return records;
  }

  #walletOf(pocket: SimPocket | undefined): Balances {
    return pocket === 'FUTURES' ? this.futures : this.balances;
  }

  #moneyOf(touched: Touched): ContractMoney {
    return {
      move: (account, amount) => {
        touched.move(account, MARGIN_ASSET, amount);
        this.futures.move(HOUSE, MARGIN_ASSET, minus(ZERO, amount));
      },
      fund: (amount) => this.futures.move(HOUSE, MARGIN_ASSET, minus(ZERO, amount)),
    };
  }

  #applyContracts(record: Extract<JournalRecord, { kind: 'contracts' }>, touched: Touched): void {
    const contracts = this.#contracts;
    if (contracts === undefined) return;
    const apart = this.futures === this.balances ? touched : new Touched(this.futures);
    const money = record.snapshot === true ? undefined : this.#moneyOf(apart);
    for (const entry of record.entries) contracts.apply(entry, money);
    if (apart !== touched) apart.settle();
  }

  #moveFunds(move: TransferRecord, touched: Touched): void {
    const out = { account: move.from, amount: minus(ZERO, move.amount), pocket: move.fromPocket };
    const into = { account: move.to, amount: move.amount, pocket: move.toPocket };
    for (const { account, amount, pocket } of [out, into]) {
      const wallet = this.#walletOf(pocket);
      const part = wallet === this.balances ? touched : new Touched(wallet);
      part.move(account, move.asset, amount);
      if (part !== touched) part.settle();
      if (wallet === this.futures) this.#tellContracts({ account, amount, time: move.time }, move.asset);
    }
  }

  #tellContracts(move: Pick<ContractTransfer, 'account' | 'amount' | 'time'>, asset: string): void {
    if (asset !== MARGIN_ASSET || move.account === HOUSE) return;
    const { account, amount, time } = move;
    const walletAfter = this.futures.total(account, asset);
    this.#contracts?.transferred({ account, amount, time, walletAfter });
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
    this.#lastListId = Math.max(this.#lastListId, order.list?.listId ?? 0);
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

function ownerOf({ account, secret, passphrase, rights }: KeyOwner): KeyOwner {
  return {
    ...{ account, secret },
    ...(passphrase === undefined ? {} : { passphrase }),
    ...(rights === undefined ? {} : { rights }),
  };
}

function* parts<Item>(items: readonly Item[]): Generator<readonly Item[]> {
  for (let at = 0; at < items.length; at += HISTORY_PER_RECORD)
    yield items.slice(at, at + HISTORY_PER_RECORD);
}
