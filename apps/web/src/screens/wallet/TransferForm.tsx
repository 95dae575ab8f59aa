import {
  type Amount,
  decimalsOf,
  formatAmount,
  formatAmountFixed,
  type Platform,
  platformFacts,
} from '@crossbook/domain';
import { ArrowDownUp } from 'lucide-react';
import { type SyntheticEvent, useEffect, useState } from 'react';
import { useStore } from 'zustand';
import { entryAmount, readNumberEntry } from '../../calculators/ticket/number-entry.ts';
import { groupDigits } from '../../i18n/format.ts';
import { useText } from '../../i18n/i18n.ts';
import { bootPlatform, closedLabel } from '../../stores/app/boot.ts';
import { useHeldPlatforms } from '../../stores/trading/held-platforms.ts';
import { tradablePlatforms } from '../../stores/trading/use-keep-live.ts';
import { availableOf, balancesStore, loadBalances } from '../../stores/wallet/balances.ts';
import { availableForContracts, hasPockets } from '../../stores/wallet/margin-funds.ts';
import { transfer } from '../../stores/wallet/transfers.ts';
import { Button } from '../../ui/Button.tsx';
import { Field } from '../../ui/Field.tsx';
import { Select } from '../../ui/Select.tsx';
import {
  TRANSFER_ROUTES,
  type TransferChoice,
  type TransferRoute,
  transferChoice,
  transferEnds,
  transferProblem,
  transferRequest,
} from './transfer-entry.ts';

/** Where money goes: its two ends and the button that swaps them. */
function Route(props: { readonly from: string; readonly to: string; readonly onSwap: () => void }) {
  const t = useText();
  return (
    <fieldset className="flex items-center gap-3 rounded-md border border-line-strong p-3">
      <legend className="sr-only">{t('transfer.route')}</legend>
      <dl className="grid flex-1 grid-cols-[64px_1fr] gap-y-2 text-sm">
        <dt className="text-faint">{t('transfer.from')}</dt>
        <dd>{props.from}</dd>
        <dt className="text-faint">{t('transfer.to')}</dt>
        <dd>{props.to}</dd>
      </dl>
      <button
        type="button"
        aria-label={t('transfer.swap')}
        onClick={props.onSwap}
        className="grid size-11 place-items-center rounded-md text-soft hover:bg-hover hover:text-text"
      >
        <ArrowDownUp size={16} aria-hidden="true" />
      </button>
    </fieldset>
  );
}

/** The exchange; a coming-soon one is there while it holds anything, to be chosen when money leaves it. */
function VenueField(props: {
  readonly choice: TransferChoice;
  readonly onChange: (platform: Platform) => void;
}) {
  const t = useText();
  const { platform: chosen, venues } = props.choice;
  const open = tradablePlatforms();
  if (venues.length < 2) return null;
  const options = venues.map(({ platform, offered }) => {
    const { name } = platformFacts(platform);
    return {
      value: String(platform),
      label: open.includes(platform) ? name : `${name} (${t(closedLabel(bootPlatform(platform)))})`,
      disabled: !offered,
    };
  });
  return (
    <Select
      label={t('transfer.venue')}
      value={String(chosen ?? '')}
      options={options}
      onChange={(value) => props.onChange(Number(value) as Platform)}
    />
  );
}

/** The amount, with what is available: a click on it takes all. */
function AmountField(props: {
  readonly asset: string;
  readonly value: string;
  readonly available: Amount;
  readonly onChange: (text: string) => void;
  readonly error: string | undefined;
}) {
  const t = useText();
  const all = formatAmount(props.available);
  return (
    <Field
      label={t('common.amount')}
      inputMode="decimal"
      autoComplete="off"
      value={props.value}
      placeholder="0"
      onChange={(event) => props.onChange(readNumberEntry(event.target.value) ?? props.value)}
      error={props.error}
      hint={
        <button type="button" className="hover:text-text" onClick={() => props.onChange(all)}>
          {t('common.available')}: {groupDigits(shownAmount(props.available))} {props.asset}
        </button>
      }
      suffix={
        <button type="button" className="text-[13px] text-link" onClick={() => props.onChange(all)}>
          {t('common.max')}
        </button>
      }
    />
  );
}

