import { ok, refused } from '@crossbook/domain';
import type { SimBalance } from '../../../exchange.ts';
import { fields } from '../../wire/fields.ts';
import {
  accountOf,
  type Desk,
  type Endpoint,
  endpoint,
  PUBLIC,
  REST_KEY,
  SIGNED,
  WALLET_BY_IP,
} from '../endpoint.ts';
import { ERRORS } from '../errors.ts';
import { formatDecimal, ZERO_TEXT } from '../format.ts';
import { basisPoints, listedAssets } from '../spot/exchange-info.ts';

/** Balances of every listed asset, zeros included, in the order of listing; then what else is held. */
function allBalances(
  desk: Desk,
  held: readonly SimBalance[],
): readonly { asset: string; free: string; locked: string }[] {
  const byAsset = new Map(held.map((balance) => [balance.asset, balance]));
  const assets = new Set([...listedAssets(desk.exchange.markets), ...byAsset.keys()]);
  return [...assets].map((asset) => {
    const balance = byAsset.get(asset);
    return {
      asset,
      free: balance === undefined ? ZERO_TEXT : formatDecimal(balance.free),
      locked: balance === undefined ? ZERO_TEXT : formatDecimal(balance.locked),
    };
  });
}

const accountStatus = endpoint(
  SIGNED,
  'account.status GET /api/v3/account',
  'omitZeroBalances',
  (reader, desk) => {
    const omitZero = reader.flag('omitZeroBalances') ?? false;
    return {
      weight: 20,
      run: (caller) => {
        const account = accountOf(caller);
        const balances = allBalances(desk, desk.exchange.balances(account));
        const [market] = desk.exchange.markets.values();
        if (market === undefined) return refused(ERRORS.unknown);
        return ok({
          makerCommission: basisPoints(market.makerFee),
          takerCommission: basisPoints(market.takerFee),
          buyerCommission: 0,
          sellerCommission: 0,
          commissionRates: {
            maker: formatDecimal(market.makerFee),
            taker: formatDecimal(market.takerFee),
            buyer: ZERO_TEXT,
            seller: ZERO_TEXT,
          },
          canTrade: true,
          canWithdraw: true,
          canDeposit: true,
          brokered: false,
          requireSelfTradePrevention: false,
          preventSor: false,
          updateTime: desk.exchange.now(),
          accountType: 'SPOT',
          balances: omitZero
            ? balances.filter(({ free, locked }) => free !== ZERO_TEXT || locked !== ZERO_TEXT)
            : balances,
          permissions: ['SPOT'],
          uid: account,
        });
      },
    };
  },
);

const orderCount = endpoint(
  SIGNED,
  'account.rateLimits.orders GET /api/v3/rateLimit/order',
  '',
  (_, desk) => ({
    weight: 40,
    run: (caller) => ok(desk.rates.orderLines(accountOf(caller), desk.exchange.now())),
  }),
);

const commission = endpoint(
  SIGNED,
  'account.commission GET /api/v3/account/commission',
  'symbol',
  (reader, desk) => {
    const market = reader.market(desk.exchange.markets);
    return {
      weight: 20,
      run: () => {
        if (market === undefined) return refused(ERRORS.badSymbol);
        const none = fields('maker taker buyer seller', ZERO_TEXT);
        const maker = formatDecimal(market.makerFee);
        const taker = formatDecimal(market.takerFee);
        return ok({
          symbol: market.symbol,
          standardCommission: { ...none, maker, taker },
          specialCommission: none,
          taxCommission: none,
          discount: {
            ...{ enabledForAccount: false, enabledForSymbol: false },
            ...{ discountAsset: 'BNB', discount: '0.75000000' },
          },
        });
      },
    };
  },
);

/** The wallet's own state: no maintenance here. */
const systemStatus = endpoint(
  { ...PUBLIC, socket: false, walletLimit: 'IP' },
  'system.status GET /sapi/v1/system/status',
  '',
  () => ({ weight: 1, run: () => ok({ status: 0, msg: 'normal' }) }),
);

const coins = endpoint(WALLET_BY_IP, 'capital.config GET /sapi/v1/capital/config/getall', '', (_, desk) => ({
  weight: 10,
  run: (caller) =>
    ok(
      allBalances(desk, desk.exchange.balances(accountOf(caller))).map((balance) => ({
        coin: balance.asset,
        depositAllEnable: false,
        withdrawAllEnable: false,
        name: balance.asset,
        free: balance.free,
        locked: balance.locked,
        ...fields('freeze withdrawing ipoing ipoable storage', '0'),
        isLegalMoney: false,
        trading: true,
        networkList: [],
      })),
    ),
}));

const tradeFee = endpoint(
  WALLET_BY_IP,
  'asset.tradeFee GET /sapi/v1/asset/tradeFee',
  'symbol',
  (reader, desk) => {
    const one = reader.optionalMarket(desk.exchange.markets);
    return {
      weight: 1,
      run: () => {
        const markets = one === undefined ? [...desk.exchange.markets.values()] : [one];
        return ok(
          markets.map((market) => ({
            symbol: market.symbol,
            makerCommission: formatDecimal(market.makerFee),
            takerCommission: formatDecimal(market.takerFee),
          })),
        );
      },
    };
  },
);

/** Margin pairs: none, but clients with keys ask for them while loading markets. */
const marginPairs = ['allPairs', 'isolated/allPairs'].map((path) =>
  endpoint(
    { ...REST_KEY, walletLimit: 'IP' },
    `margin.${path} GET /sapi/v1/margin/${path}`,
    'symbol timestamp recvWindow signature',
    () => ({ weight: 1, run: () => ok([]) }),
  ),
);

/**
 * Listen keys of the old user stream. Binance switched them off on 2026-02-20; one SDK still calls them, and they cost
 * little.
 */
const listenKeys: readonly Endpoint[] = [
  endpoint(REST_KEY, 'userDataStream.start POST /api/v3/userDataStream', '', (_, desk) => ({
    weight: 2,
    run: (caller) =>
      ok({ listenKey: desk.userStreams.openListenKey(accountOf(caller), desk.randomText(60)) }),
  })),
  endpoint(REST_KEY, 'userDataStream.ping PUT /api/v3/userDataStream', 'listenKey', (reader, desk) => {
    const key = reader.requiredText('listenKey');
    return {
      weight: 2,
      run: (caller) =>
        desk.userStreams.keepListenKey(key, accountOf(caller)) ? ok({}) : refused(ERRORS.noListenKey),
    };
  }),
  endpoint(REST_KEY, 'userDataStream.stop DELETE /api/v3/userDataStream', 'listenKey', (reader, desk) => {
    const key = reader.requiredText('listenKey');
    return {
      weight: 2,
      run: (caller) =>
        desk.userStreams.closeListenKey(key, accountOf(caller)) ? ok({}) : refused(ERRORS.noListenKey),
    };
  }),
];

/** Account, coins, fees and the old listen keys. */
export const ACCOUNT_ENDPOINTS: readonly Endpoint[] = [
  accountStatus,
  orderCount,
  commission,
  systemStatus,
  coins,
  tradeFee,
  ...marginPairs,
  ...listenKeys,
];
