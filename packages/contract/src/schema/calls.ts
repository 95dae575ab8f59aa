import { accountCalls } from './accounts.ts';
import { algoCalls } from './algo-orders.ts';
import { contentCalls } from './content.ts';
import { contractCalls } from './contracts.ts';
import { kycCalls } from './kyc.ts';
import { passkeyCalls } from './passkeys.ts';
import { providerCalls } from './providers.ts';
import { recoveryCalls, securityCalls } from './security.ts';
import { tradingCalls } from './trading.ts';
import { walletCalls } from './wallets.ts';

/** Schema of every call by name; the name is the path behind `/api/`. */
export const CALL_SCHEMAS = {
  ...accountCalls,
  ...securityCalls,
  ...recoveryCalls,
  ...passkeyCalls,
  ...providerCalls,
  ...tradingCalls,
  ...algoCalls,
  ...contractCalls,
  ...walletCalls,
  ...contentCalls,
  ...kycCalls,
} as const;
