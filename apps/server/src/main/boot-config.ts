import type { BootConfig } from '@crossbook/contract';
import { type Platform, platformFacts } from '@crossbook/domain';
import type { Config } from '../config.ts';
import type { PlatformStates } from './venues/platform-states.ts';

/** Origins that browsers fetch public market data from besides ours: the exchanges' own in direct mode. */
export function directHosts(config: Config): readonly string[] {
  if (config.marketData === 'relay') return [];
  const bases = config.venues.flatMap(({ restBases }) => [restBases.SPOT, restBases.SWAP]);
  return [...new Set(bases.map((base) => new URL(base).origin))];
}

/** What of a platform is known while the hub runs. */
export interface BootParts {
  /** Whether the connector of a platform takes orders for contracts. */
  readonly tradesContracts: (platform: Platform) => boolean;
  readonly states: Pick<PlatformStates, 'stateOf' | 'paused'>;
}

/**
 * What `/boot.json` tells the browser; every platform is listed.
 */
export function bootConfig(
  config: Config,
  version: string,
  { tradesContracts, states }: BootParts,
): BootConfig {
  return {
    productName: config.productName,
    version,
    money: config.money,
    environment: config.environment,
    tenant: config.tenant,
    hosts: { own: '', user: '', notify: '', public: '' },
    platforms: config.venues.map((venue) => {
      const { platform, slug, platformType, name } = platformFacts(venue.platform);
      return {
        platform,
        slug,
        platformType,
        name,
        state: states.stateOf(platform),
        paused: states.paused(platform),
        mode: venue.mode,
        restBases:
          config.marketData === 'direct' ? venue.restBases : { SPOT: `/md/${slug}`, SWAP: `/md/${slug}` },
        livePath: `/live/${platform}`,
        symbolTypes: tradesContracts(platform) ? ['SPOT', 'SWAP'] : ['SPOT'],
      };
    }),
    outbox: config.outbox,
    logInProvider: config.logInProvider?.label ?? '',
    links: config.links,
  };
}
