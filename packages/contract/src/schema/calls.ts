import { accountCalls } from './accounts.ts';
import { contractCalls } from './contracts.ts';
import { tradingCalls } from './trading.ts';
import { walletCalls } from './wallets.ts';

/** Schema of every call by name; the name is the path behind `/api/`. */
export const CALL_SCHEMAS = { ...accountCalls, ...tradingCalls, ...contractCalls, ...walletCalls } as const;
