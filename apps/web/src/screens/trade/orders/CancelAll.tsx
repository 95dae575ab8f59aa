import { Suspense, useState } from 'react';
import { useText } from '../../../i18n/i18n.ts';
import type { ListedInstrument } from '../../../stores/market/instruments.ts';
import { Button } from '../../../ui/Button.tsx';
import { lazyPart } from '../../../ui/read-ahead.ts';

const CancelDialog = lazyPart(async () => (await import('./CancelDialog.tsx')).CancelDialog);

/** The button that cancels everything of a list, and what it asks. @param kind what is ticked at first. */
export function CancelAll(props: {
  readonly instrument: ListedInstrument;
  readonly onlyThis: boolean;
  readonly kind: 'limit' | 'conditional';
  readonly count: number;
}) {
  const { instrument, onlyThis, kind, count } = props;
  const text = useText();
  const [asking, setAsking] = useState(false);
  const reach = onlyThis ? ('symbol' as const) : ('venue' as const);
  return (
    <>
      <Button
        size="small"
        tone="quiet"
        disabled={count === 0}
        onClick={() => setAsking(true)}
        className="max-lg:h-11"
      >
        {text('trade.orders.cancelAll')}
      </Button>
      {asking && (
        <Suspense>
          <CancelDialog instrument={instrument} first={{ reach, kind }} onClose={() => setAsking(false)} />
        </Suspense>
      )}
    </>
  );
}
