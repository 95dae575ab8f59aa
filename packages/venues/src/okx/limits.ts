import { type LimitScope, OPERATOR_USE, PUBLIC_CALL_USE, type SharedUse } from '../arbiter/limit-scope.ts';
import { type PublicLimits, retryAfterMillis } from '../arbiter/public-limits.ts';

/** OKX counts each call by itself in two seconds (OKX v5 guide, "Rate Limits", 2026). */
const WINDOW_MILLIS = 2_000;
/** How long a call is left alone after the limiter spoke; it names no time. */
export const PAUSE_MILLIS = 2_000;

function perTwoSeconds(name: string, weightMax: number, shared?: SharedUse): LimitScope {
  const own: LimitScope = { name, weightMax, windowMillis: WINDOW_MILLIS, window: 'rolling' };
  return shared === undefined ? own : { ...own, shared };
}

/** Calls of members' own keys. Those that place, change and cancel are counted by account and instrument, the rest by account. */
export const ACCOUNT_CALLS = {
  place: perTwoSeconds('place', 60),
  /** Of a batch every order counts, and apart from those that are placed one by one. */
  placeSeveral: perTwoSeconds('place several', 300),
  amend: perTwoSeconds('amend', 60),
  cancel: perTwoSeconds('cancel', 60),
  /** Counted as batches that place are. */
  cancelSeveral: perTwoSeconds('cancel several', 300),
  find: perTwoSeconds('find', 60),
  pending: perTwoSeconds('pending', 60),
  placeAlgo: perTwoSeconds('place algo', 20),
  amendAlgo: perTwoSeconds('amend algo', 20),
  /** Of a call every order that it names counts ("Cancel algo order"). */
  cancelAlgo: perTwoSeconds('cancel algo', 20),
  findAlgo: perTwoSeconds('find algo', 20),
  pendingAlgos: perTwoSeconds('pending algos', 20),
  pastAlgos: perTwoSeconds('past algos', 20),
  orderHistory: perTwoSeconds('order history', 40),
  orderArchive: perTwoSeconds('order archive', 20),
  fills: perTwoSeconds('fills', 60),
  fillsHistory: perTwoSeconds('fills history', 10),
  balance: perTwoSeconds('balance', 10),
  /** Once a second for an account ("Cancel All After"). */
  countdown: perTwoSeconds('countdown', 2),
  config: perTwoSeconds('config', 5),
  accountLevel: perTwoSeconds('account level', 5),
  positionMode: perTwoSeconds('position mode', 5),
  leverage: perTwoSeconds('leverage', 20),
  leverageInfo: perTwoSeconds('leverage info', 20),
  margin: perTwoSeconds('margin', 20),
  positions: perTwoSeconds('positions', 10),
  tiers: perTwoSeconds('tiers', 10),
  bills: perTwoSeconds('bills', 10),
  billsArchive: perTwoSeconds('bills archive', 5),
} as const;

/** New and amended orders of one account, all instruments together ("Sub-account rate limit", code 50061). */
export const ACCOUNT_ORDERS: LimitScope = perTwoSeconds('account orders', 1_000);

/** Calls of the operator's key, which members share. Transfers are counted by coin. */
export const OPERATOR_CALLS = {
  list: perTwoSeconds('list accounts', 20, OPERATOR_USE),
  create: perTwoSeconds('create account', 2, OPERATOR_USE),
  key: perTwoSeconds('create key', 2, OPERATOR_USE),
  transfer: perTwoSeconds('transfer', 4, OPERATOR_USE),
  transferState: perTwoSeconds('transfer state', 20, OPERATOR_USE),
  funding: perTwoSeconds('funding balances', 12, OPERATOR_USE),
} as const;

/** Public calls in two seconds of an address; those not named have 20. */
const PUBLIC_CALLS: Readonly<Record<string, number>> = {
  '/api/v5/public/time': 10,
  '/api/v5/public/mark-price': 10,
  '/api/v5/public/funding-rate': 10,
  '/api/v5/public/funding-rate-history': 10,
  '/api/v5/market/books': 40,
  '/api/v5/market/candles': 40,
  '/api/v5/market/trades': 100,
};
const PUBLIC_CALLS_USUAL = 20;

/** The limits of OKX's public calls. */
export const OKX_PUBLIC_LIMITS: PublicLimits = {
  costs: ({ path }) => [
    {
      scope: perTwoSeconds(path, PUBLIC_CALLS[path] ?? PUBLIC_CALLS_USUAL, PUBLIC_CALL_USE),
      key: '',
      weight: 1,
    },
  ],
  heard: (status, header) =>
    status === 429 || status === 403 ? { pauseMillis: retryAfterMillis(header) ?? PAUSE_MILLIS } : {},
};
