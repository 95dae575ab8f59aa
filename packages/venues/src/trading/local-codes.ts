/** Codes of our own, for requests that were never written to the wire and therefore certainly had no effect. */
export const LOCAL_CODES = {
  rateLimited: 'LOCAL_RATE_LIMITED',
  overloaded: 'LOCAL_OVERLOADED',
  closed: 'LOCAL_CLOSED',
  notExpressible: 'LOCAL_NOT_EXPRESSIBLE',
} as const;
