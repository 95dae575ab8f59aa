import '../../../i18n/later-words.ts';
import {
  AMOUNT_ONE,
  type Amount,
  decimalsOf,
  formatAmount,
  formatAmountFixed,
  mulDown,
  SIDE,
} from '@crossbook/domain';
import { ChevronDown } from 'lucide-react';
import type { ReactNode } from 'react';
import { baseStep } from '../../../calculators/contracts/contract-size.ts';
import type { ContractSummary } from '../../../calculators/contracts/contract-summary.ts';
import { ratioTone } from '../../../calculators/contracts/own-ratio.ts';
import { costText, moneyText, paidText, signedText } from '../../../calculators/signed-text.ts';
import { groupThousands } from '../../../calculators/step-text.ts';
import type { BookWalk } from '../../../calculators/ticket/book-walk.ts';
import type { SizedPosition } from '../../../calculators/ticket/order-effect.ts';
import { type Text, useText } from '../../../i18n/i18n.ts';
import type { ListedInstrument } from '../../../stores/market/instruments.ts';
import { contractOffer } from '../../../stores/market/market.ts';
import { classNames } from '../../../ui/class-names.ts';
import { useWide } from '../live/live-hooks.ts';
import { ownRatioText } from '../own-ratio-text.ts';

const DASH = '–';

function Stat(props: {
  readonly label: string;
  readonly value: string;
  readonly tone?: string;
  /** Absent: the value itself, which may be cut. */
  readonly tip?: string | undefined;
}) {
  return (
    <div className="flex items-baseline justify-between gap-2 text-xs leading-5 lg:leading-4">
      <dt className="shrink-0 text-faint">{props.label}</dt>
      <dd className={classNames('num truncate', props.tone ?? 'text-text')} title={props.tip ?? props.value}>
        {props.value}
      </dd>
    </div>
  );
}

function sizeText(coins: Amount, instrument: ListedInstrument): string {
  return groupThousands(formatAmountFixed(coins, decimalsOf(baseStep(instrument))));
}

function priceText(price: Amount, instrument: ListedInstrument): string {
  return groupThousands(formatAmountFixed(price, decimalsOf(instrument.tickSize)));
}

function positionText(text: Text, position: SizedPosition | undefined, instrument: ListedInstrument): string {
  if (position === undefined || position.size === 0n) return text('trade.contract.flat');
  const side = text(position.side === SIDE.BUY ? 'trade.contract.long' : 'trade.contract.short');
  return `${sizeText(position.size, instrument)} ${side}`;
}

/** `0.050 → 0.070 long @ 60,012.0`, `0.050 long → 0.020 short (flips) @ 60,012.0`, `0.050 long → flat`. */
function afterText(text: Text, summary: ContractSummary, instrument: ListedInstrument): string {
  if (summary.effect === undefined) return DASH;
  const { before, effect } = summary;
  // The average moves only when the position grows.
  const entry =
    effect.after === undefined || effect.opening === 0n
      ? ''
      : ` @ ${priceText(effect.after.entry, instrument)}`;
  const flips = effect.flips ? ` (${text('trade.contract.flips')})` : '';
  const after = `${positionText(text, effect.after, instrument)}${flips}${entry}`;
  if (before === undefined) return after;
  const from =
    before.side === summary.effect.after?.side
      ? sizeText(before.size, instrument)
      : positionText(text, before, instrument);
  return `${from} → ${after}`;
}

/** `57,229 → 58,410 (6.4 % from mark)`. */
function liquidationText(
  text: Text,
  summary: ContractSummary,
  { instrument, mark }: { readonly instrument: ListedInstrument; readonly mark: Amount | undefined },
): string {
  if (summary.effect === undefined) return DASH;
  if (summary.effect.after === undefined) return text('trade.contract.flat');
  const { liquidationAfter: after, liquidationBefore: before } = summary;
  if (!summary.liquidationKnown) return DASH;
  if (after === undefined) return text('trade.contract.noLiquidation');
  const from = before === undefined ? '' : `${priceText(before, instrument)} → `;
  const gap = mark === undefined || mark === 0n ? undefined : Number((after * 10_000n) / mark) / 100 - 100;
  const far =
    gap === undefined ? '' : ` (${gap < 0 ? '−' : '+'}${Math.abs(gap).toFixed(Math.abs(gap) < 10 ? 1 : 0)}%)`;
  return `${from}≈ ${priceText(after, instrument)}${far}`;
}

function percentOfRate(rate: Amount): string {
  return formatAmount(mulDown(rate, (AMOUNT_ONE * 100n) as Amount));
}

function feeText(summary: ContractSummary): string {
  if (summary.fee === undefined) return DASH;
  const { low, high } = summary.fee;
  return low === high ? paidText(low) : `${paidText(low)} – ${paidText(high)}`;
}

