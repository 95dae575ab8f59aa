import '../../../../i18n/later-words.ts';
import type { PositionRow } from '@crossbook/contract';
import { ChevronDown } from 'lucide-react';
import { useState } from 'react';
import type { ContractFacts } from '../../../../calculators/contracts/contract-summary.ts';
import { useText } from '../../../../i18n/i18n.ts';
import { Skeleton } from '../../../../ui/states.tsx';
import { AddMargin } from '../../AddMargin.tsx';
import { LeverageDialog } from './LeverageDialog.tsx';
import { MarginModeDialog } from './MarginModeDialog.tsx';
import { PositionModeDialog } from './PositionModeDialog.tsx';

function Chip(props: { readonly label: string; readonly value: string; readonly onOpen: () => void }) {
  return (
    <button
      type="button"
      aria-haspopup="dialog"
      aria-label={`${props.label}: ${props.value}`}
      onClick={props.onOpen}
      className="flex h-7 min-w-0 flex-auto items-center justify-center gap-1 rounded-md bg-raised px-1.5 text-xs font-medium hover:bg-hover max-lg:h-11"
    >
      <span className="truncate">{props.value}</span>
      <ChevronDown size={12} aria-hidden="true" className="shrink-0 text-faint" />
    </button>
  );
}

/** In the place of the chips: moving while something is read, still where there is nothing to read. */
function Unset({ failed }: { readonly failed: boolean }) {
  return (
    <div className="flex gap-2" aria-hidden="true">
      {['marginMode', 'leverage', 'positionMode'].map((name) =>
        failed ? (
          <span key={name} className="h-7 flex-1 rounded-md bg-raised text-center leading-7 text-faint">
            -
          </span>
        ) : (
          <Skeleton key={name} className="h-7 flex-1" />
        ),
      )}
    </div>
  );
}

/** How the contract is set at the exchange: margin mode, leverage, position mode; each opens its dialog. */
export function SettingChips({
  facts,
  failed,
  effect,
}: {
  readonly facts: ContractFacts;
  /** Nothing could be read, as without an account there. */
  readonly failed: boolean;
  readonly effect: 0 | 1 | 2;
}) {
  const text = useText();
  const [open, setOpen] = useState<'leverage' | 'marginMode' | 'positionMode'>();
  const [adding, setAdding] = useState<PositionRow>();
  const { setting } = facts;
  if (setting === undefined) return <Unset failed={failed} />;
  const leverage = effect === 2 ? setting.leverageShort : setting.leverageLong;
  const both = setting.leverageLong === setting.leverageShort || effect !== 0;
  const shown = both ? `${leverage}×` : `${setting.leverageLong}× / ${setting.leverageShort}×`;
  const dialog = { facts, setting, onClose: () => setOpen(undefined) };
  const addMargin = (row: PositionRow): void => {
    setOpen(undefined);
    setAdding(row);
  };
  return (
    <>
      <div className="flex gap-1.5">
        <Chip
          label={text('trade.marginMode.title')}
          value={text(`trade.marginMode.${setting.marginMode}`)}
          onOpen={() => setOpen('marginMode')}
        />
        <Chip label={text('trade.leverage.title')} value={shown} onOpen={() => setOpen('leverage')} />
        <Chip
          label={text('trade.positionMode.title')}
          value={text(`trade.positionMode.${setting.positionMode}`)}
          onOpen={() => setOpen('positionMode')}
        />
      </div>
      {open === 'leverage' && <LeverageDialog {...dialog} effect={effect} onAddMargin={addMargin} />}
      {open === 'marginMode' && <MarginModeDialog {...dialog} />}
      {open === 'positionMode' && <PositionModeDialog {...dialog} />}
      {adding !== undefined && <AddMargin row={adding} onClose={() => setAdding(undefined)} />}
    </>
  );
}
