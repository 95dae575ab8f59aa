import { type ReactNode, type TextareaHTMLAttributes, useId } from 'react';
import { classNames } from './class-names.ts';

/** Props of `TextArea`. */
export interface TextAreaProps extends TextareaHTMLAttributes<HTMLTextAreaElement> {
  readonly label: string;
  /** Shown under the field and tied to it for screen readers. */
  readonly error?: string | undefined;
  readonly hint?: ReactNode;
}

/** A labelled field of many lines with its hint and error. */
export function TextArea({ label, error, hint, className, ...rest }: TextAreaProps) {
  const id = useId();
  const noteId = `${id}-note`;
  const isWrong = error !== undefined;
  return (
    <div className={classNames('flex flex-col gap-1', className)}>
      <label htmlFor={id} className="text-xs text-soft">
        {label}
      </label>
      <textarea
        {...rest}
        id={id}
        aria-invalid={isWrong ? true : undefined}
        aria-describedby={isWrong || hint !== undefined ? noteId : undefined}
        className={classNames(
          'rounded-md border bg-field px-3 py-2 text-sm leading-6 text-text outline-none focus:border-focus',
          isWrong ? 'border-danger' : 'border-line-strong',
        )}
      />
      {(isWrong || hint !== undefined) && (
        <div id={noteId} className={classNames('text-xs', isWrong ? 'text-danger' : 'text-faint')}>
          {error ?? hint}
        </div>
      )}
    </div>
  );
}
