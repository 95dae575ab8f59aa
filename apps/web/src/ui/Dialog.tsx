import { X } from 'lucide-react';
import { type MouseEvent, type ReactNode, useEffect, useId, useRef } from 'react';
import { classNames } from './class-names.ts';

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
  /** `sheet` comes from the bottom on a phone: a ticket, a menu. `alert` asks for an answer and ignores clicks outside. */
  readonly kind?: 'dialog' | 'sheet' | 'alert';
}

const POSITIONS = {
  wide: 'm-auto w-[min(760px,calc(100vw-32px))] max-h-[calc(100dvh-32px)] rounded-md',
  dialog: 'm-auto w-[min(440px,calc(100vw-32px))] max-h-[calc(100dvh-32px)] rounded-md',
  alert: 'm-auto w-[min(440px,calc(100vw-32px))] max-h-[calc(100dvh-32px)] rounded-md',
  sheet: 'mx-0 mt-auto mb-0 w-full max-w-none max-h-[90dvh] rounded-t-md',
} as const;

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
  useEffect(() => {
    const dialog = element.current;
    dialog?.showModal();
    return () => dialog?.close();
  }, []);
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
        onClose();
      }}
      onClick={onShade}
      className={classNames(
        'animate-appear overflow-y-auto whitespace-normal border border-line bg-panel p-0 text-text shadow-float backdrop:bg-shade',
        POSITIONS[wide ? 'wide' : kind],
      )}
    >
      <div className="relative flex flex-col gap-4 p-5">
        <h2 id={`${id}-title`} className="pr-8 text-base font-medium">
          {title}
        </h2>
        {description !== undefined && (
          <div id={`${id}-text`} className="text-sm text-soft">
            {description}
          </div>
        )}
        {children}
        {actions !== undefined && <div className="flex justify-end gap-2">{actions}</div>}
        {/* Last, so that the focus begins at the first thing to do, not at leaving. */}
        <button
          type="button"
          aria-label={closeLabel}
          onClick={onClose}
          className="absolute top-3 right-3 grid size-9 place-items-center rounded-md text-soft hover:bg-hover hover:text-text"
        >
          <X size={16} aria-hidden="true" />
        </button>
      </div>
    </dialog>
  );
}
