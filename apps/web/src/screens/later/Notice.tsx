import type { ReactNode } from 'react';

/** A page that only says something: what it is, and where to go. */
export function Notice(props: {
  readonly heading: string;
  readonly text?: string;
  readonly children?: ReactNode;
}) {
  return (
    <section className="mx-auto flex w-full max-w-xl flex-1 flex-col gap-3 px-4 py-24">
      <h1 className="text-xl font-medium">{props.heading}</h1>
      {props.text !== undefined && <p className="text-soft">{props.text}</p>}
      <div className="mt-2 flex flex-wrap gap-2">{props.children}</div>
    </section>
  );
}
