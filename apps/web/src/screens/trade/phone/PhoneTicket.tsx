import { SIDE, type Side } from '@crossbook/domain';
import { type ReactNode, useState } from 'react';
import { useStore } from 'zustand';
import { sizePresets } from '../../../calculators/size-presets.ts';
import { useText } from '../../../i18n/i18n.ts';
import { tradeSettingsStore } from '../../../stores/app/settings.ts';
import { Button } from '../../../ui/Button.tsx';
import { Dialog } from '../../../ui/Dialog.tsx';
import { useScreen } from '../live/live-hooks.ts';

/** The share of the largest size that the ticket opens with; `undefined`: with what stands in it. */
export interface ThumbShare {
  readonly share: number | undefined;
  readonly onShare: (share: number | undefined) => void;
}

/**
 * The share that is chosen at the thumb.
 * @param kind of the order: only a limit and a market order are sized by one.
 * @param begin begins the ticket's size anew, with a share.
 */
export function useThumbShare(kind: number, begin: (percent: number) => void) {
  const [share, onShare] = useState<number>();
  const offered = kind <= 2;
  return {
    sized: offered ? { share, onShare } : undefined,
    arm: (): void => {
      if (offered && share !== undefined) begin(share);
    },
  };
}

function SharePicker({ share, onShare }: ThumbShare) {
  const text = useText();
  const kept = useStore(tradeSettingsStore, (settings) => settings.sizePresets);
  return (
    <label className="flex h-11 shrink-0 items-center justify-between gap-1 rounded-md border border-line-strong bg-field px-2 text-xs text-faint focus-within:border-focus">
      {text('trade.ticket.quantity')}
      <select
        value={share ?? ''}
        onChange={({ target }) => onShare(target.value === '' ? undefined : Number(target.value))}
        className="h-full min-w-0 cursor-pointer bg-transparent text-right text-text"
      >
        <option value="" className="bg-panel">
          –
        </option>
        {[...new Set(sizePresets(kept))].map((preset) => (
          <option key={preset} value={preset} className="bg-panel">
            {preset} %
          </option>
        ))}
      </select>
    </label>
  );
}

/** Buy and Sell at the thumb, and the ticket they open with that side armed. */
export function PhoneTicket(props: {
  readonly title: string;
  readonly open: boolean;
  readonly onOpen: (side: Side) => void;
  readonly onClose: () => void;
  readonly ticket: ReactNode;
  /** Words on the two buttons: a contract is bought long. */
  readonly labels: { readonly buy: string; readonly sell: string };
  /** Where the window is low and the order is sized by a share. */
  readonly sized: ThumbShare | undefined;
}) {
  const text = useText();
  const low = useScreen() === 'low';
  return (
    <>
      {low && props.sized !== undefined && <SharePicker {...props.sized} />}
      <Button tone="up" className="h-11 flex-1" onClick={() => props.onOpen(SIDE.BUY)}>
        {props.labels.buy}
      </Button>
      <Button tone="down" className="h-11 flex-1" onClick={() => props.onOpen(SIDE.SELL)}>
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
