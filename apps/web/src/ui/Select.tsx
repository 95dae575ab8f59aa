import { ChevronDown } from 'lucide-react';
import { useId } from 'react';
import { classNames } from './class-names.ts';

/** One choice. */
export interface SelectOption<Value extends string> {
  readonly value: Value;
  readonly label: string;
  readonly disabled?: boolean;
}

/** Props of `Select`. */
export interface SelectProps<Value extends string> {
  readonly label: string;
  /** Hides the label from sight, not from screen readers. */
  readonly labelHidden?: boolean;
  readonly value: Value;
  readonly options: readonly SelectOption<Value>[];
  readonly onChange: (value: Value) => void;
  readonly disabled?: boolean;
  readonly size?: 'small' | 'medium';
  readonly className?: string;
}

/** A choice among a few: the browser's own control, which every keyboard, phone and screen reader knows. */
export function Select<Value extends string>(props: SelectProps<Value>) {
  const {
    label,
    labelHidden = false,
    value,
    options,
    onChange,
    disabled,
    size = 'medium',
    className,
  } = props;
  const id = useId();
  return (
    <div className={classNames('flex flex-col gap-1', className)}>
      <label htmlFor={id} className={labelHidden ? 'sr-only' : 'text-xs text-soft'}>
        {label}
      </label>
      <div className="relative">
        <select
          id={id}
          value={value}
          disabled={disabled}
          onChange={(event) => onChange(event.target.value as Value)}
          className={classNames(
            'w-full cursor-pointer appearance-none rounded-md border border-line-strong bg-field pr-7 text-text focus:border-focus disabled:opacity-60',
            size === 'small' ? 'h-7 pl-2 text-xs' : 'h-10 pl-3 text-sm',
          )}
        >
          {options.map((option) => (
            <option key={option.value} value={option.value} disabled={option.disabled} className="bg-panel">
              {option.label}
            </option>
          ))}
        </select>
        <ChevronDown
          size={14}
          aria-hidden="true"
          className="pointer-events-none absolute right-2 top-1/2 -translate-y-1/2 text-faint"
        />
      </div>
    </div>
  );
}
