import { type Amount, amount, minus, plus, positionAfter, stepsToAmount, ZERO } from '@crossbook/domain';
import fc from 'fast-check';
import type { PerpTier, SimMarginMode } from '../packages/simulator/src/perp-exchange.ts';
import { BINANCE_RULES } from '../packages/simulator/src/perps/margin/binance.ts';
import { BYBIT_RULES } from '../packages/simulator/src/perps/margin/bybit.ts';
import { OKX_RULES } from '../packages/simulator/src/perps/margin/okx.ts';
import { times } from '../packages/simulator/src/perps/margin/rounding.ts';
import type {
  AccountView,
  ContractView,
  MarginRules,
  OrderView,
  PositionView,
} from '../packages/simulator/src/perps/margin/rules.ts';
import { contractOf, tiersOf } from '../packages/simulator/src/perps/margin/views.fixture.ts';

const NOTIONAL = tiersOf(
  '50000 0.004 100 0',
  '200000 0.005 75 50',
  '800000 0.01 50 1050',
  '3000000 0.025 20 13050',
  '20000000 0.1 5 238050',
);
const CONTRACTS = tiersOf('1000 0.004 100', '5000 0.005 75', '20000 0.0075 50', '60000 0.0175 33.33');
export const VENUES: readonly (readonly [string, MarginRules, readonly PerpTier[]])[] = [
  ['binance', BINANCE_RULES, NOTIONAL],
  ['okx', OKX_RULES, CONTRACTS],
  ['bybit', BYBIT_RULES, NOTIONAL],
];

export const cents = (value: number): Amount => stepsToAmount(value, amount('0.01'));
export const mark = fc.integer({ min: 5_000, max: 9_000_000 }).map(cents);

export function contractsFor(tiers: readonly PerpTier[]): fc.Arbitrary<readonly ContractView[]> {
  const contractValue = tiers === CONTRACTS ? '0.01' : '1';
  const base = { tiers, mark: '1', takerFee: '0.0005', contractValue };
  return fc
    .tuple(mark, mark)
    .map((marks) =>
      marks.map((at, index) => ({ ...contractOf({ ...base, symbol: 'AB'[index] ?? '' }), mark: at })),
    );
}

export const leverage = fc.constantFrom(1, 2, 5, 10, 20, 50);
const mode = fc.constantFrom<SimMarginMode>('CROSS', 'ISOLATED');

interface Shape {
  readonly at: number;
  readonly lots: number;
  readonly move: number;
}
const shape: fc.Arbitrary<Shape> = fc.record({
  at: fc.nat(1),
  lots: fc.integer({ min: -400_000, max: 400_000 }).filter((lots) => lots !== 0),
  /** Entry or order price in hundredths of the mark. */
  move: fc.integer({ min: 80, max: 120 }),
});

/** How a contract is traded: one mode and leverage of it, as at Binance and Bybit. */
interface Setting {
  readonly contract: ContractView;
  readonly marginMode: SimMarginMode;
  readonly leverage: number;
}

/** Each contract one-way, or both with legs; isolated margin as the venue sets it aside, and up to twice that. */
export function accountFor(rules: MarginRules, tiers: readonly PerpTier[]): fc.Arbitrary<AccountView> {
  return fc
    .record({
      contracts: contractsFor(tiers),
      modes: fc.tuple(mode, mode),
      leverages: fc.tuple(leverage, leverage),
      hedge: fc.boolean(),
      shapes: fc.array(shape, { minLength: 1, maxLength: 5 }),
      orders: fc.array(shape, { maxLength: 4 }),
      added: fc.integer({ min: 100, max: 200 }),
      wallet: fc.integer({ min: 0, max: 500_000_000 }),
      locked: fc.integer({ min: 0, max: 10_000 }),
    })
    .map(({ contracts, modes, leverages, hedge, ...drawn }) => {
      const settingOf = (one: Shape): Setting => ({
        contract: contracts[one.at] ?? contractOf({ tiers, mark: '1' }),
        marginMode: modes[one.at] ?? 'CROSS',
        leverage: leverages[one.at] ?? 1,
      });
      const all = drawn.shapes.map((one) =>
        positionFrom(rules, settingOf(one), { ...one, hedge }, drawn.added),
      );
      const positions = all.filter((position, index) => all.findIndex(same(position)) === index);
      return {
        wallet: positions.reduce((sum, one) => plus(sum, one.isolatedWallet), cents(drawn.wallet)),
        spotLocked: cents(drawn.locked),
        positions,
        orders: drawn.orders.map((one) => orderFrom(settingOf(one), { ...one, hedge })),
      };
    });
}

