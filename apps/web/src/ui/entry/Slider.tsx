import { Slider as Radix } from 'radix-ui';
import { useRef } from 'react';
import { classNames } from '../class-names.ts';

/** Props of `Slider`. */
export interface SliderProps {
  readonly label: string;
  readonly value: number;
  /** 0 where it is absent. */
  readonly min?: number;
  readonly max: number;
  readonly step: number;
  readonly onChange: (value: number) => void;
  /** Values with a mark that can be pressed. */
  readonly marks?: readonly number[];
  /** What a screen reader says for the value: "25 %". */
  readonly valueText?: string;
  readonly disabled?: boolean;
  /** A pointer this near to a mark takes the mark; keys take every step. */
  readonly snap?: number;
}

/** A slider from `min` to `max` with marks. */
export function Slider({
  label,
  value,
  min = 0,
  max,
  step,
  onChange,
  marks = [],
  valueText,
  disabled = false,
  snap = 0,
}: SliderProps) {
  const pointed = useRef(false);
  const change = (next: number): void => {
    const near = marks.find((mark) => Math.abs(mark - next) <= snap);
    onChange(pointed.current && near !== undefined ? near : next);
  };
  return (
    <div className={classNames('relative h-6', disabled && 'opacity-50')}>
      <Radix.Root
        value={[value]}
        min={min}
        max={max}
        step={step}
        disabled={disabled}
        onValueChange={([next]) => next !== undefined && change(next)}
        onPointerDownCapture={() => {
          pointed.current = true;
        }}
        onKeyDownCapture={() => {
          pointed.current = false;
        }}
        className="relative flex h-6 w-full touch-none select-none items-center"
      >
        <Radix.Track className="relative h-1 flex-1 rounded-full bg-line-strong">
          <Radix.Range className="absolute h-full rounded-full bg-accent" />
        </Radix.Track>
        {marks.map((mark) => (
          <span
            key={mark}
            aria-hidden="true"
            className={classNames(
              'pointer-events-none absolute top-1/2 size-2 -translate-x-1/2 -translate-y-1/2 rounded-full border',
              mark <= value ? 'border-accent bg-accent' : 'border-line-strong bg-panel',
            )}
            style={{ left: `calc(7px + ${(mark - min) / (max - min)} * (100% - 14px))` }}
          />
        ))}
        <Radix.Thumb
          aria-label={label}
          aria-valuetext={valueText}
          className="block size-3.5 rounded-full border-2 border-accent bg-panel"
        />
      </Radix.Root>
    </div>
  );
}
