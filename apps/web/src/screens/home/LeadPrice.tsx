import { platformFacts } from '@crossbook/domain';
import { Link } from '@tanstack/react-router';
import { DIRECTION_TONES } from '../../calculators/market/price-direction.ts';
import { formatPercent, formatShort, formatToStep } from '../../i18n/format.ts';
import { useText } from '../../i18n/i18n.ts';
import type { MarketRow } from '../../stores/market-lists/market-rows.ts';
import { buttonClass } from '../../ui/Button.tsx';
import { Change } from '../../ui/Change.tsx';
import { Skeleton } from '../../ui/states.tsx';

/** The live price of the first market: BTC. */
export function LeadPrice(props: { readonly row: MarketRow | undefined; readonly primary: boolean }) {
  const t = useText();
  const { row } = props;
  const ticker = row?.ticker;
  const symbol = row === undefined ? 'BTC/USDT' : `${row.instrument.base}/${row.instrument.quote}`;
  const price = (text: string) => (row === undefined ? text : formatToStep(text, row.instrument.tickSize));
  const stats = [
    { id: 'high', label: t('home.high24h'), text: ticker && price(ticker.high) },
    { id: 'low', label: t('home.low24h'), text: ticker && price(ticker.low) },
    {
      id: 'volume',
      label: t('home.volume24h'),
      text: ticker && `${formatShort(Number(ticker.quoteVolume))} ${row.instrument.quote}`,
    },
  ];
  return (
    <section className="flex flex-col justify-between gap-4 rounded-md border border-line bg-panel p-4 lg:p-6">
      <div className="flex items-baseline justify-between gap-4">
        <h2 className="text-[13px] text-soft">{t('home.livePrice', { symbol })}</h2>
        {row !== undefined && (
          <span className="text-xs text-faint">{platformFacts(row.instrument.platform).name}</span>
        )}
      </div>
      <div className="flex flex-wrap items-baseline gap-3">
        <span
          className={`text-4xl lg:text-5xl lg:leading-none font-medium tracking-tight ${DIRECTION_TONES[ticker?.direction ?? 'none']}`}
        >
          {ticker === undefined ? <Skeleton className="h-9 w-52" /> : price(ticker.last)}
        </span>
        {ticker !== undefined && (
          <Change
            value={Number(ticker.change)}
            text={formatPercent(Number(ticker.change))}
            className="text-base"
          />
        )}
      </div>
      <dl className="grid grid-cols-3 gap-4 text-[13px]">
        {stats.map(({ id, label, text }) => (
          <div key={id}>
            <dt className="text-xs text-faint">{label}</dt>
            <dd>{text ?? <Skeleton />}</dd>
          </div>
        ))}
      </dl>
      {row !== undefined && (
        <Link
          to="/spot/$exchange/$symbol"
          params={{ exchange: platformFacts(row.instrument.platform).slug, symbol: row.instrument.symbol }}
          className={buttonClass(props.primary ? 'primary' : 'plain', 'large')}
        >
          {t('home.start')}
        </Link>
      )}
    </section>
  );
}
