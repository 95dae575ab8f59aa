import '../../../../i18n/later-words.ts';
import type { PositionRow, SettingRow } from '@crossbook/contract';
import { platformFacts } from '@crossbook/domain';
import { useState } from 'react';
import { useStore } from 'zustand';
import type { ContractFacts } from '../../../../calculators/contracts/contract-summary.ts';
import { isolatedLoss } from '../../../../calculators/contracts/setting-effects.ts';
import { moneyOf, moneyText } from '../../../../calculators/signed-text.ts';
import { useText } from '../../../../i18n/i18n.ts';
import { findInstrument, instrumentsStore } from '../../../../stores/market/instruments.ts';
import { contractOffer } from '../../../../stores/market/market.ts';
import { setMarginMode } from '../../../../stores/trading/contracts/contract-settings.ts';
import { Blockers } from './Blockers.tsx';
import { MovedPositions } from './MovedPositions.tsx';
import { ChoiceCard, SettingDialog } from './SettingDialog.tsx';
import { useOpenContracts } from './use-open-contracts.ts';

/** Cross or isolated, with what can be lost in each. */
export function MarginModeDialog(props: {
  readonly facts: ContractFacts;
  readonly setting: SettingRow;
  readonly onClose: () => void;
}) {
  const { facts, setting, onClose } = props;
  const text = useText();
  const [mode, setMode] = useState(setting.marginMode);
  const instruments = useStore(instrumentsStore);
  const { instrument, positions } = facts;
  const venue = platformFacts(instrument.platform).name;
  const reach = contractOffer(instrument.platform).reach.marginMode;
  const mine = positions.filter((row) => row.symbol === instrument.symbol);
  // An order that carries its mode itself forbids nothing; a mode of the whole account takes positions along.
  const open = useOpenContracts(instrument, reach === 'account' ? 'account' : 'symbol');
  const blocking = {
    positions: reach === 'symbol' ? mine : [],
    ...(reach === 'order' ? { orders: [], algos: [] } : open),
  };
  // A mode of the whole account moves them all; where orders carry it, what is open keeps its own.
  const kept = mine.filter(({ marginMode }) => marginMode === 'isolated');
  const moved = reach === 'account' ? positions : reach === 'order' ? kept : mine;
  const instrumentOf = (row: PositionRow) => findInstrument(instruments, row.exchange, 'SWAP', row.symbol);
  const others = positions.filter((row) => row.symbol !== instrument.symbol).length;
  return (
    <SettingDialog
      title="trade.marginMode.title"
      description={text(`trade.setting.reach.${reach}`, { venue, symbol: instrument.symbol })}
      ready={mode !== setting.marginMode && Object.values(blocking).every(({ length }) => length === 0)}
      held={reach === 'account' && positions.length > 0}
      onSend={() => setMarginMode(instrument, mode)}
      onClose={onClose}
    >
      <div className="flex gap-3 max-sm:flex-col">
        <ChoiceCard
          chosen={mode === 'cross'}
          title={text('trade.marginMode.cross')}
          onChoose={() => setMode('cross')}
        >
          {text('trade.marginMode.crossText', { amount: moneyOf(facts.margin?.wallet), others })}
        </ChoiceCard>
        <ChoiceCard
          chosen={mode === 'isolated'}
          title={text('trade.marginMode.isolated')}
          onChoose={() => setMode('isolated')}
        >
          {moved.length === 0
            ? text('trade.marginMode.isolatedNone')
            : text('trade.marginMode.isolatedText', {
                amount: moneyText(isolatedLoss(moved, facts.terms, instrumentOf)),
              })}
        </ChoiceCard>
      </div>
      {mode !== setting.marginMode && reach === 'account' && <MovedPositions facts={facts} mode={mode} />}
      {mode !== setting.marginMode && <Blockers {...blocking} />}
    </SettingDialog>
  );
}
