import type { BinanceError } from '../errors.ts';

/** Refusals that futures word otherwise than spot; all others are spot's own (`../binance/errors.ts`). */
export const FUTURES_ERRORS = {
  /** A depth that is not on the venue's list; larger ones are not clamped. */
  badDepthLimit: { status: 400, code: -4021, msg: 'Invalid depth limit.' },
  /** Everything that needs an account: the simulator shows perpetuals, but nobody trades them yet. */
  notTraded: { status: 400, code: -1020, msg: 'Perpetual trading is not simulated yet.' },
} as const satisfies Record<string, BinanceError>;

/** -5000: a path or method that the futures' host does not have. */
export function invalidPath(method: string, path: string): BinanceError {
  const shown = path.slice(0, 80).replace(/[^\w/.-]/g, '?');
  return { status: 404, code: -5000, msg: `Path ${shown}, Method ${method.slice(0, 16)} is invalid` };
}

/** -1003: the weight of this address's minute, or its budget for funding calls, is used up. */
export function tooManyCalls(limit: number, window: string, retryAfterSeconds: number): BinanceError {
  const msg = `Too many requests; current limit is ${limit} requests per ${window}. Please use the websocket for live updates to avoid polling the API.`;
  return { status: 429, code: -1003, msg, retryAfterSeconds };
}
