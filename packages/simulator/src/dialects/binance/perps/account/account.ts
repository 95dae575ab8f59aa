import { formatAmount, ok, plus, ZERO } from '@crossbook/domain';
import type { AccountNumber } from '../../../../exchange.ts';
import type { PerpPool } from '../../../../perp-exchange.ts';
import { accountOf, type Caller, type Endpoint, type Prepared } from '../../endpoint.ts';
import { mandatory } from '../../errors.ts';
import type { ParamReader } from '../../params.ts';
import type { FuturesDesk } from '../desk.ts';
import { FUTURES_ERRORS } from '../errors.ts';
import { exactPrice, money, signedSize } from '../format.ts';
import { BOTH_DOORS, BY_REST, memberEndpoint } from '../member-endpoint.ts';
import {
  isAlive,
  isolatedMarginOf,
  leverageOf,
  type PositionView,
  positionViews,
  signedNotional,
} from './positions.ts';
import { isHedged } from './settings.ts';

/** All contracts are paid in it, and nothing else is margin: the single-asset mode. */
const ASSET = 'USDT';

/** One line of /fapi/v2/balance and /fapi/v3/balance. */
export function balanceRow(pool: PerpPool): object {
  return {
    accountAlias: `sim${pool.account}`,
    asset: ASSET,
    balance: money(pool.wallet),
    crossWalletBalance: money(pool.crossWallet),
    crossUnPnl: money(pool.crossUnrealisedPnl),
    availableBalance: money(pool.available),
    maxWithdrawAmount: money(pool.withdrawable),
    marginAvailable: true,
    updateTime: pool.updatedAt,
  };
}

const balance = (_: ParamReader, desk: FuturesDesk): Prepared => ({
  weight: 5,
  run: (caller) => ok([balanceRow(desk.perps.pool(accountOf(caller)))]),
});

/** What a pool is in money, under the names of an asset. */
function assetFields(pool: PerpPool): Readonly<Record<string, string>> {
  return {
    walletBalance: money(pool.wallet),
    unrealizedProfit: money(pool.unrealisedPnl),
    marginBalance: money(plus(pool.wallet, pool.unrealisedPnl)),
    maintMargin: money(pool.maintenance),
    initialMargin: money(plus(pool.positionInitial, pool.orderInitial)),
    positionInitialMargin: money(pool.positionInitial),
    openOrderInitialMargin: money(pool.orderInitial),
    crossWalletBalance: money(pool.crossWallet),
    crossUnPnl: money(pool.crossUnrealisedPnl),
    availableBalance: money(pool.available),
    maxWithdrawAmount: money(pool.withdrawable),
  };
}

/** The same as totals over all assets. */
function totals(asset: Readonly<Record<string, string>>): object {
  return {
    totalInitialMargin: asset.initialMargin,
    totalMaintMargin: asset.maintMargin,
    totalWalletBalance: asset.walletBalance,
    totalUnrealizedProfit: asset.unrealizedProfit,
    totalMarginBalance: asset.marginBalance,
    totalPositionInitialMargin: asset.positionInitialMargin,
    totalOpenOrderInitialMargin: asset.openOrderInitialMargin,
    totalCrossWalletBalance: asset.crossWalletBalance,
    totalCrossUnPnl: asset.crossUnPnl,
    availableBalance: asset.availableBalance,
    maxWithdrawAmount: asset.maxWithdrawAmount,
  };
}

/** What both versions of the account say of a position. */
function positionFields(desk: FuturesDesk, view: PositionView): Readonly<Record<string, unknown>> {
  const { contract, held, side, orderMargin } = view;
  return {
    symbol: contract.symbol,
    positionSide: side,
    positionAmt: signedSize(desk.format.of(contract.symbol), held?.quantity ?? 0),
    unrealizedProfit: money(held?.unrealisedPnl ?? ZERO),
    isolatedMargin: money(isolatedMarginOf(held)),
    notional: money(held === undefined ? ZERO : signedNotional(held)),
    isolatedWallet: money(held?.isolatedWallet ?? ZERO),
    initialMargin: money(plus(held?.initialMargin ?? ZERO, orderMargin)),
    maintMargin: money(held?.maintenanceMargin ?? ZERO),
    updateTime: held?.updatedAt ?? 0,
  };
}

