import type { Millis } from '@crossbook/domain';
import type { AccountNumber, SimBalance, SimTrade } from '../exchange.ts';
import type { Acknowledge } from '../journal/journal.ts';
import type { JournalRecord } from '../journal/records.ts';
import type { MatchingEngine } from '../matching/engine.ts';
import type { Listeners } from './listeners.ts';
import type { Keeper } from './state/keeper.ts';
import type { MemberState } from './state/member-state.ts';
import type { TradingStep } from './trading-step.ts';

/** Who hears of trades besides the listeners: the tape. */
export type Tape = (trade: SimTrade) => void;

/**
 * The order in which a step becomes known: members' state and journal first, then at once the public book and tape, and
 * the members' own events and acknowledgement only when the journal is on disk.
 */
export class StepPublisher {
  readonly state: MemberState;
  readonly now: () => Millis;
  readonly #keeper: Keeper;
  readonly #listeners: Listeners;
  readonly #tape: Tape;

  constructor(parts: {
    readonly state: MemberState;
    readonly now: () => Millis;
    readonly keeper: Keeper;
    readonly listeners: Listeners;
    readonly tape: Tape;
  }) {
    this.state = parts.state;
    this.now = parts.now;
    this.#keeper = parts.keeper;
    this.#listeners = parts.listeners;
    this.#tape = parts.tape;
  }

  /** Applies a record and keeps it. `acknowledge` runs when it is on disk, with the balances it changed. */
  keep(
    record: JournalRecord,
    acknowledge: (
      failure: Error | undefined,
      changed: ReadonlyMap<AccountNumber, readonly SimBalance[]>,
    ) => void,
  ): void {
    this.keepApplied(record, this.state.apply(record), acknowledge);
  }

  /** The same for a record that is applied already. */
  keepApplied(
    record: JournalRecord,
    changed: ReadonlyMap<AccountNumber, readonly SimBalance[]>,
    acknowledge: (
      failure: Error | undefined,
      changed: ReadonlyMap<AccountNumber, readonly SimBalance[]>,
    ) => void,
  ): void {
    this.#keeper.journal.append(record, (failure) => {
      if (failure !== undefined) this.#keeper.failed(failure);
      acknowledge(failure, changed);
    });
    this.#keeper.snapshotIfDue();
  }

  /** Ends a step of matching. */
  finish(
    engine: MatchingEngine,
    step: TradingStep,
    trades: readonly SimTrade[],
    acknowledge: Acknowledge,
  ): void {
    if (step.concernsMembers) {
      const { listEvents } = step;
      this.keep(step.record, (failure, changed) => {
        if (failure === undefined) this.#tellMembers({ events: step.events, listEvents }, changed);
        acknowledge(failure);
      });
    }
    this.publish(engine, trades);
  }

  /** Tells everybody of trades, and of the levels that changed. */
  publish(engine: MatchingEngine, trades: readonly SimTrade[]): void {
    for (const trade of trades) {
      this.#tape(trade);
      this.#listeners.trade(trade);
    }
    this.publishBook(engine);
  }

  /** Tells of the levels that changed, if anybody wants to know. */
  publishBook(engine: MatchingEngine): void {
    if (!this.#listeners.wantBookChanges) return;
    const change = engine.drainChanges(this.now());
    if (change !== undefined) this.#listeners.bookChange(change);
  }

  #tellMembers(
    step: Pick<TradingStep, 'events' | 'listEvents'>,
    changed: ReadonlyMap<AccountNumber, readonly SimBalance[]>,
  ): void {
    for (const event of step.events) this.#listeners.order(event);
    for (const event of step.listEvents) this.#listeners.orderList(event);
    for (const [account, balances] of changed) this.#listeners.balances(account, balances);
  }
}
