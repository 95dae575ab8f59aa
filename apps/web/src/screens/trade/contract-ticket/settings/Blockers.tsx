import '../../../../i18n/later-words.ts';
import type { OrderRow, PositionRow } from '@crossbook/contract';
import { positionSide } from '../../../../calculators/contracts/position-stats.ts';
import { sizeShown } from '../../../../calculators/tables/order-values.ts';
import { useText } from '../../../../i18n/i18n.ts';
import { closePosition } from '../../../../stores/trading/contracts/contract-calls.ts';
import { positionKey } from '../../../../stores/trading/contracts/positions.ts';
import { cancelOrder } from '../../../../stores/trading/order-calls.ts';
import { Button } from '../../../../ui/Button.tsx';
import { Answer, type Said, saidOf, saidOfRow } from '../../entry/Answer.tsx';
import { useSending } from '../../entry/use-sending.ts';
import { marketOf, SideText, useCellTools } from '../../tables/cells.tsx';

/** Blocking rows that are listed; more are counted in the sentence above them. */
const ROWS_MAX = 5;

function BlockerRow(props: {
  readonly row: OrderRow | PositionRow;
  readonly side: 1 | 2;
  readonly action: string;
  /** @returns what is said where it was not done. */
  readonly onAct: () => Promise<Said | undefined>;
}) {
  const { row, side, action, onAct } = props;
  const sending = useSending();
  const { instrument } = useCellTools();
  // In coins: an exchange may count contracts of a hundredth.
  const size = sizeShown(
    row.quantity?.replace('-', '') ?? null,
    instrument(marketOf({ ...row, symbolType: 'SWAP' })),
  );
  return (
    <li className="flex flex-wrap items-center justify-between gap-2">
      <span className="truncate">
        {row.symbol} <SideText side={side} effect={row.effect} /> {size}
      </span>
      <Button
        size="small"
        busy={sending.busy}
        aria-label={`${action} ${row.symbol} ${size}`}
        onClick={() => void sending.send(onAct)}
        className="max-lg:h-11"
      >
        {action}
      </Button>
      <div className="basis-full empty:hidden">
        <Answer said={sending.said} />
      </div>
    </li>
  );
}

/** What stands in the way of another mode, each with what ends it. Nothing where nothing does. */
export function Blockers(props: {
  readonly orders: readonly OrderRow[];
  readonly positions: readonly PositionRow[];
}) {
  const { orders, positions } = props;
  const text = useText();
  if (orders.length + positions.length === 0) return null;
  return (
    <div className="flex flex-col gap-2 text-xs">
      <p className="text-warning">
        {text('trade.setting.blocked', { orders: orders.length, positions: positions.length })}
      </p>
      <ul className="flex flex-col gap-1">
        {orders.slice(0, ROWS_MAX).map((row) => (
          <BlockerRow
            key={row.orderId}
            row={row}
            side={row.side}
            action={text('trade.orders.cancel')}
            onAct={async () => {
              const done = await cancelOrder(row);
              return done.ok ? undefined : saidOf(done, text('trade.position.noAnswer'));
            }}
          />
        ))}
        {positions.slice(0, ROWS_MAX).map((row) => (
          <BlockerRow
            key={positionKey(row)}
            row={row}
            side={positionSide(row)}
            action={text('trade.position.closeMarket')}
            onAct={async () => {
              const done = await closePosition(row, {});
              if (!done.ok) return saidOf(done, text('trade.position.noAnswer'));
              if (done.data.outcome === 'sent') return undefined;
              return saidOfRow(done.data, text('trade.position.noAnswer'));
            }}
          />
        ))}
      </ul>
    </div>
  );
}
