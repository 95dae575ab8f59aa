import { classNames } from '../../../ui/class-names.ts';

/** Two or more choices side by side. */
export function Segments<Value extends string | number>(props: {
  readonly label: string;
  readonly value: Value;
  readonly options: readonly { readonly value: Value; readonly label: string; readonly className?: string }[];
  readonly onChange: (value: Value) => void;
  /** Each as wide as its word needs, where all alike would not fit. */
  readonly fitted?: boolean;
}) {
  return (
    <fieldset aria-label={props.label} className="flex rounded-md bg-page p-0.5">
      {props.options.map((option) => {
        const chosen = option.value === props.value;
        return (
          <button
            key={option.value}
            type="button"
            aria-pressed={chosen}
            onClick={() => props.onChange(option.value)}
            className={classNames(
              'h-8 rounded-[3px] text-[13px] font-medium max-lg:h-11',
              props.fitted === true ? 'flex-auto px-1' : 'flex-1',
              chosen ? (option.className ?? 'bg-hover text-text') : 'text-soft hover:text-text',
            )}
          >
            {option.label}
          </button>
        );
      })}
    </fieldset>
  );
}
