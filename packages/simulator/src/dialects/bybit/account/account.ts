import {
  type Amount,
  divDown,
  formatAmount,
  formatAmountFixed,
  plus,
  toNumberForDisplay,
  ZERO,
} from '@crossbook/domain';
import { mayTrade } from '../../../accounts/key-rights.ts';
import { masterOf } from '../../../accounts/labels.ts';
import type { AccountNumber, SimBalance } from '../../../exchange.ts';
import type { PerpPool } from '../../../perp-exchange.ts';
import { fields } from '../../wire/fields.ts';
import {
  accountOf,
  type Caller,
  type Desk,
  type Endpoint,
  type Run,
  reply,
  signedCall,
} from '../endpoint.ts';
import { ERRORS, invalid, missing } from '../errors.ts';
import { cutAmount, plain } from '../format.ts';
import { linearContracts } from '../market/instruments.ts';
import type { ParamReader } from '../params.ts';
import { isMaster, memberId, permissionsOf } from './sub-accounts.ts';

const READS_PER_SECOND_MAX = 50;
const COIN_READS_PER_SECOND_MAX = 5;
const KEY_READS_PER_SECOND_MAX = 10;
const COIN_BALANCES_PER_SECOND_MAX = 450;
const COINS_MAX = 200;
/** Coins that one question about what may be moved can name. */
const TRANSFER_COINS_MAX = 20;
const COIN = /^[A-Z0-9]{1,20}$/;
const DOLLAR_DECIMALS = 8;
const RATE_DECIMALS = 8;
/** The coin that stands behind contracts. */
const MARGIN_COIN = 'USDT';

/** Value of a coin in US dollars for display; what has no USDT pair is worth nothing here. */
function dollarPrice(desk: Desk, coin: string): number {
  if (coin === 'USDT') return 1;
  const symbol = `${coin}USDT`;
  const last = desk.venue.spot.markets.has(symbol) ? desk.venue.spot.ticker(symbol).last : 0;
  return Number.isFinite(last) ? last : 0;
}

/** The same for an amount. */
function dollarValue(desk: Desk, coin: string, amount: Amount): number {
  return toNumberForDisplay(amount) * dollarPrice(desk, coin);
}

/** What stands behind an account's contracts: USDT alone, whatever else it holds. */
interface Margin {
  readonly pool: PerpPool;
  /** Account-wide figures are none of isolated margin. */
  readonly isolated: boolean;
}

function marginOf(desk: Desk, account: AccountNumber, pool: PerpPool | undefined): Margin {
  const { perps } = desk.venue;
  const contract = [...linearContracts(desk).keys()][0] ?? '';
  const { marginMode } = perps.setting(account, contract);
  return { pool: pool ?? perps.pool(account), isolated: marginMode === 'ISOLATED' };
}

const COIN_STATS = 'totalOrderIM totalPositionIM totalPositionMM unrealisedPnl cumRealisedPnl';

function coinRow(desk: Desk, balance: SimBalance, { pool }: Margin): object {
  const { asset, free, locked } = balance;
  const total = plus(free, locked);
  const backs = asset === MARGIN_COIN;
  const equity = backs ? plus(total, pool.unrealisedPnl) : total;
  const stats = {
    totalOrderIM: cutAmount(pool.orderInitial),
    totalPositionIM: cutAmount(pool.positionInitial),
    totalPositionMM: cutAmount(pool.maintenance),
    unrealisedPnl: cutAmount(pool.unrealisedPnl),
    cumRealisedPnl: '0',
  };
  return {
    coin: asset,
    equity: formatAmount(equity),
    usdValue: plain(dollarValue(desk, asset, equity), DOLLAR_DECIMALS),
    walletBalance: formatAmount(total),
    locked: formatAmount(locked),
    ...fields('spotHedgingQty borrowAmount accruedInterest bonus spotBorrow', '0'),
    ...(backs ? stats : fields(COIN_STATS, '0')),
    marginCollateral: true,
    collateralSwitch: backs,
    free: '',
    availableToWithdraw: '',
    availableToBorrow: '',
  };
}

