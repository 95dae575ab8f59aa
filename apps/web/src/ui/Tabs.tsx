import { Tabs as Radix } from 'radix-ui';
import type { ReactNode } from 'react';
import { classNames } from './class-names.ts';

/** One tab: its value, label, and an optional count behind the label. */
export interface TabItem<Value extends string> {
  readonly value: Value;
  readonly label: ReactNode;
  readonly count?: number;
}

/** Props of `Tabs`. */
export interface TabsProps<Value extends string> {
  readonly items: readonly TabItem<Value>[];
  readonly value: Value;
  readonly onChange: (value: Value) => void;
  /** Name of the tab list for screen readers. */
  readonly label: string;
  readonly children?: ReactNode;
  readonly className?: string;
  /** Something at the end of the tab row. */
  readonly end?: ReactNode;
}

/** A row of tabs with underline; the panels are `TabPanel` children. Arrow keys move, Home and End jump. */
export function Tabs<Value extends string>(props: TabsProps<Value>) {
  const { items, value, onChange, label, children, className, end } = props;
  return (
    <Radix.Root
      value={value}
      onValueChange={(next) => onChange(next as Value)}
      className={classNames('flex min-h-0 flex-col', className)}
    >
      <div className="flex items-center border-b border-line">
        <Radix.List aria-label={label} className="flex min-w-0 flex-1 gap-1 overflow-x-auto px-1.5">
          {items.map((item) => (
            <Radix.Trigger
              key={item.value}
              value={item.value}
              className="-mb-px h-9 shrink-0 px-1.5 outline-offset-[-2px] max-lg:h-11 max-lg:min-w-11 border-b-2 border-transparent text-[13px] text-soft hover:text-text data-[state=active]:border-accent data-[state=active]:text-text"
            >
              {item.label}
              {item.count !== undefined && <span className="ml-1 text-faint">({item.count})</span>}
            </Radix.Trigger>
          ))}
        </Radix.List>
        {end}
      </div>
      {children}
    </Radix.Root>
  );
}

/** The panel of one tab. */
export function TabPanel({
  value,
  children,
  className,
}: {
  readonly value: string;
  readonly children: ReactNode;
  readonly className?: string;
}) {
  return (
    <Radix.Content value={value} className={classNames('min-h-0 flex-1 outline-offset-[-2px]', className)}>
      {children}
    </Radix.Content>
  );
}
