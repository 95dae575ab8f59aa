import { type ReactNode, useEffect, useRef } from 'react';
import { classNames } from './class-names.ts';

/** A screen with sections: their links beside it, or in a scrolling row above it on a phone. */
export function SideNav(props: {
  readonly label: string;
  /** Which section is open: its link is brought into the row. */
  readonly open: string;
  readonly links: ReactNode;
  /** What stands beside the screen in place of the links, where there is room. */
  readonly menu?: ReactNode;
  readonly children: ReactNode;
}) {
  const { open } = props;
  const row = useRef<HTMLElement>(null);
  useEffect(() => {
    const { current } = row;
    if (open === '' || current === null) return;
    const link = current.querySelector<HTMLElement>('[data-status=active]');
    // Only the row moves: the browser's own way would move the page as well.
    if (link !== null) current.scrollLeft = link.offsetLeft - (current.clientWidth - link.clientWidth) / 2;
  }, [open]);
  return (
    <div className="mx-auto flex w-full max-w-7xl flex-1 gap-6 px-4 py-6 max-md:flex-col max-md:gap-3">
      <nav
        ref={row}
        aria-label={props.label}
        className={classNames(
          'flex shrink-0 flex-col gap-0.5 max-md:relative max-md:-mx-4 max-md:flex-row max-md:overflow-x-auto max-md:px-4 md:w-44',
          props.menu !== undefined && 'md:hidden',
        )}
      >
        {props.links}
      </nav>
      {props.menu}
      <div className="min-w-0 flex-1">{props.children}</div>
    </div>
  );
}

/** Classes of a link in `SideNav`. On a phone its ring is inside: a row that scrolls cuts off what stands out of it. */
export const SIDE_LINK =
  'flex min-h-9 shrink-0 items-center justify-between gap-3 rounded-md px-3 text-[13px] text-soft hover:bg-hover hover:text-text data-[status=active]:bg-selected data-[status=active]:font-medium data-[status=active]:text-text max-md:min-h-11 max-md:-outline-offset-2';
