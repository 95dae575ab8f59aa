import { type Cost, HOST_USE, type LimitScope, OPERATOR_USE } from '../arbiter/limit-scope.ts';
import { type PublicLimits, retryAfterMillis } from '../arbiter/public-limits.ts';

/** Requests of our address by REST; what is written to an open socket does not count (rate-limit, 2026-07-24). */
const HOST: LimitScope = {
  name: 'host',
  weightMax: 600,
  windowMillis: 5_000,
  window: 'fixed',
  shared: HOST_USE,
};

/** What every call by REST uses. */
export const HOST_CALL: Cost = { scope: HOST, key: '', weight: 1 };

/** "Access too frequent" (403) asks for at least ten minutes of silence. */
export const HOST_PAUSE_MILLIS = 600_000;

function perSecond(name: string, weightMax: number): LimitScope {
  return { name, weightMax, windowMillis: 1_000, window: 'rolling' };
}

/**
 * Orders of calls that name several: each counts, and apart from those that go one by one (rate-limit, 2026-07-24). A call that was long
 * on its way lies with all of them in the second of the one behind it, so that they keep further apart.
 */
function ofSeveral(name: string, weightMax: number): LimitScope {
  return { ...perSecond(name, weightMax), windowMillis: 1_150 };
}

/**
 * Calls of one account in a second, in the groups that the venue counts together. It counts when a call reaches it: of ten on
 * contracts one stays back, for the one that was long on its way and lies in the second of those behind it.
 */
export const ACCOUNT_CALLS = {
  place: perSecond('place', 20),
  cancel: perSecond('cancel', 20),
  placeSeveral: ofSeveral('place several', 20),
  placeSeveralLinear: ofSeveral('place several linear', 10),
  placeLinear: perSecond('place linear', 9),
  cancelLinear: perSecond('cancel linear', 9),
  cancelSeveral: ofSeveral('cancel several', 20),
  cancelSeveralLinear: ofSeveral('cancel several linear', 10),
  amend: perSecond('amend', 10),
  settings: perSecond('settings', 5),
  read: perSecond('read', 50),
} as const;

/** Calls a second of the operator's key that are not five. */
const OPERATOR_CALLS: Readonly<Record<string, number>> = {
  '/v5/user/create-sub-member': 1,
  '/v5/user/create-sub-api': 1,
  '/v5/user/query-api': 10,
};
const OPERATOR_CALLS_USUAL = 5;

/** Calls of the operator's key, which members share; each call has its own number a second. */
export function operatorCall(path: string): LimitScope {
  return { ...perSecond(path, OPERATOR_CALLS[path] ?? OPERATOR_CALLS_USUAL), shared: OPERATOR_USE };
}

/** The limits of Bybit's public calls. */
export const BYBIT_PUBLIC_LIMITS: PublicLimits = {
  costs: () => [HOST_CALL],
  heard: (status, header) =>
    status === 429 || status === 403 ? { pauseMillis: retryAfterMillis(header) ?? HOST_PAUSE_MILLIS } : {},
};
