import {
  type Amount,
  amount,
  breakEvenAfterOrder,
  type ContractOrderRequest,
  type ContractScene,
  contractOrderCost,
  type Instrument,
  largestContractOrder,
  liquidationAfterOrder,
  liquidationEstimate,
  type MarginTerms,
  type Millis,
  PLATFORMS,
  type Platform,
  plus,
  stepsToAmount,
  type VenuePosition,
  ZERO,
} from '@crossbook/domain';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { accountFor, filled, VENUES } from '../../../../../tests/contract-accounts.ts';
import { runs } from '../../../../../tests/property-runs.ts';
import { BINANCE_PROFILE } from '../../../../venues/src/binance/profile.ts';
import { BYBIT_PROFILE } from '../../../../venues/src/bybit/profile.ts';
import { OKX_PROFILE } from '../../../../venues/src/okx/profile.ts';
import { times } from './rounding.ts';
import type { AccountView, ContractView, MarginRules, OrderView, PositionView } from './rules.ts';

/** The estimates of hub and pages against the simulator's figures: two codes, made from the same documents. */

const TERMS: Readonly<Record<string, MarginTerms>> = {
  binance: BINANCE_PROFILE.trading.contracts.margin,
  okx: OKX_PROFILE.trading.contracts.margin,
  bybit: BYBIT_PROFILE.trading.contracts.margin,
};
const SIDES = { BOTH: 0, LONG: 1, SHORT: 2 } as const;

function instrumentOf(contract: ContractView, platform: Platform): Instrument {
  return {
    ...{ platform, symbolType: 'SWAP', symbol: contract.symbol, base: contract.symbol, quote: 'USDT' },
    ...{ tickSize: contract.tickSize, lotSize: contract.lotSize, contractValue: contract.contractValue },
    ...{ minPrice: contract.tickSize, maxPrice: contract.maxPrice, minQty: contract.lotSize },
    ...{ maxQty: amount('1000'), maxMarketQty: amount('500'), minNotional: ZERO },
    ...{ maxLeverage: 100, status: 'trading' },
  };
}

function venuePositionOf(rules: MarginRules, position: PositionView, account: AccountView): VenuePosition {
  const { contract, side, lots, marginMode, leverage, entryPrice } = position;
  return {
    ...{ platform: 1, symbol: contract.symbol, side: SIDES[side], leverage, entryPrice },
    marginMode: marginMode === 'CROSS' ? 'cross' : 'isolated',
    quantity: stepsToAmount(side === 'BOTH' ? lots : Math.abs(lots), contract.lotSize),
    markPrice: contract.mark,
    ...(marginMode === 'CROSS' ? {} : { isolatedMargin: position.isolatedWallet }),
    ...{ unrealisedPnl: rules.unrealisedPnl(position), breakEvenPrice: rules.breakEvenPrice(position) },
    initialMargin: rules.positionInitial(position),
    maintenanceMargin: rules.maintenance(position, account),
    ...{ adlRank: 0, status: 'normal', version: 1, updatedAt: 0 as Millis },
  };
}

function requestOf({
  contract,
  side,
  positionSide,
  lots,
  price,
  reduceOnly,
}: OrderView): ContractOrderRequest {
  return {
    buys: side === 'BUY',
    side: SIDES[positionSide],
    quantity: stepsToAmount(lots, contract.lotSize),
    ...(price === undefined ? {} : { price }),
    reduceOnly,
  };
}

/** What a page knows when somebody thinks of such an order; the order itself is not among the open ones. */
function sceneOf(venue: string, rules: MarginRules, order: OrderView, account: AccountView): ContractScene {
  const { contract, leverage, marginMode } = order;
  const pool = rules.pool(account);
  const unit = venue === 'okx' ? 'contracts' : 'notional';
  const platform = PLATFORMS.find(({ slug }) => slug === venue)?.platform ?? 1;
  return {
    instrument: instrumentOf(contract, platform),
    terms: TERMS[venue] ?? BINANCE_PROFILE.trading.contracts.margin,
    ...{ takerFee: contract.takerFee, makerFee: contract.takerFee, mark: contract.mark },
    tiers: contract.tiers.map((tier) => ({ ...tier, unit })),
    setting: {
      marginMode: marginMode === 'CROSS' ? 'cross' : 'isolated',
      ...{ leverageLong: leverage, leverageShort: leverage },
    },
    pool: { wallet: account.wallet, available: pool.available },
    positions: account.positions.map((position) => venuePositionOf(rules, position, account)),
    orders: account.orders.filter((one) => one.contract === contract).map(requestOf),
  };
}

/** What a position has paid and won so far, of the margin that it began with. */
const contractShare = amount('0.01');

const far = (left: Amount, right: Amount): bigint => (left > right ? left - right : right - left);

