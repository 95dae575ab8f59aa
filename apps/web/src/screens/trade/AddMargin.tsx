import '../../i18n/later-words.ts';
import type { PositionRow } from '@crossbook/contract';
import { useCallback, useState } from 'react';
import { useText } from '../../i18n/i18n.ts';
import { positionKey } from '../../stores/trading/contracts/positions.ts';
import { Button } from '../../ui/Button.tsx';
import { MarginDialog } from './positions/MarginDialog.tsx';
import { usePositions } from './positions/use-positions.ts';

/** Margin for an isolated position, asked for elsewhere than in its row; nothing once it is closed. */
export function AddMargin({ row, onClose }: { readonly row: PositionRow; readonly onClose: () => void }) {
  const key = positionKey(row);
  const [view] = usePositions(useCallback((each: PositionRow) => positionKey(each) === key, [key]));
  return view && <MarginDialog view={view} onClose={onClose} />;
}

/** Margin for an isolated position instead of the lower leverage that its exchange refused. */
export function AddMarginInstead({ row }: { readonly row: PositionRow | undefined }) {
  const text = useText();
  const [open, setOpen] = useState(false);
  if (row === undefined) return null;
  return (
    <>
      <Button size="small" onClick={() => setOpen(true)} className="self-start max-lg:h-11">
        {text('trade.leverage.addMargin')}
      </Button>
      {open && <AddMargin row={row} onClose={() => setOpen(false)} />}
    </>
  );
}
