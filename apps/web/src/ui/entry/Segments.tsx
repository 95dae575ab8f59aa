import type { ReactNode } from 'react';

/** One choice of `Segments`. */
export interface Segment<Value extends string> {
  readonly value: Value;
  readonly label: ReactNode;
}

/** A choice among a few, all in sight: buttons side by side of which one is pressed. */
export function Segments<Value extends string>(props: {
  readonly label: string;
  readonly items: readonly Segment<Value>[];
  readonly value: Value;
  readonly onChange: (value: Value) => void;
}) {
  return (
    <fieldset className="inline-flex rounded-md border border-line-strong p-0.5">
      <legend className="sr-only">{props.label}</legend>
      {props.items.map((item) => (
        <button
          key={item.value}
          type="button"
          aria-pressed={item.value === props.value}
          onClick={() => props.onChange(item.value)}
          className="h-8 rounded-sm px-3 text-[13px] text-soft hover:text-text aria-pressed:bg-selected aria-pressed:text-text max-md:h-10"
        >
          {item.label}
        </button>
      ))}
    </fieldset>
  );
}
