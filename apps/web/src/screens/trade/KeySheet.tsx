import type { SymbolType } from '@crossbook/domain';
import { Keyboard } from 'lucide-react';
import { useState } from 'react';
import { keySheet } from '../../calculators/keys.ts';
import { useText } from '../../i18n/i18n.ts';
import { Dialog } from '../../ui/Dialog.tsx';
import { useKeys } from './use-keys.ts';

function Keys({ keys }: { readonly keys: readonly string[] }) {
  return (
    <span className="flex shrink-0 gap-1">
      {keys.map((shown) => (
        <kbd key={shown} className="rounded-sm border border-line-strong bg-raised px-1.5 font-sans">
          {shown}
        </kbd>
      ))}
    </span>
  );
}

/** The button of the status bar, and `?`: which key does what. */
export function KeySheet({ symbolType }: { readonly symbolType: SymbolType }) {
  const text = useText();
  const [open, setOpen] = useState(false);
  useKeys({ 'sheet.open': () => setOpen(true) });
  const label = text('trade.keys.title');
  const rows = [
    ...keySheet(symbolType === 'SWAP').map((row) => ({ ...row, label: text(`trade.keys.${row.text}`) })),
    { keys: ['Enter'], label: text('trade.keys.send') },
    { keys: ['↑', '↓'], label: text('trade.keys.step') },
    { keys: ['Esc'], label: text('trade.keys.leave') },
  ];
  return (
    <>
      <button
        type="button"
        aria-label={label}
        title={`${label} (?)`}
        onClick={() => setOpen(true)}
        className="grid size-6 place-items-center rounded-sm hover:bg-hover hover:text-text max-lg:hidden"
      >
        <Keyboard size={14} aria-hidden="true" />
      </button>
      <Dialog
        open={open}
        onClose={() => setOpen(false)}
        title={label}
        description={text('trade.keys.hint')}
        closeLabel={text('common.close')}
      >
        <dl className="text-xs leading-5">
          {rows.map((row) => (
            <div key={row.label} className="flex justify-between gap-4 border-b border-line py-0.5">
              <dt>{row.label}</dt>
              <dd>
                <Keys keys={row.keys} />
              </dd>
            </div>
          ))}
        </dl>
      </Dialog>
    </>
  );
}
