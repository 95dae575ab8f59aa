import {
  type ButtonHTMLAttributes,
  type KeyboardEvent,
  type ReactNode,
  type ToggleEvent,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { classNames } from './class-names.ts';

/** Props of `Menu`. */
export interface MenuProps {
  /** What the button shows. */
  readonly trigger: ReactNode;
  readonly triggerClass: string;
  /** Name of the button where it shows only an icon. */
  readonly label?: string;
  readonly children: ReactNode;
  readonly align?: 'start' | 'end';
}

const GAP_PX = 6;
const EDGE_PX = 8;

/** Moves the focus among the entries: arrows, Home, End. Tab goes through them as well. */
function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const entries = [...event.currentTarget.querySelectorAll<HTMLElement>('a[href], button:not(:disabled)')];
  const at = entries.indexOf(document.activeElement as HTMLElement);
  const targets: Readonly<Record<string, number>> = {
    ArrowDown: (at + 1) % entries.length,
    ArrowUp: (at - 1 + entries.length) % entries.length,
    Home: 0,
    End: entries.length - 1,
  };
  const target = targets[event.key];
  if (target === undefined) return;
  event.preventDefault();
  entries[target]?.focus();
}

/** Puts the open panel under its button, inside the window. */
function place(panel: HTMLElement, button: HTMLElement, align: 'start' | 'end'): void {
  const anchor = button.getBoundingClientRect();
  const { width, height } = panel.getBoundingClientRect();
  const wanted = align === 'start' ? anchor.left : anchor.right - width;
  const left = Math.max(EDGE_PX, Math.min(wanted, window.innerWidth - width - EDGE_PX));
  const below = anchor.bottom + GAP_PX;
  const fits = below + height <= window.innerHeight - EDGE_PX;
  const top = fits ? below : Math.max(EDGE_PX, anchor.top - GAP_PX - height);
  panel.style.left = `${left}px`;
  panel.style.top = `${top}px`;
}

/**
 * A button with a panel of entries. The panel is the browser's own popover: on top of everything, closed by Esc and by a
 * click outside, without any script of a library. Entries are plain links and buttons, so every screen reader knows them.
 */
export function Menu({ trigger, triggerClass, label, children, align = 'start' }: MenuProps) {
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const panel = useRef<HTMLDivElement>(null);
  const [open, setOpen] = useState(false);

  const focusFirst = useRef(false);

  const onToggle = (event: ToggleEvent<HTMLDivElement>) => setOpen(event.newState === 'open');
  // The entries exist only now: their size says where the panel goes.
  useLayoutEffect(() => {
    if (!open || panel.current === null || button.current === null) return;
    place(panel.current, button.current, align);
    if (focusFirst.current) panel.current.querySelector<HTMLElement>('a[href], button')?.focus();
    focusFirst.current = false;
  }, [open, align]);
  const closeOnChoice = (target: EventTarget) => {
    if (target instanceof Element && target.closest('a, button') !== null) panel.current?.hidePopover();
  };
  return (
    <>
      <button
        ref={button}
        type="button"
        aria-label={label}
        aria-expanded={open}
        popoverTarget={id}
        onKeyDown={(event) => {
          if (event.key !== 'ArrowDown') return;
          event.preventDefault();
          focusFirst.current = true;
          panel.current?.showPopover();
        }}
        className={triggerClass}
      >
        {trigger}
      </button>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the links and buttons inside act; the panel only notices */}
      <div
        ref={panel}
        id={id}
        popover="auto"
        onToggle={onToggle}
        onKeyDown={moveFocus}
        onClick={(event) => closeOnChoice(event.target)}
        className="fixed m-0 max-h-[70dvh] min-w-44 overflow-y-auto rounded-md border border-line bg-panel p-1 text-text shadow-float [&:popover-open]:animate-appear"
      >
        {open && children}
      </div>
    </>
  );
}

const ENTRY =
  'flex min-h-9 w-full items-center gap-2 rounded-sm px-3 text-left text-[13px] text-text hover:bg-hover focus-visible:bg-hover disabled:opacity-50 max-lg:min-h-11';

/** Classes of a link in a menu. */
export const MENU_LINK = classNames(ENTRY, 'justify-between gap-4');

/** An entry that does something. */
export function MenuItem(props: ButtonHTMLAttributes<HTMLButtonElement>) {
  return <button {...props} type="button" className={ENTRY} />;
}

/** One choice among several; the chosen one is marked. */
export function MenuChoice(props: {
  readonly value: string;
  readonly options: readonly { readonly value: string; readonly label: string }[];
  readonly onChange: (value: string) => void;
}) {
  return props.options.map((option) => (
    <button
      key={option.value}
      type="button"
      aria-current={option.value === props.value || undefined}
      onClick={() => props.onChange(option.value)}
      className={classNames(ENTRY, 'aria-[current]:font-semibold')}
    >
      <span className="w-4" aria-hidden="true">
        {option.value === props.value ? '✓' : ''}
      </span>
      {option.label}
    </button>
  ));
}

/** A heading inside a menu. */
export function MenuHeading({ children }: { readonly children: ReactNode }) {
  return <p className="px-3 pb-1 pt-2 text-xs text-faint">{children}</p>;
}

/** A line between groups. */
export function MenuLine() {
  return <hr className="my-1 border-line" />;
}
