import type { ReactNode } from 'react';

/** Something that proves who the member is: its name, its state, and what can be done about it. */
export function Row(props: {
  readonly name: string;
  readonly about: string;
  readonly state: ReactNode;
  readonly children?: ReactNode;
}) {
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 border-t border-line px-4 py-3 first:border-t-0">
      <div className="flex min-w-0 flex-1 basis-64 flex-col gap-0.5 max-md:basis-full">
        <h2 className="text-sm font-medium">{props.name}</h2>
        <p className="text-xs text-faint">{props.about}</p>
      </div>
      <div className="mr-auto text-[13px] text-soft md:mr-0">{props.state}</div>
      <div className="flex gap-2">{props.children}</div>
    </li>
  );
}
