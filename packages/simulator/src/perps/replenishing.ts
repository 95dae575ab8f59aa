import { type Amount, lesser, minus, plus } from '@crossbook/domain';
import type { HeldPosition } from '../journal/contract-entries.ts';
import { valueAt } from './margin/exposure.ts';
import { magnitude } from './margin/rounding.ts';
import type { DeskTools } from './state/contract-desk.ts';
import { ContractStep } from './state/contract-step.ts';

/** More than the highest leverage there is: so many initial margins are all of a position's value. */
const ADDITIONS_MAX = 200;

/**
 * Adds margin to an isolated position that would be liquidated, where its owner wants that: its initial margin each
 * time, or what is left in the account, and no more than its value at entry (leverage 1). Where nothing is left to add
 * it stays short. Source: Bybit help, "Auto-Margin Replenishment" (2023-12); that the margin of opening is added again
 * and again, not the grown one, is a choice.
 */
export function replenish(held: HeldPosition, tools: DeskTools): void {
  const { contracts, rules, stats } = tools;
  if (!contracts.settings.autoMargin(held)) return;
  for (let additions = 0; additions < ADDITIONS_MAX; additions += 1) {
    const now = contracts.position(held) ?? held;
    const view = stats.positionView(now);
    if (rules.ratio(view, stats.account(now.account)) < 1) return;
    const value = magnitude(valueAt(view.contract, now.quantity, now.entryPrice));
    const most = lesser(minus(value, now.isolatedWallet), stats.pool(now.account).available);
    const added: Amount = lesser(rules.marginToKeep(view), most);
    if (added <= 0n) return;
    const step = new ContractStep(tools);
    const isolatedWallet = plus(now.isolatedWallet, added);
    step.put({ put: 'position', position: { ...now, isolatedWallet, updatedAt: step.time } });
    step.tellAccount(now.account, { cause: 'MARGIN_MOVED', symbol: now.symbol });
    tools.finish(step, () => undefined);
  }
}
