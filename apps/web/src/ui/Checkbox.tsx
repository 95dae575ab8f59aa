import { type InputHTMLAttributes, type ReactNode, type Ref, useId } from 'react';
import { classNames } from './class-names.ts';

/** Props of `Checkbox`. */
export interface CheckboxProps extends Omit<InputHTMLAttributes<HTMLInputElement>, 'type'> {
  readonly label: ReactNode;
  readonly error?: string | undefined;
  readonly ref?: Ref<HTMLInputElement>;
}

/** A check box with its label and error. */
export function Checkbox({ label, error, className, ...rest }: CheckboxProps) {
  const id = useId();
  return (
    <div className={classNames('flex flex-col gap-1', className)}>
      <div className="flex items-start gap-2">
        <input
          {...rest}
          type="checkbox"
          id={id}
          aria-invalid={error === undefined ? undefined : true}
          aria-describedby={error === undefined ? undefined : `${id}-note`}
          className="mt-0.5 size-4 shrink-0 cursor-pointer accent-accent"
        />
        <label htmlFor={id} className="cursor-pointer text-[13px] text-soft">
          {label}
        </label>
      </div>
      {error !== undefined && (
        <div id={`${id}-note`} className="text-xs text-danger">
          {error}
        </div>
      )}
    </div>
  );
}
