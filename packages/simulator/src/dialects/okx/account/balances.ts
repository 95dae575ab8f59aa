import { formatAmount, type Millis, plus } from '@crossbook/domain';
import type { AccountNumber, SimBalance } from '../../../exchange.ts';
import { fields } from '../../wire/fields.ts';
import { balancesOf } from '../account-types.ts';
import type { Desk } from '../desk.ts';
import { formatFloat } from '../format.ts';
import { usdOf, usdValue } from '../market/tickers.ts';

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

/** The only row of `account/balance` and of a push of the `account` channel, about some currencies. */
export function accountRow(desk: Desk, account: AccountNumber, shown: readonly SimBalance[]): object {
  const now = desk.now();
  const worth = balancesOf(desk, account, '18').reduce(
    (sum, { asset, free, locked }) => sum + usdOf(desk, asset, plus(free, locked)),
    0,
  );
  return {
    ...fields(
      'adjEq availEq borrowFroz imr mgnRatio mmr notionalUsd notionalUsdForBorrow notionalUsdForFutures notionalUsdForOption notionalUsdForSwap ordFroz upl',
      '',
    ),
    details: shown.map((balance) => detail(desk, balance, now)),
    isoEq: '0',
    totalEq: formatFloat(worth),
    uTime: String(now),
  };
}

/** What lies in the trading account, empty currencies left out as OKX does. */
export function heldBalances(desk: Desk, account: AccountNumber): readonly SimBalance[] {
  return balancesOf(desk, account, '18').filter(({ free, locked }) => free > 0n || locked > 0n);
}
