import { sayNotDone } from '../../stores/member/own-service.ts';
import '../../i18n/later-words.ts';
import { type Amount, parseAmount, SIDE, type Side, toNumberForDisplay } from '@crossbook/domain';
import { ArrowDownUp, BellPlus, Plus, X } from 'lucide-react';
import {
  type ReactNode,
  type PointerEvent as ReactPointerEvent,
  type RefObject,
  useCallback,
  useEffect,
  useRef,
  useState,
} from 'react';
import { useStore } from 'zustand';
import { groupThousands } from '../../calculators/step-text.ts';
import { useText } from '../../i18n/i18n.ts';
import { cancelAlgo } from '../../stores/algos/algo-calls.ts';
import { algosStore } from '../../stores/algos/algos.ts';
import type { ListedInstrument } from '../../stores/market/instruments.ts';
import { isMember, sessionStore } from '../../stores/member/session.ts';
import { cancelOrder } from '../../stores/trading/order-calls.ts';
import { ordersStore } from '../../stores/trading/orders.ts';
import { priceAlertsStore, removePriceAlert, setPriceAlert } from '../../stores/trading/price-alerts.ts';
import type { ChartPort } from './chart/chart-port.ts';
import { CrossingMove } from './chart/lines/CrossingMove.tsx';
import { pullLine } from './chart/lines/pull-line.ts';
import { TunedPrice } from './chart/lines/TunedPrice.tsx';
import { type LineDrops, legLineId, lineId, priceOnTick } from './chart/lines/use-line-moves.ts';
import { useKeys } from './keys/use-keys.ts';
import { PositionDialog } from './positions/PositionsTab.tsx';
import type { PositionAction } from './positions/position-columns.tsx';
import { type PositionView, usePositions } from './positions/use-positions.ts';

/** What a price picked in the chart is for; below the market one buys there, above it one sells. */
export type OrderAt = (price: Amount, side: Side) => void;

/** How near a line the pointer brings its buttons up. */
const NEAR_PIXELS = 11;
const BUTTON =
  'pointer-events-auto grid h-6 min-w-6 place-items-center rounded-sm border border-line-strong bg-raised px-1 text-[11px] text-text hover:bg-hover';

/** Where the pointer is among the bars; `undefined` elsewhere, and for a finger. */
function usePointer(pane: RefObject<HTMLElement | null>, port: ChartPort | undefined) {
  const [at, setAt] = useState<{ readonly x: number; readonly y: number; readonly price: number }>();
  useEffect(() => {
    const element = pane.current;
    if (element === null || port === undefined) return;
    const onMove = (event: PointerEvent): void => {
      const { left, top } = element.getBoundingClientRect();
      const [x, y] = [event.clientX - left, event.clientY - top];
      const price = event.pointerType === 'touch' || event.buttons !== 0 ? undefined : port.priceAt(y);
      setAt(price === undefined || price <= 0 ? undefined : { x, y, price });
    };
    const onLeave = (): void => setAt(undefined);
    element.addEventListener('pointermove', onMove);
    element.addEventListener('pointerleave', onLeave);
    return () => {
      element.removeEventListener('pointermove', onMove);
      element.removeEventListener('pointerleave', onLeave);
    };
  }, [pane, port]);
  return at;
}

/** A click that moved farther drew or scrolled. */
const CLICK_PIXELS = 4;

/** Calls with the price of a click among the bars with Shift held, before the drawing library hears of it. */
function useShiftClick(
  pane: RefObject<HTMLElement | null>,
  port: ChartPort | undefined,
  onPrice: ((price: number) => void) | undefined,
): void {
  const heard = useRef(onPrice);
  heard.current = onPrice;
  useEffect(() => {
    const element = pane.current;
    if (element === null || port === undefined) return;
    let from: PointerEvent | undefined;
    const onDown = (event: PointerEvent): void => {
      from = event.shiftKey && event.button === 0 ? event : undefined;
    };
    const onClick = (event: MouseEvent): void => {
      const began = from;
      from = undefined;
      const among = event.target instanceof Element && event.target.closest('[data-lines]') !== null;
      // Where a line was taken hold of, Shift is for that.
      if (!among || began === undefined || began.defaultPrevented) return;
      if (Math.abs(event.clientY - began.clientY) > CLICK_PIXELS) return;
      const price = port.priceAt(event.clientY - element.getBoundingClientRect().top);
      if (price !== undefined && price > 0) heard.current?.(price);
    };
    element.addEventListener('pointerdown', onDown, true);
    element.addEventListener('click', onClick, true);
    return () => {
      element.removeEventListener('pointerdown', onDown, true);
      element.removeEventListener('click', onClick, true);
    };
  }, [pane, port]);
}

