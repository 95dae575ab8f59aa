import '../../../../i18n/later-words.ts';
import type { SettingRow } from '@crossbook/contract';
import { platformFacts } from '@crossbook/domain';
import { useState } from 'react';
import type { ContractFacts } from '../../../../calculators/contracts/contract-summary.ts';
import { useText } from '../../../../i18n/i18n.ts';
import { contractOffer } from '../../../../stores/market/market.ts';
import { setPositionMode } from '../../../../stores/trading/contracts/contract-settings.ts';
import { Blockers } from './Blockers.tsx';
import { ChoiceCard, SettingDialog } from './SettingDialog.tsx';
import { useOpenContracts } from './use-open-contracts.ts';

interface Bar {
  readonly side: 'up' | 'down';
  readonly coins: 1 | 2;
}

/** Coins of the picture beside each other, a block each. */
function Blocks({ side, coins }: Bar) {
  const colour = side === 'up' ? 'bg-up' : 'bg-down';
  return (
    <span className="flex gap-0.5">
      {['first', 'second'].slice(0, coins).map((coin) => (
        <span key={coin} className={`h-2.5 w-4 rounded-[2px] ${colour}`} />
      ))}
    </span>
  );
}

/** A picture of the sentence beside it: two orders, and what they leave. */
function TwoOrders({ left }: { readonly left: readonly Bar[] }) {
  return (
    <span aria-hidden="true" className="mt-1 flex items-center gap-3">
      <span className="flex flex-col gap-1">
        <Blocks side="up" coins={2} />
        <Blocks side="down" coins={1} />
      </span>
      <span className="text-faint">→</span>
      <span className="flex flex-col gap-1">
        {left.map((bar) => (
          <Blocks key={bar.side} {...bar} />
        ))}
      </span>
    </span>
  );
}

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
  const venue = platformFacts(instrument.platform).name;
  const reach = contractOffer(instrument.platform).reach.positionMode;
  const blocking = {
    positions: positions.filter(({ symbol }) => reach === 'account' || symbol === instrument.symbol),
    ...useOpenContracts(instrument, reach),
  };
  return (
    <SettingDialog
      title="trade.positionMode.title"
      description={text(`trade.setting.reach.${reach}`, { venue, symbol: instrument.symbol })}
      ready={mode !== setting.positionMode && Object.values(blocking).every(({ length }) => length === 0)}
      onSend={() => setPositionMode(instrument, mode)}
      onClose={onClose}
    >
      <div className="flex gap-3 max-sm:flex-col">
        <ChoiceCard
          chosen={mode === 'one-way'}
          title={text('trade.positionMode.one-way')}
          onChoose={() => setMode('one-way')}
        >
          {text('trade.positionMode.oneWayText')}
          <TwoOrders left={[{ side: 'up', coins: 1 }]} />
        </ChoiceCard>
        <ChoiceCard
          chosen={mode === 'hedge'}
          title={text('trade.positionMode.hedge')}
          onChoose={() => setMode('hedge')}
        >
          {text('trade.positionMode.hedgeText')}
          <TwoOrders
            left={[
              { side: 'up', coins: 2 },
              { side: 'down', coins: 1 },
            ]}
          />
        </ChoiceCard>
      </div>
      {mode !== setting.positionMode && <Blockers {...blocking} />}
    </SettingDialog>
  );
}