/** A position of /fapi/v2/account. */
function positionRowV2(desk: FuturesDesk, view: PositionView): object {
  const { held, setting } = view;
  return {
    ...positionFields(desk, view),
    positionInitialMargin: money(held?.initialMargin ?? ZERO),
    openOrderInitialMargin: money(view.orderMargin),
    leverage: String(leverageOf(view)),
    isolated: (held?.marginMode ?? setting.marginMode) === 'ISOLATED',
    entryPrice: exactPrice(held?.entryPrice ?? ZERO),
    breakEvenPrice: exactPrice(held?.breakEvenPrice ?? ZERO),
    maxNotional: formatAmount(view.notionalMax),
    bidNotional: formatAmount(view.bidNotional),
    askNotional: formatAmount(view.askNotional),
  };
}

/** What may be done with an account. */
const PERMISSIONS = { feeTier: 0, canTrade: true, canDeposit: true, canWithdraw: true };
const SINGLE_ASSET = { multiAssetsMargin: false, tradeGroupId: -1 };

function assetRow(pool: PerpPool, fieldsOfAsset: Readonly<Record<string, string>>, more: object): object {
  return { asset: ASSET, ...fieldsOfAsset, ...more, updateTime: pool.updatedAt };
}

/** /fapi/v3/account: only positions that are there. */
export function accountV3(desk: FuturesDesk, account: AccountNumber): object {
  const pool = desk.perps.pool(account);
  const asset = assetFields(pool);
  const positions = positionViews(desk, account).filter(isAlive);
  return {
    ...totals(asset),
    assets: [assetRow(pool, asset, {})],
    positions: positions.map((view) => positionFields(desk, view)),
  };
}

/** /fapi/v2/account: permissions, and every position there could be. */
export function accountV2(desk: FuturesDesk, account: AccountNumber): object {
  const pool = desk.perps.pool(account);
  const asset = assetFields(pool);
  return {
    ...PERMISSIONS,
    updateTime: 0,
    ...SINGLE_ASSET,
    ...totals(asset),
    assets: [assetRow(pool, asset, { marginAvailable: true })],
    positions: positionViews(desk, account).map((view) => positionRowV2(desk, view)),
  };
}

const account =
  (version: typeof accountV2) =>
  (_: ParamReader, desk: FuturesDesk): Prepared => ({
    weight: 5,
    run: (caller) => ok(version(desk, accountOf(caller))),
  });

/** A call that says the same whatever is asked of it. */
const constant =
  (weight: number, what: (desk: FuturesDesk, caller: Caller) => unknown) =>
  (_: ParamReader, desk: FuturesDesk): Prepared => ({ weight, run: (caller) => ok(what(desk, caller)) });

/** Fees paid in BNB: nobody holds BNB for them here, so that it can only be switched off. */
function setFeeBurn(reader: ParamReader): Prepared {
  const wanted = reader.flag('feeBurn');
  if (wanted === undefined && !reader.has('feeBurn')) reader.refuse(mandatory('feeBurn'));
  if (wanted === true) reader.refuse(FUTURES_ERRORS.notSimulated);
  return { weight: 1, run: () => ok({ code: 200, msg: 'success' }) };
}

/** Balances, the account as a whole, and what may be done with it. */
export const ACCOUNT_CALLS: readonly Endpoint<FuturesDesk>[] = [
  memberEndpoint(BOTH_DOORS, 'v2/account.balance GET /fapi/v3/balance', balance),
  memberEndpoint(BOTH_DOORS, 'account.balance GET /fapi/v2/balance', balance),
  memberEndpoint(BOTH_DOORS, 'v2/account.status GET /fapi/v3/account', account(accountV3)),
  memberEndpoint(BOTH_DOORS, 'account.status GET /fapi/v2/account', account(accountV2)),
  memberEndpoint(
    BY_REST,
    'accountConfig GET /fapi/v1/accountConfig',
    constant(5, (desk, caller) => ({
      ...PERMISSIONS,
      dualSidePosition: isHedged(desk, accountOf(caller)),
      updateTime: 0,
      ...SINGLE_ASSET,
    })),
  ),
  memberEndpoint(
    BY_REST,
    'rateLimit.order GET /fapi/v1/rateLimit/order',
    constant(1, (desk, caller) => desk.rates.orderLines(accountOf(caller), desk.perps.now())),
  ),
  memberEndpoint(
    BY_REST,
    'feeBurn GET /fapi/v1/feeBurn',
    constant(30, () => ({ feeBurn: false })),
  ),
  memberEndpoint(BY_REST, 'feeBurn.set POST /fapi/v1/feeBurn', setFeeBurn),
  memberEndpoint(BY_REST, 'apiTradingStatus GET /fapi/v1/apiTradingStatus', (reader, desk) => ({
    weight: reader.has('symbol') ? 1 : 10,
    run: () => ok({ indicators: {}, updateTime: desk.perps.now() }),
  })),
];
