import '../../../i18n/later-words.ts';
import { type Amount, ZERO } from '@crossbook/domain';
import { Link } from '@tanstack/react-router';
import { ArrowLeftRight } from 'lucide-react';
import { useMemo } from 'react';
import { useStore } from 'zustand';
import { spotBuysHold } from '../../../calculators/contracts/held-back.ts';
import { moneyText } from '../../../calculators/signed-text.ts';
import { useText } from '../../../i18n/i18n.ts';
import type { ListedInstrument } from '../../../stores/market/instruments.ts';
import { contractOffer } from '../../../stores/market/market.ts';
import { ordersStore } from '../../../stores/trading/orders.ts';

/** What pays for the order, the way to more of it, and what spot orders hold where they are paid from the same money. */
export function Available(props: {
  readonly amount: Amount | undefined;
  readonly instrument: ListedInstrument;
}) {
  const { amount, instrument } = props;
  const { platform, quote } = instrument;
  const text = useText();
  const open = useStore(ordersStore, (state) => state.open);
  const held = useMemo(
    () =>
      contractOffer(platform).ownPocket
        ? ZERO
        : spotBuysHold([...open.values()].filter((row) => row.exchange === platform)),
    [open, platform],
  );
  return (
    <div className="text-xs">
      <p className="flex items-center justify-between">
        <span className="text-faint">{text('trade.ticket.available')}</span>
        <span className="flex items-center gap-1.5 tabular-nums">
          {amount === undefined ? '–' : moneyText(amount)} <span className="text-faint">{quote}</span>
          <Link
            to="/wallet/TransferSub"
            aria-label={text('trade.ticket.transfer')}
            title={text('trade.ticket.transfer')}
            className="grid place-items-center text-link max-lg:size-11"
          >
            <ArrowLeftRight size={13} aria-hidden="true" />
          </Link>
        </span>
      </p>
      {held > ZERO && (
        <p className="text-right text-[11px] text-faint">
          {text('trade.contract.spotHolds', { amount: moneyText(held) })}
        </p>
      )}
    </div>
  );
}
