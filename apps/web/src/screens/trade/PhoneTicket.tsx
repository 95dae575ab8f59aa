import { SIDE, type Side } from '@crossbook/domain';
import type { ReactNode } from 'react';
import { useText } from '../../i18n/i18n.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';

/** Buy and Sell at the thumb, and the ticket they open with that side armed. */
export function PhoneTicket(props: {
  readonly title: string;
  readonly open: boolean;
  readonly onOpen: (side: Side) => void;
  readonly onClose: () => void;
  readonly ticket: ReactNode;
  /** Words on the two buttons: a contract is bought long. */
  readonly labels: { readonly buy: string; readonly sell: string };
}) {
  const text = useText();
  return (
    <>
      <Button tone="up" className="h-12 flex-1" onClick={() => props.onOpen(SIDE.BUY)}>
        {props.labels.buy}
      </Button>
      <Button tone="down" className="h-12 flex-1" onClick={() => props.onOpen(SIDE.SELL)}>
        {props.labels.sell}
      </Button>
      <Dialog
        open={props.open}
        kind="sheet"
        onClose={props.onClose}
        title={props.title}
        closeLabel={text('common.close')}
      >
        {props.ticket}
      </Dialog>
    </>
  );
}
