import { roleBeside } from '../../../stores/member/own-service.ts';
import '../../../i18n/later-words.ts';
import { type Amount, decimalsOf, formatAmountFixed, parseAmount, type ScaledPart } from '@crossbook/domain';
import { type Ref, useEffect, useRef } from 'react';
import { useStore } from 'zustand';
import { baseStep } from '../../../calculators/contracts/contract-size.ts';
import { groupThousands } from '../../../calculators/step-text.ts';
import { averagePrice, partCoins } from '../../../calculators/ticket/scaled-entry.ts';
import { useText } from '../../../i18n/i18n.ts';
import { endWords } from '../../../i18n/notice-words.ts';
import {
  findInstrument,
  instrumentsStore,
  type ListedInstrument,
} from '../../../stores/market/instruments.ts';
import {
  dismissScaled,
  type ScaledSent,
  scaledTicketStore,
  sendMissing,
} from '../../../stores/trading/scaled-ticket.ts';
import { Button } from '../../../ui/Button.tsx';
import { Words } from '../entry/Answer.tsx';

function priceText(price: Amount, { tickSize }: ListedInstrument): string {
  return groupThousands(formatAmountFixed(price, decimalsOf(tickSize)));
}

function coinsText(part: ScaledPart, instrument: ListedInstrument): string {
  return groupThousands(formatAmountFixed(partCoins(part, instrument), decimalsOf(baseStep(instrument))));
}

const LIST = 'max-h-36 overflow-y-auto rounded-md border border-line px-2 py-1 text-[11px] leading-5 num';

/** Every order with price and size, before it is sent. */
export function ScaledList(props: {
  readonly parts: readonly ScaledPart[];
  readonly instrument: ListedInstrument;
}) {
  const { parts, instrument } = props;
  const text = useText();
  const average = averagePrice(parts, instrument);
  return (
    <section aria-label={text('trade.scaled.list')} className="flex flex-col gap-1">
      {parts.length === 0 ? (
        <p className="text-[11px] leading-4 max-lg:text-xs text-faint">{text('trade.scaled.empty')}</p>
      ) : (
        <>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls can be scrolled with the keyboard. */}
          <ol tabIndex={0} aria-label={text('trade.scaled.list')} className={LIST}>
            {parts.map((part, at) => (
              <li key={String(part.price)} className="flex justify-between gap-3">
                <span className="w-5 text-faint">{at + 1}</span>
                <span className="flex-1 text-right">{priceText(part.price, instrument)}</span>
                <span className="flex-1 text-right">{coinsText(part, instrument)}</span>
              </li>
            ))}
          </ol>
          <p className="flex justify-between text-xs">
            <span className="text-faint">{text('trade.scaled.average')}</span>
            <span className="num">
              {average === undefined ? '–' : `≈ ${priceText(average, instrument)}`}{' '}
              <span className="text-faint">{instrument.quote}</span>
            </span>
          </p>
          <p className="text-[11px] leading-4 max-lg:text-xs text-faint">
            {text('trade.scaled.notOne', { count: parts.length })}
          </p>
        </>
      )}
    </section>
  );
}

const TONES = { placed: 'text-soft', refused: 'text-danger', unknown: 'text-warning' } as const;

function SentRows({ rows, request, platform }: ScaledSent) {
  const text = useText();
  const instrument = useStore(instrumentsStore, (state) =>
    findInstrument(state, platform, request.tinstType === 2 ? 'SWAP' : 'SPOT', request.symbol),
  );
  return (
    <ol className={LIST}>
      {rows.map(({ orderId, outcome, price, quantity, reason, venueCode, order }) => {
        const why = reason ?? (order === null ? undefined : endWords(order));
        const part = { price: parseAmount(price) ?? 0n, quantity: parseAmount(quantity) ?? 0n } as ScaledPart;
        return (
          <li key={orderId}>
            <span className="flex justify-between gap-2">
              <span>{instrument === undefined ? price : priceText(part.price, instrument)}</span>
              <span>{instrument === undefined ? quantity : coinsText(part, instrument)}</span>
              <span className={TONES[outcome]}>{text(`trade.scaled.outcome.${outcome}`)}</span>
            </span>
            {why !== undefined && (
              <span className="block text-[11px] leading-4 text-soft">
                <Words message={why} code={venueCode} />
              </span>
            )}
          </li>
        );
      })}
    </ol>
  );
}

/** What became of the last one, as long as not all of it is at the exchange and the member has not put it away. */
export function ScaledOutcome({ onSent }: { readonly onSent: (() => void) | undefined }) {
  const text = useText();
  const { sent, sending, refused } = useStore(scaledTicketStore);
  const shown = useRef<HTMLElement>(null);
  // Why nothing, or not all, was sent is seen where it was tried.
  useEffect(() => {
    if (sent !== undefined || refused !== '') shown.current?.scrollIntoView({ block: 'nearest' });
  }, [sent, refused]);
  if (sent === undefined) {
    return (
      <p
        ref={shown as Ref<HTMLParagraphElement>}
        id="scaled-state"
        role={roleBeside('status', refused)}
        className="text-xs text-danger empty:hidden"
      >
        {refused}
      </p>
    );
  }
  const { rows } = sent;
  const placed = rows.filter(({ outcome }) => outcome === 'placed').length;
  const open =
    rows.length === 0 || rows.some(({ order, outcome }) => order === null || outcome === 'unknown');
  return (
    <section
      ref={shown}
      id="scaled-state"
      role={roleBeside('status', refused)}
      className="flex flex-col gap-1.5 rounded-md border border-line p-2 text-xs"
    >
      <p className="text-warning">
        {rows.length === 0
          ? text('trade.scaled.unknown')
          : text('trade.scaled.sent', { placed, count: rows.length })}
      </p>
      {refused !== '' && <p className="text-danger">{refused}</p>}
      {rows.length > 0 && <SentRows {...sent} />}
      <div className="flex flex-wrap gap-2">
        {open && (
          <Button
            size="small"
            busy={sending}
            className="max-lg:h-11"
            onClick={() => void sendMissing().then((all) => all && onSent?.())}
          >
            {text(rows.length === 0 ? 'trade.scaled.again' : 'trade.scaled.missing')}
          </Button>
        )}
        <Button size="small" className="max-lg:h-11" onClick={dismissScaled}>
          {text('trade.scaled.seen')}
        </Button>
      </div>
    </section>
  );
}
