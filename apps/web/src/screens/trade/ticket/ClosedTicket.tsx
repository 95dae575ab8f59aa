import { formatAmount, type Platform } from '@crossbook/domain';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useStore } from 'zustand';
import { baseStep, countsContracts } from '../../../calculators/contracts/contract-size.ts';
import { groupThousands } from '../../../calculators/step-text.ts';
import { useText } from '../../../i18n/i18n.ts';
import { bootConfig } from '../../../stores/app/boot.ts';
import {
  type InstrumentsState,
  instrumentsOf,
  instrumentsStore,
  type ListedInstrument,
} from '../../../stores/market/instruments.ts';
import { tradeLink } from '../../../stores/market/market.ts';
import { buttonClass } from '../../../ui/Button.tsx';

/** The coin's pair where it can be traded today: at the same exchange if it is open, else at the first that is. */
function openPair(
  state: InstrumentsState,
  { platform, base }: ListedInstrument,
): ListedInstrument | undefined {
  const open: readonly Platform[] = bootConfig()
    .platforms.filter((row) => row.state === 'live' && row.symbolTypes.includes('SPOT'))
    .map((row) => row.platform)
    .toSorted((left, right) => Number(right === platform) - Number(left === platform));
  return open
    .flatMap((venue) => instrumentsOf(state, venue, 'SPOT'))
    .find((row) => row.base === base && row.quote === 'USDT' && row.status === 'trading');
}

/** Opens the coin's pair where it can be traded today; nothing where it is traded nowhere. */
function TradeSpotLink({
  instrument,
  className,
}: {
  readonly instrument: ListedInstrument;
  readonly className?: string;
}) {
  const text = useText();
  const pair = useStore(instrumentsStore, (state) => openPair(state, instrument));
  if (pair === undefined) return null;
  const venue = bootConfig().platforms.find((row) => row.platform === pair.platform)?.name ?? '';
  return (
    <Link {...tradeLink(pair)} className={`${buttonClass('primary', 'medium')} ${className ?? ''}`}>
      {text('trade.closed.spot', { asset: pair.base, venue })}
    </Link>
  );
}

function Fact({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <div className="flex items-baseline justify-between gap-2 text-xs leading-6">
      <dt className="text-faint">{label}</dt>
      <dd className="num">{children}</dd>
    </div>
  );
}

/** What a contract is: its size, its steps and bounds. */
function ContractFacts({ instrument }: { readonly instrument: ListedInstrument }) {
  const text = useText();
  const { base, quote } = instrument;
  const stat = (value: bigint, unit: string) => (
    <>
      {groupThousands(formatAmount(value as typeof instrument.tickSize))}{' '}
      <span className="text-faint">{unit}</span>
    </>
  );
  return (
    <dl className="border-t border-line pt-2">
      {countsContracts(instrument) && (
        <Fact label={text('trade.contract.value')}>{stat(instrument.contractValue, base)}</Fact>
      )}
      <Fact label={text('trade.contract.tick')}>{stat(instrument.tickSize, quote)}</Fact>
      <Fact label={text('trade.contract.step')}>{stat(baseStep(instrument), base)}</Fact>
      <Fact label={text('trade.contract.leverage')}>{instrument.maxLeverage}×</Fact>
    </dl>
  );
}

/** On a phone, at the thumb: the coin's pair, or all markets where the coin is traded nowhere. */
export function ClosedThumb({ instrument }: { readonly instrument: ListedInstrument }) {
  const text = useText();
  const pair = useStore(instrumentsStore, (state) => openPair(state, instrument));
  if (pair !== undefined) return <TradeSpotLink instrument={instrument} className="h-12 flex-1" />;
  return (
    <Link to="/market" className={`${buttonClass('plain', 'medium')} h-12 flex-1`}>
      {text('trade.closed.markets')}
    </Link>
  );
}

const WHY = {
  perpetuals: 'trade.closed.perpetuals',
  'coming-soon': 'trade.closed.soon',
  paused: 'trade.closed.paused',
} as const;

/** The ticket's place where nothing can be ordered: why, and what can be done today instead. */
export function ClosedTicket(props: {
  readonly instrument: ListedInstrument;
  readonly venueName: string;
  /** Perpetual trading comes in a later version; a platform that is coming soon is not open yet. */
  readonly why: keyof typeof WHY;
}) {
  const { instrument, venueName, why } = props;
  const text = useText();
  return (
    <section aria-label={text('trade.ticket.label')} className="flex flex-col gap-3 p-3 max-lg:p-4">
      <h2 className="text-[15px] font-medium">{text(WHY[why])}</h2>
      <p className="text-[13px] leading-5 text-soft">{text(`${WHY[why]}.text`, { venue: venueName })}</p>
      <div className="flex flex-col gap-2">
        {/* On a phone it stands at the thumb. */}
        <TradeSpotLink instrument={instrument} className="max-lg:hidden" />
        <Link to="/market" className={`${buttonClass('plain', 'medium')} max-lg:h-11`}>
          {text('trade.closed.markets')}
        </Link>
      </div>
      {why === 'perpetuals' && <ContractFacts instrument={instrument} />}
    </section>
  );
}
