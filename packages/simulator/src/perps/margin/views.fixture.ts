import { amount } from '@crossbook/domain';
import type { PerpTier } from '../../perp-exchange.ts';
import type { AccountView, ContractView, OrderView, PositionView } from './rules.ts';

/** Views for examples: figures are texts, what an example does not say is 0. */

/** Lines of `cap rate leverage deduction`. */
export function tiersOf(...lines: readonly string[]): readonly PerpTier[] {
  const rows = lines.map((line) => line.split(' '));
  return rows.map(([cap = '', rate = '', leverage = '', deduction = '0'], index) => ({
    tier: index + 1,
    floor: amount(rows[index - 1]?.[0] ?? '0'),
    cap: amount(cap),
    maintenanceRate: amount(rate),
    maxLeverage: Number(leverage),
    initialRate: amount((1 / Number(leverage)).toFixed(4)),
    deduction: amount(deduction),
  }));
}

/** A contract of the examples; its lot is a thousandth. */
export function contractOf(facts: {
  readonly tiers: readonly PerpTier[];
  readonly mark: string;
  readonly takerFee?: string;
  readonly contractValue?: string;
  readonly symbol?: string;
}): ContractView {
  return {
    symbol: facts.symbol ?? 'BTC',
    contractValue: amount(facts.contractValue ?? '1'),
    lotSize: amount('0.001'),
    tickSize: amount('0.1'),
    maxPrice: amount('10000000'),
    takerFee: amount(facts.takerFee ?? '0.0005'),
    tiers: facts.tiers,
    mark: amount(facts.mark),
  };
}

/** A position: `size` counts contracts, below 0 short. */
export function positionOf(
  contract: ContractView,
  facts: {
    readonly size: string;
    readonly entry: string;
    readonly leverage: number;
    readonly isolated?: string;
    readonly side?: PositionView['side'];
    readonly realised?: string;
    readonly fees?: string;
    readonly funding?: string;
  },
): PositionView {
  return {
    contract,
    side: facts.side ?? 'BOTH',
    marginMode: facts.isolated === undefined ? 'CROSS' : 'ISOLATED',
    lots: lotsOf(contract, facts.size),
    entryPrice: amount(facts.entry),
    leverage: facts.leverage,
    isolatedWallet: amount(facts.isolated ?? '0'),
    realisedPnl: amount(facts.realised ?? '0'),
    feesPaid: amount(facts.fees ?? '0'),
    funding: amount(facts.funding ?? '0'),
  };
}

/** An order in cross mode from `side size price`, the size in contracts; without a price at market. */
export function orderOf(contract: ContractView, text: string, leverage: number): OrderView {
  const [side, size = '', price] = text.split(' ');
  return {
    contract,
    side: side === 'BUY' ? 'BUY' : 'SELL',
    positionSide: 'BOTH',
    marginMode: 'CROSS',
    lots: lotsOf(contract, size),
    ...(price === undefined ? {} : { price: amount(price) }),
    reduceOnly: false,
    leverage,
  };
}

/** An account with these positions and orders. */
export function accountOf(
  wallet: string,
  positions: readonly PositionView[] = [],
  orders: readonly OrderView[] = [],
): AccountView {
  return { wallet: amount(wallet), spotLocked: amount('0'), positions, orders };
}

/** The same account with a contract at another mark. */
export function atMark(account: AccountView, symbol: string, mark: ContractView['mark']): AccountView {
  const moved = <T extends PositionView | OrderView>(one: T): T =>
    one.contract.symbol === symbol ? { ...one, contract: { ...one.contract, mark } } : one;
  return { ...account, positions: account.positions.map(moved), orders: account.orders.map(moved) };
}

function lotsOf(contract: ContractView, size: string): number {
  return Number(amount(size) / contract.lotSize);
}
