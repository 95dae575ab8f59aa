import '../../../i18n/later-words.ts';
import { type Amount, mulDown, platformFacts, ZERO } from '@crossbook/domain';
import { Fragment, useCallback, useEffect, useState } from 'react';
import { useStore } from 'zustand';
import {
  closingProfit,
  positionQuantity,
  positionSide,
} from '../../../calculators/contracts/position-stats.ts';
import { signedText } from '../../../calculators/signed-text.ts';
import { useText } from '../../../i18n/i18n.ts';
import type { ListedInstrument } from '../../../stores/market/instruments.ts';
import {
  type CloseResult,
  type CloseResults,
  closedBy,
  closeScope,
  openingOrders,
  resultOf,
  withResult,
} from '../../../stores/trading/contracts/close-scope.ts';
import { closePosition } from '../../../stores/trading/contracts/contract-calls.ts';
import { positionsStore } from '../../../stores/trading/contracts/positions.ts';
import { ordersStore } from '../../../stores/trading/orders.ts';
import { askToClose, closeAskedStore } from '../../../stores/trading/ticket/close-asked.ts';
import { Button } from '../../../ui/Button.tsx';
import { Checkbox } from '../../../ui/Checkbox.tsx';
import { Dialog } from '../../../ui/Dialog.tsx';
import { HoldButton } from '../../../ui/entry/HoldButton.tsx';
import { type Said, Words } from '../entry/Answer.tsx';
import { Doubt } from '../entry/Doubt.tsx';
import { Segments } from '../entry/Segments.tsx';
import { useSending } from '../entry/use-sending.ts';
import { PositionHead } from './position-columns.tsx';
import { coinsText } from './use-close.ts';
import { type PositionView, usePositions } from './use-positions.ts';

type Scope = 'symbol' | 'venue' | 'all';

const everywhere = (): boolean => true;

/** How far the close of a position is, by what is held of it now. */
function Progress({ view }: { readonly view: PositionView }) {
  const text = useText();
  const left = useStore(positionsStore, ({ open }) => open.get(view.key));
  const { size, side } = view.stats;
  const same = left !== undefined && positionSide(left) === side;
  const rest = same ? mulDown(positionQuantity(left), view.instrument.contractValue) : ZERO;
  if (rest === ZERO) return <span className="text-text">{text('trade.position.closeAll.closed')}</span>;
  if (rest >= size) return <span className="text-soft">{text('trade.position.closeAll.sent')}</span>;
  const values = { done: coinsText(size - rest, view), size: coinsText(size, view) };
  return <span className="text-warning">{text('trade.position.closeAll.partly', values)}</span>;
}

/** What each exchange's positions would bring, closed now. */
function Sums({ rows }: { readonly rows: readonly PositionView[] }) {
  const text = useText();
  const platforms = [...new Set(rows.map(({ row }) => row.exchange))];
  return (
    <dl className="grid grid-cols-[1fr_auto] gap-y-1 text-xs text-faint">
      {platforms.map((platform) => {
        const net = rows
          .filter(({ row }) => row.exchange === platform)
          .reduce((sum, view) => sum + ifClosed(view), 0n) as Amount;
        return (
          <Fragment key={platform}>
            <dt>
              {platformFacts(platform).name} · {text('trade.position.ifClosed')}
            </dt>
            <dd className={`num ${net < 0n ? 'text-down' : 'text-up'}`}>≈ {signedText(net, 2)}</dd>
          </Fragment>
        );
      })}
    </dl>
  );
}

/** One position of each exchange. */
function firstOfEach(rows: readonly PositionView[]): readonly PositionView[] {
  return [...new Map(rows.map((view) => [view.row.exchange, view])).values()];
}

function ifClosed({ stats, instrument }: PositionView): Amount {
  return closingProfit(stats, stats.size, stats.mark, instrument.takerFee).net;
}

/** What is said of closes that were not sent, where their rows are not seen any more. */
function saidOfResults(results: readonly CloseResult[], silence: string): Said | undefined {
  const reasons = results.filter(({ outcome }) => outcome !== 'sent').map(({ reason }) => reason ?? silence);
  return reasons.length === 0 ? undefined : { message: [...new Set(reasons)].join(' ') };
}

function Outcome(props: {
  readonly view: PositionView;
  readonly results: CloseResults | undefined;
  readonly onRetry: () => Promise<Said | undefined>;
}) {
  const { view, results, onRetry } = props;
  const text = useText();
  const again = useSending();
  if (results === undefined) {
    const net = ifClosed(view);
    return <span className={net < 0n ? 'text-down' : 'text-up'}>≈ {signedText(net, 2)}</span>;
  }
  const result = resultOf(results, view.row);
  if (result === undefined || result.outcome === 'sent') return <Progress view={view} />;
  if (result.outcome === 'unknown') {
    return <span className="text-warning">{text('trade.position.noAnswer')}</span>;
  }
  return (
    <span className="flex items-center gap-2 text-danger">
      <span>
        <Words message={result.reason ?? ''} code={result.venueCode} />
      </span>
      <Button size="small" busy={again.busy} onClick={() => void again.send(onRetry)} className="max-lg:h-11">
        {text('common.retry')}
      </Button>
    </span>
  );
}

