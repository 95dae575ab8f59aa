import type { ListingRules } from '../market/filters.ts';

/** Largest leverage shown where the public listing names none (spec section 9, "Default maxLever"). */
const LEVERAGE_DEFAULT_MAX = 5;

/**
 * Only perpetual contracts belong to the hub (spec section 8); dated ones and those not yet open, whose kind is still
 * empty, are left out. A perpetual that is settling or closed is listed as halted.
 */
export const FUTURES_LISTING: ListingRules = {
  symbolType: 'SWAP',
  maxLeverage: LEVERAGE_DEFAULT_MAX,
  belongs: (symbol) => symbol.contractType === 'PERPETUAL' && symbol.marginAsset === symbol.quoteAsset,
  trades: (symbol) => symbol.status === 'TRADING',
};
