import { type Amount, lesser, minus, plus, ZERO } from '@crossbook/domain';
import type { AccountNumber } from '../exchange.ts';
import type { SimMarginMode, SimPositionSide } from '../perp-exchange.ts';
import type { LeverageAsked, LeverageTrial } from '../perp-settings.ts';
import { greater } from './margin/rounding.ts';
import type { AccountView, OrderView, PositionView } from './margin/rules.ts';
import type { ContractDesk, DeskTools } from './state/contract-desk.ts';
import { settingOf } from './state/settings.ts';

/** An account's view in which a contract has another leverage. */
interface Tried {
  readonly account: AccountView;
  readonly marginMode: SimMarginMode;
  readonly leverage: number;
}

/** What an account would need and could do, were a leverage another one. Nothing changes. */
export function leverageTrial(
  tools: DeskTools,
  desk: ContractDesk,
  account: AccountNumber,
  asked: LeverageAsked,
): LeverageTrial {
  const { contracts, habits, rules } = tools;
  const { symbol } = desk.facts;
  const { marginMode, positionMode } = settingOf(contracts.settings, habits, account, {
    symbol,
    ...(asked.marginMode === undefined ? {} : { marginMode: asked.marginMode }),
  });
  const { side, leverage } = asked;
  const concerned = (view: PositionView | OrderView): boolean => {
    const own = 'positionSide' in view ? view.positionSide : view.side;
    return (
      view.contract.symbol === symbol && view.marginMode === marginMode && (side === 'BOTH' || side === own)
    );
  };
  const changed = <View extends PositionView | OrderView>(view: View): View =>
    concerned(view) ? { ...view, leverage } : view;
  const before = tools.stats.account(account);
  const after = { ...before, positions: before.positions.map(changed), orders: before.orders.map(changed) };
  const held = after.positions.filter(concerned);
  const [first] = held;
  const tried = { account: after, marginMode, leverage };
  const legOf = (leg: 'LONG' | 'SHORT'): SimPositionSide => (positionMode === 'HEDGE' ? leg : 'BOTH');
  return {
    margin: sum(held, (position) =>
      marginMode === 'ISOLATED' ? rules.marginToKeep(position) : rules.positionInitial(position),
    ),
    liquidationPrice: first && rules.shownLiquidationPrice(first, after),
    withdrawable: rules.pool(after).withdrawable,
    spare: sum(held, (position) => {
      const worth = plus(position.isolatedWallet, lesser(rules.unrealisedPnl(position), ZERO));
      return greater(ZERO, minus(worth, rules.marginToKeep(position)));
    }),
    buyLots: largestLots(tools, desk, tried, { side: 'BUY', positionSide: legOf('LONG') }),
    sellLots: largestLots(tools, desk, tried, { side: 'SELL', positionSide: legOf('SHORT') }),
  };
}

function sum(positions: readonly PositionView[], part: (position: PositionView) => Amount): Amount {
  return positions.reduce((all, position) => plus(all, part(position)), ZERO);
}

/** The largest order at market that tier and margin allow. */
function largestLots(
  { rules, stats }: DeskTools,
  { facts }: ContractDesk,
  { account, marginMode, leverage }: Tried,
  way: Pick<OrderView, 'side' | 'positionSide'>,
): number {
  const contract = stats.contract(facts.symbol);
  const fits = (lots: number): boolean => {
    const order: OrderView = { contract, ...way, marginMode, lots, reduceOnly: false, leverage };
    return rules.fitsTier(order, account) && rules.cost(order, account) <= rules.available(account);
  };
  let taken = 0;
  let refused = Number(facts.maxMarketQty / facts.lotSize) + 1;
  while (refused - taken > 1) {
    const middle = Math.floor((taken + refused) / 2);
    if (fits(middle)) taken = middle;
    else refused = middle;
  }
  return taken;
}
