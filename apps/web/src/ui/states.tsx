import { CircleAlert, Inbox } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from './Button.tsx';
import { classNames } from './class-names.ts';

/** A grey block in the shape of what is still loading. */
export function Skeleton({ className }: { readonly className?: string }) {
  return (
    <span
      className={classNames(
        'inline-block animate-skeleton rounded-sm bg-line align-middle',
        className ?? 'h-3 w-16',
      )}
    />
  );
}

/** Rows of a table that is still loading. */
export function SkeletonRows(props: {
  readonly columns: number;
  readonly rows: number;
  readonly height: string;
}) {
  const rows = Array.from({ length: props.rows }, (_, row) => `row-${row}`);
  const columns = Array.from({ length: props.columns }, (_, column) => `column-${column}`);
  return rows.map((row) => (
    <tr key={row} className={classNames('border-t border-line', props.height)}>
      {columns.map((column) => (
        <td key={column} className="px-3">
          <Skeleton className="h-3 w-full max-w-24" />
        </td>
      ))}
    </tr>
  ));
}

/** A list that has nothing, and what to do about it. */
export function EmptyState({ title, advice }: { readonly title: string; readonly advice?: ReactNode }) {
  return (
    <div className="flex flex-col items-center justify-center gap-2 px-4 py-8 text-center">
      <Inbox size={20} aria-hidden="true" className="text-faint" />
      <p className="text-[13px] text-soft">{title}</p>
      {advice !== undefined && <div className="text-xs text-balance text-faint">{advice}</div>}
    </div>
  );
}

/** Something could not be read, and a way to try again. */
export function ErrorState(props: {
  readonly title: string;
  readonly retry: string;
  readonly onRetry: () => void;
}) {
  return (
    <div role="alert" className="flex flex-col items-center justify-center gap-3 px-4 py-8 text-center">
      <CircleAlert size={20} aria-hidden="true" className="text-danger" />
      <p className="text-[13px] text-soft">{props.title}</p>
      <Button size="small" onClick={props.onRetry}>
        {props.retry}
      </Button>
    </div>
  );
}

/** Marks figures that are old; shows their age. */
export function StaleBadge({ text }: { readonly text: string }) {
  return <span className="rounded-sm bg-warning-soft px-1.5 text-[11px] leading-4 text-warning">{text}</span>;
}

/** A small marked word: PAPER, Maker, Coming soon. */
export function Badge({
  tone = 'plain',
  children,
}: {
  readonly tone?: 'plain' | 'warning' | 'up' | 'down';
  readonly children: ReactNode;
}) {
  const tones = {
    plain: 'bg-raised text-soft',
    warning: 'bg-warning-soft text-warning',
    up: 'bg-up-soft text-up',
    down: 'bg-down-soft text-down',
  } as const;
  return (
    <span
      className={classNames(
        'inline-block rounded-sm px-1.5 text-[11px] leading-[18px] whitespace-nowrap max-lg:text-xs',
        tones[tone],
      )}
    >
      {children}
    </span>
  );
}

/** A remark that stays on the page: paper mode, a warning about networks. */
export function Banner({
  tone = 'warning',
  children,
}: {
  readonly tone?: 'warning' | 'danger' | 'plain';
  readonly children: ReactNode;
}) {
  const tones = {
    warning: 'border-warning bg-warning-soft text-text',
    danger: 'border-danger bg-danger-soft text-text',
    plain: 'border-line-strong bg-raised text-soft',
  } as const;
  return <div className={classNames('rounded-md border px-3 py-2 text-[13px]', tones[tone])}>{children}</div>;
}