/** A line with what can be done about what it stands for. */
interface Handle {
  /** Of the line; a position's is never in a crowd. */
  readonly id: string;
  readonly price: number;
  readonly buttons: ReactNode;
}

/** Lines of the member's orders here, each with a button that cancels. */
function useOrderHandles({ platform, symbolType, symbol }: ListedInstrument): readonly Handle[] {
  const text = useText();
  const orders = useStore(ordersStore, ({ open }) => open);
  const algos = useStore(algosStore, ({ open }) => open);
  const alerts = useStore(priceAlertsStore, ({ waiting }) => waiting);
  const here = (row: { readonly exchange: number; readonly symbolType: string; readonly symbol: string }) =>
    row.exchange === platform && row.symbolType === symbolType && row.symbol === symbol;
  const handle = (
    id: string,
    price: string,
    onCancel: () => void,
    label: 'trade.chart.cancelAt' | 'trade.alert.removeAt' = 'trade.chart.cancelAt',
  ): Handle => ({
    ...{ id, price: Number(price) },
    buttons: (
      <button
        type="button"
        aria-label={text(label, { price: groupThousands(price) })}
        onClick={onCancel}
        className={BUTTON}
      >
        <X size={12} aria-hidden="true" />
      </button>
    ),
  });
  return [
    ...[...orders.values()].flatMap((row) =>
      here(row) && row.price !== null && !row.cancelPending
        ? handle(lineId({ order: row }), row.price, () => void cancelOrder(row))
        : [],
    ),
    ...[...alerts.values()].flatMap((row) =>
      here(row)
        ? handle(lineId({ alert: row }), row.price, () => void removePriceAlert(row), 'trade.alert.removeAt')
        : [],
    ),
    ...[...algos.values()].flatMap((row) => {
      if (!here(row) || row.cancelPending) return [];
      return (['takeProfit', 'stopLoss'] as const).flatMap((name) => {
        const price = row[name]?.triggerPrice;
        return price == null ? [] : handle(legLineId(row, name), price, () => void cancelAlgo(row));
      });
    }),
  ];
}

/** Entry lines of the member's positions here, with what the rows below offer. */
function positionHandles(
  views: readonly PositionView[],
  text: ReturnType<typeof useText>,
  act: {
    readonly onAct: (key: string, action: PositionAction) => void;
    readonly onPull: (id: string, event: PointerEvent) => void;
  },
): readonly Handle[] {
  return views.map(({ key, row, stats }) => {
    const id = lineId({ position: row });
    const pulls = {
      onPointerDown: (event: ReactPointerEvent) => act.onPull(id, event.nativeEvent),
    };
    const button = (action: PositionAction, label: string, shown: ReactNode) => (
      <button
        type="button"
        aria-label={`${label} ${row.symbol}`}
        title={action === 'targets' ? text('trade.chart.pullHint') : label}
        disabled={row.status !== 'normal'}
        onClick={() => act.onAct(key, action)}
        {...(action === 'targets' ? pulls : {})}
        className={BUTTON}
      >
        {shown}
      </button>
    );
    return {
      ...{ id, price: toNumberForDisplay(stats.entry) },
      buttons: (
        <>
          {button('targets', text('trade.targets'), text('trade.targets'))}
          {button('reverse', text('trade.position.reverse'), <ArrowDownUp size={12} aria-hidden="true" />)}
          {button('market', text('trade.position.close'), <X size={12} aria-hidden="true" />)}
        </>
      ),
    };
  });
}

/** A bell at the axis, and key A: they set a price alert where the pointer is. A visitor has neither. */
function AlertAt(props: {
  readonly instrument: ListedInstrument;
  readonly last: number | undefined;
  /** On the tick; `undefined` while the pointer is not among the bars. */
  readonly price: string | undefined;
  readonly top: number | undefined;
}) {
  const { instrument, last, price, top } = props;
  const text = useText();
  const member = useStore(sessionStore, isMember);
  const { platform, symbolType, symbol } = instrument;
  const setAlert = async (): Promise<void> => {
    if (!member || price === undefined || last === undefined) return;
    const why = await setPriceAlert({ platform, symbolType, symbol, price, last });
    if (why !== undefined) sayNotDone(why);
  };
  useKeys({ 'alert.atCrosshair': () => void setAlert() });
  if (!member || price === undefined || last === undefined || top === undefined) return null;
  return (
    <button
      type="button"
      aria-label={text('trade.alert.setAt', { price: groupThousands(price) })}
      title={text('trade.alert.setAtHint', { price: groupThousands(price) })}
      onClick={() => void setAlert()}
      className={`${BUTTON} absolute right-[98px] !h-5 !min-w-5`}
      style={{ top: top - 10 }}
    >
      <BellPlus size={12} aria-hidden="true" />
    </button>
  );
}

