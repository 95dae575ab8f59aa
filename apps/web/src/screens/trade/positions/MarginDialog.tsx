import '../../../i18n/later-words.ts';
import { type Amount, formatAmount, formatAmountFixed, ZERO } from '@crossbook/domain';
import { useEffect, useState } from 'react';
import { useStore } from 'zustand';
import { signedDecimal } from '../../../calculators/contracts/position-stats.ts';
import { groupThousands } from '../../../calculators/step-text.ts';
import { entryAmount, readNumberEntry } from '../../../calculators/ticket/number-entry.ts';
import { useText } from '../../../i18n/i18n.ts';
import { adjustMargin } from '../../../stores/trading/contracts/contract-calls.ts';
import {
  contractSettingsStore,
  loadTiers,
  settingKey,
} from '../../../stores/trading/contracts/contract-settings.ts';
import { positionsStore } from '../../../stores/trading/contracts/positions.ts';
import { Button } from '../../../ui/Button.tsx';
import { Dialog } from '../../../ui/Dialog.tsx';
import { NumberInput } from '../../../ui/entry/NumberInput.tsx';
import { Answer, type Said, saidOf } from '../entry/Answer.tsx';
import { Doubt } from '../entry/Doubt.tsx';
import { Segments } from '../entry/Segments.tsx';
import { useSending } from '../entry/use-sending.ts';
import { tiersOf } from '../tiers.ts';
import { MarginMoved } from './MarginMoved.tsx';
import { PositionHead } from './position-columns.tsx';
import type { PositionView } from './use-positions.ts';

/** What may be taken: down to the initial margin at the mark; profit does not count. */
function takeable({ row, stats }: PositionView): Amount {
  const held = signedDecimal(row.isolatedMargin);
  const needed = stats.value / BigInt(Math.max(1, row.leverage));
  const loss = stats.pnl < 0n ? stats.pnl : 0n;
  const free = held + loss - needed;
  return (free > 0n ? free : 0n) as Amount;
}

/** Puts margin behind an isolated position, or takes some. */
export function MarginDialog({
  view,
  onClose,
}: {
  readonly view: PositionView;
  readonly onClose: () => void;
}) {
  const { row, instrument } = view;
  const text = useText();
  const [direction, setDirection] = useState<1 | 2>(1);
  const [entry, setEntry] = useState('');
  const sending = useSending();
  const pool = useStore(positionsStore, (state) => state.margin[row.exchange]);
  const tierRows = useStore(
    contractSettingsStore,
    ({ tiers }) => tiers[settingKey(row.exchange, row.symbol)],
  );
  useEffect(() => void loadTiers(instrument), [instrument]);
  const most = direction === 1 ? signedDecimal(pool?.available ?? '0') : takeable(view);
  const amount = entryAmount(entry);
  const valid = amount !== undefined && amount > ZERO && amount <= most;
  const held = signedDecimal(row.isolatedMargin);
  const after = amount === undefined ? held : ((direction === 1 ? held + amount : held - amount) as Amount);
  const submit = (): void => {
    if (!valid || amount === undefined) return;
    void sending.send(async (): Promise<Said | undefined> => {
      const result = await adjustMargin(row, { direction, amount: formatAmount(amount) });
      if (!result.ok) return saidOf(result, text('trade.position.noAnswer'));
      onClose();
      return undefined;
    });
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title={text('trade.position.margin.title', { symbol: row.symbol })}
      closeLabel={text('common.close')}
      actions={
        <>
          <Button onClick={onClose} className="max-lg:h-11">
            {text('common.cancel')}
          </Button>
          <Button
            tone="primary"
            busy={sending.busy}
            disabled={!valid}
            onClick={submit}
            className="max-lg:h-11"
          >
            {text('common.confirm')}
          </Button>
        </>
      }
    >
      <div className="text-xs">
        <PositionHead view={view} text={text} />
      </div>
      <Segments
        label={text('trade.position.margin.direction')}
        value={direction}
        onChange={setDirection}
        options={[
          { value: 1, label: text('trade.position.margin.add') },
          { value: 2, label: text('trade.position.margin.take') },
        ]}
      />
      <NumberInput
        label={text('common.amount')}
        value={entry}
        shown={groupThousands(entry)}
        read={readNumberEntry}
        onChange={setEntry}
        onEnter={submit}
        unit={instrument.quote}
        invalid={entry !== '' && !valid}
        className="max-lg:h-12"
      />
      <button
        type="button"
        onClick={() => setEntry(formatAmountFixed(most, 2))}
        className="self-end text-xs text-faint hover:text-text max-lg:min-h-11"
      >
        {text('trade.contract.most', {
          size: `${groupThousands(formatAmountFixed(most, 2))} ${instrument.quote}`,
        })}
      </button>
      <MarginMoved {...{ view, after }} tiers={tiersOf(tierRows)} />
      <Doubt instrument={instrument} />
      <Answer said={sending.said} />
    </Dialog>
  );
}
