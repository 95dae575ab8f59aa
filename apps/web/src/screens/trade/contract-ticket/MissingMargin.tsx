import '../../../i18n/later-words.ts';
import { type Amount, ceilTo, platformFacts, ZERO } from '@crossbook/domain';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useStore } from 'zustand';
import { moneyText } from '../../../calculators/signed-text.ts';
import { useText } from '../../../i18n/i18n.ts';
import { bootConfig, isPaper } from '../../../stores/app/boot.ts';
import type { ListedInstrument } from '../../../stores/market/instruments.ts';
import { balancesStore } from '../../../stores/wallet/balances.ts';
import { marginSources, moveToMargin, testFundsForMargin } from '../../../stores/wallet/margin-funds.ts';
import { Button, buttonClass } from '../../../ui/Button.tsx';
import { classNames } from '../../../ui/class-names.ts';

const CENT = (10n ** 16n) as Amount;
/** What one click brings where there is nothing yet. */
const FIRST_MARGIN = (1_000n * 10n ** 18n) as Amount;

/** What to do about too little margin: the missing amount from the other pocket or from funding, in one click. */
export function MissingMargin(props: {
  readonly instrument: ListedInstrument;
  /** What is missing; `undefined` where there is simply nothing yet. */
  readonly short: Amount | undefined;
  /** The largest size instead, where there is any. */
  readonly onMax: (() => void) | undefined;
}) {
  const { instrument, short, onMax } = props;
  const text = useText();
  const balances = useStore(balancesStore);
  const [busy, setBusy] = useState(false);
  const { platformType } = platformFacts(instrument.platform);
  const asset = instrument.quote;
  const wanted = short === undefined ? FIRST_MARGIN : ceilTo(short, CENT);
  const sources = marginSources(balances, platformType, asset);
  const run = async (act: () => Promise<unknown>): Promise<void> => {
    setBusy(true);
    await act();
    setBusy(false);
  };
  const enough = sources.filter(({ available }) => available >= wanted);
  return (
    <div className="flex flex-wrap gap-2">
      {short !== undefined && (
        <p className="basis-full text-xs text-soft">{text('trade.ticket.insufficient')}</p>
      )}
      {enough.map(({ source }) => (
        <Button
          key={source}
          size="small"
          busy={busy}
          onClick={() => void run(() => moveToMargin(platformType, source, { asset, amount: wanted }))}
          className="max-lg:h-11"
        >
          {text(`trade.contract.from.${source}`, { amount: moneyText(wanted) })}
        </Button>
      ))}
      {enough.length === 0 && isPaper(bootConfig()) && (
        <Button
          size="small"
          busy={busy}
          onClick={() =>
            void run(() => testFundsForMargin(platformType, wanted > ZERO ? wanted : FIRST_MARGIN))
          }
          className="max-lg:h-11"
        >
          {text('trade.ticket.testFunds')}
        </Button>
      )}
      {onMax !== undefined && (
        <Button size="small" onClick={onMax} className="max-lg:h-11">
          {text('trade.contract.useMax')}
        </Button>
      )}
      <Link to="/wallet/TransferSub" className={classNames(buttonClass('plain', 'small'), 'max-lg:h-11')}>
        {text('trade.ticket.transfer')}
      </Link>
    </div>
  );
}
