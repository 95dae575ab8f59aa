import type { AccountNumber } from '../../../exchange.ts';
import type { PerpConditionalEvent } from '../../../perp-conditionals.ts';
import type {
  PerpAccountEvent,
  PerpListener,
  PerpOrder,
  PerpOrderEvent,
  PerpPosition,
} from '../../../perp-exchange.ts';
import type { Desk } from '../endpoint.ts';
import { isFunding } from '../perps/order-queries.ts';
import {
  contractExecutionRow,
  fastContractExecution,
  fundingExecutionRow,
  streamedConditional,
  streamedContractOrder,
} from '../perps/order-shapes.ts';
import { type PositionStatus, positionRow, sidesOf } from '../perps/positions.ts';
import type { WalletUpdates } from './wallet-updates.ts';

const CATEGORY = { category: 'linear' } as const;
const POSITION = { kind: 'position', ...CATEGORY } as const;
/** Changes that a fill made: they are reported behind its order and its execution. */
const OF_FILLS: ReadonlySet<PerpAccountEvent['cause']> = new Set(['ORDER', 'LIQUIDATION', 'ADL']);
/** Changes of positions that no order made. */
const OF_POSITIONS: ReadonlySet<PerpAccountEvent['cause']> = new Set([
  ...(['LEVERAGE', 'MARGIN_MODE', 'MARGIN_MOVED'] as const),
]);
/** Changes that money has no part in. */
const WITHOUT_MONEY: ReadonlySet<PerpAccountEvent['cause']> = new Set(['POSITION_MODE', 'MARGIN_CALL']);
/** While the venue closes a position by force, what is left of it says so. */
const STATUSES: Partial<Record<PerpAccountEvent['cause'], PositionStatus>> = {
  LIQUIDATING: 'Liq',
  LIQUIDATION: 'Liq',
  ADL: 'Adl',
};

/** What becomes of conditional orders that nobody is told of, or that is told of their children. */
const SILENT: ReadonlySet<PerpConditionalEvent['cause']> = new Set(['MOVED', 'TRIGGERED', 'FINISHED']);

/** Whether an order may rest: one that never does has no `New`. */
function mayRest({ kind, timeInForce, origin }: PerpOrder): boolean {
  return origin === 'MEMBER' && (kind === 'LIMIT_MAKER' || (kind === 'LIMIT' && timeInForce === 'GTC'));
}

/**
 * Puts what happens on accounts into the venue's rows and order: an order, its execution, its position, and the wallet
 * when all of the step is reported. A position is reported with every order that is made, changed or cancelled, moved or not.
 * The core tells the account of a fill before its order, so that the account's part waits for the order's.
 */
class ContractUpdates implements PerpListener {
  readonly #desk: Desk;
  readonly #wallets: WalletUpdates;
  readonly #waiting = new Map<AccountNumber, PerpAccountEvent>();

  constructor(desk: Desk, wallets: WalletUpdates) {
    this.#desk = desk;
    this.#wallets = wallets;
  }

  onPerpOrder({ cause, order, fill }: PerpOrderEvent): void {
    const desk = this.#desk;
    const { userStreams } = desk;
    const { account, symbol } = order;
    if (!userStreams.isHeard(account)) return;
    if (cause === 'NEW' && !mayRest(order)) return;
    if (order.origin !== 'DELISTING')
      userStreams.tell(account, { kind: 'order', ...CATEGORY }, () => [streamedContractOrder(desk, order)]);
    if (fill !== undefined) {
      userStreams.tell(account, { kind: 'execution', ...CATEGORY }, () => [
        { ...CATEGORY, ...contractExecutionRow(desk, fill, order) },
      ]);
      if (fill.origin === 'MEMBER')
        userStreams.tell(account, { kind: 'execution.fast', ...CATEGORY }, () => [
          fastContractExecution(desk, fill, order),
        ]);
      this.#tellWaiting(account, fill.sequence);
      return;
    }
    this.#tellPositions(account, symbol, { held: desk.venue.perps.positions(account, symbol) });
    this.#wallets.note(account, this.#margin(account));
  }