/** What the pointer brings up over the bars: a + at the axis that orders at its price, and the buttons of the line under it. */
export function ChartPointer(props: {
  readonly pane: RefObject<HTMLElement | null>;
  readonly port: ChartPort | undefined;
  readonly instrument: ListedInstrument;
  /** The newest price; below it one buys. */
  readonly last: number | undefined;
  readonly onOrder: OrderAt | undefined;
  readonly moves: LineDrops;
}) {
  const { pane, port, instrument, last, onOrder, moves } = props;
  const text = useText();
  const at = usePointer(pane, port);
  const { platform, symbol, symbolType } = instrument;
  const mine = useCallback(
    (row: PositionView['row']) => symbolType === 'SWAP' && row.exchange === platform && row.symbol === symbol,
    [platform, symbol, symbolType],
  );
  const views = usePositions(mine);
  const [open, setOpen] = useState<{ readonly key: string; readonly action: PositionAction }>();
  const orders = useOrderHandles(instrument);
  const opened = views.find((view) => view.key === open?.key);
  const onPull = (id: string, event: PointerEvent): void => {
    const top = pane.current?.getBoundingClientRect().top;
    if (event.button !== 0 || port === undefined || top === undefined) return;
    pullLine(event, {
      priceAt: (clientY) => port.priceAt(clientY - top),
      onMove: (to) => port.dragLine(id, to),
      onDrop: (to) => moves.drop(id, to, { by: 'mouse', limitToo: false }),
    });
  };
  const fill = at === undefined ? undefined : port?.fillAt(at.x, at.y);
  const handles = [
    ...positionHandles(views, text, { onAct: (key, action) => setOpen({ key, action }), onPull }),
    // Which one of a crowd would be cancelled nobody could tell.
    ...orders.filter(({ id }) => port?.standsAlone(id) === true),
  ];
  const placed = handles.flatMap((handle) => {
    const y = port?.yOf(handle.price);
    return y === undefined ? [] : [{ ...handle, y }];
  });
  const near = placed
    .filter(({ y }) => at !== undefined && Math.abs(y - at.y) <= NEAR_PIXELS)
    .toSorted((left, right) => Math.abs(left.y - (at?.y ?? 0)) - Math.abs(right.y - (at?.y ?? 0)))[0];
  const price = at === undefined ? undefined : priceOnTick(at.price, instrument);
  const orderAt = (picked: number): void => {
    const amount = parseAmount(priceOnTick(picked, instrument));
    if (amount !== undefined) onOrder?.(amount, last !== undefined && picked > last ? SIDE.SELL : SIDE.BUY);
  };
  useShiftClick(pane, port, onOrder === undefined ? undefined : orderAt);
  return (
    <div className="pointer-events-none absolute inset-0 z-10">
      {near !== undefined && (
        <div className="absolute left-72 flex gap-1" style={{ top: near.y - 12 }}>
          {near.buttons}
        </div>
      )}
      {at !== undefined && price !== undefined && onOrder !== undefined && (
        <button
          type="button"
          aria-label={text('trade.chart.orderAt', { price: groupThousands(price) })}
          title={text('trade.chart.orderAtHint', { price: groupThousands(price) })}
          onClick={() => orderAt(at.price)}
          className={`${BUTTON} absolute right-[72px] !h-5 !min-w-5`}
          style={{ top: at.y - 10 }}
        >
          <Plus size={12} aria-hidden="true" />
        </button>
      )}
      <AlertAt {...{ instrument, last, price }} top={at?.y} />
      {at !== undefined && fill !== undefined && (
        <p
          role="tooltip"
          className="absolute -translate-x-full whitespace-nowrap rounded-sm border border-line-strong bg-raised px-1.5 py-0.5 text-[11px] text-text tabular-nums"
          style={{ left: at.x - 8, top: at.y + 8 }}
        >
          {fill.tip}
        </p>
      )}
      <TunedPrice tuned={moves.tuned} {...{ pane, port }} />
      <div className="pointer-events-auto">
        <CrossingMove asked={moves.asked} />
      </div>
      {open !== undefined && opened !== undefined && (
        <div className="pointer-events-auto">
          <PositionDialog view={opened} action={open.action} onClose={() => setOpen(undefined)} />
        </div>
      )}
    </div>
  );
}
