import type { ReactNode } from 'react';

/** Something that unfolds: the browser's own, with its keys. */
export function Details({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <details className="shrink-0 gap-1 open:inline-flex">
      <summary className="w-max cursor-pointer text-faint hover:text-text max-lg:min-h-11">{name}</summary>
      {children}
    </details>
  );
}
