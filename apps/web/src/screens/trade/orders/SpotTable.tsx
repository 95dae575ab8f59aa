import type { ReactNode } from 'react';
import { Assets } from './Assets.tsx';
import { ConditionalTab } from './ConditionalTab.tsx';
import type { RecordTabProps, SpotTab } from './record-rows.ts';
import { OpenOrders, OrderHistory, TradeHistory } from './record-tabs.tsx';

/** The table of one tab below the chart of a pair. */
export function SpotTable({ tab, ...part }: RecordTabProps & { readonly tab: SpotTab }): ReactNode {
  if (tab === 'open') return <OpenOrders {...part} />;
  if (tab === 'conditional') return <ConditionalTab {...part} />;
  if (tab === 'history') return <OrderHistory {...part} />;
  if (tab === 'fills') return <TradeHistory {...part} />;
  return <Assets {...part} />;
}
