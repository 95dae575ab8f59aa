import type { CloseRow } from '@crossbook/contract';
import { type Platform, platformFacts } from '@crossbook/domain';
import { useCallback, useEffect, useState } from 'react';
import { useStore } from 'zustand';
import { closingProfit } from '../../../calculators/contracts/position-stats.ts';
import { signedText } from '../../../calculators/signed-text.ts';
import { useText } from '../../../i18n/i18n.ts';
import type { ListedInstrument } from '../../../stores/market/instruments.ts';
import { askToClose, closeAskedStore } from '../../../stores/trading/close-asked.ts';
import { cancelAllOrders, closeAllPositions } from '../../../stores/trading/contract-calls.ts';
import { Button } from '../../../ui/Button.tsx';
import { Checkbox } from '../../../ui/Checkbox.tsx';
import { Dialog } from '../../../ui/Dialog.tsx';
import { HoldButton } from '../../../ui/HoldButton.tsx';
import { Segments } from '../Segments.tsx';
import { PositionHead } from './position-columns.tsx';
import { type PositionView, usePositions } from './use-positions.ts';

type Scope = 'symbol' | 'venue' | 'all';
type Results = ReadonlyMap<string, Pick<CloseRow, 'outcome' | 'reason'>>;

const everywhere = (): boolean => true;

function resultKey({ exchange, symbol, effect }: Pick<CloseRow, 'exchange' | 'symbol' | 'effect'>): string {
  return `${exchange}:${symbol}:${effect}`;
}

/** Closes what the scope names: resting orders first, then positions; venues do not wait for each other. */
async function closeScope(
  platforms: readonly Platform[],
  symbol: string | undefined,
  cancelFirst: boolean,
): Promise<Results> {
  const results = new Map<string, Pick<CloseRow, 'outcome' | 'reason'>>();
  await Promise.all(
    platforms.map(async (platform) => {
      if (cancelFirst) await cancelAllOrders(platform, symbol);
      const answer = await closeAllPositions(platform, symbol);
      if (!answer.ok) {
        const reason = answer.kind === 'refused' ? answer.message : null;
        results.set(String(platform), { outcome: reason === null ? 'unknown' : 'refused', reason });
        return;
      }
      for (const row of answer.data) results.set(resultKey(row), row);
    }),
  );
  return results;
}

function Outcome(props: { readonly view: PositionView; readonly results: Results | undefined }) {
  const { view, results } = props;
  const text = useText();
  const { stats, instrument } = view;
  if (results === undefined) {
    const { net } = closingProfit(stats, stats.size, stats.mark, instrument.takerFee);
    return <span className={net < 0n ? 'text-down' : 'text-up'}>≈ {signedText(net, 2)}</span>;
  }
  const result = results.get(resultKey(view.row)) ?? results.get(String(view.row.exchange));
  if (result === undefined || result.outcome === 'sent') {
    return <span className="text-soft">{text('trade.position.closeAll.sent')}</span>;
  }
  if (result.outcome === 'unknown') {
    return <span className="text-warning">{text('trade.position.noAnswer')}</span>;
  }
  return <span className="text-danger">{result.reason}</span>;
}

function CloseAllDialog(props: { readonly instrument: ListedInstrument; readonly onClose: () => void }) {
  const { instrument, onClose } = props;
  const text = useText();
  const [scope, setScope] = useState<Scope>('venue');
  const [cancelFirst, setCancelFirst] = useState(true);
  const [busy, setBusy] = useState(false);
  const [results, setResults] = useState<Results>();
  const [asked, setAsked] = useState<readonly PositionView[]>([]);
  const all = usePositions(everywhere);
  const inScope = useCallback(
    ({ row }: PositionView): boolean =>
      scope === 'all' ||
      (row.exchange === instrument.platform && (scope === 'venue' || row.symbol === instrument.symbol)),
    [scope, instrument],
  );
  const rows = results === undefined ? all.filter(inScope) : asked;
  const closeAll = async (): Promise<void> => {
    setBusy(true);
    setAsked(rows);
    const platforms = [...new Set(rows.map(({ row }) => row.exchange))];
    setResults(await closeScope(platforms, scope === 'symbol' ? instrument.symbol : undefined, cancelFirst));
    setBusy(false);
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
              busy={busy}
              disabled={rows.length === 0}
              onHeld={() => void closeAll()}
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
        className="flex max-h-72 flex-col gap-2 overflow-y-auto text-xs"
        aria-label={text('trade.positions')}
      >
        {rows.map((view) => (
          <li key={view.key} className="flex items-start justify-between gap-3 border-b border-line pb-2">
            <PositionHead view={view} text={text} />
            <span className="num whitespace-normal">
              <Outcome view={view} results={results} />
            </span>
          </li>
        ))}
      </ul>
      <Checkbox
        label={text('trade.position.closeAll.cancel')}
        checked={cancelFirst}
        disabled={results !== undefined}
        onChange={(event) => setCancelFirst(event.target.checked)}
      />
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
