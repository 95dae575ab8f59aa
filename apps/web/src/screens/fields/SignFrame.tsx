import type { ReactNode } from 'react';

/** The frame of the sign-in screens: a heading and one narrow column. */
export function SignFrame(props: {
  readonly heading: string;
  readonly children: ReactNode;
  readonly foot: ReactNode;
}) {
  return (
    <section className="mx-auto flex w-full max-w-[400px] flex-1 flex-col gap-5 px-4 py-10">
      <h1 className="text-2xl font-medium tracking-tight">{props.heading}</h1>
      {props.children}
      <div className="text-[13px] text-soft">{props.foot}</div>
    </section>
  );
}
