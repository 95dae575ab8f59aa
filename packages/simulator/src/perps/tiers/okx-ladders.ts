/**
 * Leverage tiers of OKX swaps as `public/position-tiers` told them on 2026-05-28 for BTC; those of the other coins are
 * typical: our own figures on the same pattern. Caps count contracts. The first steps are
 * `cap:maintenance rate:leverage:initial rate`, with caps as multiples of the first one; then cap and rates rise evenly.
 */

/** How a ladder rises after its first steps. */
export interface EvenLadder {
  readonly first: string;
  /** Times the first cap that each further step adds. */
  readonly widthInFirstCaps: number;
  readonly tiers: number;
}

/** What each further step adds to both rates. */
export const OKX_RATE_STEP = '0.005';

const BTC: EvenLadder = {
  first: `1:0.004:100:0.01 5:0.005:75:0.0133 20:0.0075:50:0.02 40:0.0125:40:0.025 60:0.0175:33.33:0.03
    80:0.0225:28.57:0.035`,
  widthInFirstCaps: 20,
  tiers: 99,
};
const ETH: EvenLadder = {
  first: `1:0.004:100:0.01 2:0.005:75:0.0133 5:0.0075:50:0.02 10:0.0125:40:0.025 20:0.0175:33.33:0.03
    30:0.0225:28.57:0.035 40:0.0275:25:0.04`,
  widthInFirstCaps: 10,
  tiers: 99,
};
const FIFTYFOLD: EvenLadder = {
  first: `1:0.0065:50:0.02 2:0.01:40:0.025 4:0.015:30:0.0333 8:0.02:25:0.04 12:0.025:20:0.05 16:0.03:18.18:0.055
    20:0.035:16.66:0.06`,
  widthInFirstCaps: 4,
  tiers: 95,
};

/** By coin: the contracts of the first step, and how it goes on. Only BTC's are the venue's own. */
export const OKX_LADDERS: Readonly<Record<string, readonly [firstCap: number, ladder: EvenLadder]>> = {
  BTC: [1_000, BTC],
  ETH: [2_000, ETH],
  SOL: [1_000, FIFTYFOLD],
  XRP: [500, FIFTYFOLD],
  DOGE: [700, FIFTYFOLD],
  BNB: [10_000, FIFTYFOLD],
  ADA: [2_000, FIFTYFOLD],
  AVAX: [5_000, FIFTYFOLD],
  LINK: [5_000, FIFTYFOLD],
  TRX: [200, FIFTYFOLD],
  LTC: [1_000, FIFTYFOLD],
  BCH: [1_000, FIFTYFOLD],
  DOT: [30_000, FIFTYFOLD],
  SUI: [40_000, FIFTYFOLD],
  PEPE: [800, FIFTYFOLD],
  NEAR: [3_000, FIFTYFOLD],
  APT: [30_000, FIFTYFOLD],
  ARB: [20_000, FIFTYFOLD],
  OP: [100_000, FIFTYFOLD],
  FIL: [300_000, FIFTYFOLD],
  ATOM: [10_000, FIFTYFOLD],
  UNI: [8_000, FIFTYFOLD],
  HBAR: [3_000, FIFTYFOLD],
};

/** Coins whose ladder is our own, made like the recorded one. */
export const TYPICAL_AT_OKX: readonly string[] = Object.keys(OKX_LADDERS).filter((coin) => coin !== 'BTC');
