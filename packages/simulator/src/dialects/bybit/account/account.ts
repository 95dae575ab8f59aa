import { type Amount, formatAmount, plus, toNumberForDisplay } from '@crossbook/domain';
import { masterOf } from '../../../accounts/labels.ts';
import type { SimBalance } from '../../../exchange.ts';
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
import { plain } from '../format.ts';
import { linearContracts } from '../market/instruments.ts';
import type { ParamReader } from '../params.ts';
import { isMaster, memberId } from './sub-accounts.ts';

const READS_PER_SECOND_MAX = 50;
const COIN_READS_PER_SECOND_MAX = 5;
const COINS_MAX = 200;
const COIN = /^[A-Z0-9]{1,20}$/;
/** Fees of contracts; they are told and not charged, for contracts are not traded here. */
const LINEAR_FEES = { takerFeeRate: '0.00055', makerFeeRate: '0.0002' } as const;
const DOLLAR_DECIMALS = 8;

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

function coinRow(desk: Desk, balance: SimBalance): object {
  const total = plus(balance.free, balance.locked);
  const whole = formatAmount(total);
  return {
    coin: balance.asset,
    equity: whole,
    usdValue: plain(dollarValue(desk, balance.asset, total), DOLLAR_DECIMALS),
    walletBalance: whole,
    locked: formatAmount(balance.locked),
    ...fields(
      'spotHedgingQty borrowAmount accruedInterest totalOrderIM totalPositionIM totalPositionMM unrealisedPnl cumRealisedPnl bonus spotBorrow',
      '0',
    ),
    marginCollateral: true,
    collateralSwitch: false,
    free: '',
    availableToWithdraw: '',
    availableToBorrow: '',
  };
}

/** A unified account with these coins. The totals are those of the coins shown. */
export function walletRow(desk: Desk, balances: readonly SimBalance[]): object {
  const total = balances.reduce(
    (sum, { asset, free, locked }) => sum + dollarValue(desk, asset, plus(free, locked)),
    0,
  );
  const free = balances.reduce((sum, { asset, free: amount }) => sum + dollarValue(desk, asset, amount), 0);
  const dollars = plain(total, DOLLAR_DECIMALS);
  return {
    accountType: 'UNIFIED',
    ...fields(
      'accountIMRate accountIMRateByMp accountMMRate accountMMRateByMp accountLTV totalPerpUPL totalInitialMargin totalInitialMarginByMp totalMaintenanceMargin totalMaintenanceMarginByMp',
      '0',
    ),
    totalEquity: dollars,
    totalWalletBalance: dollars,
    totalMarginBalance: dollars,
    totalAvailableBalance: plain(free, DOLLAR_DECIMALS),
    coin: balances.map((balance) => coinRow(desk, balance)),
  };
}

/** Coins that were asked for by name; those without a balance are shown as zero. */
function readCoins(reader: ParamReader): readonly string[] | undefined {
  const text = reader.text('coin');
  if (text === undefined) return undefined;
  const coins = text.split(',');
  if (coins.length > COINS_MAX || !coins.every((coin) => COIN.test(coin))) reader.refuse(invalid('coin'));
  return coins;
}

function balancesOf(desk: Desk, caller: Caller, coins: readonly string[] | undefined): readonly SimBalance[] {
  const held = desk.venue.spot.balances(accountOf(caller));
  const none = 0n as Amount;
  if (coins === undefined) return held.filter(({ free, locked }) => free > 0n || locked > 0n);
  return coins.map(
    (asset) => held.find((balance) => balance.asset === asset) ?? { asset, free: none, locked: none },
  );
}

function walletBalance(reader: ParamReader, desk: Desk): Run {
  if (reader.requiredText('accountType') !== 'UNIFIED') reader.refuse(invalid('accountType'));
  const coins = readCoins(reader);
  return (caller) => reply({ list: [walletRow(desk, balancesOf(desk, caller, coins))] });
}

function info(_: ParamReader, desk: Desk): Run {
  return () =>
    reply({
      marginMode: 'REGULAR_MARGIN',
      updatedTime: String(desk.venue.spot.now()),
      unifiedMarginStatus: 5,
      dcpStatus: 'OFF',
      timeWindow: 10,
      smpGroup: 0,
      isMasterTrader: false,
      spotHedgingStatus: 'OFF',
    });
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
      ...(category === 'spot'
        ? { takerFeeRate: formatAmount(market.takerFee), makerFeeRate: formatAmount(market.makerFee) }
        : LINEAR_FEES),
    }));
    return reply({ category, list });
  };
}

/** What a key may do and whose it is. */
function queryApi(_: ParamReader, desk: Desk): Run {
  return (caller) => {
    const account = accountOf(caller);
    const master = masterOf(desk.venue.spot);
    const own = isMaster(desk, account);
    const hasMaster = !own && master !== undefined;
    return reply({
      id: memberId(account),
      ...fields('note secret rsaPublicKey kycRegion', ''),
      apiKey: caller.apiKey ?? '',
      ...fields('readOnly unified inviterID affiliateID', 0),
      permissions: {
        ...fields('ContractTrade Options Derivatives CopyTrading BlockTrade Exchange NFT Affiliate Earn', []),
        Spot: ['SpotTrade'],
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

function coinLine(balance: SimBalance): object {
  return {
    coin: balance.asset,
    walletBalance: formatAmount(plus(balance.free, balance.locked)),
    transferBalance: formatAmount(balance.free),
    bonus: '',
  };
}

function allCoins(reader: ParamReader, desk: Desk): Run {
  const accountType = readHeld(reader);
  const coins = readCoins(reader);
  return (caller) => {
    const held = accountType === 'FUND' ? [] : balancesOf(desk, caller, coins);
    return reply({ memberId: memberId(accountOf(caller)), accountType, balance: held.map(coinLine) });
  };
}

function oneCoin(reader: ParamReader, desk: Desk): Run {
  const accountType = readHeld(reader);
  const [coin] = readCoins(reader) ?? [];
  if (coin === undefined) reader.refuse(missing('coin'));
  return (caller) => {
    const none = 0n as Amount;
    const [held] = accountType === 'FUND' ? [] : balancesOf(desk, caller, [coin ?? '']);
    const id = memberId(accountOf(caller));
    const balance = coinLine(held ?? { asset: coin ?? '', free: none, locked: none });
    return reply({ accountType, bizType: 1, accountId: id, memberId: id, balance });
  };
}

/** Balances, fees and facts of the account. */
export const ACCOUNT_ENDPOINTS: readonly Endpoint[] = [
  signedCall('account.wallet GET /v5/account/wallet-balance', READS_PER_SECOND_MAX, walletBalance),
  signedCall('account.info GET /v5/account/info', READS_PER_SECOND_MAX, info),
  signedCall('account.fees GET /v5/account/fee-rate', COIN_READS_PER_SECOND_MAX, feeRate),
  signedCall('user.key GET /v5/user/query-api', READS_PER_SECOND_MAX, queryApi),
  signedCall('asset.coins GET /v5/asset/coin/query-info', COIN_READS_PER_SECOND_MAX, coinInfo),
  signedCall(
    'asset.balances GET /v5/asset/transfer/query-account-coins-balance',
    COIN_READS_PER_SECOND_MAX,
    allCoins,
  ),
  signedCall(
    'asset.balance GET /v5/asset/transfer/query-account-coin-balance',
    COIN_READS_PER_SECOND_MAX,
    oneCoin,
  ),
];
