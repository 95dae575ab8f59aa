import type { ReactNode } from 'react';

/** A value of a card with its name over it. */
export function CardPair(props: { readonly label: ReactNode; readonly children: ReactNode }) {
  return (
    <div className="flex min-w-0 flex-col">
      <span className="truncate text-faint">{props.label}</span>
      {/* Only its width is cut: what is pressed in it is higher than a line. */}
      <span className="overflow-x-clip text-ellipsis whitespace-nowrap text-text">{props.children}</span>
    </div>
  );
}

/** One value of a card. */
export interface CardEntry {
  /** Which, where names are no texts. */
  readonly id?: string;
  readonly label: ReactNode;
  readonly value: ReactNode;
}

/** Lines of a card: its head, its figures, and what can be done with it. */
export function Card(props: {
  readonly head: ReactNode;
  readonly end?: ReactNode;
  readonly pairs: readonly CardEntry[];
  readonly actions?: ReactNode;
}) {
  return (
    <div className="flex flex-col gap-1.5 text-xs leading-4">
      <div className="flex items-center justify-between gap-2">
        <div className="flex min-w-0 flex-wrap items-center gap-x-2">{props.head}</div>
        <div className="shrink-0 text-right">{props.end}</div>
      </div>
      <div className="grid grid-cols-3 gap-x-3 gap-y-1.5 sm:grid-cols-4">
        {props.pairs.map((pair) => (
          <CardPair key={pair.id ?? String(pair.label)} label={pair.label}>
            {pair.value}
          </CardPair>
        ))}
      </div>
      {props.actions !== undefined && <div className="flex gap-2 pt-1">{props.actions}</div>}
    </div>
  );
}
