import { Minus, Plus } from 'lucide-react';
import { type KeyboardEvent, type ReactNode, type Ref, useId } from 'react';
import { classNames } from '../class-names.ts';

/** Props of `NumberInput`. The field holds text; what counts as a number is the caller's calculator. */
export interface NumberInputProps {
  readonly label: string;
  /** What stands around it says what it is: the label is for screen readers alone. */
  readonly labelHidden?: boolean;
  readonly value: string;
  readonly onChange: (text: string) => void;
  /** Cleans typed or pasted text (commas, spaces); `undefined` refuses it and the field keeps what it had. */
  readonly read: (text: string) => string | undefined;
  /** The value after arrow keys: `steps` is 1 or -1, tenfold with Shift, a hundredfold with Alt. */
  readonly onStep?: (steps: number) => void;
  /** Names of the two buttons that step where there is no keyboard; absent: there are none. */
  readonly stepLabels?: { readonly less: string; readonly more: string };
  readonly unit?: ReactNode;
  readonly disabled?: boolean;
  readonly placeholder?: string;
  readonly invalid?: boolean;
  /** Id of the element that explains the value or its error. */
  readonly describedBy?: string;
  readonly className?: string;
  /** Name of the field in its form. */
  readonly name?: string;
  readonly onEnter?: () => void;
  readonly ref?: Ref<HTMLInputElement>;
  /** How the value stands there while nobody writes in it; the field itself keeps what was typed. */
  readonly shown?: string;
}

const STEPS_WITH_SHIFT = 10;
const STEPS_WITH_ALT = 100;

function stepsOf({ key, shiftKey, altKey }: KeyboardEvent): number {
  const size = altKey ? STEPS_WITH_ALT : shiftKey ? STEPS_WITH_SHIFT : 1;
  return key === 'ArrowUp' ? size : key === 'ArrowDown' ? -size : 0;
}

/** One step down and one up, for a finger. The field keeps the focus, and so its keyboard. */
function Steppers(props: {
  readonly labels: { readonly less: string; readonly more: string };
  readonly onStep: (steps: number) => void;
}) {
  const { labels, onStep } = props;
  return (
    <span className="-mr-2 flex h-full shrink-0 lg:hidden">
      {([-1, 1] as const).map((step) => (
        <button
          key={step}
          type="button"
          aria-label={step < 0 ? labels.less : labels.more}
          onPointerDown={(event) => event.preventDefault()}
          onClick={() => onStep(step)}
          className="grid h-full w-11 place-items-center border-l border-line text-soft active:bg-hover"
        >
          {step < 0 ? <Minus size={16} aria-hidden="true" /> : <Plus size={16} aria-hidden="true" />}
        </button>
      ))}
    </span>
  );
}

/** A number field of the terminal: label inside on the left, unit on the right, arrows step, Shift and Alt step further. */
export function NumberInput(props: NumberInputProps) {
  const {
    label,
    value,
    onChange,
    read,
    onStep,
    unit,
    invalid = false,
    className,
    onEnter,
    describedBy,
    shown = value,
  } = props;
  const id = useId();
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    // With Ctrl it is a key of the page, or none.
    if (event.key === 'Enter' && !event.ctrlKey && onEnter !== undefined) {
      // Else the key would also press the button that a dialog opened by it puts the focus on.
      event.preventDefault();
      onEnter();
    }
    if (event.key === 'Escape') event.currentTarget.blur();
    const steps = stepsOf(event);
    if (onStep === undefined || steps === 0) return;
    event.preventDefault();
    onStep(steps);
  };
  return (
    <div
      className={classNames(
        'flex h-9 items-center gap-2 rounded-md border bg-field px-2 text-[13px] focus-within:border-focus',
        invalid ? 'border-danger' : 'border-line-strong',
        props.disabled === true && 'opacity-60',
        className,
      )}
    >
      <label htmlFor={id} className={props.labelHidden === true ? 'sr-only' : 'shrink-0 text-xs text-faint'}>
        {label}
      </label>
      <span className="relative h-full min-w-0 flex-1">
        <input
          ref={props.ref}
          id={id}
          name={props.name}
          value={value}
          inputMode="decimal"
          autoComplete="off"
          spellCheck={false}
          disabled={props.disabled}
          placeholder={props.placeholder}
          aria-invalid={invalid || undefined}
          aria-describedby={describedBy}
          onKeyDown={onKeyDown}
          onChange={(event) => {
            const entry = read(event.target.value);
            if (entry !== undefined) onChange(entry);
          }}
          className={classNames(
            'peer num h-full w-full bg-transparent text-text outline-none placeholder:text-faint',
            shown !== value && 'not-focus:[-webkit-text-fill-color:transparent]',
          )}
        />
        {shown !== value && (
          <span
            aria-hidden="true"
            className="num pointer-events-none absolute inset-0 flex items-center justify-end overflow-hidden peer-focus:hidden"
          >
            {shown}
          </span>
        )}
      </span>
      {unit !== undefined && <span className="shrink-0 text-xs text-faint">{unit}</span>}
      {props.stepLabels !== undefined && onStep !== undefined && (
        <Steppers labels={props.stepLabels} onStep={onStep} />
      )}
    </div>
  );
}
