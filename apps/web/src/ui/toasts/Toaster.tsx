import 'sonner/dist/styles.css';
import { createPortal } from 'react-dom';
import { Toaster as Sonner, toast } from 'sonner';
import { Button } from '../Button.tsx';
import { Details } from '../Details.tsx';
import { toastHost } from '../toast-host.ts';
import { showInTurn } from './toast-turns.ts';

/** One toast; toasts of the same key replace each other. */
export interface Toast {
  readonly tone: 'success' | 'info' | 'warning' | 'error';
  readonly text: string;
  readonly key?: string | undefined;
  /** A second, quieter line. */
  readonly detail?: string;
  /** What unfolds below: its name, and it. */
  readonly more?: readonly [name: string, what: string];
  /** How long, ms, or until it is put away; absent: as its tone says. */
  readonly shown?: number | 'stays' | undefined;
  /** Buttons below the text; pressing one puts the toast away. */
  readonly actions?: readonly { readonly label: string; readonly onAct: () => void }[];
}

const MILLIS_SHOWN = { success: 4_000, info: 4_000, warning: 8_000, error: 8_000 } as const;

function Second(props: {
  readonly detail: string | undefined;
  readonly more: Toast['more'];
  readonly actions: NonNullable<Toast['actions']>;
  readonly onDone: () => void;
}) {
  return (
    <>
      {props.detail}
      {props.more && <Details name={props.more[0]}>{props.more[1]}</Details>}
      {props.actions.length > 0 && (
        <span className="mt-2 flex gap-2">
          {props.actions.map(({ label, onAct }) => (
            <Button
              key={label}
              size="small"
              className="max-lg:h-11"
              onClick={() => {
                props.onDone();
                onAct();
              }}
            >
              {label}
            </Button>
          ))}
        </span>
      )}
    </>
  );
}

/** On narrow windows toasts are at the top: below are the buttons. */
const NARROW = '(max-width: 1023.98px)';

let serial = 0;

function show(
  { tone, text, detail, more, shown, actions = [] }: Toast,
  id: string,
  leaves: () => void,
): void {
  const atTop = matchMedia(NARROW).matches;
  if (atTop)
    void import('./toast-place.ts').then(
      ({ keepOff }) => keepOff(toastHost),
      () => undefined,
    );
  serial += 1;
  const second = detail !== undefined || more !== undefined || actions.length > 0;
  // What is left out here would be left over from the toast whose place this one takes.
  toast[tone](<span key={serial}>{text}</span>, {
    id,
    position: atTop ? 'top-center' : 'bottom-right',
    duration: shown === 'stays' ? Number.POSITIVE_INFINITY : (shown ?? MILLIS_SHOWN[tone]),
    closeButton: shown === 'stays',
    onAutoClose: leaves,
    onDismiss: leaves,
    description: second ? (
      <Second
        detail={detail}
        more={more}
        actions={actions}
        onDone={() => {
          leaves();
          toast.dismiss(id);
        }}
      />
    ) : undefined,
  });
}

/** Shows a toast. */
export function showToast(said: Toast): void {
  showInTurn(said.key ?? `toast ${serial}`, (id, leaves) => show(said, id, leaves));
}

/** Where toasts appear. */
export function Toaster({ theme, label }: { readonly theme: 'dark' | 'light'; readonly label: string }) {
  return createPortal(
    <Sonner
      offset={{ top: 'var(--toast-top, 8px)' }}
      mobileOffset={{ top: 'var(--toast-top, 8px)' }}
      theme={theme}
      className="font-sans!"
      position="bottom-right"
      containerAriaLabel={label}
      visibleToasts={4}
      gap={8}
      toastOptions={{
        unstyled: true,
        classNames: {
          toast:
            'flex w-[356px] max-w-[calc(100vw-32px)] items-center gap-3 rounded-md border border-line-strong bg-raised px-4 py-3 text-[13px] text-text shadow-float',
          description: 'text-xs text-soft',
          closeButton:
            'order-last ml-auto grid size-6 shrink-0 place-items-center rounded-sm border-0! bg-transparent! text-soft hover:text-text max-lg:size-11',
          success: '[&_[data-icon]]:text-up',
          error: '[&_[data-icon]]:text-danger border-danger',
          warning: '[&_[data-icon]]:text-warning border-warning',
        },
      }}
    />,
    toastHost,
  );
}
