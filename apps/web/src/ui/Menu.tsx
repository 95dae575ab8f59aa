import { DropdownMenu as Radix } from 'radix-ui';
import type { ReactNode } from 'react';
import { classNames } from './class-names.ts';

/** Props of `Menu`. */
export interface MenuProps {
  /** The element that opens the menu: a button. */
  readonly trigger: ReactNode;
  readonly children: ReactNode;
  readonly align?: 'start' | 'end';
}

const ITEM =
  'flex min-h-9 w-full cursor-pointer select-none items-center gap-2 rounded-sm px-3 text-[13px] text-text outline-none data-[highlighted]:bg-hover data-[disabled]:opacity-50';

/** A drop-down menu. Not modal: the page keeps its scroll bar and nothing is injected. */
export function Menu({ trigger, children, align = 'start' }: MenuProps) {
  return (
    <Radix.Root modal={false}>
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          align={align}
          sideOffset={6}
          collisionPadding={8}
          className="z-50 max-h-[70dvh] min-w-44 animate-appear overflow-y-auto rounded-md border border-line bg-panel p-1 shadow-float"
        >
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

/** An entry that does something. */
export function MenuItem({ onSelect, children }: { readonly onSelect: () => void; readonly children: ReactNode }) {
  return (
    <Radix.Item className={ITEM} onSelect={onSelect}>
      {children}
    </Radix.Item>
  );
}

/** An entry that is a link; the child is the link itself. */
export function MenuLink({ children }: { readonly children: ReactNode }) {
  return (
    <Radix.Item asChild className={ITEM}>
      {children}
    </Radix.Item>
  );
}

/** One choice among several; the chosen one is marked. */
export function MenuChoice(props: {
  readonly value: string;
  readonly options: readonly { readonly value: string; readonly label: string }[];
  readonly onChange: (value: string) => void;
}) {
  return (
    <Radix.RadioGroup value={props.value} onValueChange={props.onChange}>
      {props.options.map((option) => (
        <Radix.RadioItem
          key={option.value}
          value={option.value}
          className={classNames(ITEM, 'data-[state=checked]:text-accent light:data-[state=checked]:text-link')}
        >
          {option.label}
        </Radix.RadioItem>
      ))}
    </Radix.RadioGroup>
  );
}

/** A heading inside a menu. */
export function MenuHeading({ children }: { readonly children: ReactNode }) {
  return <Radix.Label className="px-3 pb-1 pt-2 text-xs text-faint">{children}</Radix.Label>;
}

/** A line between groups. */
export function MenuLine() {
  return <Radix.Separator className="my-1 h-px bg-line" />;
}
