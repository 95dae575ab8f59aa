import { X } from 'lucide-react';
import { type MouseEvent, type ReactNode, useId, useLayoutEffect, useRef } from 'react';
import { classNames } from './class-names.ts';
import { showToastsIn } from './toast-host.ts';

/** Props of `Dialog`. */
export interface DialogProps {
  readonly open: boolean;
  readonly onClose: () => void;
  readonly title: string;
  readonly description?: ReactNode;
  readonly children?: ReactNode;
  /** Buttons at the bottom, the one that goes on last. */
  readonly actions?: ReactNode;
  readonly closeLabel: string;
  /** Room for two columns. */
  readonly wide?: boolean;
  /**
   * `sheet` comes from the bottom on a phone: a ticket, a menu. `alert` asks for an answer and ignores clicks outside. Of
   * the terminal all but the first fill a phone's window; elsewhere they are short, and stay in its middle.
   */
  readonly kind?: 'dialog' | 'sheet' | 'alert';
}

/** On a phone a dialog of the terminal is a sheet of the window's size: head and buttons stay while it scrolls. */
const FILLING = {
  sheet:
    'terminal-phone:m-0 terminal-phone:top-(--seen-top,0px) terminal-phone:h-(--seen,100dvh) terminal-phone:max-h-none terminal-phone:w-full terminal-phone:max-w-none terminal-phone:rounded-none terminal-phone:border-0',
  body: 'terminal-phone:min-h-full',
  head: 'terminal-phone:sticky terminal-phone:top-0 terminal-phone:z-10 terminal-phone:-mx-5 terminal-phone:-mt-5 terminal-phone:border-b terminal-phone:bg-panel terminal-phone:pt-[calc(12px+env(safe-area-inset-top))] terminal-phone:pr-16 terminal-phone:pb-3 terminal-phone:pl-5',
  actions:
    'terminal-phone:sticky terminal-phone:bottom-0 terminal-phone:z-10 terminal-phone:-mx-5 terminal-phone:mt-auto terminal-phone:-mb-5 terminal-phone:border-t terminal-phone:bg-panel terminal-phone:px-5 terminal-phone:pt-3 terminal-phone:pb-[calc(12px+env(safe-area-inset-bottom))] terminal-phone:*:flex-auto',
  close:
    'terminal-phone:fixed terminal-phone:top-[calc(2px+var(--seen-top,0px)+env(safe-area-inset-top))] terminal-phone:z-20',
} as const;

const POSITIONS = {
  wide: 'm-auto w-[min(760px,calc(100vw-32px))] max-h-[calc(100dvh-32px)] rounded-md',
  dialog: 'm-auto w-[min(440px,calc(100vw-32px))] max-h-[calc(100dvh-32px)] rounded-md',
  alert: 'm-auto w-[min(440px,calc(100vw-32px))] max-h-[calc(100dvh-32px)] rounded-md',
  sheet: 'mx-0 mt-auto mb-0 w-full max-w-none max-h-[90dvh] rounded-t-md',
} as const;

/** Tells a dialog which part of the window is seen: a keyboard of the screen covers the rest, and no unit knows of it. */
function followWindow(dialog: HTMLDialogElement): (() => void) | undefined {
  const seen = window.visualViewport;
  if (seen === null) return undefined;
  const fit = (): void => {
    const { height, offsetTop, scale } = seen;
    // Fingers that enlarge the page leave the dialog as it is.
    dialog.style.setProperty('--seen', `${height * scale}px`);
    dialog.style.setProperty('--seen-top', `${scale > 1.01 ? 0 : offsetTop}px`);
  };
  fit();
  seen.addEventListener('resize', fit);
  seen.addEventListener('scroll', fit);
  return () => {
    seen.removeEventListener('resize', fit);
    seen.removeEventListener('scroll', fit);
  };
}

/** A modal dialog of the browser's own kind: the page behind is inert, Esc closes, focus goes back where it was. */
export function Dialog(props: DialogProps) {
  return props.open ? <OpenDialog {...props} /> : null;
}

function OpenDialog({
  onClose,
  title,
  description,
  children,
  actions,
  closeLabel,
  kind = 'dialog',
  wide = false,
}: DialogProps) {
  const element = useRef<HTMLDialogElement>(null);
  const id = useId();
  // Closed while it is still on the page: one that was taken off has nobody to give the focus back to.
  useLayoutEffect(() => {
    const dialog = element.current;
    if (dialog === null) return;
    dialog.showModal();
    const leave = followWindow(dialog);
    const toasts = showToastsIn(dialog);
    return () => {
      leave?.();
      toasts();
      dialog.close();
    };
  }, []);
  const filling = kind === 'sheet' ? undefined : FILLING;
  // The shade is the dialog's own backdrop: a click there has the dialog itself as its target.
  const onShade = (event: MouseEvent) => event.target === element.current && kind !== 'alert' && onClose();
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the keyboard's way to close is Esc, which onCancel hears
    <dialog
      ref={element}
      role={kind === 'alert' ? 'alertdialog' : undefined}
      aria-labelledby={`${id}-title`}
      aria-describedby={description === undefined ? undefined : `${id}-text`}
      onCancel={(event) => {
        // React decides when the dialog goes; closing by itself would leave the two disagreeing.
        event.preventDefault();
        // It also hears of one that was opened inside this one.
        if (event.target === element.current) onClose();
      }}
      onClick={onShade}
      className={classNames(
        'animate-appear overflow-y-auto whitespace-normal border border-line bg-panel p-0 text-text shadow-float backdrop:bg-shade',
        POSITIONS[wide ? 'wide' : kind],
        filling?.sheet,
      )}
    >
      <div className={classNames('relative flex flex-col gap-4 p-5', filling?.body)}>
        <h2 id={`${id}-title`} className={classNames('pr-8 text-base font-medium', filling?.head)}>
          {title}
        </h2>
        {description !== undefined && (
          <div id={`${id}-text`} className="text-sm text-soft">
            {description}
          </div>
        )}
        {children}
        {actions !== undefined && (
          <div data-sends className={classNames('flex justify-end gap-2', filling?.actions)}>
            {actions}
          </div>
        )}
        {/* Last, so that the focus begins at the first thing to do, not at leaving. */}
        <button
          type="button"
          aria-label={closeLabel}
          onClick={onClose}
          className={classNames(
            'absolute top-3 right-3 grid size-9 place-items-center rounded-md text-soft hover:bg-hover hover:text-text max-lg:top-1 max-lg:right-1 max-lg:size-11',
            filling?.close,
          )}
        >
          <X size={16} aria-hidden="true" />
        </button>
      </div>
    </dialog>
  );
}