/** An estimate lies on the tick beside the venue's own figure, or there is neither. */
function agree(estimate: Amount | undefined, exact: Amount | undefined, tick: Amount): void {
  const near = amount('0.001');
  if (estimate === undefined || exact === undefined) {
    // Below one tick nothing is shown as a price.
    expect([estimate ?? ZERO, exact ?? ZERO].every((price) => price <= plus(tick, near))).toBe(true);
  } else expect(far(estimate, exact) <= plus(tick, near)).toBe(true);
}

describe.each(VENUES)('%s: estimates and figures of any account', (venue, rules, tiers) => {
  const check = (claim: (order: OrderView, account: AccountView, scene: ContractScene) => void): void =>
    fc.assert(
      fc.property(accountFor(rules, tiers), (drawn) => {
        const [order, ...orders] = drawn.orders;
        if (order === undefined) return;
        const account = { ...drawn, orders };
        claim(order, account, sceneOf(venue, rules, order, account));
      }),
      { numRuns: runs(200) },
    );
  const slack = amount('0.00000003');

  test('the cost of an order is the venue own, rounded up', () => {
    check((order, account, scene) => {
      const cost = contractOrderCost(requestOf(order), scene);
      const exact = rules.cost(order, account);
      expect(cost >= exact && cost <= plus(exact, slack)).toBe(true);
    });
  });

  test('the largest order is taken, one lot more is not', () => {
    const bounds = new Set<string>();
    check((order, account, scene) => {
      const { quantity: _, ...like } = requestOf(order);
      const { quantity, bound } = largestContractOrder(like, scene);
      bounds.add(bound);
      const lots = Number(quantity / order.contract.lotSize);
      const { available } = rules.pool(account);
      const taken = (count: number, spare: Amount): boolean => {
        const sized = { ...order, lots: count };
        const within = stepsToAmount(count, order.contract.lotSize) <= amount('1000');
        return (
          within && rules.fitsTier(sized, account) && plus(rules.cost(sized, account), spare) <= available
        );
      };
      if (lots > 0) expect(taken(lots, ZERO)).toBe(true);
      if (bound !== 'position') expect(taken(lots + 1, slack)).toBe(false);
    });
    expect(bounds.size).toBeGreaterThan(2);
  });

  test('the liquidation price as it stands', () => {
    let prices = 0;
    check((order, drawn) => {
      const account = { ...drawn, orders: [], spotLocked: ZERO };
      const scene = sceneOf(venue, rules, order, account);
      for (const position of account.positions) {
        if (position.contract !== order.contract) continue;
        const estimate = liquidationEstimate(SIDES[position.side], scene);
        agree(estimate, rules.liquidationPrice(position, account), order.contract.tickSize);
        prices += estimate === undefined ? 0 : 1;
      }
    });
    expect(prices).toBeGreaterThan(20);
  });

  test('the liquidation price after an order', () => {
    let prices = 0;
    check((drawnOrder, drawn) => {
      const account = { ...drawn, orders: [], spotLocked: ZERO };
      const order = { ...drawnOrder, reduceOnly: false };
      const opens =
        order.positionSide === 'BOTH' || (order.positionSide === 'LONG') === (order.side === 'BUY');
      if (!opens) return;
      const scene = sceneOf(venue, rules, order, account);
      const after = filled(rules, order, account);
      const position = after.positions.find(
        (one) => one.contract === order.contract && one.side === order.positionSide,
      );
      const estimate = liquidationAfterOrder(requestOf(order), scene);
      if (position === undefined) return expect(estimate).toBeUndefined();
      agree(estimate, rules.liquidationPrice(position, after), order.contract.tickSize);
      prices += estimate === undefined ? 0 : 1;
    });
    expect(prices).toBeGreaterThan(20);
  });

  test('the break-even price after an order', () => {
    let prices = 0;
    check((order, drawn) => {
      // What each of them has paid and won so far.
      const positions = drawn.positions.map((position) => {
        const value = times(
          rules.isolatedMove(undefined, { ...position, price: position.entryPrice }),
          contractShare,
        );
        return { ...position, realisedPnl: value, feesPaid: times(value, contractShare), funding: value };
      });
      const account = { ...drawn, positions, orders: [] };
      const scene = sceneOf(venue, rules, order, account);
      const request = requestOf(order);
      const met = positions.find((one) => one.contract === order.contract && one.side === order.positionSide);
      const closes = met !== undefined && met.lots > 0 !== (order.side === 'BUY');
      if (order.reduceOnly && !closes) return;
      const lots = order.reduceOnly ? Math.min(order.lots, Math.abs(met?.lots ?? 0)) : order.lots;
      const legTurns = order.positionSide !== 'BOTH' && closes && lots > Math.abs(met.lots);
      if (legTurns) return;
      const after = filled(rules, { ...order, lots }, account).positions.find(
        (one) => one.contract === order.contract && one.side === order.positionSide,
      );
      const estimate = breakEvenAfterOrder({ ...request, price: order.price ?? order.contract.mark }, scene);
      if (after === undefined) return expect(estimate).toBeUndefined();
      agree(estimate, rules.breakEvenPrice(after), order.contract.tickSize);
      prices += 1;
    });
    expect(prices).toBeGreaterThan(20);
  });
});
