import type { Refusal } from '@crossbook/contract';
import { type Amount, type OrderTargets, SIDE, targetsFault } from '@crossbook/domain';
import { venueProfile } from '@crossbook/venues';
import { followsFills, listedQuantity } from '../listed-legs.ts';
import type { OrderDraft } from '../order.ts';
import type { TradingDeps } from '../ports.ts';
import { faultRefusal } from './risk-checks.ts';

/** Why an order may not bring its targets along: rules that the ticket asks too (spec section 5). */
export async function targetsRefusal(
  { market, venue }: Pick<TradingDeps, 'market' | 'venue'>,
  { instrument, side, price, quantity, targets }: OrderDraft,
  closes: boolean,
): Promise<Refusal | undefined> {
  if (targets === undefined) return undefined;
  const { platform, symbolType, symbol } = instrument;
  const offer = venueProfile(platform).trading.algos[symbolType];
  const given = venue(platform)?.name ?? '';
  if (venue(platform)?.trading.algos === undefined)
    return { error: 'algo-not-offered', given, allowed: 'take-profit and stop-loss' };
  if (closes) return { error: 'order-combination', allowed: 'targets protect what an order opens' };
  if (symbolType === 'SPOT' && side !== SIDE.BUY)
    return { error: 'order-combination', allowed: 'targets of a pair go with a buy' };
  const both = targets.takeProfit !== undefined && targets.stopLoss !== undefined;
  if (symbolType === 'SPOT' && both && !offer.kinds.includes('oco'))
    return { error: 'algo-not-offered', given, allowed: 'take-profit and stop-loss together' };
  const at = price ?? (await metPrice(market, { platform, symbolType, symbol, side }));
  const fault = targetsFault({ side, price: at, quantity, instrument }, targets, offer);
  if (fault === undefined) return undefined;
  return { ...faultRefusal(fault), ...(fault.name === 'algo-not-offered' ? { given } : {}) };
}

/** The targets that an order is sent with: where the venue makes the legs itself. */
export function attachedTargets(
  { venue }: Pick<TradingDeps, 'venue'>,
  { instrument, targets, contract }: Pick<OrderDraft, 'instrument' | 'targets' | 'contract'>,
): OrderTargets | undefined {
  const { platform, symbolType } = instrument;
  const offered = venueProfile(platform).trading.algos[symbolType].attached === 'venue';
  const known = venue(platform)?.trading.algos?.attached !== undefined;
  return offered && known && contract !== undefined ? targets : undefined;
}

/** How much of an order its legs sell that go out with it as one list; nothing where they do not. */
export function listedTargets(
  { venue }: Pick<TradingDeps, 'venue'>,
  draft: Parameters<typeof listedQuantity>[0],
): Amount | undefined {
  const known = venue(draft.instrument.platform)?.trading.algos !== undefined;
  return known ? listedQuantity(draft) : undefined;
}

/** Whether legs go out with an order of a pair: as one list with it, or for what it fills. */
export function legsGoOut(
  { venue }: Pick<TradingDeps, 'venue'>,
  draft: Parameters<typeof listedTargets>[1],
): boolean {
  const { instrument, side, targets } = draft;
  if (targets === undefined || venue(instrument.platform)?.trading.algos === undefined) return false;
  return listedQuantity(draft) !== undefined || followsFills({ ...instrument, side });
}

async function metPrice(
  market: TradingDeps['market'],
  {
    platform,
    symbolType,
    symbol,
    side,
  }: Pick<OrderDraft, 'side'> & Pick<OrderDraft['instrument'], 'platform' | 'symbolType' | 'symbol'>,
): Promise<Amount | undefined> {
  const best = await market.best(platform, symbolType, symbol);
  return side === SIDE.BUY ? best?.ask : best?.bid;
}