function averageText(
  text: Text,
  walk: BookWalk | undefined,
  { summary, instrument }: { readonly summary: ContractSummary; readonly instrument: ListedInstrument },
): string {
  if (walk === undefined) return DASH;
  const average = `≈ ${priceText(walk.average, instrument)}`;
  if (summary.coins !== undefined && walk.covered < summary.coins) {
    return text('trade.contract.bookEnds', {
      size: `${sizeText(walk.covered, instrument)} ${instrument.base}`,
    });
  }
  return `${average}, ${walk.slippageBp.toFixed(1)} bp`;
}

/** Props of `ContractStats`. */
interface ContractStatsProps {
  readonly instrument: ListedInstrument;
  readonly summary: ContractSummary;
  /** Of market orders. */
  readonly walk: BookWalk | undefined;
  readonly market: boolean;
  readonly mark: Amount | undefined;
}

/** All figures; on a phone cost, liquidation and fee in one line, and behind it the rest. */
export function FoldedStats(
  props: Pick<ContractStatsProps, 'instrument' | 'summary'> & { readonly children: ReactNode },
) {
  const { instrument, summary, children } = props;
  const text = useText();
  const wide = useWide();
  if (wide) return children;
  const { cost, liquidationAfter: end } = summary;
  const said = [
    [text('trade.contract.cost'), cost === undefined ? DASH : `≈ ${costText(cost)}`],
    [text('trade.chart.liquidation'), end === undefined ? DASH : `≈ ${priceText(end, instrument)}`],
    [text('trade.orders.fee'), feeText(summary)],
  ] as const;
  return (
    <details className="group">
      <summary className="flex min-h-11 list-none flex-wrap items-center gap-x-3 text-xs">
        {said.map(([label, value]) => (
          <span key={label} className="whitespace-nowrap tabular-nums">
            <span className="text-faint">{label}</span> {value}
          </span>
        ))}
        <ChevronDown size={16} aria-hidden="true" className="ml-auto text-faint group-open:rotate-180" />
      </summary>
      {children}
    </details>
  );
}

/** What stands about an order before it is sent; rows stay where they are, unknown figures are a dash. */
export function ContractStats(props: ContractStatsProps) {
  const { instrument, summary, walk, market, mark } = props;
  const text = useText();
  const { quote } = instrument;
  const about = (value: Amount | undefined): string =>
    value === undefined ? DASH : `${market ? '≈ ' : ''}${moneyText(value)}`;
  const liquidation = liquidationText(text, summary, { instrument, mark });
  const { low, high } = summary.feeRates;
  const rate = low === high ? percentOfRate(low) : `${percentOfRate(low)}–${percentOfRate(high)}`;
  const { realised, ratioAfter, breakEvenAfter: even } = summary;
  const { warnsFrom } = contractOffer(instrument.platform).ratio;
  const near = ratioAfter !== undefined && ratioTone(ratioAfter, warnsFrom) !== 'plain';
  return (
    <dl className="flex flex-col">
      <Stat label={`${text('trade.ticket.value')} (${quote})`} value={about(summary.value)} />
      {market && (
        <Stat
          label={text('trade.contract.average')}
          value={averageText(text, walk, { summary, instrument })}
        />
      )}
      <Stat
        label={`${text('trade.contract.cost')} (${quote})`}
        value={summary.cost === undefined ? DASH : `≈ ${costText(summary.cost)}`}
      />
      <Stat label={text('trade.contract.fee', { rate })} value={feeText(summary)} />
      <Stat label={text('trade.contract.after')} value={afterText(text, summary, instrument)} />
      <Stat
        label={text('trade.contract.breakEven')}
        value={even === undefined ? DASH : `≈ ${priceText(even, instrument)}`}
      />
      <Stat
        label={text('trade.contract.liquidation')}
        value={liquidation}
        tip={liquidation.endsWith(')') ? text('trade.contract.fromMark', { liquidation }) : undefined}
      />
      <Stat
        label={text('trade.contract.ratio')}
        value={ratioAfter === undefined ? DASH : `≈ ${(ratioAfter * 100).toFixed(2)}%`}
        tip={ownRatioText(text, instrument.platform, summary.ratioAfter)}
        {...(near ? { tone: 'text-warning' } : {})}
      />
      {/* Always there, so that nothing below jumps while a size is typed. */}
      <Stat
        label={text('trade.contract.realised')}
        value={realised === undefined ? DASH : `≈ ${signedText(realised, 2)}`}
        {...(realised === undefined ? {} : { tone: realised < 0n ? 'text-down' : 'text-up' })}
      />
    </dl>
  );
}
