import type { Platform } from '@crossbook/domain';
import type { TradingWallet } from '@crossbook/ledger';
import { venueProfile } from '@crossbook/venues';

/** The wallet that stands behind contracts: where spot and contracts have one each, the second. */
export function contractWalletOf(platform: Platform): TradingWallet {
  return venueProfile(platform).trading.contracts.ownPocket ? 'FUTURES' : 'TRADING';
}
