import '../../../i18n/later-words.ts';
import { type Platform, platformFacts } from '@crossbook/domain';
import { useState } from 'react';
import { useStore } from 'zustand';
import { useText } from '../../../i18n/i18n.ts';
import { algosStore } from '../../../stores/algos/algos.ts';
import type { ListedInstrument } from '../../../stores/market/instruments.ts';
import {
  CANCEL_KINDS,
  type CancelKind,
  type Cancellable,
  type CancelOutcome,
  type CancelReach,
  cancellableIn,
  cancelRows,
  outcomeNow,
} from '../../../stores/trading/cancel-scope.ts';
import { ordersStore } from '../../../stores/trading/orders.ts';
import { tradablePlatforms, useKeepLive } from '../../../stores/trading/use-keep-live.ts';
import { Button } from '../../../ui/Button.tsx';
import { Checkbox } from '../../../ui/Checkbox.tsx';
import { Dialog } from '../../../ui/Dialog.tsx';
import { Words } from '../entry/Answer.tsx';
import { Doubt } from '../entry/Doubt.tsx';
import { Segments } from '../entry/Segments.tsx';
import { SideText } from '../tables/cells.tsx';

type Asked = ReadonlyMap<string, { readonly row: Cancellable; readonly outcome: CancelOutcome | undefined }>;

/** What there is to cancel, what was chosen of it, and what became of that. */
function useCancels(
  instrument: ListedInstrument,
  first: { readonly reach: CancelReach; readonly kind: CancelKind },
) {
  const [reach, setReach] = useState(first.reach);
  const [kinds, setKinds] = useState<ReadonlySet<CancelKind>>(new Set([first.kind]));
  const [asked, setAsked] = useState<Asked>();
  const [busy, setBusy] = useState(false);
  // Ends are told to the stores.
  const orders = useStore(ordersStore, ({ open }) => open);
  const algos = useStore(algosStore, ({ open }) => open);
  const there = cancellableIn(reach, instrument, { orders: orders.values(), algos: algos.values() });
  const chosen = there.filter(({ kind }) => kinds.has(kind));
  const reading = useReading(reach, instrument);
  const cancel = async (): Promise<void> => {
    setBusy(true);
    setAsked(new Map(chosen.map((row) => [row.key, { row, outcome: undefined }])));
    await cancelRows(chosen, (row, outcome) =>
      setAsked((before) => new Map(before).set(row.key, { row, outcome })),
    );
    setBusy(false);
  };
  const toggle = (kind: CancelKind): void =>
    setKinds((before) => new Set(CANCEL_KINDS.filter((name) => before.has(name) !== (name === kind))));
  const results = [...(asked ?? new Map()).values()].map(({ row, outcome }) => ({
    row,
    outcome: outcome === undefined ? undefined : outcomeNow(row, outcome),
  }));
  return { reach, setReach, kinds, toggle, there, chosen, reading, asked, busy, cancel, results };
}

/** Exchanges within a reach whose orders are not known yet, and those whose orders could not be read. */
function useReading(reach: CancelReach, { platform }: ListedInstrument) {
  // A page of a pair knows the orders of its own exchange alone: what is counted here is read from all of them.
  useKeepLive();
  const orders = useStore(ordersStore, ({ status }) => status);
  const algos = useStore(algosStore, ({ status }) => status);
  const names = (is: (status: string | undefined) => boolean): string =>
    (reach === 'all' ? tradablePlatforms() : [platform])
      .filter((one) => is(orders[one]) || is(algos[one]))
      .map((one) => platformFacts(one).name)
      .join(', ');
  return {
    under: names((status) => status === undefined || status === 'loading'),
    failed: names((status) => status === 'failed'),
  };
}

type Cancels = ReturnType<typeof useCancels>;

