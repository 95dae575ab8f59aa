import type { Amount, Lots } from '@crossbook/domain';
import type { HeldPosition } from '../journal/contract-entries.ts';
import type { ContractDesk, DeskTools, TakenOrder } from './state/contract-desk.ts';
import type { ContractStep } from './state/contract-step.ts';

/** What must find another side when the fund cannot be it. */
export interface Uncovered {
  readonly tools: DeskTools;
  /** The direction of those who give up positions: against the one that was liquidated. */
  readonly long: boolean;
  readonly lots: number;
  readonly price: Amount;
}

/**
 * Closes positions of the other direction at a price, those first that have won most with the highest leverage, without a
 * fee. What nobody holds is the house's.
 */
export function deleverage(step: ContractStep, desk: ContractDesk, uncovered: Uncovered): void {
  const { tools, long, price } = uncovered;
  let left = uncovered.lots;
  for (const held of tools.stats.adlQueue(desk.facts.symbol, long)) {
    if (left === 0) break;
    const lots = Math.min(left, Math.abs(held.quantity));
    const order = desk.note(step, orderOf(held, lots, tools, step));
    desk.fillOutside(step, order, { lots, price, origin: 'ADL' });
    left -= lots;
  }
  desk.tidy(step);
}

function orderOf(held: HeldPosition, lots: number, tools: DeskTools, step: ContractStep): TakenOrder {
  const { account, symbol, side, marginMode } = held;
  const long = held.quantity > 0;
  return {
    ...{ account, symbol, positionSide: side, marginMode, reduceOnly: true, origin: 'ADL' },
    ...{ side: long ? 'SELL' : 'BUY', kind: 'MARKET', timeInForce: 'IOC', selfTradePrevention: 'NONE' },
    quantity: lots as Lots,
    clientId: `adl_autoclose-${step.time}${tools.contracts.nextFill}`,
    leverage: tools.stats.leverage(account, held, long),
  };
}
