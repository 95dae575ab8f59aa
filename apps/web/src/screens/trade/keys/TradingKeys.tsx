import { SIDE } from '@crossbook/domain';
import { type ReactNode, useCallback, useEffect, useRef, useState } from 'react';
import { useStore } from 'zustand';
import { positionSide } from '../../../calculators/contracts/position-stats.ts';
import { useText } from '../../../i18n/i18n.ts';
import { tradeSettingsStore } from '../../../stores/app/settings.ts';
import type { ListedInstrument } from '../../../stores/market/instruments.ts';
import { isMember, sessionStore } from '../../../stores/member/session.ts';
import { HOLD_MILLIS } from '../../../ui/entry/HoldButton.tsx';
import {
  cancelEverywhere,
  cancelHere,
  cancelLast,
  closeEverywhere,
  closeWhole,
  flip,
  positionMeant,
} from './keyed-actions.ts';
import { type KeyHandlers, useKeys } from './use-keys.ts';

/** What is done once a key was held long enough. */
interface Holding {
  readonly what: string;
  readonly act: () => void;
}

/** Any key that comes up or down, another window or a click ends it before its time. */
const ENDS = ['keyup', 'keydown', 'blur', 'pointerdown', 'visibilitychange'] as const;

/** A key that is being held: acts after 0.8 s, letting go early does nothing. */
function Held({ holding, onEnd }: { readonly holding: Holding; readonly onEnd: () => void }) {
  const text = useText();
  const { what, act } = holding;
  useEffect(() => {
    const timer = setTimeout(() => {
      onEnd();
      act();
    }, HOLD_MILLIS);
    const end = (event: Event): void => {
      if (!(event instanceof KeyboardEvent && event.repeat)) onEnd();
    };
    for (const name of ENDS) window.addEventListener(name, end, true);
    return () => {
      clearTimeout(timer);
      for (const name of ENDS) window.removeEventListener(name, end, true);
    };
  }, [act, onEnd]);
  return (
    <div
      role="status"
      className="pointer-events-none fixed inset-x-0 bottom-16 z-30 mx-auto flex w-fit max-w-md items-center gap-3 rounded-md border border-danger bg-panel px-4 py-3 text-sm text-text shadow-float"
    >
      <svg viewBox="0 0 24 24" aria-hidden="true" className="size-8 -rotate-90 text-danger">
        <circle cx="12" cy="12" r="9" fill="none" strokeWidth="3" className="stroke-line-strong" />
        <circle
          {...{ cx: 12, cy: 12, r: 9, pathLength: 1 }}
          className="animate-hold fill-none stroke-current stroke-3 [stroke-dasharray:1]"
        />
      </svg>
      <span>
        {what}
        <span className="block text-xs text-faint">{text('trade.keys.holding')}</span>
      </span>
    </div>
  );
}

/** What each trading key does that is not the ticket's. */
function useActions(instrument: ListedInstrument, onHold: (holding: Holding) => void): KeyHandlers {
  const text = useText();
  const aboutPosition = (turn: boolean): void => {
    const row = positionMeant(instrument);
    if (row === undefined) return;
    const side = text(positionSide(row) === SIDE.BUY ? 'trade.contract.long' : 'trade.contract.short');
    const what = text(turn ? 'trade.keys.position.flip' : 'trade.keys.position.close');
    onHold({
      what: `${what}: ${row.symbol} ${side}`,
      act: () => void (turn ? flip(row, text('trade.position.noAnswer')) : closeWhole(row)),
    });
  };
  const contracts: KeyHandlers = {
    'position.close': () => aboutPosition(false),
    'position.flip': () => aboutPosition(true),
    'positions.closeEverywhere': () =>
      onHold({ what: text('trade.keys.positions.closeEverywhere'), act: () => void closeEverywhere() }),
  };
  return {
    'order.cancelLast': () => void cancelLast(instrument),
    'orders.cancelSymbol': () => void cancelHere(instrument),
    'orders.cancelEverywhere': () =>
      onHold({ what: text('trade.keys.orders.cancelEverywhere'), act: () => void cancelEverywhere() }),
    ...(instrument.symbolType === 'SWAP' ? contracts : {}),
  };
}

function Listening({ instrument }: { readonly instrument: ListedInstrument }): ReactNode {
  const text = useText();
  const [holding, setHolding] = useState<Holding>();
  const end = useCallback(() => setHolding(undefined), []);
  const hold = useRef(setHolding);
  useKeys(useActions(instrument, hold.current));
  return (
    <>
      <span
        title={text('trade.keys.trading')}
        className="rounded-sm bg-warning px-1 font-medium text-page max-lg:hidden"
      >
        {text('trade.keys.badge')}
      </span>
      {holding !== undefined && <Held holding={holding} onEnd={end} />}
    </>
  );
}

/** Keys that cancel, close and turn around, and the badge that says so; nothing until they were switched on. */
export function TradingKeys({ instrument }: { readonly instrument: ListedInstrument }) {
  const on = useStore(tradeSettingsStore, (settings) => settings.tradingKeys);
  const member = useStore(sessionStore, isMember);
  return on && member ? <Listening instrument={instrument} /> : null;
}
