import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { type ButtonTone, buttonClass } from '../Button.tsx';
import { classNames } from '../class-names.ts';

/** How long it takes to mean it. */
export const HOLD_MILLIS = 800;

/** Props of `HoldButton`. */
export interface HoldButtonProps {
  readonly tone?: ButtonTone;
  readonly children: ReactNode;
  /** Says that it must be held: a tip, and part of what a screen reader says. */
  readonly hint: string;
  readonly disabled?: boolean;
  readonly busy?: boolean;
  readonly onHeld: () => void;
}

/** A button that must be held, by pointer or by key, before it acts; letting go early does nothing. */
export function HoldButton(props: HoldButtonProps) {
  const { tone = 'danger', children, hint, disabled = false, busy = false, onHeld } = props;
  const [held, setHeld] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const act = useRef(onHeld);
  act.current = onHeld;
  const stop = (): void => {
    clearTimeout(timer.current);
    timer.current = undefined;
    setHeld(false);
  };
  const start = (): void => {
    if (timer.current !== undefined || disabled || busy) return;
    setHeld(true);
    timer.current = setTimeout(() => {
      stop();
      act.current();
    }, HOLD_MILLIS);
  };
  useEffect(() => () => clearTimeout(timer.current), []);
  const isKey = ({ key }: KeyboardEvent): boolean => key === 'Enter' || key === ' ';
  return (
    <button
      type="button"
      title={hint}
      aria-description={hint}
      aria-busy={busy || undefined}
      disabled={disabled || busy}
      onPointerDown={start}
      onPointerUp={stop}
      onPointerLeave={stop}
      onPointerCancel={stop}
      onBlur={stop}
      onKeyDown={(event) => {
        if (!isKey(event)) return;
        event.preventDefault();
        if (!event.repeat) start();
      }}
      onKeyUp={stop}
      onContextMenu={(event) => event.preventDefault()}
      className={classNames(buttonClass(tone), 'relative touch-none overflow-hidden max-lg:h-11')}
    >
      <span
        aria-hidden="true"
        className={classNames(
          'absolute inset-y-0 left-0 bg-current opacity-20',
          held ? 'w-full transition-[width] ease-linear [transition-duration:800ms]!' : 'w-0',
        )}
      />
      <span className="relative">{children}</span>
    </button>
  );
}
