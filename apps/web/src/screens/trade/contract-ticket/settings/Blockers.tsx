import '../../../../i18n/later-words.ts';
import type { AlgoRow, OrderRow, PositionRow } from '@crossbook/contract';
import { positionSide } from '../../../../calculators/contracts/position-stats.ts';
import { sizeShown } from '../../../../calculators/tables/order-values.ts';
import { useText } from '../../../../i18n/i18n.ts';
import { cancelAlgo } from '../../../../stores/algos/algo-calls.ts';
import { closePosition } from '../../../../stores/trading/contracts/contract-calls.ts';
import { positionKey } from '../../../../stores/trading/contracts/positions.ts';
import { cancelOrder } from '../../../../stores/trading/order-calls.ts';
import { Button } from '../../../../ui/Button.tsx';
import { Answer, type Said, saidOf, saidOfRow } from '../../entry/Answer.tsx';
import { useSending } from '../../entry/use-sending.ts';
import { algoSizeText, marketOf, SideText, useCellTools } from '../../tables/cells.tsx';

/** Blocking rows that are listed; more are counted in the sentence above them. */
const ROWS_MAX = 5;

function BlockerRow(props: {
  readonly row: Pick<OrderRow, 'symbol' | 'effect'>;
  readonly side: 1 | 2;
  /** How much, and of what kind where it is no order of the book. */
  readonly size: string;
  readonly action: string;
  /** @returns what is said where it was not done. */
  readonly onAct: () => Promise<Said | undefined>;
}) {
  const { row, side, size, action, onAct } = props;
  const sending = useSending();
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
  /** Those that wait for a price: their exchange counts them among its open orders. */
  readonly algos: readonly AlgoRow[];
  readonly positions: readonly PositionRow[];
}) {
  const { orders, algos, positions } = props;
  const text = useText();
  const tools = useCellTools();
  const all = orders.length + algos.length;
  if (all + positions.length === 0) return null;
  // In coins: an exchange may count contracts of a hundredth.
  const sizeOf = (row: OrderRow | PositionRow) =>
    sizeShown(
      row.quantity?.replace('-', '') ?? null,
      tools.instrument(marketOf({ ...row, symbolType: 'SWAP' })),
    );
  return (
    <div className="flex flex-col gap-2 text-xs">
      <p className="text-warning">
        {text('trade.setting.blocked', {
          ...{ orders: all, positions: positions.length },
          both: all > 0 && positions.length > 0 ? 'yes' : 'no',
          one: all + positions.length === 1 ? 'yes' : 'no',
        })}
      </p>
      <ul className="flex flex-col gap-1">
        {orders.slice(0, ROWS_MAX).map((row) => (
          <BlockerRow
            key={row.orderId}
            row={row}
            side={row.side}
            size={sizeOf(row)}
            action={text('trade.orders.cancel')}
            onAct={async () => {
              const done = await cancelOrder(row);
              return done.ok ? undefined : saidOf(done, text('trade.position.noAnswer'));
            }}
          />
        ))}
        {algos.slice(0, ROWS_MAX).map((row) => (
          <BlockerRow
            key={row.algoId}
            row={row}
            side={row.side}
            size={`${algoSizeText(row, tools)} · ${text(`trade.algo.type.${row.algoType}`)}`}
            action={text('trade.orders.cancel')}
            onAct={async () => {
              const done = await cancelAlgo(row);
              return done.ok ? undefined : saidOf(done, text('trade.position.noAnswer'));
            }}
          />
        ))}
        {positions.slice(0, ROWS_MAX).map((row) => (
          <BlockerRow
            key={positionKey(row)}
            row={row}
            side={positionSide(row)}
            size={sizeOf(row)}
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
