import type { SettingRow } from '@crossbook/contract';
import { platformFacts } from '@crossbook/domain';
import { useState } from 'react';
import { useStore } from 'zustand';
import type { ContractFacts } from '../../../calculators/contracts/contract-summary.ts';
import { useText } from '../../../i18n/i18n.ts';
import { changeTradeSettings } from '../../../stores/app/settings.ts';
import { contractOffer } from '../../../stores/market/market.ts';
import { setPositionMode } from '../../../stores/trading/contract-settings.ts';
import { ordersStore } from '../../../stores/trading/orders.ts';
import { Blockers } from './Blockers.tsx';
import { ChoiceCard, SettingDialog } from './SettingDialog.tsx';

/** One position a contract, or a long and a short one side by side. What forbids a change is listed. */
export function PositionModeDialog(props: {
  readonly facts: ContractFacts;
  readonly setting: SettingRow;
  readonly onClose: () => void;
}) {
  const { facts, setting, onClose } = props;
  const text = useText();
  const [mode, setMode] = useState(setting.positionMode);
  const { instrument, positions } = facts;
  const open = useStore(ordersStore, (state) => state.open);
  const venue = platformFacts(instrument.platform).name;
  const reach = contractOffer(instrument.platform).reach.positionMode;
  const inReach = (row: { readonly symbol: string }) =>
    reach === 'account' || row.symbol === instrument.symbol;
  const blocking = {
    positions: positions.filter(inReach),
    orders: [...open.values()].filter(
      (row) => row.exchange === instrument.platform && row.symbolType === 'SWAP' && inReach(row),
    ),
  };
  return (
    <SettingDialog
      title="trade.positionMode.title"
      description={text(`trade.setting.reach.${reach}`, { venue, symbol: instrument.symbol })}
      ready={mode !== setting.positionMode && blocking.positions.length + blocking.orders.length === 0}
      onSend={async () => {
        const answer = await setPositionMode(instrument, mode);
        if (answer.ok) changeTradeSettings({ positionMode: answer.data.positionMode });
        return answer;
      }}
      onClose={onClose}
    >
      <div className="flex gap-3 max-sm:flex-col">
        <ChoiceCard
          chosen={mode === 'one-way'}
          title={text('trade.positionMode.one-way')}
          onChoose={() => setMode('one-way')}
        >
          {text('trade.positionMode.oneWayText')}
        </ChoiceCard>
        <ChoiceCard
          chosen={mode === 'hedge'}
          title={text('trade.positionMode.hedge')}
          onChoose={() => setMode('hedge')}
        >
          {text('trade.positionMode.hedgeText')}
        </ChoiceCard>
      </div>
      {mode !== setting.positionMode && <Blockers {...blocking} />}
    </SettingDialog>
  );
}