/** Rates and sums of the whole account (account/wallet-balance): of its one collateral, and none in isolated margin. */
function accountStats({ pool, isolated }: Margin): object {
  const names = 'accountIMRate accountIMRateByMp';
  const maintenanceNames = 'accountMMRate accountMMRateByMp';
  const initialSums = 'totalInitialMargin totalInitialMarginByMp';
  const maintenanceSums = 'totalMaintenanceMargin totalMaintenanceMarginByMp';
  const sums = 'totalMarginBalance totalAvailableBalance totalPerpUPL';
  if (isolated)
    return fields([names, maintenanceNames, initialSums, maintenanceSums, sums, 'accountLTV'].join(' '), '');
  const equity = plus(pool.wallet, pool.unrealisedPnl);
  const initial = plus(pool.positionInitial, pool.orderInitial);
  const rate = (part: Amount) =>
    equity > 0n ? formatAmountFixed(divDown(part, equity), RATE_DECIMALS) : '0';
  return {
    ...fields(names, initial === ZERO ? '0' : rate(initial)),
    ...fields(maintenanceNames, pool.maintenance === ZERO ? '0' : rate(pool.maintenance)),
    ...fields(initialSums, cutAmount(initial)),
    ...fields(maintenanceSums, cutAmount(pool.maintenance)),
    totalMarginBalance: cutAmount(equity),
    totalAvailableBalance: cutAmount(pool.available),
    totalPerpUPL: cutAmount(pool.unrealisedPnl),
    accountLTV: '0',
  };
}

/**
 * A unified account with these coins. @param shown those that are listed; the totals are those of all that is held.
 * @param pool of contracts, where it is told as of an earlier moment than now.
 */
export function walletRow(
  desk: Desk,
  account: AccountNumber,
  shown: readonly SimBalance[],
  pool?: PerpPool,
): object {
  const margin = marginOf(desk, account, pool);
  const known = new Set(shown.map(({ asset }) => asset));
  const all = [...shown, ...desk.venue.spot.balances(account).filter(({ asset }) => !known.has(asset))];
  const total = all.reduce(
    (sum, { asset, free, locked }) => sum + dollarValue(desk, asset, plus(free, locked)),
    0,
  );
  return {
    accountType: 'UNIFIED',
    ...accountStats(margin),
    totalEquity: plain(total + dollarValue(desk, MARGIN_COIN, margin.pool.unrealisedPnl), DOLLAR_DECIMALS),
    totalWalletBalance: plain(total, DOLLAR_DECIMALS),
    coin: shown.map((balance) => coinRow(desk, balance, margin)),
  };
}

/** Coins that were asked for by name; those without a balance are shown as zero. */
function readCoins(reader: ParamReader, field = 'coin'): readonly string[] | undefined {
  const text = reader.text(field);
  if (text === undefined) return undefined;
  const coins = text.split(',');
  if (coins.length > COINS_MAX || !coins.every((coin) => COIN.test(coin))) reader.refuse(invalid(field));
  return coins;
}

function balancesOf(desk: Desk, caller: Caller, coins: readonly string[] | undefined): readonly SimBalance[] {
  const held = desk.venue.spot.balances(accountOf(caller));
  const none = 0n as Amount;
  if (coins === undefined) return held.filter(({ free, locked }) => free !== 0n || locked !== 0n);
  return coins.map(
    (asset) => held.find((balance) => balance.asset === asset) ?? { asset, free: none, locked: none },
  );
}

function walletBalance(reader: ParamReader, desk: Desk): Run {
  if (reader.requiredText('accountType') !== 'UNIFIED') reader.refuse(invalid('accountType'));
  const coins = readCoins(reader);
  return (caller) => reply({ list: [walletRow(desk, accountOf(caller), balancesOf(desk, caller, coins))] });
}

function info(_: ParamReader, desk: Desk): Run {
  return (caller) => {
    const { isolated } = marginOf(desk, accountOf(caller), undefined);
    const windows = [...desk.guards.windows(accountOf(caller)).values()];
    return reply({
      marginMode: isolated ? 'ISOLATED_MARGIN' : 'REGULAR_MARGIN',
      updatedTime: String(desk.venue.spot.now()),
      unifiedMarginStatus: 5,
      dcpStatus: windows.length > 0 ? 'ON' : 'OFF',
      timeWindow: windows[0] ?? 10,
      smpGroup: 0,
      isMasterTrader: false,
      spotHedgingStatus: 'OFF',
    });
  };
}