function CloseAllDialog(props: { readonly instrument: ListedInstrument; readonly onClose: () => void }) {
  const { instrument, onClose } = props;
  const text = useText();
  const [scope, setScope] = useState<Scope>('venue');
  const [keepOpening, setKeepOpening] = useState(false);
  const sending = useSending();
  const [results, setResults] = useState<CloseResults>();
  const [asked, setAsked] = useState<readonly PositionView[]>([]);
  const all = usePositions(everywhere);
  const inScope = useCallback(
    ({ row }: PositionView): boolean =>
      scope === 'all' ||
      (row.exchange === instrument.platform && (scope === 'venue' || row.symbol === instrument.symbol)),
    [scope, instrument],
  );
  const rows = results === undefined ? all.filter(inScope) : asked;
  const platforms = [...new Set(rows.map(({ row }) => row.exchange))];
  const symbol = scope === 'symbol' ? instrument.symbol : undefined;
  const open = useStore(ordersStore, (state) => state.open);
  const opening = openingOrders(open.values(), platforms, symbol).length;
  const noAnswer = text('trade.position.noAnswer');
  const closeAll = async (): Promise<Said | undefined> => {
    setAsked(rows);
    setResults(new Map());
    const outcomes = await closeScope(platforms, symbol, keepOpening, setResults);
    return saidOfResults([...outcomes.values()], noAnswer);
  };
  /** One position that was refused, once more. */
  const retry = async ({ row }: PositionView): Promise<Said | undefined> => {
    const result = closedBy(await closePosition(row, {}));
    setResults((before) => withResult(before, row, result));
    return saidOfResults([result], noAnswer);
  };
  return (
    <Dialog
      open
      kind="alert"
      onClose={onClose}
      title={text('trade.position.closeAll.title', { count: rows.length })}
      description={text('trade.position.closeAll.text')}
      closeLabel={text('common.close')}
      actions={
        <>
          <Button onClick={onClose} className="max-lg:h-11">
            {text(results === undefined ? 'common.cancel' : 'common.close')}
          </Button>
          {results === undefined && (
            <HoldButton
              hint={text('trade.position.hold')}
              busy={sending.busy}
              disabled={rows.length === 0}
              onHeld={() => void sending.send(closeAll)}
            >
              {text('trade.position.closeAll')}
            </HoldButton>
          )}
        </>
      }
    >
      <Segments
        label={text('trade.position.closeAll.scope')}
        value={scope}
        onChange={setScope}
        options={[
          { value: 'symbol', label: instrument.symbol },
          { value: 'venue', label: platformFacts(instrument.platform).name },
          { value: 'all', label: text('history.allVenues') },
        ]}
      />
      <ul
        className="flex max-h-72 flex-col gap-2 overflow-y-auto text-xs terminal-phone:max-h-none"
        aria-label={text('trade.positions')}
      >
        {rows.map((view) => (
          <li key={view.key} className="flex items-center justify-between gap-3 border-b border-line pb-2">
            <PositionHead view={view} text={text} />
            <span className="num whitespace-normal">
              <Outcome {...{ view, results }} onRetry={() => retry(view)} />
            </span>
          </li>
        ))}
      </ul>
      {results === undefined && <Sums rows={rows} />}
      {opening > 0 && (
        <Checkbox
          label={text('trade.position.closeAll.keep', { count: opening })}
          checked={keepOpening}
          disabled={results !== undefined}
          onChange={(event) => setKeepOpening(event.target.checked)}
        />
      )}
      {firstOfEach(rows).map((view) => (
        <Doubt key={view.row.exchange} instrument={view.instrument} />
      ))}
      <p className="text-xs text-faint">{text('trade.position.hold')}</p>
    </Dialog>
  );
}

/** The button that closes everything, and what it asks. */
export function CloseAll(props: { readonly instrument: ListedInstrument; readonly none: boolean }) {
  const text = useText();
  const [open, setOpen] = useState(false);
  const asked = useStore(closeAskedStore, (state) => state.platform === props.instrument.platform);
  useEffect(() => {
    if (!asked) return;
    askToClose(undefined);
    setOpen(true);
  }, [asked]);
  return (
    <>
      <Button
        size="small"
        tone="quiet"
        disabled={props.none}
        onClick={() => setOpen(true)}
        className="max-lg:h-11"
      >
        {text('trade.position.closeAll')}
      </Button>
      {open && <CloseAllDialog instrument={props.instrument} onClose={() => setOpen(false)} />}
    </>
  );
}
