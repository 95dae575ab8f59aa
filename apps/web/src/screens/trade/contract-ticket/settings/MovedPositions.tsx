import '../../../../i18n/later-words.ts';
import type { PositionRow } from '@crossbook/contract';
import {
  type Amount,
  decimalsOf,
  formatAmountFixed,
  type HeldContract,
  parseAmount,
} from '@crossbook/domain';
import { useEffect } from 'react';
import { useStore } from 'zustand';
import type { ContractFacts } from '../../../../calculators/contracts/contract-summary.ts';
import { positionSide } from '../../../../calculators/contracts/position-stats.ts';
import { liquidationAfterMove } from '../../../../calculators/contracts/setting-effects.ts';
import { groupThousands } from '../../../../calculators/step-text.ts';
import { useText } from '../../../../i18n/i18n.ts';
import {
  findInstrument,
  instrumentsStore,
  type ListedInstrument,
} from '../../../../stores/market/instruments.ts';
import {
  contractSettingsStore,
  loadTiers,
  settingKey,
} from '../../../../stores/trading/contracts/contract-settings.ts';
import { positionKey } from '../../../../stores/trading/contracts/positions.ts';
import { SideText } from '../../tables/cells.tsx';
import { tiersOf } from '../../tiers.ts';

/** Of a change of margin mode: what is known, and to which. */
interface ModeChange {
  readonly facts: ContractFacts;
  readonly mode: 'cross' | 'isolated';
}

/** A position that moves, beside the contracts of all that do. */
interface MovedPosition extends ModeChange {
  readonly row: PositionRow;
  readonly instrument: ListedInstrument;
  readonly contracts: ReadonlyMap<string, HeldContract>;
}

function Moved({ row, instrument, contracts, facts, mode }: MovedPosition) {
  const text = useText();
  useEffect(() => void loadTiers(instrument), [instrument]);
  const shown = (price: Amount) => groupThousands(formatAmountFixed(price, decimalsOf(instrument.tickSize)));
  const mark = parseAmount(row.markPrice);
  const known = { ...facts, instrument, contracts, tiers: contracts.get(row.symbol)?.tiers ?? [] };
  // What it is not known from says nothing: that none is in range would be a promise.
  const unknown = known.tiers.length === 0 || (mode === 'cross' && facts.margin === undefined);
  const after =
    mark === undefined || unknown ? 'unknown' : liquidationAfterMove(row, mode, { ...known, mark });
  const before = row.liquidationPrice === null ? undefined : parseAmount(row.liquidationPrice);
  return (
    <li className="flex items-center justify-between gap-3">
      <span className="truncate">
        {row.symbol} <SideText side={positionSide(row)} effect={row.effect} /> {row.quantity.replace('-', '')}
      </span>
      <span className="num shrink-0">
        <span className="text-faint">{text('trade.position.liquidation')}</span>{' '}
        {before === undefined ? '–' : shown(before)} →{' '}
        {after === 'unknown'
          ? '–'
          : after === undefined
            ? text('trade.contract.noLiquidation')
            : `≈ ${shown(after)}`}
      </span>
    </li>
  );
}

/** Every position that a change of the whole account's margin mode moves, with its liquidation before and after. */
export function MovedPositions(props: ModeChange) {
  const text = useText();
  const instruments = useStore(instrumentsStore);
  const tiers = useStore(contractSettingsStore, (state) => state.tiers);
  if (props.facts.positions.length === 0) return null;
  const held = props.facts.positions.flatMap((row) => {
    const instrument = findInstrument(instruments, row.exchange, 'SWAP', row.symbol);
    return instrument === undefined ? [] : [{ row, instrument }];
  });
  const contracts = new Map(
    held.map(({ row: { exchange, symbol }, instrument }): [string, HeldContract] => [
      symbol,
      { instrument, takerFee: instrument.takerFee, tiers: tiersOf(tiers[settingKey(exchange, symbol)]) },
    ]),
  );
  return (
    <ul
      className="flex max-h-60 flex-col gap-1 overflow-y-auto text-xs terminal-phone:max-h-none"
      aria-label={text('trade.positions')}
    >
      {held.map((one) => (
        <Moved key={positionKey(one.row)} {...{ ...props, ...one, contracts }} />
      ))}
    </ul>
  );
}
