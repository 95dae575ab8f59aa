import type { SymbolType } from '@crossbook/domain';
import { Keyboard } from 'lucide-react';
import { Suspense, useState } from 'react';
import { useText } from '../../../i18n/i18n.ts';
import { Dialog } from '../../../ui/Dialog.tsx';
import { lazyPart } from '../../../ui/read-ahead.ts';
import { useKeys } from './use-keys.ts';

const KeyList = lazyPart(async () => (await import('./KeyList.tsx')).KeyList);

/** The button of the status bar, and `?`, which open the list of keys. */
export function KeySheet({ symbolType }: { readonly symbolType: SymbolType }) {
  const text = useText();
  const [open, setOpen] = useState(false);
  useKeys({ 'sheet.open': () => setOpen(true) });
  const label = text('trade.keys.title');
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
        wide
        onClose={() => setOpen(false)}
        title={label}
        description={text('trade.keys.hint')}
        closeLabel={text('common.close')}
      >
        <Suspense>
          <KeyList symbolType={symbolType} />
        </Suspense>
      </Dialog>
    </>
  );
}
