/** A partner exchange by its number in the specification (spec section 3). */
export type Platform = 1 | 2 | 3;
/** Route and configuration name of a partner exchange. */
export type PlatformSlug = 'binance' | 'okx' | 'bybit';
/** `platformType` on the wire: the partner's apiKey number (decision 0030.12). */
export type PlatformType = 43 | 41 | 42;
/** Whether members may trade on a platform or only see its market data (decision 0030.20). */
export type PlatformState = 'live' | 'coming-soon';

/** What is fixed about a partner exchange. */
export interface PlatformFacts {
  readonly platform: Platform;
  readonly slug: PlatformSlug;
  readonly platformType: PlatformType;
  readonly name: string;
}

/** The one table of platforms: number, slug, wire code, name. */
export const PLATFORMS: readonly [PlatformFacts, ...PlatformFacts[]] = [
  { platform: 1, slug: 'binance', platformType: 43, name: 'Binance' },
  { platform: 2, slug: 'okx', platformType: 41, name: 'OKX' },
  { platform: 3, slug: 'bybit', platformType: 42, name: 'Bybit' },
];

/** Finds a platform by number. */
export function platformFacts(platform: Platform): PlatformFacts {
  return PLATFORMS[platform - 1] as PlatformFacts;
}

/** Finds a platform by its slug; `undefined` for an unknown one. */
export function platformOfSlug(slug: string): PlatformFacts | undefined {
  return PLATFORMS.find((facts) => facts.slug === slug);
}

/** Finds a platform by its wire code 43, 41 or 42. */
export function platformOfType(platformType: number): PlatformFacts | undefined {
  return PLATFORMS.find((facts) => facts.platformType === platformType);
}
