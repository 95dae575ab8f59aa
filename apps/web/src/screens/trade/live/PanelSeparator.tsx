import type { KeyboardEvent, PointerEvent } from 'react';
import { useRef } from 'react';
import { useStore } from 'zustand';
import {
  PANEL_STEP_PIXELS,
  panelLimits,
  panelPixels,
  type SizedPanel,
  type SizedScreen,
  withPanelPixels,
} from '../../../calculators/panel-sizes.ts';
import { useText } from '../../../i18n/i18n.ts';
import { changeTradeSettings, tradeSettingsStore } from '../../../stores/app/settings.ts';
import { classNames } from '../../../ui/class-names.ts';

/** Where a panel's separator is: at which of its edges. */
const EDGES = {
  left: 'inset-y-0 -left-1 w-2 cursor-col-resize',
  right: 'inset-y-0 -right-1 w-2 cursor-col-resize',
  top: 'inset-x-0 -top-1 h-2 cursor-row-resize',
} as const;

/** Keys that make a panel larger and smaller, by its edge. */
const KEYS = {
  left: { ArrowLeft: 1, ArrowRight: -1 },
  right: { ArrowRight: 1, ArrowLeft: -1 },
  top: { ArrowUp: 1, ArrowDown: -1 },
} as const satisfies Record<keyof typeof EDGES, Readonly<Record<string, 1 | -1>>>;

/** Pixels of a panel as it was left. */
export function usePanelPixels(screen: SizedScreen, panel: SizedPanel): number {
  return useStore(tradeSettingsStore, ({ panelSizes }) => panelPixels(panelSizes, screen, panel));
}

/**
 * The line at a panel's edge that makes it larger and smaller: dragged, or with the arrows, in steps of 8 pixels. A double
 * click, or Enter, gives back the usual size.
 */
export function PanelSeparator(props: {
  readonly screen: SizedScreen;
  readonly panel: SizedPanel;
  readonly edge: keyof typeof EDGES;
  /** Names the panel. */
  readonly name: string;
}) {
  const { screen, panel, edge, name } = props;
  const text = useText();
  const pixels = usePanelPixels(screen, panel);
  const { usual, least, most } = panelLimits(screen, panel);
  const from = useRef<{ readonly at: number; readonly pixels: number }>(undefined);
  const resize = (to: number): void => {
    const { panelSizes } = tradeSettingsStore.getState();
    const kept = withPanelPixels(panelSizes, screen, panel, to);
    if (kept !== panelSizes) changeTradeSettings({ panelSizes: kept });
  };
  const place = (event: PointerEvent): number => (edge === 'top' ? event.clientY : event.clientX);
  const onPointerMove = (event: PointerEvent): void => {
    if (from.current === undefined) return;
    const moved = place(event) - from.current.at;
    resize(from.current.pixels + (edge === 'right' ? moved : -moved));
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const keys: Readonly<Record<string, number>> = KEYS[edge];
    const steps = keys[event.key];
    if (steps !== undefined) resize(pixels + steps * PANEL_STEP_PIXELS);
    else if (event.key === 'Home') resize(least);
    else if (event.key === 'End') resize(most);
    else if (event.key === 'Enter') resize(usual);
    else return;
    event.preventDefault();
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a rule that moves is a separator with a value, which hr is not
    <div
      role="separator"
      tabIndex={0}
      aria-label={text('trade.layout.size', { panel: name })}
      aria-orientation={edge === 'top' ? 'horizontal' : 'vertical'}
      aria-valuenow={pixels}
      aria-valuemin={least}
      aria-valuemax={most}
      onPointerDown={(event) => {
        const { currentTarget, pointerId } = event;
        currentTarget.setPointerCapture(pointerId);
        // In a small window it may have less than it was left at.
        const box = currentTarget.parentElement?.getBoundingClientRect();
        const now = edge === 'top' ? box?.height : box?.width;
        from.current = { at: place(event), pixels: now ?? pixels };
      }}
      onPointerMove={onPointerMove}
      onPointerUp={() => {
        from.current = undefined;
      }}
      onPointerCancel={() => {
        from.current = undefined;
      }}
      onDoubleClick={() => resize(usual)}
      onKeyDown={onKeyDown}
      className={classNames(
        'absolute z-20 touch-none hover:bg-line-strong focus-visible:bg-focus active:bg-line-strong',
        EDGES[edge],
      )}
    />
  );
}
