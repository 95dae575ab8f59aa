import { type InputHTMLAttributes, type ReactNode, type Ref, useId } from 'react';
import { classNames } from './class-names.ts';

/** Props of `Field`. */
export interface FieldProps extends Omit<InputHTMLAttributes<HTMLInputElement>, 'prefix'> {
  readonly label: string;
  /** Shown under the field and tied to it for screen readers. */
  readonly error?: string | undefined;
  readonly hint?: ReactNode;
  /** Unit or button at the end of the field. */
  readonly suffix?: ReactNode;
  readonly ref?: Ref<HTMLInputElement>;
}

/** A labelled text field with its hint and error. */
export function Field({ label, error, hint, suffix, className, id, ...rest }: FieldProps) {
  const own = useId();
  const inputId = id ?? own;
  const noteId = `${inputId}-note`;
  const hasNote = error !== undefined || hint !== undefined;
  return (
    <div className={classNames('flex flex-col gap-1', className)}>
      <label htmlFor={inputId} className="text-xs text-soft">
        {label}
      </label>
      <div
        className={classNames(
          'flex h-10 items-center gap-2 rounded-md border bg-field px-3 focus-within:border-focus',
          error === undefined ? 'border-line-strong' : 'border-danger',
        )}
      >
        <input
          {...rest}
          id={inputId}
          aria-invalid={error === undefined ? undefined : true}
          aria-describedby={hasNote ? noteId : undefined}
          className="h-full min-w-0 flex-1 bg-transparent text-sm text-text outline-none placeholder:text-faint"
        />
        {suffix}
      </div>
      {hasNote && (
        <div
          id={noteId}
          className={classNames('text-xs', error === undefined ? 'text-faint' : 'text-danger')}
        >
          {error ?? hint}
        </div>
      )}
    </div>
  );
}
