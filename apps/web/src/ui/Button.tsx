import type { ButtonHTMLAttributes, Ref } from 'react';
import { classNames } from './class-names.ts';

const TONES = {
  primary: 'bg-accent text-on-accent hover:bg-accent-hover font-medium',
  plain: 'bg-raised text-text hover:bg-hover border border-line',
  quiet: 'bg-transparent text-soft hover:bg-hover hover:text-text',
  up: 'bg-up text-on-up hover:opacity-90 font-medium',
  down: 'bg-down text-on-down hover:opacity-90 font-medium',
  danger: 'bg-danger-soft text-danger hover:opacity-90 border border-danger',
} as const;

const SIZES = {
  small: 'h-7 px-2 text-xs',
  medium: 'h-9 px-3 text-sm',
  large: 'h-11 px-5 text-[15px]',
} as const;

/** Meaning of a button: one primary action a screen; `up` and `down` buy and sell. */
export type ButtonTone = keyof typeof TONES;

/** Props of `Button`. */
export interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  readonly tone?: ButtonTone;
  readonly size?: keyof typeof SIZES;
  /** The action runs: the button keeps its width, cannot be pressed and says so to screen readers. */
  readonly busy?: boolean;
  readonly ref?: Ref<HTMLButtonElement>;
}

/** Classes of a button, for links that look like one. */
export function buttonClass(tone: ButtonTone = 'plain', size: keyof typeof SIZES = 'medium'): string {
  return classNames(
    'inline-flex select-none items-center justify-center gap-2 rounded-md whitespace-nowrap transition-[background-color,opacity] duration-100 disabled:opacity-50',
    TONES[tone],
    SIZES[size],
  );
}

/** A button. */
export function Button({
  tone = 'plain',
  size = 'medium',
  busy = false,
  className,
  disabled,
  type = 'button',
  ...rest
}: ButtonProps) {
  return (
    <button
      {...rest}
      type={type}
      aria-busy={busy || undefined}
      disabled={disabled === true || busy}
      className={classNames(buttonClass(tone, size), busy && 'animate-skeleton', className)}
    />
  );
}
