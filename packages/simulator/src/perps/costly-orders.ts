import { type Amount, minus, plus } from '@crossbook/domain';
import type { AccountNumber } from '../exchange.ts';
import type { PerpOrder, PerpOrderEnd } from '../perp-exchange.ts';
import { openLots } from './state/account-stats.ts';
import type { ContractDesk, DeskTools } from './state/contract-desk.ts';
import { ContractStep } from './state/contract-step.ts';

/**
 * Cancels an account's orders that cost margin once what they leave of its equity is less than its cross positions need:
 * those of contracts first, then, where that is not enough, those of pairs that lock the same wallet. Positions stay.
 * What only closes costs nothing and stays too.
 */
export function cancelCostly(
  account: AccountNumber,
  reason: Extract<PerpOrderEnd, 'MARGIN' | 'FUNDING'>,
  parts: { readonly tools: DeskTools; readonly desk: (symbol: string) => ContractDesk },
): void {
  const { tools, desk } = parts;
  if (!isShort(account, tools)) return;
  const costly = costlyOf(account, tools);
  if (costly.length > 0) {
    const step = new ContractStep(tools);
    for (const order of costly)
      desk(order.symbol).cancel(step, order, { status: 'CANCELED', cause: 'CANCELED', reason });
    tools.finish(step, () => undefined);
    for (const symbol of new Set(costly.map((order) => order.symbol)))
      tools.publisher.publish(desk(symbol).engine, []);
  }
  if (isShort(account, tools)) tools.freeSpot(account);
}

/** Whether orders take what cross positions need. */
function isShort(account: AccountNumber, { rules, stats }: DeskTools): boolean {
  const view = stats.account(account);
  const { equity, orderInitial, crossRequirement } = rules.pool(view);
  const taken: Amount = plus(orderInitial, view.spotLocked);
  return crossRequirement > 0n && taken > 0n && minus(equity, taken) < crossRequirement;
}

/** Open orders that do not only close, oldest first: a position is closed by the oldest of those against it. */
function costlyOf(account: AccountNumber, { contracts }: DeskTools): PerpOrder[] {
  const closable = new Map<string, number>();
  return contracts.history.open(account).filter((order) => {
    const { symbol, side, positionSide, marginMode, reduceOnly } = order;
    if (reduceOnly) return false;
    if (positionSide !== 'BOTH') return (positionSide === 'LONG') === (side === 'BUY');
    const held = contracts.position({ account, symbol, side: positionSide, marginMode })?.quantity ?? 0;
    const against = held > 0 === (side === 'SELL') ? Math.abs(held) : 0;
    const name = `${symbol} ${marginMode} ${side}`;
    const left = (closable.get(name) ?? against) - openLots(order);
    if (left < 0) return true;
    closable.set(name, left);
    return false;
  });
}