/** Moves money between the funding wallet and a platform's trading wallet. */
export function TransferForm() {
  const t = useText();
  const [asked, setAsked] = useState<Pick<TransferChoice, 'platform' | 'direction'>>({
    platform: undefined,
    direction: 1,
  });
  const choice = transferChoice(asked, tradablePlatforms(), useHeldPlatforms());
  const { direction } = choice;
  const { platformType, name: venue } = platformFacts(choice.platform ?? 1);
  const [pocket, setPocket] = useState<TransferRoute>('spot');
  const [asset, setAsset] = useState('USDT');
  const [amount, setAmount] = useState('');
  const [tried, setTried] = useState(false);
  const [busy, setBusy] = useState(false);
  const balances = useStore(balancesStore);

  useEffect(() => {
    void loadBalances('funding');
    void loadBalances(platformType);
  }, [platformType]);

  const route = hasPockets(platformType) ? pocket : undefined;
  const { request, source, fromPocket } = transferRequest(route, platformType, direction);
  const available =
    fromPocket === 'futures'
      ? availableForContracts(balances, platformType, asset)
      : availableOf(balances, source, asset);
  const problem = transferProblem(amount, available);
  const trading = t('wallet.trading', { venue });
  const named = (name: 'spot' | 'futures') => `${trading} (${t(`wallet.pocket.${name}`)})`;
  const ends = transferEnds(route, { funding: t('wallet.funding'), trading, named });
  const held = (balances.wallets[source]?.rows ?? []).map((row) => row.asset);
  const assets = [...new Set(['USDT', asset, ...held])];

  const submit = async (event: SyntheticEvent) => {
    event.preventDefault();
    setTried(true);
    if (problem !== undefined || busy) return;
    setBusy(true);
    const answer = await transfer({ platformType, ...request, asset, amount: plainAmount(amount) });
    setBusy(false);
    if (!answer.ok) return;
    setAmount('');
    setTried(false);
  };

  return (
    <form
      noValidate
      onSubmit={(event) => void submit(event)}
      className="flex max-w-lg flex-col gap-4 rounded-md border border-line bg-panel p-4"
    >
      <VenueField choice={choice} onChange={(platform) => setAsked({ platform, direction })} />
      {route !== undefined && (
        <Select
          label={t('transfer.between')}
          value={route}
          options={TRANSFER_ROUTES.map((name) => ({ value: name, label: t(`transfer.route.${name}`) }))}
          onChange={setPocket}
        />
      )}
      <Route
        from={direction === 1 ? ends[0] : ends[1]}
        to={direction === 1 ? ends[1] : ends[0]}
        onSwap={() => setAsked({ ...asked, direction: direction === 1 ? 2 : 1 })}
      />
      <Select
        label={t('wallet.asset')}
        value={asset}
        options={assets.map((name) => ({ value: name, label: name }))}
        onChange={setAsset}
      />
      <AmountField
        asset={asset}
        value={amount}
        available={available}
        onChange={setAmount}
        error={tried && problem !== undefined ? t(problem) : undefined}
      />
      <Button type="submit" tone="primary" size="large" busy={busy}>
        {t('transfer.submit')}
      </Button>
    </form>
  );
}

/** `12.` was accepted while typing; on the wire it is 12. */
function plainAmount(text: string): string {
  const amount = entryAmount(text);
  return amount === undefined ? text : formatAmount(amount);
}

const DECIMALS_SHOWN_MAX = 8;

/** Cut, never rounded up: what is shown as available is there. */
function shownAmount(amount: Amount): string {
  return decimalsOf(amount) > DECIMALS_SHOWN_MAX
    ? formatAmountFixed(amount, DECIMALS_SHOWN_MAX)
    : formatAmount(amount);
}
