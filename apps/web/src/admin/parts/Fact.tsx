import type { ReactNode } from 'react';

/** One thing that is known, in a `dl`. */
export function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div className="flex justify-between gap-3 border-b border-line py-1.5 text-[13px]">
      <dt className="text-soft">{name}</dt>
      <dd className="text-right break-words min-w-0">{children}</dd>
    </div>
  );
}
