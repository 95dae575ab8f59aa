import '../../../i18n/later-words.ts';
import { SIDE } from '@crossbook/domain';
import { Ellipsis } from 'lucide-react';
import { useText } from '../../../i18n/i18n.ts';
import { Button, buttonClass } from '../../../ui/Button.tsx';
import { classNames } from '../../../ui/class-names.ts';
import { Menu, MenuItem } from '../../../ui/Menu.tsx';
import { CardPair } from '../../../ui/tables/Card.tsx';
import { Marked } from './Marked.tsx';
import {
  DASH,
  Liquidation,
  marginText,
  markText,
  type PositionAction,
  PositionHead,
  type PositionTools,
  Profit,
  positionLabel,
  price,
  Size,
} from './position-columns.tsx';
import type { PositionView } from './use-positions.ts';

/** Props of `PositionCard`. */
interface PositionCardProps {
  readonly view: PositionView;
  readonly tools: PositionTools;
  readonly onAct: (action: PositionAction) => void;
}

/** What a button does, to which position. */
function useNames({ row, stats }: PositionView): (action: string) => string {
  const text = useText();
  const side = text(stats.side === SIDE.BUY ? 'trade.contract.long' : 'trade.contract.short');
  return (action) => `${action} ${row.symbol} ${side}`;
}

/** The margin behind it; of an isolated position the way to add or take some. */
function Margin({ view, onAct }: Omit<PositionCardProps, 'tools'>) {
  const text = useText();
  const name = useNames(view);
  const label = text('trade.position.margin');
  if (view.row.marginMode === 'cross') return <CardPair label={label}>{marginText(view)}</CardPair>;
  return (
    <button
      type="button"
      aria-label={`${name(text('trade.position.margin.adjust'))}: ${marginText(view)}`}
      onClick={() => onAct('margin')}
      className="-my-1.5 flex min-h-11 min-w-0 flex-col py-1.5 text-left"
    >
      <CardPair label={`${label} ±`}>{marginText(view)}</CardPair>
    </button>
  );
}

/** What is done most, and the rest behind one button. */
function CardButtons({ view, onAct }: Omit<PositionCardProps, 'tools'>) {
  const text = useText();
  const name = useNames(view);
  // Nothing is closed twice: the venue is doing it.
  const busy = view.row.status !== 'normal';
  return (
    <div className="flex gap-2">
      <Button
        size="small"
        disabled={busy}
        aria-label={name(text('trade.position.close'))}
        onClick={() => onAct('market')}
        className="h-11 flex-1"
      >
        {text('trade.position.close')}
      </Button>
      <Button
        size="small"
        aria-label={name(text('trade.targets'))}
        onClick={() => onAct('targets')}
        className="h-11 flex-1"
      >
        {text('trade.targets')}
      </Button>
      <Menu
        label={name(text('trade.position.more'))}
        trigger={<Ellipsis size={16} aria-hidden="true" />}
        triggerClass={classNames(buttonClass('plain', 'small'), 'h-11 w-14')}
        align="end"
      >
        <MenuItem disabled={busy} onClick={() => onAct('reverse')}>
          {text('trade.position.reverse')}
        </MenuItem>
        <MenuItem disabled={busy} onClick={() => onAct('limit')}>
          {text('trade.position.closeLimit')}
        </MenuItem>
      </Menu>
    </div>
  );
}

/** A position on a phone: what it is and brings, its prices, how safe it is, what protects it, what can be done. */
export function PositionCard({ view, tools, onAct }: PositionCardProps) {
  const { text } = tools;
  const ratio = tools.ratioOf(view);
  return (
    <article aria-label={positionLabel(text, view)} className="flex flex-col gap-2 text-xs leading-4">
      <div className="flex items-start justify-between gap-2">
        <PositionHead view={view} text={text} />
        <span className="num shrink-0 text-[13px]">
          <Profit view={view} lines />
        </span>
      </div>
      <div className="grid grid-cols-3 gap-x-3 gap-y-1.5">
        <CardPair label={text('trade.contract.size')}>
          <Size view={view} />
        </CardPair>
        <CardPair label={text('trade.position.entry')}>{price(view.row.entryPrice, view)}</CardPair>
        <CardPair label={text('trade.bar.mark')}>
          <Marked view={view} value={markText(view)} />
        </CardPair>
        <CardPair label={text('trade.position.liquidation')}>
          <Liquidation view={view} />
        </CardPair>
        <Margin {...{ view, onAct }} />
        <CardPair label={text('trade.position.ratio')}>
          {ratio === undefined ? DASH : `${(ratio * 100).toFixed(2)}%`}
        </CardPair>
      </div>
      <div>{tools.targets(view)}</div>
      <CardButtons {...{ view, onAct }} />
    </article>
  );
}