/** Before: which of them. */
function Choice({
  cancels,
  instrument,
}: {
  readonly cancels: Cancels;
  readonly instrument: ListedInstrument;
}) {
  const { reach, setReach, kinds, toggle, there, reading } = cancels;
  const text = useText();
  return (
    <>
      <Segments
        label={text('trade.orders.cancelAll.scope')}
        value={reach}
        onChange={setReach}
        options={[
          { value: 'symbol', label: instrument.symbol },
          { value: 'venue', label: platformFacts(instrument.platform).name },
          { value: 'all', label: text('history.allVenues') },
        ]}
      />
      {CANCEL_KINDS.map((kind) => {
        const count = there.filter((row) => row.kind === kind).length;
        if (kind === 'targets' && instrument.symbolType === 'SPOT') return null;
        return (
          <Checkbox
            key={kind}
            label={text(`trade.orders.cancelAll.${kind}`, { count })}
            checked={kinds.has(kind)}
            onChange={() => toggle(kind)}
            className="max-lg:py-2"
          />
        );
      })}
      <p role="status" className="text-xs text-warning empty:hidden">
        {reading.under !== '' && text('trade.orders.cancelAll.reading', { venues: reading.under })}
        {reading.failed !== '' && text('trade.orders.cancelAll.unread', { venues: reading.failed })}
      </p>
    </>
  );
}

const OUTCOME_TONES = { cancelled: 'text-soft', asked: 'text-soft', refused: 'text-danger' } as const;

function Outcome({ outcome }: { readonly outcome: CancelOutcome | undefined }) {
  const text = useText();
  if (outcome === undefined) return <span className="text-faint">…</span>;
  if (outcome.is === 'refused')
    return (
      <span className="text-danger">
        <Words message={outcome.why} code={outcome.code} />
      </span>
    );
  const tone = OUTCOME_TONES[outcome.is as keyof typeof OUTCOME_TONES] ?? 'text-warning';
  return <span className={tone}>{text(`trade.orders.cancelAll.${outcome.is}`)}</span>;
}

/** Afterwards: each of them, and the sum of each exchange. */
function Outcomes({ results }: Pick<Cancels, 'results'>) {
  const text = useText();
  const platforms = [...new Set(results.map(({ row }): Platform => row.platform))];
  return (
    <>
      <ul className="text-xs" role="status">
        {platforms.map((platform) => {
          const count = (is: CancelOutcome['is']) =>
            results.filter(({ row, outcome }) => row.platform === platform && outcome?.is === is).length;
          return (
            <li key={platform}>
              {text('trade.orders.cancelAll.sum', {
                venue: platformFacts(platform).name,
                cancelled: count('cancelled'),
                filled: count('filled') + count('fired'),
                refused: count('refused') + count('unknown'),
              })}
            </li>
          );
        })}
      </ul>
      <ul
        aria-label={text('trade.orders.open')}
        className="flex max-h-72 flex-col gap-1.5 overflow-y-auto text-xs terminal-phone:max-h-none"
      >
        {results.map(({ row, outcome }) => (
          <li key={row.key} className="flex justify-between gap-3 border-b border-line pb-1.5">
            <span>
              {row.symbol} <SideText side={row.side} effect={row.effect} />{' '}
              <span className="num text-soft">{whatOf(row)}</span>
            </span>
            <Outcome outcome={outcome} />
          </li>
        ))}
      </ul>
    </>
  );
}

function whatOf({ of }: Cancellable): string {
  if ('order' in of) return of.order.price ?? '';
  const { takeProfit, stopLoss } = of.algo;
  return [takeProfit?.triggerPrice, stopLoss?.triggerPrice].filter((price) => price != null).join(' / ');
}

/** Asks which orders, cancels them, and says what became of each. */
export function CancelDialog(props: {
  readonly instrument: ListedInstrument;
  readonly first: Parameters<typeof useCancels>[1];
  readonly onClose: () => void;
}) {
  const { instrument, first, onClose } = props;
  const text = useText();
  const cancels = useCancels(instrument, first);
  const { asked, busy, chosen, cancel, reading, results } = cancels;
  return (
    <Dialog
      open
      kind="alert"
      onClose={onClose}
      title={text('trade.orders.cancelAll.title', { count: asked?.size ?? chosen.length })}
      description={text('trade.orders.cancelAll.text')}
      closeLabel={text('common.close')}
      actions={
        <>
          <Button onClick={onClose} className="max-lg:h-11">
            {text(asked === undefined ? 'common.back' : 'common.close')}
          </Button>
          {asked === undefined && (
            <Button
              tone="danger"
              busy={busy}
              disabled={chosen.length === 0 || reading.under !== ''}
              onClick={() => void cancel()}
              className="max-lg:h-11"
            >
              {text('trade.orders.cancelAll')}
            </Button>
          )}
        </>
      }
    >
      {asked === undefined ? <Choice {...{ cancels, instrument }} /> : <Outcomes results={results} />}
      <Doubt instrument={instrument} />
    </Dialog>
  );
}
