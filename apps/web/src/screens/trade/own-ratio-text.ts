import '../../i18n/later-words.ts';
import { type Platform, platformFacts } from '@crossbook/domain';
import { safetyPercent } from '../../calculators/contracts/own-ratio.ts';
import { compactNumber } from '../../calculators/step-text.ts';
import type { Text } from '../../i18n/i18n.ts';
import { contractOffer } from '../../stores/market/market.ts';

/** A ratio in the venue's own words, where these are the reverse of ours; `undefined` elsewhere. */
export function ownRatioText(text: Text, platform: Platform, ratio: number | undefined): string | undefined {
  const { stated, warnsFrom } = contractOffer(platform).ratio;
  const own = stated === 'safety' && ratio !== undefined ? safetyPercent(ratio) : undefined;
  if (own === undefined || warnsFrom === undefined) return undefined;
  return text('trade.position.ownRatio', {
    venue: platformFacts(platform).name,
    percent: compactNumber(own, 4, 1e6),
    warns: String(Math.round(100 / warnsFrom)),
  });
}
