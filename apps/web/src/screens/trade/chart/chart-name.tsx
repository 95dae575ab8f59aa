import { platformFacts } from '@crossbook/domain';
import { useText } from '../../../i18n/i18n.ts';
import type { ListedInstrument } from '../../../stores/market/instruments.ts';

const NAME = 'mx-2 h-7 shrink-0 whitespace-nowrap px-1 text-xs leading-7';

/** A market in the head of one of several charts. */
export function chartName(
  { base, quote, platform, symbolType }: ListedInstrument,
  perpetual: string,
): string {
  return [
    `${base}/${quote}`,
    platformFacts(platform).name,
    ...(symbolType === 'SWAP' ? [perpetual] : []),
  ].join(' · ');
}

/** The name over the chart that the ticket belongs to; its exchange stands above. */
export function ActiveChart({ instrument: { base, quote } }: { readonly instrument: ListedInstrument }) {
  return (
    <span aria-current="true" className={`${NAME} border-b-2 border-accent text-text`}>
      {`${base}/${quote}`}
    </span>
  );
}

/** The name over another chart; pressed, the page is of its market. */
export function OpenChart(props: { readonly instrument: ListedInstrument; readonly onOpen: () => void }) {
  const text = useText();
  const market = chartName(props.instrument, text('trade.type.SWAP'));
  const label = text('trade.charts.open', { market });
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      onClick={props.onOpen}
      className={`${NAME} rounded-md text-soft hover:bg-hover hover:text-text`}
    >
      {market}
    </button>
  );
}
