import 'sonner/dist/styles.css';
import { Toaster as Sonner, toast } from 'sonner';

/** One toast; toasts of the same key replace each other. */
export interface Toast {
  readonly tone: 'success' | 'info' | 'warning' | 'error';
  readonly text: string;
  readonly key?: string | undefined;
}

const MILLIS_SHOWN = { success: 4_000, info: 4_000, warning: 7_000, error: 10_000 } as const;

/** Shows a toast. */
export function showToast({ tone, text, key }: Toast): void {
  toast[tone](text, { duration: MILLIS_SHOWN[tone], ...(key === undefined ? {} : { id: key }) });
}

/** Where toasts appear. */
export function Toaster({ theme, label }: { readonly theme: 'dark' | 'light'; readonly label: string }) {
  return (
    <Sonner
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
          success: '[&_svg]:text-up',
          error: '[&_svg]:text-danger border-danger',
          warning: '[&_svg]:text-warning border-warning',
        },
      }}
    />
  );
}