export const moved = (price: Amount, hundredths: number): Amount =>
  ((price * BigInt(hundredths)) / 100n) as Amount;
export const same = (position: PositionView) => (one: PositionView) =>
  one.contract.symbol === position.contract.symbol && one.side === position.side;

type Drawn = Shape & { readonly hedge: boolean };

function positionFrom(
  rules: MarginRules,
  setting: Setting,
  { lots, move, hedge }: Drawn,
  added: number,
): PositionView {
  const entryPrice = moved(setting.contract.mark, move);
  const aside = rules.isolatedMove(undefined, { ...setting, lots, price: entryPrice });
  return {
    ...setting,
    ...{ entryPrice, lots, realisedPnl: ZERO, feesPaid: ZERO, funding: ZERO },
    side: hedge ? (lots > 0 ? 'LONG' : 'SHORT') : 'BOTH',
    isolatedWallet: setting.marginMode === 'ISOLATED' ? moved(aside, added) : ZERO,
  };
}

function orderFrom(setting: Setting, { lots, move, hedge }: Drawn): OrderView {
  return {
    ...setting,
    side: lots > 0 ? 'BUY' : 'SELL',
    positionSide: hedge ? (move % 2 === 0 ? 'LONG' : 'SHORT') : 'BOTH',
    lots: Math.abs(lots),
    price: moved(setting.contract.mark, move),
    reduceOnly: move % 5 === 0 && !hedge,
  };
}

/** The account after an order was filled as taker at its price. */
export function filled(rules: MarginRules, order: OrderView, account: AccountView): AccountView {
  const { contract, positionSide, price = contract.mark, leverage, marginMode } = order;
  const met = account.positions.find(
    (one) => one.contract.symbol === contract.symbol && one.side === positionSide,
  );
  const signed = order.side === 'BUY' ? order.lots : -order.lots;
  const held = met && { quantity: stepsToAmount(met.lots, contract.lotSize), entryPrice: met.entryPrice };
  const effect = positionAfter(held, { quantity: stepsToAmount(signed, contract.lotSize), price });
  const coins = times(stepsToAmount(order.lots, contract.lotSize), contract.contractValue);
  const closed = times(effect.closed, contract.contractValue);
  const ahead = minus(price, met?.entryPrice ?? price);
  const profit = times(closed, (met !== undefined && met.lots < 0 ? -ahead : ahead) as Amount);
  const move = rules.isolatedMove(met, { contract, lots: signed, price, leverage });
  const fee = times(times(coins, price), contract.takerFee);
  // A turned position begins anew, with the fee of what opened it.
  const opened = times(times(times(effect.opened, contract.contractValue), price), contract.takerFee);
  const kept = effect.turned ? undefined : met;
  const others = account.positions.filter((one) => one !== met);
  const after: readonly PositionView[] =
    effect.after === undefined
      ? []
      : [
          {
            ...{ contract, side: positionSide, marginMode, leverage, lots: (met?.lots ?? 0) + signed },
            entryPrice: effect.after.entryPrice,
            isolatedWallet: marginMode === 'ISOLATED' ? plus(met?.isolatedWallet ?? ZERO, move) : ZERO,
            realisedPnl: plus(kept?.realisedPnl ?? ZERO, kept === undefined ? ZERO : profit),
            feesPaid: plus(kept?.feesPaid ?? ZERO, effect.turned ? opened : fee),
            funding: kept?.funding ?? ZERO,
          },
        ];
  const wallet = minus(plus(account.wallet, profit), fee);
  return { ...account, wallet, positions: [...others, ...after] };
}
