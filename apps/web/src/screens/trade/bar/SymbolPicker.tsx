import type { Platform } from '@crossbook/domain';
import { useState } from 'react';
import { useStore } from 'zustand';
import { useText } from '../../../i18n/i18n.ts';
import { instrumentsOf, instrumentsStore, type ListedInstrument } from '../../../stores/instruments.ts';
import { Dialog } from '../../../ui/Dialog.tsx';
import { Field } from '../../../ui/Field.tsx';
import { Badge, EmptyState } from '../../../ui/states.tsx';

function matches(instrument: ListedInstrument, search: string): boolean {
  const wanted = search.toUpperCase().replace(/[\s/-]/g, '');
  return instrument.symbol.replace(/-/g, '').includes(wanted);
}

/** A dialog with all spot instruments of a venue; typing filters, Enter takes the first. */
export function SymbolPicker(props: {
  readonly platform: Platform;
  readonly venueName: string;
  readonly current: string;
  readonly onClose: () => void;
  readonly onSymbol: (symbol: string) => void;
}) {
  const { platform, venueName, current, onClose, onSymbol } = props;
  const text = useText();
  const [search, setSearch] = useState('');
  const instruments = useStore(instrumentsStore, (state) => instrumentsOf(state, platform));
  const found = instruments.filter((row) => row.symbolType === 'SPOT' && matches(row, search));
  return (
    <Dialog
      open
      onClose={onClose}
      title={text('trade.picker.title', { venue: venueName })}
      closeLabel={text('common.close')}
    >
      <Field
        label={text('trade.picker.search')}
        value={search}
        autoFocus
        autoComplete="off"
        onChange={(event) => setSearch(event.target.value)}
        onKeyDown={(event) => {
          const first = found[0];
          if (event.key === 'Enter' && first !== undefined) onSymbol(first.symbol);
        }}
      />
      <ul className="-mx-2 h-[min(420px,50dvh)] overflow-y-auto">
        {found.map((row) => (
          <li key={row.symbol}>
            <button
              type="button"
              onClick={() => onSymbol(row.symbol)}
              aria-current={row.symbol === current ? 'true' : undefined}
              className="flex h-11 w-full items-center gap-2 rounded-md px-3 text-left text-[13px] hover:bg-hover aria-[current]:bg-raised"
            >
              <span className="font-medium">{row.base}</span>
              <span className="-ml-1.5 text-faint">/{row.quote}</span>
              {row.status === 'halted' && <Badge tone="warning">{text('trade.picker.halted')}</Badge>}
              <span className="ml-auto text-xs text-faint">{row.symbol}</span>
            </button>
          </li>
        ))}
        {found.length === 0 && (
          <EmptyState title={text('common.empty')} advice={text('market.emptyAdvice')} />
        )}
      </ul>
    </Dialog>
  );
}
