import { X } from 'lucide-react';
import { Dialog as Radix } from 'radix-ui';
import type { ReactNode } from 'react';
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
  /** `sheet` comes from the bottom on a phone: a ticket, a menu. `alert` asks for an answer and ignores clicks outside. */
  readonly kind?: 'dialog' | 'sheet' | 'alert';
}

/**
 * A modal dialog: focus is kept inside, Esc closes, focus returns. The shade is our own element and the page is kept
 * still by the style sheet, so that no style is injected (content policy).
 */
export function Dialog({
  open,
  onClose,
  title,
  description,
  children,
  actions,
  closeLabel,
  kind = 'dialog',
}: DialogProps) {
  const position =
    kind === 'sheet'
      ? 'inset-x-0 bottom-0 max-h-[90dvh] rounded-t-md'
      : 'left-1/2 top-1/2 w-[min(440px,calc(100vw-32px))] max-h-[calc(100dvh-32px)] -translate-x-1/2 -translate-y-1/2 rounded-md';
  return (
    <Radix.Root open={open} onOpenChange={(next) => !next && onClose()}>
      <Radix.Portal>
        <div data-dialog-shade="" className="fixed inset-0 z-40 animate-appear bg-shade" />
        <Radix.Content
          role={kind === 'alert' ? 'alertdialog' : 'dialog'}
          {...(description === undefined ? { 'aria-describedby': undefined } : {})}
          onPointerDownOutside={(event) => kind === 'alert' && event.preventDefault()}
          className={classNames(
            'fixed z-50 flex animate-appear flex-col gap-4 overflow-y-auto border border-line bg-panel p-5 shadow-float',
            position,
          )}
        >
          <div className="flex items-start gap-4">
            <Radix.Title className="flex-1 text-base font-medium">{title}</Radix.Title>
            <Radix.Close
              aria-label={closeLabel}
              className="-m-2 grid size-9 place-items-center rounded-md text-soft hover:bg-hover hover:text-text"
            >
              <X size={16} aria-hidden="true" />
            </Radix.Close>
          </div>
          {description !== undefined && (
            <Radix.Description className="text-sm text-soft">{description}</Radix.Description>
          )}
          {children}
          {actions !== undefined && <div className="flex justify-end gap-2">{actions}</div>}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
