/**
 * Why an exchange refuses what was asked of it, as far as that has a name of ours: each exchange has codes of its own for it.
 * What is not among them stays the exchange's bare code.
 */
export const REFUSAL_CAUSES = [
  'balance-insufficient',
  'price-band',
  'tier-exceeded',
  'nothing-to-reduce',
  'close-too-large',
  'post-only-crosses',
  'trigger-now',
  'algo-limit',
  'order-limit',
  'lower-leverage-isolated',
  'mode-blocked',
  'order-gone',
  'rate-limit',
  'countdown',
] as const;
/** One such name. */
export type RefusalCause = (typeof REFUSAL_CAUSES)[number];
