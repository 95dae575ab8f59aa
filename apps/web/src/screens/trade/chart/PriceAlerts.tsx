import { BellRing } from 'lucide-react';
import { Suspense, useState } from 'react';
import { useStore } from 'zustand';
import { useText } from '../../../i18n/i18n.ts';
import type { ListedInstrument } from '../../../stores/market/instruments.ts';
import { priceAlertsStore } from '../../../stores/trading/price-alerts.ts';
import { lazyPart } from '../../../ui/read-ahead.ts';
import { useKeys } from '../keys/use-keys.ts';

const PriceAlertList = lazyPart(async () => (await import('./PriceAlertList.tsx')).PriceAlertList);

/** The bell over the bars: how many price alerts wait, and the list of them. */
export function PriceAlerts(props: {
  readonly instrument: ListedInstrument;
  /** The newest price: which side an alert is reached from. */
  readonly last: number | undefined;
}) {
  const text = useText();
  const count = useStore(priceAlertsStore, ({ waiting }) => waiting.size);
  const [open, setOpen] = useState(false);
  useKeys({ 'focus.alerts': () => setOpen(true) });
  const label = count === 0 ? text('trade.alert.list') : text('trade.alert.listCount', { count });
  return (
    <>
      <button
        type="button"
        aria-label={label}
        title={label}
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
        className="ml-auto flex h-7 shrink-0 items-center gap-1 rounded-md px-1.5 text-xs tabular-nums text-faint hover:bg-hover hover:text-text max-lg:h-11 max-lg:min-w-11 max-lg:justify-center"
      >
        <BellRing size={14} aria-hidden="true" />
        {count > 0 && <span aria-hidden="true">{count}</span>}
      </button>
      {open && (
        <Suspense>
          <PriceAlertList {...props} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
