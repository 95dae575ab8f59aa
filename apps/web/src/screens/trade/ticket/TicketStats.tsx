import {
  AMOUNT_ONE,
  type Amount,
  decimalsOf,
  formatAmount,
  formatAmountFixed,
  mulDown,
  ORDER_TYPE,
  SIDE,
} from '@crossbook/domain';
import { groupThousands } from '../../../calculators/step-text.ts';
import { sizedInQuote, type TicketState, type TicketSummary } from '../../../calculators/ticket/ticket.ts';
import { useText } from '../../../i18n/i18n.ts';
import type { ListedInstrument } from '../../../stores/market/instruments.ts';

const DASH = '–';
/** Digits after the point that fees and receipts are shown with; what is booked keeps all of them. */
const SHOWN_DECIMALS_MAX = 8;

/** An amount for reading: cut to `decimals`, trailing zeros kept only as far as the step has them. */
export function shownAmount(value: Amount | undefined, decimals: number): string {
  if (value === undefined) return DASH;
  return groupThousands(formatAmountFixed(value, Math.min(decimals, SHOWN_DECIMALS_MAX)));
}

function Stat(props: { readonly label: string; readonly value: string; readonly asset: string }) {
  return (
    <div className="flex items-baseline justify-between gap-2 text-xs leading-5">
      <dt className="text-faint">{props.label}</dt>
      <dd className="num text-text">
        {props.value} <span className="text-faint">{props.asset}</span>
      </dd>
    </div>
  );
}

/** Digits after the point of an asset of the pair. */
function assetDecimals(asset: string, instrument: ListedInstrument): number {
  return decimalsOf(asset === instrument.base ? instrument.lotSize : instrument.tickSize);
}

/** Value, fee, what is reserved and what arrives: before sending. */
export function TicketStats(props: {
  readonly ticket: TicketState;
  readonly summary: TicketSummary;
  readonly instrument: ListedInstrument;
}) {
  const { ticket, summary, instrument } = props;
  const text = useText();
  const estimated = ticket.type === ORDER_TYPE.MARKET || summary.role === 'taker';
  const about = (value: string): string =>
    estimated && value !== DASH ? text('trade.ticket.about', { amount: value }) : value;
  const rate = formatAmount(mulDown(summary.feeRate, (AMOUNT_ONE * 100n) as Amount));
  const quoteDecimals = Math.max(2, assetDecimals(instrument.quote, instrument));
  const decimals = (asset: string): number =>
    asset === instrument.base ? SHOWN_DECIMALS_MAX : quoteDecimals;
  const buying = ticket.side === SIDE.BUY;
  const exactValue = sizedInQuote(ticket) || ticket.type === ORDER_TYPE.LIMIT;
  return (
    <dl className="flex flex-col">
      <Stat
        label={text('trade.ticket.value')}
        value={
          exactValue
            ? shownAmount(summary.value, quoteDecimals)
            : about(shownAmount(summary.value, quoteDecimals))
        }
        asset={instrument.quote}
      />
      {!buying || ticket.type === ORDER_TYPE.MARKET ? null : (
        <Stat
          label={text('trade.ticket.cost')}
          value={shownAmount(summary.hold, quoteDecimals)}
          asset={summary.holdAsset}
        />
      )}
      <Stat
        label={text('trade.ticket.fee', { role: text(`trade.ticket.${summary.role}`), rate })}
        value={about(shownAmount(summary.fee, decimals(summary.feeAsset)))}
        asset={summary.feeAsset}
      />
      <Stat
        label={text('trade.ticket.receive')}
        value={about(shownAmount(summary.receive, decimals(summary.receiveAsset)))}
        asset={summary.receiveAsset}
      />
    </dl>
  );
}
