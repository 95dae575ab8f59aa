import { useId } from 'react';

/** An on/off setting with its label. */
export function Switch(props: {
  readonly label: string;
  readonly checked: boolean;
  readonly onChange: (checked: boolean) => void;
  readonly disabled?: boolean;
}) {
  const id = useId();
  return (
    <div className="flex min-h-8 items-center justify-between gap-3">
      <label htmlFor={id} className="text-[13px] text-soft">
        {props.label}
      </label>
      <button
        id={id}
        type="button"
        role="switch"
        aria-checked={props.checked}
        disabled={props.disabled}
        onClick={() => props.onChange(!props.checked)}
        className="flex h-5 w-9 items-center rounded-full border border-line-strong bg-raised px-0.5 aria-checked:border-accent aria-checked:bg-accent disabled:opacity-50"
      >
        <span
          className={`size-3.5 rounded-full transition-transform duration-100 ${props.checked ? 'translate-x-4 bg-on-accent' : 'bg-soft'}`}
        />
      </button>
    </div>
  );
}
