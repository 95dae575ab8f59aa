import { type Amount, type Millis, minus, plus, ZERO } from '@crossbook/domain';
import type { ContractKeeper, ContractMoney, ContractTransfer } from '../../accounts/state/member-state.ts';
import { OrderHistory } from '../../accounts/state/order-history.ts';
import { Timeline, type TimeRange } from '../../accounts/state/timeline.ts';
import type { AccountNumber } from '../../exchange.ts';
import type { ContractEntry, HeldPosition, KeptSetting } from '../../journal/contract-entries.ts';
import type { JournalRecord } from '../../journal/records.ts';
import type { ClosedPosition, PerpFill, PerpIncome, PerpOrder, SimPositionKey } from '../../perp-exchange.ts';
import { ClosingOrders } from './closing-orders.ts';
import { ConditionalStore } from './conditional-store.ts';
import { SettingStore } from './settings.ts';
import { FIRST_FUND } from './venue-habits.ts';

/** Entries kept per account; when a quarter more have gathered the oldest go. */
const KEPT_PER_ACCOUNT_MAX = 20_000;
const ENTRIES_PER_RECORD = 100;

/** A position's key as text: the account is known where it is used. */
export function keyText({ symbol, side, marginMode }: Omit<SimPositionKey, 'account'>): string {
  return `${symbol} ${side} ${marginMode}`;
}

function sideKey({ account, symbol, positionSide }: PerpFill): string {
  return `${account} ${symbol} ${positionSide}`;
}

/** Everything that belongs to members' contracts besides their wallets. It changes only by `apply`. */
export class ContractState implements ContractKeeper {
  readonly history = new OrderHistory<PerpOrder, PerpFill>();
  readonly closers = new ClosingOrders();
  readonly settings = new SettingStore();
  readonly conditionals = new ConditionalStore();
  readonly #held = new Map<AccountNumber, Map<string, HeldPosition>>();
  readonly #income = new Map<AccountNumber, PerpIncome[]>();
  readonly #incomeTimes = new Map<AccountNumber, Timeline<PerpIncome>>();
  readonly #closed = new Map<AccountNumber, ClosedPosition[]>();
  /** Lots that fills have made of a position since this state began, and how many those were after each fill. */
  readonly #traded = new Map<string, number>();
  readonly #tradedAfter = new WeakMap<PerpFill, number>();
  readonly #changedAt = new Map<AccountNumber, Millis>();
  /** Accounts whose wallet was below 0 when it moved last. */
  readonly #overdrawn = new Set<AccountNumber>();
  #fund = FIRST_FUND;
  #settledTo = 0 as Millis;
  #fillSequence = 0;
  #incomeSequence = 0;
  #positionId = 0;
  /** What of a wallet that serves spot too is in use; the figures are worked out elsewhere. */
  inUse: (account: AccountNumber) => Amount = () => ZERO;

  get fund(): Amount {
    return this.#fund;
  }

  /** Funding and liquidations are worked out up to here. */
  get settledTo(): Millis {
    return this.#settledTo;
  }

  get nextFill(): number {
    return this.#fillSequence + 1;
  }

  get nextIncome(): number {
    return this.#incomeSequence + 1;
  }

  get nextPosition(): number {
    return this.#positionId + 1;
  }

  position(key: SimPositionKey): HeldPosition | undefined {
    return this.#held.get(key.account)?.get(keyText(key));
  }

