import type { ReactNode } from 'react';

/** A block of the ticket: where there is one column it is not there, and its parts stand in the ticket itself. */
const BLOCK = 'contents @min-[480px]:flex @min-[480px]:min-w-0 @min-[480px]:flex-col @min-[480px]:gap-2';

/** The ticket's column, or two where the panel is wide enough: what is entered, and the figures of it. */
export const TICKET_COLUMNS =
  'flex flex-col gap-2 p-3 max-lg:p-0 @min-[480px]:grid @min-[480px]:grid-cols-[minmax(0,1fr)_minmax(0,264px)] @min-[480px]:grid-rows-[auto_1fr] @min-[480px]:gap-x-4';

/** What is entered, the figures of it, and what sends. */
export function TicketColumns(props: {
  readonly stats: ReactNode;
  readonly end: ReactNode;
  readonly children: ReactNode;
}) {
  return (
    <>
      <div className={BLOCK}>{props.children}</div>
      <div className={`${BLOCK} @min-[480px]:row-span-2`}>{props.stats}</div>
      <div className={BLOCK}>{props.end}</div>
    </>
  );
}
