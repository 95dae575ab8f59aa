import '../../../i18n/later-words.ts';
import type { PositionRow } from '@crossbook/contract';
import type { Amount } from '@crossbook/domain';
import { useCallback } from 'react';
import { signedText } from '../../../calculators/signed-text.ts';
import { useText } from '../../../i18n/i18n.ts';
import type { ListedInstrument } from '../../../stores/market/instruments.ts';
import { Marked } from './Marked.tsx';
import { usePositions } from './use-positions.ts';

/** What the member's positions of a contract bring at the mark, in one figure; nothing where there is none. */
export function OwnProfit({ instrument }: { readonly instrument: ListedInstrument }) {
  const text = useText();
  const { platform, symbol } = instrument;
  const views = usePositions(
    useCallback((row: PositionRow) => row.exchange === platform && row.symbol === symbol, [platform, symbol]),
  );
  // Both legs have one mark.
  const [view] = views;
  if (view === undefined) return null;
  const profit = views.reduce((sum, { stats }) => sum + stats.pnl, 0n) as Amount;
  return (
    <span className="flex items-center gap-1.5 text-xs whitespace-nowrap">
      <span className="text-[11px] text-faint">{text('trade.bar.own')}</span>
      <span className="text-[13px] leading-5 tabular-nums">
        <Marked view={view} value={signedText(profit, 2)} tone={profit < 0n ? 'text-down' : 'text-up'} />
      </span>
    </span>
  );
}
