import type { Amount } from '@crossbook/domain';
import { type ReactNode, Suspense } from 'react';
import { pickTrigger } from '../../stores/algos/algo-ticket.ts';
import type { ListedInstrument } from '../../stores/market/instruments.ts';
import { lazyPart } from '../../ui/read-ahead.ts';
import { useWide } from './live/live-hooks.ts';
import type { LiveMarket } from './live/live-market.ts';

const SheetBook = lazyPart(async () => (await import('./book/SheetBook.tsx')).SheetBook);

/** The choices at the top of a ticket; where the ticket covers the book, the best of it stands at their left. */
export function TicketTop(props: {
  readonly market: LiveMarket;
  readonly instrument: ListedInstrument;
  readonly onPrice: (price: Amount) => void;
  readonly children: ReactNode;
}) {
  const { children, market, instrument, onPrice } = props;
  if (useWide()) return children;
  const pick = (price: Amount): void => {
    // Where a trigger is asked for, a price of the book is that.
    pickTrigger(price, instrument);
    onPrice(price);
  };
  return (
    <div className="flex gap-2">
      <Suspense fallback={<div className="w-[120px] shrink-0" />}>
        <SheetBook {...{ market, instrument }} onPrice={pick} />
      </Suspense>
      <div className="flex min-w-0 flex-1 flex-col gap-2 [&_fieldset_button]:text-xs">{children}</div>
    </div>
  );
}
