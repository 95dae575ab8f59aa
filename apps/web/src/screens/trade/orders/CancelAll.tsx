import type { OrderRow } from '@crossbook/contract';
import { useState } from 'react';
import { useText } from '../../../i18n/i18n.ts';
import { cancelOrder } from '../../../stores/trading/orders.ts';
import { Button } from '../../../ui/Button.tsx';
import { Dialog } from '../../../ui/Dialog.tsx';

/** Cancels every order of a list, after asking. */
export function CancelAll({ rows }: { readonly rows: readonly OrderRow[] }) {
  const text = useText();
  const [asking, setAsking] = useState(false);
  const [busy, setBusy] = useState(false);
  const cancelAll = async (): Promise<void> => {
    setAsking(false);
    setBusy(true);
    // One after the other: the venue counts cancels against the account's rate.
    for (const row of rows) if (!row.cancelPending) await cancelOrder(row);
    setBusy(false);
  };
  return (
    <>
      <Button
        size="small"
        tone="quiet"
        busy={busy}
        disabled={rows.length === 0}
        onClick={() => setAsking(true)}
        className="max-lg:h-11"
      >
        {text('trade.orders.cancelAll')}
      </Button>
      <Dialog
        open={asking}
        kind="alert"
        onClose={() => setAsking(false)}
        title={text('trade.orders.cancelAll.title', { count: rows.length })}
        description={text('trade.orders.cancelAll.text')}
        closeLabel={text('common.close')}
        actions={
          <>
            <Button onClick={() => setAsking(false)}>{text('common.back')}</Button>
            <Button tone="danger" onClick={() => void cancelAll()}>
              {text('trade.orders.cancelAll')}
            </Button>
          </>
        }
      />
    </>
  );
}
