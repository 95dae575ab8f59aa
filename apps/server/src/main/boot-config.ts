import type { BootConfig } from '@crossbook/contract';
import { platformFacts } from '@crossbook/domain';
import type { Config } from '../config.ts';

/** What `/boot.json` tells the browser; only platforms that are built are listed. */
export function bootConfig(config: Config, version: string): BootConfig {
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
        state: venue.state,
        mode: venue.mode,
        restBases:
          config.marketData === 'direct' ? venue.restBases : { SPOT: `/md/${slug}`, SWAP: `/md/${slug}` },
        livePath: `/live/${platform}`,
        symbolTypes: ['SPOT'],
      };
    }),
    outbox: config.outbox,
    links: config.links,
  };
}
