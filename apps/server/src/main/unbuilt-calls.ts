import type { CallAnswer, CallHandlers } from '@crossbook/contract';
import type { AccountCallName } from '../accounts/handlers.ts';

/**
 * Calls whose features are not wired yet. Removed, with this file, when `hub.ts` spreads the handlers of market, trading
 * and wallets: then `CallHandlers` is complete without it.
 */
export function unbuiltCalls(): Omit<CallHandlers, AccountCallName> {
  const unavailable = async (): Promise<CallAnswer<never>> => ({ ok: false, code: { error: 'unavailable' } });
  return {
    'connexbasicdata/QuerySymInfo': unavailable,
    'connextrade/PlaceOrder': unavailable,
    'connextrade/CancelOrder': unavailable,
    'connextrade/CurOrderList': unavailable,
    'connextrade/OrderHistory': unavailable,
    'x/trade/Fills': unavailable,
    'connexfunding/fundingbalance': unavailable,
    'connexfunding/tradingbalance': unavailable,
    'connexfunding/tradingbalancesum': unavailable,
    'connexfunding/UniversalTransfer': unavailable,
    'connexfunding/UniversalTransferHistory': unavailable,
    'x/paper/TestFunds': unavailable,
  };
}