  /** In the order they were opened. */
  positionsOf(account: AccountNumber, symbol?: string): HeldPosition[] {
    const held = [...(this.#held.get(account)?.values() ?? [])];
    return symbol === undefined ? held : held.filter((position) => position.symbol === symbol);
  }

  /** Everybody's positions, of one contract or of all. */
  allPositions(symbol?: string): HeldPosition[] {
    return [...this.#held.keys()].flatMap((account) => this.positionsOf(account, symbol));
  }

  /** Accounts that are looked at for liquidation, ascending: who holds something, and who owes something. */
  atRisk(): AccountNumber[] {
    const holders = this.allPositions().map(({ account }) => account);
    return [...new Set([...holders, ...this.#overdrawn])].sort((a, b) => a - b);
  }

  /** Whether anybody owes anything. */
  get anyOverdrawn(): boolean {
    return this.#overdrawn.size > 0;
  }

  /** Whether anybody holds anything. */
  get anyHeld(): boolean {
    for (const held of this.#held.values()) if (held.size > 0) return true;
    return false;
  }

  incomeOf(account: AccountNumber): readonly PerpIncome[] {
    return this.#income.get(account) ?? [];
  }

  /** Those within some times, oldest first. */
  incomeWithin(account: AccountNumber, range: TimeRange): readonly PerpIncome[] {
    return this.#incomeTimes.get(account)?.within(range) ?? [];
  }

  /** Lots of a side after one of its fills, in whichever margin mode they stand: a mode may have changed since. */
  lotsAfter(fill: PerpFill): number {
    const { account, symbol, positionSide } = fill;
    const traded = this.#traded.get(sideKey(fill)) ?? 0;
    const since = traded - (this.#tradedAfter.get(fill) ?? traded);
    const held = this.positionsOf(account, symbol).filter(({ side }) => side === positionSide);
    return held.reduce((sum, { quantity }) => sum + quantity, 0) - since;
  }

  closedOf(account: AccountNumber): readonly ClosedPosition[] {
    return this.#closed.get(account) ?? [];
  }

  changedAt(account: AccountNumber): Millis {
    return this.#changedAt.get(account) ?? (0 as Millis);
  }

  apply(entry: ContractEntry, money: ContractMoney | undefined): void {
    switch (entry.put) {
      case 'order':
        this.history.put(entry.order);
        this.closers.put(entry.order);
        break;
      case 'fill':
        this.history.putFill(entry.fill);
        this.#trade(entry.fill);
        this.#fillSequence = Math.max(this.#fillSequence, entry.fill.sequence);
        break;
      case 'position':
        this.#hold(entry.position);
        break;
      case 'income':
        this.#earn(entry.income);
        if (entry.income.kind !== 'TRANSFER') money?.move(entry.income.account, entry.income.amount);
        break;
      case 'closed':
        if (this.closedOf(entry.closed.account).at(-1)?.positionId === entry.closed.positionId)
          this.#closed.get(entry.closed.account)?.pop();
        keep(this.#closed, entry.closed.account, entry.closed);
        this.#positionId = Math.max(this.#positionId, entry.closed.positionId);
        break;
      case 'setting':
        this.settings.put(entry.setting);
        break;
      case 'conditional':
        this.conditionals.put(entry.order);
        break;
      case 'fund':
        this.#fund = plus(this.#fund, entry.amount);
        money?.fund(entry.amount);
        break;
      case 'settled':
        this.#settledTo = Math.max(this.#settledTo, entry.time) as Millis;
        break;
    }
  }

  transferred({ account, amount, walletAfter, time }: ContractTransfer): void {
    const sequence = this.nextIncome;
    this.#earn({ sequence, account, kind: 'TRANSFER', amount, walletAfter, time });
  }

  records(): JournalRecord[] {
    const entries: ContractEntry[] = [
      { put: 'fund', amount: minus(this.#fund, FIRST_FUND) },
      { put: 'settled', time: this.#settledTo },
      ...this.settings.all().map((setting: KeptSetting): ContractEntry => ({ put: 'setting', setting })),
      ...this.allPositions().map((position): ContractEntry => ({ put: 'position', position })),
    ];
    for (const { orders, fills } of this.history.everything()) {
      for (const order of orders) entries.push({ put: 'order', order });
      for (const fill of fills) entries.push({ put: 'fill', fill });
    }
    for (const incomes of this.#income.values())
      for (const income of incomes) entries.push({ put: 'income', income });
    for (const positions of this.#closed.values())
      for (const closed of positions) entries.push({ put: 'closed', closed });
    for (const order of this.conditionals.everything()) entries.push({ put: 'conditional', order });
    const records: JournalRecord[] = [];
    for (let at = 0; at < entries.length; at += ENTRIES_PER_RECORD) {
      const part = entries.slice(at, at + ENTRIES_PER_RECORD);
      records.push({ kind: 'contracts', entries: part, snapshot: true });
    }
    return records;
  }

  #hold(position: HeldPosition): void {
    const { account } = position;
    const held = this.#held.get(account) ?? new Map<string, HeldPosition>();
    this.#held.set(account, held);
    if (position.quantity === 0) held.delete(keyText(position));
    else held.set(keyText(position), position);
    this.#positionId = Math.max(this.#positionId, position.positionId);
    this.#changed(account, position.updatedAt);
  }

  #trade(fill: PerpFill): void {
    const key = sideKey(fill);
    const traded = (this.#traded.get(key) ?? 0) + (fill.side === 'BUY' ? fill.quantity : -fill.quantity);
    this.#traded.set(key, traded);
    this.#tradedAfter.set(fill, traded);
  }

  #earn(income: PerpIncome): void {
    keep(this.#income, income.account, income);
    const times = this.#incomeTimes.get(income.account) ?? new Timeline<PerpIncome>();
    this.#incomeTimes.set(income.account, times);
    times.add(income);
    if (times.size > KEPT_PER_ACCOUNT_MAX * 1.25) times.forget(times.size - KEPT_PER_ACCOUNT_MAX);
    this.#incomeSequence = Math.max(this.#incomeSequence, income.sequence);
    this.#changed(income.account, income.time);
    if (income.walletAfter < 0n) this.#overdrawn.add(income.account);
    else this.#overdrawn.delete(income.account);
  }

  /** A snapshot tells positions before what was earned earlier. */
  #changed(account: AccountNumber, time: Millis): void {
    this.#changedAt.set(account, Math.max(time, this.changedAt(account)) as Millis);
  }
}

function keep<Item>(shelves: Map<AccountNumber, Item[]>, account: AccountNumber, item: Item): void {
  const shelf = shelves.get(account) ?? [];
  shelves.set(account, shelf);
  shelf.push(item);
  if (shelf.length > KEPT_PER_ACCOUNT_MAX * 1.25) shelf.splice(0, shelf.length - KEPT_PER_ACCOUNT_MAX);
}
