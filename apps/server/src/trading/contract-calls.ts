import type { CallHandlers } from '@crossbook/contract';
import { type Refused, refusal } from './ports.ts';

/** The calls about contracts. */
export type ContractHandlers = Pick<
  CallHandlers,
  | 'connextrade/CancelAll'
  | 'connextrade/v2/OrderHistory'
  | 'connextrade/v2/OrderHistorySubTotal'
  | 'connextrade/GetOrderRpnl'
  | 'connextrade/GetLeverage'
  | 'connextrade/SetLeverage'
  | 'connextrade/ChangePositionMode'
  | 'x/trade/MarginMode'
  | 'x/trade/AdjustMargin'
  | 'connextrade/GetPositionTiers'
  | 'connextrade/CurPositionList'
  | 'connextrade/PositionHistory'
  | 'connextrade/ClosePosition'
  | 'connextrade/ClosePositionAll'
  | 'connextrade/AvailableOpen'
  | 'connextrade/AvailableClose'
  | 'x/trade/FundingHistory'
  | 'connexfunding/GetRpnl'
>;

/** No venue is connected for contracts: every call says so. */
export function contractHandlers(): ContractHandlers {
  const away = async (): Promise<Refused> => refusal({ error: 'contracts-away', given: 'the exchange' });
  return {
    'connextrade/CancelAll': away,
    'connextrade/v2/OrderHistory': away,
    'connextrade/v2/OrderHistorySubTotal': away,
    'connextrade/GetOrderRpnl': away,
    'connextrade/GetLeverage': away,
    'connextrade/SetLeverage': away,
    'connextrade/ChangePositionMode': away,
    'x/trade/MarginMode': away,
    'x/trade/AdjustMargin': away,
    'connextrade/GetPositionTiers': away,
    'connextrade/CurPositionList': away,
    'connextrade/PositionHistory': away,
    'connextrade/ClosePosition': away,
    'connextrade/ClosePositionAll': away,
    'connextrade/AvailableOpen': away,
    'connextrade/AvailableClose': away,
    'x/trade/FundingHistory': away,
    'connexfunding/GetRpnl': away,
  };
}
