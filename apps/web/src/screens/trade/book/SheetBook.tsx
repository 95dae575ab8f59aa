import { type Amount, stepScale, stepsToAmount } from '@crossbook/domain';
import { baseStep } from '../../../calculators/contracts/contract-size.ts';
import { groupThousands, stepsText } from '../../../calculators/step-text.ts';
import { useText } from '../../../i18n/i18n.ts';
import type { ListedInstrument } from '../../../stores/market/instruments.ts';
import { marketKey } from '../../../stores/market/market.ts';
import { classNames } from '../../../ui/class-names.ts';
import { useFreshness, useMarketSample } from '../live/live-hooks.ts';
import type { LiveMarket } from '../live/live-market.ts';

/** Rows a side. */
const ROWS = 3;
/** A hand that is about to press a price needs it to stand still. */
const SAMPLE_MILLIS = 500;

type Level = readonly [ticks: number, lots: number];
interface Sampled {
  readonly asks: readonly (Level | undefined)[];
  readonly bids: readonly (Level | undefined)[];
  readonly last: string | undefined;
}

function read({ book, ticker }: LiveMarket): Sampled {
  const levels = (side: 'asks' | 'bids'): readonly (Level | undefined)[] => {
    const found = book.book.levels(side, ROWS);
    return Array.from({ length: ROWS }, (_, at) => found[at]);
  };
  return { asks: levels('asks').toReversed(), bids: levels('bids'), last: ticker.stats()?.last };
}

const NO_LEVELS: Sampled['bids'] = Array.from({ length: ROWS }, () => undefined);
const UNREAD: Sampled = { asks: NO_LEVELS, bids: NO_LEVELS, last: undefined };

function isSame(left: Sampled, right: Sampled): boolean {
  return JSON.stringify(left) === JSON.stringify(right);
}

/** The best of the book beside the ticket of a phone, whose sheet covers the book itself: a tap takes the price. */
export function SheetBook(props: {
  readonly market: LiveMarket;
  readonly instrument: ListedInstrument;
  readonly onPrice: (price: Amount) => void;
}) {
  const { market, instrument, onPrice } = props;
  const text = useText();
  const { stale } = useFreshness(market, instrument);
  const { asks, bids, last } =
    useMarketSample(marketKey(instrument), () => read(market), SAMPLE_MILLIS, isSame) ?? UNREAD;
  const price = stepScale(instrument.tickSize);
  const size = stepScale(baseStep(instrument));
  const row = (side: 'ask' | 'bid', level: Level | undefined, at: number) => {
    if (level === undefined)
      return (
        <span key={`${side}${at}`} className="flex h-7 items-center text-faint">
          –
        </span>
      );
    const [ticks, lots] = level;
    const [said, many] = [stepsText(ticks, price), stepsText(lots, size)];
    return (
      <button
        key={`${side}${at}`}
        type="button"
        aria-label={`${text(`trade.book.${side}`)} ${said}, ${many}`}
        onClick={() => onPrice(stepsToAmount(ticks, instrument.tickSize))}
        className="flex h-7 items-center justify-between gap-2 rounded-sm px-1 hover:bg-hover"
      >
        <span className={side === 'ask' ? 'text-down' : 'text-up'}>{said}</span>{' '}
        <span className="truncate">{many}</span>
      </button>
    );
  };
  return (
    <section
      aria-label={text('trade.book.label')}
      className={classNames(
        'flex w-[120px] shrink-0 flex-col text-xs tabular-nums',
        stale && 'stale-figures',
      )}
    >
      {asks.map((level, at) => row('ask', level, at))}
      <span className="flex h-6 items-center px-1 text-[13px] font-semibold">
        {last === undefined ? '–' : groupThousands(last)}
      </span>
      {bids.map((level, at) => row('bid', level, at))}
    </section>
  );
}
