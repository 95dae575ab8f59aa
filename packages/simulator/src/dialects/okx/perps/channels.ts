import { formatAmount } from '@crossbook/domain';
import type { AccountNumber } from '../../../exchange.ts';
import type { PerpAccountEvent, PerpPosition, SimPositionKey } from '../../../perp-exchange.ts';
import type { ContractChange } from '../account-updates.ts';
import type { Desk } from '../desk.ts';
import { MARGIN_ASSET } from '../listing.ts';
import { briefRow, closedRow, positionRow, warningRow } from './position-rows.ts';
import { heldBy } from './positions.ts';

/** What the private channels say of contracts; the rows, without the channel around them. */

/** `eventType` of `balance_and_position` by cause. */
const EVENT_TYPES: Partial<Record<PerpAccountEvent['cause'], string>> = {
  ORDER: 'filled',
  FUNDING: 'funding_fee',
  LEVERAGE: 'set_leverage',
  MARGIN_MOVED: 'adjust_margin',
  LIQUIDATION: 'liquidation',
  INSURANCE: 'liquidation',
  ADL: 'adl',
};

/** Which positions somebody follows. */
export interface PositionFilter {
  readonly instType: string | undefined;
  readonly instFamily: string | undefined;
  readonly instId: string | undefined;
}

function follows(desk: Desk, filter: PositionFilter, symbol: string): boolean {
  const listed = desk.listing.find(symbol);
  const { instType, instFamily, instId } = filter;
  if (listed === undefined) return false;
  return (
    (instType === 'ANY' || instType === listed.instType) &&
    (instFamily === undefined || instFamily === listed.index) &&
    (instId === undefined || instId === listed.instId)
  );
}

function sameKey(one: SimPositionKey, other: SimPositionKey): boolean {
  return one.symbol === other.symbol && one.side === other.side && one.marginMode === other.marginMode;
}

/** A position that changes touched, and what is held of it now. */
interface Touched {
  readonly key: SimPositionKey;
  readonly position: PerpPosition | undefined;
  readonly time: number;
}

/** Every position that changes speak of, as the last of them left it. */
function touchedBy(events: readonly PerpAccountEvent[]): readonly Touched[] {
  const found: Touched[] = [];
  for (const { positions, closed, time } of events.toReversed()) {
    const flat = closed.filter((key) => !positions.some((position) => sameKey(position, key)));
    for (const key of [...positions, ...flat]) {
      if (found.some((one) => sameKey(one.key, key))) continue;
      const position = positions.find((one) => sameKey(one, key));
      found.push({ key, position, time });
    }
  }
  return found;
}

/** Rows of `positions` about what changed: those that are held, and once those that were closed. */
export function changedPositions(
  desk: Desk,
  filter: PositionFilter,
  changes: readonly ContractChange[],
): readonly object[] {
  const touched = touchedBy(changes.flatMap(({ events }) => events));
  return touched
    .filter(({ key }) => follows(desk, filter, key.symbol))
    .flatMap(({ key, position, time }) => {
      const listed = desk.listing.find(key.symbol);
      if (listed === undefined) return [];
      return [
        position === undefined ? closedRow(desk, listed, key, time) : positionRow(desk, listed, position),
      ];
    });
}

/** Rows of `positions` about all that is held. */
export function heldPositions(desk: Desk, filter: PositionFilter, account: AccountNumber): readonly object[] {
  return heldBy(desk, account)
    .filter(({ listed }) => follows(desk, filter, listed.instId))
    .map(({ listed, position }) => positionRow(desk, listed, position));
}

/** All that is held as `balance_and_position` says it at first. */
export function heldBriefly(desk: Desk, account: AccountNumber): readonly object[] {
  return heldBy(desk, account).map(({ listed, position }) =>
    briefRow(desk, listed, position, { position, time: position.updatedAt }),
  );
}

/** One row of `balance_and_position` about one cause; `undefined` where the channel does not speak of it. */
export function reasonRow(desk: Desk, change: ContractChange): object | undefined {
  const { cause, after, events, trades } = change;
  const eventType = EVENT_TYPES[cause];
  if (eventType === undefined) return undefined;
  const moved = events.some(({ income }) => income.length > 0);
  const balance = {
    ccy: MARGIN_ASSET,
    cashBal: formatAmount(after.pool.crossWallet),
    uTime: String(after.time),
  };
  return {
    pTime: String(desk.now()),
    eventType,
    balData: moved || cause === 'MARGIN_MOVED' || cause === 'ORDER' ? [balance] : [],
    posData: touchedBy(events).flatMap(({ key, ...held }) => {
      const listed = desk.listing.find(key.symbol);
      return listed === undefined ? [] : [briefRow(desk, listed, key, held)];
    }),
    trades: trades.map(({ symbol, tradeId }) => ({ instId: symbol, tradeId: String(tradeId) })),
  };
}

/** Rows of `liquidation-warning`. */
export function warningRows(desk: Desk, filter: PositionFilter, event: PerpAccountEvent): readonly object[] {
  return event.positions
    .filter(({ symbol }) => follows(desk, filter, symbol))
    .flatMap((position) => {
      const listed = desk.listing.find(position.symbol);
      return listed === undefined ? [] : [warningRow(listed, position, desk.now())];
    });
}
