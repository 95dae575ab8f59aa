/** A page as it is visited. */
export interface ListedPage {
  readonly path: string;
  /** The text behind the product name in the title. */
  readonly titleId: string;
  readonly member?: true;
  /** In two looks in `npm test` as well; the full tier takes all, in every look. */
  readonly main?: true;
  /** A page for everybody, as a member sees it: the look that visitors have not, that in Korean, is what it is looked at for. */
  readonly publicToo?: true;
}

/** Who is logged in is led on from these. */
const FOR_VISITORS = ['/login', '/regist'];

const OF_VISITORS: readonly ListedPage[] = [
  { path: '/', titleId: 'title.home', main: true },
  { path: '/market', titleId: 'title.market' },
  { path: '/login', titleId: 'title.login' },
  { path: '/regist', titleId: 'title.register' },
  { path: '/dev/outbox', titleId: 'title.outbox' },
  { path: '/spot/binance/BTCUSDT', titleId: 'title.spot' },
  { path: '/spot/binance/NOSUCHPAIR', titleId: 'title.spot' },
  { path: '/futures/binance/BTCUSDT', titleId: 'title.futures' },
  { path: '/about', titleId: 'footer.about' },
  { path: '/marketData', titleId: 'title.marketData' },
  { path: '/forgotPassword_A', titleId: 'title.forgotPassword' },
  { path: '/forgotPassword_B', titleId: 'title.forgotPassword' },
  { path: '/otp', titleId: 'title.otp' },
  { path: '/otpauth', titleId: 'title.otpauth' },
  { path: '/oauth', titleId: 'title.login' },
  { path: '/bindPsd', titleId: 'title.bindPassword' },
  { path: '/freeze', titleId: 'title.freeze' },
  { path: '/lostAccess', titleId: 'title.lostAccess' },
  { path: '/event', titleId: 'title.events' },
  { path: '/eventDetail/first-steps', titleId: 'title.events' },
  { path: '/eventDetail/none', titleId: 'title.events' },
  { path: '/announcements', titleId: 'footer.announcements' },
  { path: '/announcements/open', titleId: 'footer.announcements' },
  { path: '/terms', titleId: 'footer.terms' },
  { path: '/privacy', titleId: 'footer.privacy' },
  { path: '/support', titleId: 'footer.support' },
  { path: '/community', titleId: 'title.community' },
];

const OF_MEMBERS: readonly ListedPage[] = [
  { path: '/', titleId: 'title.home', member: true },
  { path: '/market', titleId: 'title.market', member: true },
  { path: '/spot/binance/BTCUSDT', titleId: 'title.spot', member: true, main: true },
  { path: '/wallet/WalletOverviewSub', titleId: 'title.wallet', member: true, main: true },
  { path: '/wallet/TransferSub', titleId: 'title.transfer', member: true },
  { path: '/history/spot_trading_overview', titleId: 'title.orders', member: true },
  { path: '/history/spot_trading_details', titleId: 'title.fills', member: true },
  { path: '/wallet/DepositSub', titleId: 'nav.wallet.deposit', member: true },
  { path: '/wallet/WithdrawSub', titleId: 'nav.wallet.withdraw', member: true },
  { path: '/wallet/ConvertSub', titleId: 'nav.wallet.convert', member: true },
  { path: '/wallet/ExchangeSub', titleId: 'nav.wallet.exchange', member: true },
  { path: '/wallet/GiftSub', titleId: 'nav.wallet.gift', member: true },
  { path: '/futures/binance/BTCUSDT', titleId: 'title.futures', member: true },
  { path: '/history/futures_trading_overview', titleId: 'nav.history.futuresOrders', member: true },
  { path: '/history/futures_trading_details', titleId: 'nav.history.futuresFills', member: true },
  { path: '/history/funding_history', titleId: 'nav.history.funding', member: true },
  { path: '/dashboard/profile', titleId: 'nav.dashboard.profile', member: true },
  { path: '/dashboard/kyc', titleId: 'title.kyc', member: true },
  { path: '/dashboard/self_referral', titleId: 'nav.dashboard.selfReferral', member: true },
  { path: '/dashboard/security', titleId: 'nav.dashboard.security', member: true },
];

/** Pages for everybody that members have no row of their own of. */
const ALSO_OF_MEMBERS: readonly ListedPage[] = OF_VISITORS.filter(
  ({ path }) => !FOR_VISITORS.includes(path) && !OF_MEMBERS.some((page) => page.path === path),
).map(({ path, titleId }) => ({ path, titleId, member: true, publicToo: true }));

/** Every page there is, as visitors and as members see it; routes.test.ts holds the list against the routes. */
export const PAGES: readonly ListedPage[] = [...OF_VISITORS, ...OF_MEMBERS, ...ALSO_OF_MEMBERS];
