import { BINANCE_CONTRACT_KIT } from './binance-contract-kit.ts';
import { BINANCE_FUTURES_KIT } from './binance-futures-kit.ts';
import { BINANCE_KIT } from './binance-kit.ts';
import { BYBIT_CONTRACT_KIT } from './bybit-contract-kit.ts';
import { BYBIT_KIT } from './bybit-kit.ts';
import { bybitPublicKit } from './bybit-public-kit.ts';
import type { ContractKit } from './contract-kit.ts';
import { OKX_CONTRACT_KIT } from './okx-contract-kit.ts';
import { OKX_KIT } from './okx-kit.ts';
import { okxPublicKit } from './okx-public-kit.ts';
import type { PublicKit, VenueKit } from './venue-kit.ts';

/** Every venue one can trade on; each must pass every claim. A new venue is one more kit here. */
export const VENUE_KITS: readonly VenueKit[] = [BINANCE_KIT, OKX_KIT, BYBIT_KIT];

/** Every venue and market whose data is read: a kit here is asked for the claims about market data only. */
export const PUBLIC_KITS: readonly PublicKit[] = [
  ...VENUE_KITS,
  BINANCE_FUTURES_KIT,
  okxPublicKit('SWAP', 'OKX perpetuals'),
  bybitPublicKit('linear', 'Bybit perpetuals'),
];

/** Every venue one can trade contracts on; each must pass every claim about contracts. */
export const CONTRACT_KITS: readonly ContractKit[] = [
  BINANCE_CONTRACT_KIT,
  OKX_CONTRACT_KIT,
  BYBIT_CONTRACT_KIT,
];
