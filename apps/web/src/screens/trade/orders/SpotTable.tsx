import type { ReactNode } from 'react';
import { Assets } from './Assets.tsx';
import { ConditionalTab } from './ConditionalTab.tsx';
import type { RecordTabProps } from './record-rows.ts';
import { OpenOrders, OrderHistory, TradeHistory } from './record-tabs.tsx';

/** What the tabs below the chart of a pair are called. */
export const SPOT_TABS = ['open', 'conditional', 'history', 'fills', 'assets'] as const;

/** The table of one tab below the chart of a pair. */
export function SpotTable({
  tab,
  ...part
}: RecordTabProps & { readonly tab: (typeof SPOT_TABS)[number] }): ReactNode {
  if (tab === 'open') return <OpenOrders {...part} />;
  if (tab === 'conditional') return <ConditionalTab {...part} />;
  if (tab === 'history') return <OrderHistory {...part} />;
  if (tab === 'fills') return <TradeHistory {...part} />;
  return <Assets {...part} />;
}
