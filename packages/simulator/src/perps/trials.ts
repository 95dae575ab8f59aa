import { type Amount, lesser, minus, plus, ZERO } from '@crossbook/domain';
import type { AccountNumber } from '../exchange.ts';
import type {
  MarginNeed,
  NewPerpOrder,
  PerpTrials,
  SimMarginMode,
  SimPositionSide,
} from '../perp-exchange.ts';
import type { LeverageAsked, LeverageTrial } from '../perp-settings.ts';
import { greater } from './margin/rounding.ts';
import type { AccountView, MarginRules, OrderView, PositionView } from './margin/rules.ts';
import { bandEdges } from './order-checks.ts';
import type { ContractDesk, DeskTools } from './state/contract-desk.ts';
import { settingOf } from './state/settings.ts';

/** What would be, over the contracts of one venue. */
export function trialsOf(tools: DeskTools, deskOf: (symbol: string) => ContractDesk): PerpTrials {
  return {
    leverage: (account, symbol, asked) => leverageTrial(tools, deskOf(symbol), account, asked),
    edges: (symbol) => bandEdges(deskOf(symbol), tools.stats),
    order: (order) => orderTrial(tools, order),
  };
}

/** An account's view in which a contract has another leverage. */
interface Tried {
  readonly account: AccountView;
  readonly marginMode: SimMarginMode;
  readonly leverage: number;
}

/** What an account would need and could do, were a leverage another one. Nothing changes. */
function leverageTrial(
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

/** What an account would need, had an order filled at the mark. Nothing changes; whether it is allowed is not asked. */
function orderTrial(tools: DeskTools, order: NewPerpOrder): ReturnType<PerpTrials['order']> {
  const { stats, rules } = tools;
  const before = stats.account(order.account);
  const after = { ...before, positions: filled(tools, order, before.positions) };
  return { before: needOf(rules, before), after: needOf(rules, after) };
}

function needOf(rules: MarginRules, account: AccountView): MarginNeed {
  const { unrealisedPnl, positionInitial, orderInitial, maintenance } = rules.pool(account);
  return {
    equity: plus(account.wallet, unrealisedPnl),
    initial: plus(positionInitial, orderInitial),
    maintenance,
  };
}

/** The positions with the order's lots in theirs: grown, made smaller, turned, or one more. */
function filled(
  { stats, contracts, habits }: DeskTools,
  order: NewPerpOrder,
  positions: readonly PositionView[],
): readonly PositionView[] {
  const { account, symbol, side, positionSide, quantity } = order;
  const { marginMode } = settingOf(contracts.settings, habits, account, order);
  const isIts = (view: PositionView) =>
    view.contract.symbol === symbol && view.side === positionSide && view.marginMode === marginMode;
  const held = positions.find(isIts);
  const rest = positions.filter((view) => !isIts(view));
  const before = held?.lots ?? 0;
  const size = quantity === 'WHOLE' ? Math.abs(before) : quantity;
  const closable = Math.sign(before) === (side === 'BUY' ? -1 : 1) ? Math.abs(before) : 0;
  const moved = order.reduceOnly ? Math.min(size, closable) : size;
  const lots = before + (side === 'BUY' ? moved : -moved);
  if (lots === 0) return rest;
  const contract = stats.contract(symbol);
  const none: Amount = ZERO;
  return [
    ...rest,
    {
      ...{ contract, side: positionSide, marginMode, lots, isolatedWallet: held?.isolatedWallet ?? none },
      entryPrice: entryOf(held, lots, contract.mark),
      leverage: stats.leverage(account, { symbol, side: positionSide, marginMode }, lots > 0),
      ...{ realisedPnl: none, feesPaid: none, funding: none },
    },
  ];
}

/** Averaged only where the position grows; what has turned was opened at the mark. */
function entryOf(held: PositionView | undefined, lots: number, mark: Amount): Amount {
  if (held === undefined || Math.sign(held.lots) !== Math.sign(lots)) return mark;
  const [before, after] = [BigInt(Math.abs(held.lots)), BigInt(Math.abs(lots))];
  if (after <= before) return held.entryPrice;
  return ((held.entryPrice * before + mark * (after - before)) / after) as Amount;
}