function feeRate(reader: ParamReader, desk: Desk): Run {
  const category = reader.requiredText('category');
  if (category !== 'spot' && category !== 'linear') reader.refuse(ERRORS.badCategory);
  const spot = reader.optionalMarket(
    category === 'spot' ? desk.venue.spot.markets : linearContracts(desk),
    ERRORS.badSymbol,
  );
  return () => {
    const markets = category === 'spot' ? desk.venue.spot.markets : linearContracts(desk);
    const shown = spot === undefined ? [...markets.values()] : [spot];
    const list = shown.map((market) => ({
      symbol: market.symbol,
      takerFeeRate: formatAmount(market.takerFee),
      makerFeeRate: formatAmount(market.makerFee),
    }));
    return reply({ category, list });
  };
}

/** What a key may do and whose it is. */
function queryApi(_: ParamReader, desk: Desk): Run {
  return (caller) => {
    const account = accountOf(caller);
    const { spot } = desk.venue;
    const master = masterOf(spot);
    const pairs = mayTrade(spot, caller.apiKey, 'pairs');
    const contracts = mayTrade(spot, caller.apiKey, 'contracts');
    const own = isMaster(desk, account);
    const hasMaster = !own && master !== undefined;
    return reply({
      id: memberId(account),
      ...fields('note secret rsaPublicKey kycRegion', ''),
      apiKey: caller.apiKey ?? '',
      readOnly: Number(!pairs && !contracts),
      ...fields('unified inviterID affiliateID', 0),
      permissions: {
        ...fields('Options Derivatives CopyTrading BlockTrade Exchange NFT Affiliate Earn', []),
        ...permissionsOf({ pairs, contracts }),
        Wallet: own ? ['AccountTransfer', 'SubMemberTransfer'] : [],
      },
      ips: ['*'],
      type: 1,
      deadlineDay: -2,
      expiredAt: '1970-01-01T00:00:00Z',
      createdAt: '2026-01-01T00:00:00Z',
      uta: 1,
      userID: Number(memberId(account)),
      vipLevel: 'No VIP',
      mktMakerLevel: '0',
      isMaster: own,
      parentUid: hasMaster ? memberId(master) : '0',
      kycLevel: 'LEVEL_DEFAULT',
    });
  };
}

function listedCoins(desk: Desk): readonly string[] {
  return [...new Set([...desk.venue.spot.markets.values()].flatMap((market) => [market.base, market.quote]))];
}

/** Coins without networks: nothing can be deposited or withdrawn here. */
function coinInfo(reader: ParamReader, desk: Desk): Run {
  const coin = reader.text('coin');
  return () => {
    const coins = listedCoins(desk).filter((one) => coin === undefined || one === coin);
    return reply({
      rows: coins.map((one) => ({ name: one, coin: one, remainAmount: '0', chains: [] })),
    });
  };
}

/** All funds lie in the unified account; the funding account is empty. */
function readHeld(reader: ParamReader): string {
  const type = reader.requiredText('accountType');
  if (type !== 'UNIFIED' && type !== 'FUND') reader.refuse(invalid('accountType'));
  return type;
}

/** What of a coin may leave the account: what is behind positions and orders stays. */
function movable(desk: Desk, account: AccountNumber, { asset, free }: SimBalance): Amount {
  const { withdrawable } = desk.venue.perps.pool(account);
  return asset === MARGIN_COIN && withdrawable < free ? withdrawable : free;
}

function coinLine(desk: Desk, account: AccountNumber, balance: SimBalance): object {
  const { asset, free, locked } = balance;
  return {
    coin: asset,
    walletBalance: formatAmount(plus(free, locked)),
    transferBalance: formatAmount(movable(desk, account, balance)),
    bonus: '',
  };
}

