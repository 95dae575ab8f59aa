import type { AccountNumber } from '../../../../exchange.ts';
import type { PerpConditionalEvent } from '../../../../perp-conditionals.ts';
import type { PerpAccountEvent, PerpListener, PerpOrderEvent } from '../../../../perp-exchange.ts';
import type { UserStreams } from '../../user-stream.ts';
import type { FuturesDesk } from '../desk.ts';
import { type AlgoShapeDesk, algoUpdate } from '../orders/algo-shapes.ts';
import { accountEvent, type RowMode } from './account-events.ts';
import { orderTradeUpdate, tradeLite } from './order-events.ts';

/** Changes that a fill made: its report belongs to them. */
const OF_FILLS: ReadonlySet<PerpAccountEvent['cause']> = new Set(['ORDER', 'LIQUIDATION', 'ADL']);

/** What the events of accounts are told with. */
export type EventDesk = AlgoShapeDesk &
  Pick<FuturesDesk, 'userStreams'> & {
    readonly perps: Pick<FuturesDesk['perps'], 'now' | 'setting'>;
  };

/**
 * Puts what happens on accounts into the venue's words and order. Of one fill: TRADE_LITE, then ACCOUNT_UPDATE before
 * the ORDER_TRADE_UPDATE of the same instant; a fill by which the venue closes a position is told before the account.
 * The core tells the account of a fill before its order, so the account's part waits for the order's.
 */
class UserEvents implements PerpListener {
  readonly #desk: EventDesk;
  readonly #streams: UserStreams;
  readonly #waiting = new Map<AccountNumber, PerpAccountEvent>();

  constructor(desk: EventDesk) {
    this.#desk = desk;
    this.#streams = desk.userStreams;
  }

  onPerpOrder(event: PerpOrderEvent): void {
    const { order, fill } = event;
    const { account } = order;
    if (!this.#streams.isHeard(account)) return;
    const now = this.#desk.perps.now();
    const tellOrder = () => this.#streams.tell(account, orderTradeUpdate(this.#desk, event, now));
    if (fill === undefined || order.origin === 'MEMBER') {
      if (fill !== undefined) this.#streams.tell(account, tradeLite(this.#desk, order, fill, now));
      this.#tellWaiting(account);
      tellOrder();
    } else {
      tellOrder();
      this.#tellWaiting(account);
    }
  }

  onPerpConditional({ cause, order }: PerpConditionalEvent): void {
    const account = order.sends.account;
    // How far a trailing one has followed is not told.
    if (cause === 'MOVED' || !this.#streams.isHeard(account)) return;
    this.#tellWaiting(account);
    this.#streams.tell(account, algoUpdate(this.#desk, order, this.#desk.perps.now()));
  }

  onPerpAccount(event: PerpAccountEvent): void {
    const { account } = event;
    if (!this.#streams.isHeard(account)) return;
    this.#tellWaiting(account);
    this.#waiting.set(account, event);
    if (!OF_FILLS.has(event.cause)) this.#tellWaiting(account);
    // All of one step is told at once: what no order followed is told when the step has been.
    else queueMicrotask(() => this.#tellWaiting(account));
  }

  #tellWaiting(account: AccountNumber): void {
    const event = this.#waiting.get(account);
    if (event === undefined) return;
    this.#waiting.delete(account);
    const modeOf: RowMode = (symbol) => {
      const { positionMode, marginMode } = this.#desk.perps.setting(account, symbol);
      return { hedged: positionMode === 'HEDGE', marginMode };
    };
    const shaped = accountEvent(this.#desk, event, { now: this.#desk.perps.now(), modeOf });
    if (shaped !== undefined) this.#streams.tell(account, shaped);
  }
}

/** Tells those who listen to an account what happens to its contracts. */
export function futuresUserEvents(desk: EventDesk): PerpListener {
  const events = new UserEvents(desk);
  return {
    onPerpOrder: (event) => events.onPerpOrder(event),
    onPerpConditional: (event) => events.onPerpConditional(event),
    onPerpAccount: (event) => events.onPerpAccount(event),
  };
}