  /** What one that fired has become is told as an order; how far a trailing one has followed is not told. */
  onPerpConditional({ cause, order }: PerpConditionalEvent): void {
    const desk = this.#desk;
    const { account, symbol } = order.sends;
    if (SILENT.has(cause) || !desk.userStreams.isHeard(account)) return;
    desk.userStreams.tell(account, { kind: 'order', ...CATEGORY }, () => [streamedConditional(desk, order)]);
    if (cause !== 'TRIGGERING')
      this.#tellPositions(account, symbol, { held: desk.venue.perps.positions(account, symbol) });
  }

  onPerpAccount(event: PerpAccountEvent): void {
    const { account, cause, income } = event;
    const desk = this.#desk;
    if (!desk.userStreams.isHeard(account)) return;
    this.#tellWaiting(account);
    if (OF_FILLS.has(cause)) {
      this.#waiting.set(account, event);
      // All of one step is reported at once: what no order followed is reported when the step has been.
      queueMicrotask(() => this.#tellWaiting(account));
      return;
    }
    for (const entry of income.filter(isFunding))
      desk.userStreams.tell(account, { kind: 'execution', ...CATEGORY }, () => [
        { ...CATEGORY, ...fundingExecutionRow(desk, entry) },
      ]);
    if (OF_POSITIONS.has(cause) || cause === 'LIQUIDATING') this.#tellEvent(event);
    if (!WITHOUT_MONEY.has(cause)) this.#wallets.note(account, this.#margin(account), event.pool);
  }

  #tellWaiting(account: AccountNumber, sequence?: number): void {
    const event = this.#waiting.get(account);
    if (event === undefined) return;
    this.#waiting.delete(account);
    this.#tellEvent(event, sequence);
    this.#wallets.note(account, this.#margin(account), event.pool);
  }

  #tellEvent(event: PerpAccountEvent, sequence?: number): void {
    const { account, positions, closed, setting, cause } = event;
    const named = setting === undefined ? [] : [setting];
    const symbols = new Set([...positions, ...closed, ...named].map(({ symbol }) => symbol));
    const status = STATUSES[cause];
    const reported = {
      held: positions,
      ...(status === undefined ? {} : { status }),
      ...(sequence === undefined ? {} : { sequence }),
    };
    for (const symbol of symbols) this.#tellPositions(account, symbol, reported);
  }

  /** One message for each side that is held or, by the account's mode, could be. */
  #tellPositions(
    account: AccountNumber,
    symbol: string,
    reported: {
      readonly held: readonly PerpPosition[];
      readonly status?: PositionStatus;
      readonly sequence?: number;
    },
  ): void {
    const desk = this.#desk;
    desk.userStreams.tell(account, POSITION, () =>
      sidesOf(desk, account, symbol).map((side) => {
        const held = reported.held.find((position) => position.symbol === symbol && position.side === side);
        const { status, sequence } = reported;
        const row = {
          ...{ account, symbol, side, held },
          ...(status === undefined || held === undefined ? {} : { status }),
          ...(sequence === undefined ? {} : { sequence }),
        };
        return { ...CATEGORY, ...positionRow(desk, row, 'entryPrice') };
      }),
    );
  }

  /** The coin behind contracts, as it stands. */
  #margin(account: AccountNumber) {
    return this.#desk.venue.spot.balances(account).filter(({ asset }) => asset === 'USDT');
  }
}

/** Tells those who listen to an account what happens to its contracts. */
export function contractUpdates(desk: Desk, wallets: WalletUpdates): PerpListener {
  const updates = new ContractUpdates(desk, wallets);
  return {
    onPerpOrder: (event) => updates.onPerpOrder(event),
    onPerpConditional: (event) => updates.onPerpConditional(event),
    onPerpAccount: (event) => updates.onPerpAccount(event),
  };
}
