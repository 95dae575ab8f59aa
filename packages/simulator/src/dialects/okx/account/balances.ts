import { formatAmount, type Millis, minus, plus, toNumberForDisplay, ZERO } from '@crossbook/domain';
import type { AccountNumber, SimBalance } from '../../../exchange.ts';
import { fields } from '../../wire/fields.ts';
import { accountTypeOf, balancesOf } from '../account-types.ts';
import type { Desk } from '../desk.ts';
import { formatFloat } from '../format.ts';
import { MARGIN_ASSET } from '../listing.ts';
import { usdOf, usdValue } from '../market/tickers.ts';
import { ratioText } from '../perps/words.ts';

/** Fields of a currency that a plain spot account leaves empty (recorded 2025). */
const EMPTY_DETAILS = fields(
  'accAvgPx borrowFroz clSpotInUseAmt crossLiab imr interest isoLiab liab maxLoan maxSpotInUseAmt mgnRatio mmr openAvgPx spotBal spotInUseAmt spotUpl spotUplRatio totalPnl totalPnlRatio uplLiab',
  '',
);

const ZERO_DETAILS = fields(
  'fixedBal isoEq isoUpl notionalLever rewardBal smtSyncEq spotCopyTradingEq spotIsoBal stgyEq twap upl',
  '0',
);

/** One currency of `account/balance`: what is free, what open orders hold, and both together. */
function detail(desk: Desk, balance: SimBalance, now: Millis): object {
  const { asset, free, locked } = balance;
  const total = plus(free, locked);
  const usd = formatFloat(usdOf(desk, asset, total));
  return {
    ...EMPTY_DETAILS,
    ...ZERO_DETAILS,
    availBal: formatAmount(free),
    availEq: formatAmount(free),
    cashBal: formatAmount(total),
    ccy: asset,
    coinUsdPrice: formatFloat(usdValue(desk, asset)),
    collateralEnabled: false,
    disEq: usd,
    eq: formatAmount(total),
    eqUsd: usd,
    frozenBal: formatAmount(locked),
    ordFrozen: formatAmount(locked),
    uTime: String(now),
  };
}

/**
 * What contracts are paid in, in Futures mode. `cashBal` is without what isolated positions have set aside, which is in
 * `isoEq` with their profit; `frozenBal` is what of the equity is not available (recorded 2025-04).
 */
function marginDetail(desk: Desk, trader: AccountNumber, balance: SimBalance): object {
  const pool = desk.venue.perps.pool(trader);
  const held = desk.venue.perps.positions(trader);
  const cross = held.filter(({ marginMode }) => marginMode === 'CROSS');
  const sum = (pick: (position: (typeof held)[number]) => bigint, of = held) =>
    of.reduce((all, position) => plus(all, pick(position) as typeof ZERO), ZERO);
  const isoUpl = minus(pool.unrealisedPnl, pool.crossUnrealisedPnl);
  const isoEq = plus(minus(pool.wallet, pool.crossWallet), isoUpl);
  const equity = plus(pool.wallet, pool.unrealisedPnl);
  const notional = toNumberForDisplay(sum(({ notional: value }) => value));
  const worth = toNumberForDisplay(equity);
  return {
    ...EMPTY_DETAILS,
    ...ZERO_DETAILS,
    availBal: formatAmount(pool.withdrawable),
    availEq: formatAmount(pool.available),
    cashBal: formatAmount(pool.crossWallet),
    ccy: balance.asset,
    coinUsdPrice: '1',
    collateralEnabled: false,
    disEq: formatAmount(equity),
    eq: formatAmount(equity),
    eqUsd: formatAmount(equity),
    frozenBal: formatAmount(minus(equity, pool.available)),
    imr: formatAmount(sum(({ initialMargin }) => initialMargin, cross)),
    isoEq: formatAmount(isoEq),
    isoUpl: formatAmount(isoUpl),
    mgnRatio: pool.ratio > 0 ? ratioText(1 / pool.ratio) : '',
    mmr: formatAmount(sum(({ maintenanceMargin }) => maintenanceMargin, cross)),
    notionalLever: worth > 0 ? ratioText(notional / worth) : '0',
    ordFrozen: formatAmount(plus(pool.orderInitial, balance.locked)),
    uTime: String(desk.now()),
    upl: formatAmount(pool.unrealisedPnl),
  };
}

/** The only row of `account/balance` and of a push of the `account` channel, about some currencies. */
export function accountRow(desk: Desk, account: AccountNumber, shown: readonly SimBalance[]): object {
  const now = desk.now();
  const trader = accountTypeOf(desk, account, '18') ?? account;
  const futures = desk.venue.perps.tradesContracts(trader);
  const pool = desk.venue.perps.pool(trader);
  const worth = balancesOf(desk, account, '18').reduce(
    (sum, { asset, free, locked }) => sum + usdOf(desk, asset, plus(free, locked)),
    toNumberForDisplay(pool.unrealisedPnl),
  );
  const aside = minus(pool.wallet, pool.crossWallet);
  const isolated = plus(aside, minus(pool.unrealisedPnl, pool.crossUnrealisedPnl));
  return {
    ...fields(
      'adjEq availEq borrowFroz imr mgnRatio mmr notionalUsd notionalUsdForBorrow notionalUsdForFutures notionalUsdForOption notionalUsdForSwap ordFroz upl',
      '',
    ),
    details: shown.map((balance) =>
      futures && balance.asset === MARGIN_ASSET
        ? marginDetail(desk, trader, balance)
        : detail(desk, balance, now),
    ),
    isoEq: formatAmount(isolated),
    totalEq: formatFloat(worth),
    uTime: String(now),
  };
}

/** What lies in the trading account, empty currencies left out as OKX does. */
export function heldBalances(desk: Desk, account: AccountNumber): readonly SimBalance[] {
  return balancesOf(desk, account, '18').filter(({ free, locked }) => free !== 0n || locked > 0n);
}