/** Up to twenty coins by name (account/withdrawal); the figure outside of the map is the first one's. */
function transferable(reader: ParamReader, desk: Desk): Run {
  const coins = reader.requiredText('coinName').split(',');
  if (coins.length > TRANSFER_COINS_MAX || !coins.every((coin) => COIN.test(coin)))
    reader.refuse(invalid('coinName'));
  return (caller) => {
    const shown = balancesOf(desk, caller, coins).map(
      (held) => [held.asset, formatAmount(movable(desk, accountOf(caller), held))] as const,
    );
    const availableWithdrawal = shown[0]?.[1] ?? '0';
    return reply({ availableWithdrawal, availableWithdrawalMap: Object.fromEntries(shown) });
  };
}

/** What may stand behind contracts: USDT alone, and nothing is lent (account/collateral-info). */
function collateral(reader: ParamReader, desk: Desk): Run {
  const [coin] = readCoins(reader, 'currency') ?? [];
  return () => {
    const coins = listedCoins(desk).filter((one) => coin === undefined || one === coin);
    const list = coins.map((currency) => ({
      currency,
      ...fields('hourlyBorrowRate maxBorrowingAmount freeBorrowAmount freeBorrowingLimit', '0'),
      ...fields('borrowAmount availableToBorrow borrowUsageRate', '0'),
      borrowable: false,
      marginCollateral: currency === MARGIN_COIN,
      collateralSwitch: currency === MARGIN_COIN,
      collateralRatio: currency === MARGIN_COIN ? '1' : '0',
    }));
    return reply({ list });
  };
}

function allCoins(reader: ParamReader, desk: Desk): Run {
  const accountType = readHeld(reader);
  const coins = readCoins(reader);
  return (caller) => {
    const account = accountOf(caller);
    const held = accountType === 'FUND' ? [] : balancesOf(desk, caller, coins);
    const balance = held.map((one) => coinLine(desk, account, one));
    return reply({ memberId: memberId(account), accountType, balance });
  };
}

function oneCoin(reader: ParamReader, desk: Desk): Run {
  const accountType = readHeld(reader);
  const [coin] = readCoins(reader) ?? [];
  if (coin === undefined) reader.refuse(missing('coin'));
  return (caller) => {
    const none = 0n as Amount;
    const [held] = accountType === 'FUND' ? [] : balancesOf(desk, caller, [coin ?? '']);
    const account = accountOf(caller);
    const id = memberId(account);
    const balance = coinLine(desk, account, held ?? { asset: coin ?? '', free: none, locked: none });
    return reply({ accountType, bizType: 1, accountId: id, memberId: id, balance });
  };
}

/** Nobody is in a group of accounts whose orders do not meet (account/smp-group). */
function preventionGroup(): Run {
  return () => reply({ smpGroup: 0 });
}

/** Balances, fees and facts of the account. */
export const ACCOUNT_ENDPOINTS: readonly Endpoint[] = [
  signedCall('account.wallet GET /v5/account/wallet-balance', READS_PER_SECOND_MAX, walletBalance),
  signedCall('account.transferable GET /v5/account/withdrawal', READS_PER_SECOND_MAX, transferable),
  signedCall('account.collaterals GET /v5/account/collateral-info', READS_PER_SECOND_MAX, collateral),
  signedCall('account.info GET /v5/account/info', READS_PER_SECOND_MAX, info),
  signedCall('account.prevention GET /v5/account/smp-group', COIN_READS_PER_SECOND_MAX, preventionGroup),
  signedCall('account.fees GET /v5/account/fee-rate', COIN_READS_PER_SECOND_MAX, feeRate),
  signedCall('user.key GET /v5/user/query-api', KEY_READS_PER_SECOND_MAX, queryApi),
  signedCall('asset.coins GET /v5/asset/coin/query-info', COIN_READS_PER_SECOND_MAX, coinInfo),
  signedCall(
    'asset.balances GET /v5/asset/transfer/query-account-coins-balance',
    COIN_READS_PER_SECOND_MAX,
    allCoins,
  ),
  signedCall(
    'asset.balance GET /v5/asset/transfer/query-account-coin-balance',
    COIN_BALANCES_PER_SECOND_MAX,
    oneCoin,
  ),
];
