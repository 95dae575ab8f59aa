import { roleBeside } from '../../../stores/member/own-service.ts';
import '../../../i18n/later-words.ts';
import type { PriceAlertRow } from '@crossbook/contract';
import { formatAmount, parseAmount, platformFacts } from '@crossbook/domain';
import { X } from 'lucide-react';
import { useId, useState } from 'react';
import { useStore } from 'zustand';
import { groupThousands } from '../../../calculators/step-text.ts';
import { readNumberEntry } from '../../../calculators/ticket/number-entry.ts';
import { useText } from '../../../i18n/i18n.ts';
import type { ListedInstrument } from '../../../stores/market/instruments.ts';
import { isMember, sessionStore } from '../../../stores/member/session.ts';
import {
  loadPriceAlerts,
  priceAlertsStore,
  removePriceAlert,
  setPriceAlert,
} from '../../../stores/trading/price-alerts.ts';
import { Button } from '../../../ui/Button.tsx';
import { Dialog } from '../../../ui/Dialog.tsx';
import { NumberInput } from '../../../ui/entry/NumberInput.tsx';
import { EmptyState, ErrorState, Skeleton } from '../../../ui/states.tsx';
import { priceOnTick } from './lines/use-line-moves.ts';

/** Props of the list and of its parts. */
interface PriceAlertListProps {
  readonly instrument: ListedInstrument;
  readonly last: number | undefined;
  readonly onClose: () => void;
}

/** One more alert for the market on screen. */
function NewAlert({ instrument, last }: Omit<PriceAlertListProps, 'onClose'>) {
  const text = useText();
  const [entry, setEntry] = useState('');
  const [why, setWhy] = useState<string>();
  const [sending, setSending] = useState(false);
  const whyId = useId();
  const { platform, symbolType, symbol, base, quote, tickSize } = instrument;
  const send = async (): Promise<void> => {
    if (sending || last === undefined) return;
    const price = parseAmount(entry);
    if (price === undefined || price <= 0n) {
      setWhy(text('trade.alert.priceInvalid'));
      return;
    }
    setSending(true);
    const refused = await setPriceAlert({ platform, symbolType, symbol, price: formatAmount(price), last });
    setSending(false);
    setWhy(refused);
    if (refused === undefined) setEntry('');
  };
  return (
    <div className="flex flex-col gap-1">
      <div className="flex items-center gap-2">
        <NumberInput
          label={`${base}/${quote}`}
          value={entry}
          shown={groupThousands(entry)}
          read={readNumberEntry}
          onChange={(next) => {
            setEntry(next);
            setWhy(undefined);
          }}
          onStep={(steps) => {
            const from = Number(entry === '' ? (last ?? 0) : entry);
            setEntry(priceOnTick(from + steps * Number(formatAmount(tickSize)), instrument));
          }}
          onEnter={() => void send()}
          unit={quote}
          placeholder={last === undefined ? '' : priceOnTick(last, instrument)}
          invalid={why !== undefined}
          describedBy={whyId}
          className="flex-1 max-lg:h-12"
        />
        <Button onClick={() => void send()} disabled={sending || last === undefined} className="max-lg:h-12">
          {text('trade.alert.set')}
        </Button>
      </div>
      <p id={whyId} role={roleBeside('status', why)} className="text-xs text-danger">
        {why}
      </p>
    </div>
  );
}

function Row({ row }: { readonly row: PriceAlertRow }) {
  const text = useText();
  const price = groupThousands(row.price);
  const direction = text(row.direction === 'rises' ? 'trade.alert.rises' : 'trade.alert.falls');
  return (
    <li className="flex items-center gap-3 border-b border-line py-1.5 text-[13px]">
      <span className="min-w-0 flex-1">
        {row.symbol}
        <span className="block text-xs text-soft">
          {platformFacts(row.exchange).name} · {text(`trade.type.${row.symbolType}`)}
        </span>
      </span>
      <span className="text-right tabular-nums">
        {price}
        <span className="block text-xs text-soft">{direction}</span>
      </span>
      <button
        type="button"
        aria-label={text('trade.alert.removeAt', { price })}
        onClick={() => void removePriceAlert(row)}
        className="grid size-7 shrink-0 place-items-center rounded-sm text-soft hover:bg-hover hover:text-text max-lg:size-11"
      >
        <X size={14} aria-hidden="true" />
      </button>
    </li>
  );
}

function Rows() {
  const text = useText();
  const { waiting, status } = useStore(priceAlertsStore);
  if (status === 'failed') {
    return (
      <ErrorState
        title={text('trade.alert.failed')}
        retry={text('common.retry')}
        onRetry={() => void loadPriceAlerts()}
      />
    );
  }
  if (status !== 'ready' && waiting.size === 0) return <Skeleton className="h-10 w-full" />;
  if (waiting.size === 0)
    return <EmptyState title={text('common.empty')} advice={text('trade.alert.empty')} />;
  const rows = [...waiting.values()].toSorted((left, right) => right.createdAt - left.createdAt);
  return (
    <ul className="max-h-80 overflow-y-auto terminal-phone:max-h-none">
      {rows.map((row) => (
        <Row key={row.alertId} row={row} />
      ))}
    </ul>
  );
}

/** Price alerts of all markets; a new one is of the market on screen. */
export function PriceAlertList({ instrument, last, onClose }: PriceAlertListProps) {
  const text = useText();
  const member = useStore(sessionStore, isMember);
  return (
    <Dialog open onClose={onClose} title={text('trade.alert.list')} closeLabel={text('common.close')}>
      {member ? (
        <>
          <NewAlert {...{ instrument, last }} />
          <Rows />
          <p className="text-xs text-faint">{text('trade.alert.about')}</p>
        </>
      ) : (
        <p className="text-[13px] text-soft">{text('trade.alert.visitor')}</p>
      )}
    </Dialog>
  );
}
