import '../../../../i18n/later-words.ts';
import type { PositionRow, SettingRow } from '@crossbook/contract';
import {
  type Amount,
  decimalsOf,
  formatAmount,
  formatAmountFixed,
  type LeverageTier,
  parseAmount,
  platformFacts,
} from '@crossbook/domain';
import { useState } from 'react';
import type { ContractFacts } from '../../../../calculators/contracts/contract-summary.ts';
import {
  heldTier,
  highestLeverage,
  isolatedPosition,
  largestAtLeverage,
  leverageEffect,
  leverageMarks,
  liquidationMoves,
} from '../../../../calculators/contracts/setting-effects.ts';
import { moneyOf, moneyText } from '../../../../calculators/signed-text.ts';
import { compactNumber, groupThousands } from '../../../../calculators/step-text.ts';
import { entryAmount, readNumberEntry } from '../../../../calculators/ticket/number-entry.ts';
import { type Text, useText } from '../../../../i18n/i18n.ts';
import { contractOffer } from '../../../../stores/market/market.ts';
import { setLeverage } from '../../../../stores/trading/contracts/contract-settings.ts';
import { positionKey } from '../../../../stores/trading/contracts/positions.ts';
import { Button } from '../../../../ui/Button.tsx';
import { NumberInput } from '../../../../ui/entry/NumberInput.tsx';
import { Slider } from '../../../../ui/entry/Slider.tsx';
import { coinsText } from '../ticket-words.ts';
import { SettingDialog } from './SettingDialog.tsx';

/** Above this a word of caution is said. */
const CAUTION_LEVERAGE = 20;

/** A cap with all its digits, as in the table below; from a billion on in billions. */
function capNumber(cap: Amount): string {
  const whole = Number(formatAmountFixed(cap, 0));
  return whole < 1e9 ? groupThousands(formatAmount(cap)) : compactNumber(whole, 7, 1e9);
}

function capText(text: Text, tier: LeverageTier, facts: ContractFacts): string {
  const { base, quote, contractValue } = facts.instrument;
  if (tier.unit === 'contracts') {
    const coins = ((tier.cap * contractValue) / 10n ** 18n) as Amount;
    return text('trade.leverage.capContracts', {
      contracts: capNumber(tier.cap),
      coins: `${groupThousands(formatAmount(coins))} ${base}`,
    });
  }
  const value = `${capNumber(tier.cap)} ${quote}`;
  if (facts.mark === undefined || facts.mark === 0n) return value;
  const coins = Number(formatAmount(tier.cap)) / Number(formatAmount(facts.mark));
  return `${value} ≈ ${compactNumber(coins, 5)} ${base}`;
}

function TierTable({ facts, chosen }: { readonly facts: ContractFacts; readonly chosen: number }) {
  const text = useText();
  const context = { tiers: facts.tiers, contractValue: facts.instrument.contractValue };
  const held = new Set(
    facts.positions
      .filter((row) => row.symbol === facts.instrument.symbol)
      .map((row) => heldTier(row, context)?.tier),
  );
  const allowed = facts.tiers.findLast((tier) => tier.maxLeverage >= chosen)?.tier;
  return (
    <details className="text-xs">
      <summary className="py-1 text-soft">{text('trade.leverage.tiers')}</summary>
      <div className="max-h-44 overflow-y-auto terminal-phone:max-h-none">
        <table className="w-full tabular-nums">
          <thead className="text-faint">
            <tr>
              <th className="text-left font-normal">{text('trade.leverage.tier')}</th>
              <th className="num font-normal">{text('trade.leverage.upTo')}</th>
              <th className="num font-normal">{text('trade.leverage.highest')}</th>
              <th className="num font-normal">{text('trade.leverage.maintenance')}</th>
            </tr>
          </thead>
          <tbody>
            {facts.tiers.map((tier) => (
              <tr key={tier.tier} className={tier.tier === allowed ? 'bg-selected' : undefined}>
                <td>
                  {tier.tier}
                  {held.has(tier.tier) && (
                    <span className="ml-1 text-warning">{text('trade.leverage.held')}</span>
                  )}
                </td>
                <td className="num">{groupThousands(formatAmount(tier.cap))}</td>
                <td className="num">{tier.maxLeverage}×</td>
                <td className="num">{(Number(formatAmount(tier.maintenanceRate)) * 100).toFixed(2)}%</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {facts.tiers.some(({ unit }) => unit === 'contracts') && (
        <p className="pt-1 text-faint">{text('trade.leverage.jump')}</p>
      )}
    </details>
  );
}

interface EffectsProps {
  readonly facts: ContractFacts;
  readonly leverage: number;
  readonly setting: SettingRow;
  /** The leg that is concerned; 0 in one-way mode. */
  readonly effect: 0 | 1 | 2;
}

/** What becomes of a position's liquidation: now and then, or why nothing does. */
function liquidationText(text: Text, row: PositionRow, { facts, leverage }: EffectsProps): string {
  const shown = (price: Amount) =>
    groupThousands(formatAmountFixed(price, decimalsOf(facts.instrument.tickSize)));
  const moves = liquidationMoves(row, leverage, facts);
  if (moves === 'unknown') return text('trade.leverage.unknownLiquidation');
  if (moves === 'none') return text('trade.leverage.noLiquidation');
  if (moves !== 'same') {
    const values = { before: shown(moves.before), after: shown(moves.after) };
    return text('trade.leverage.movedLiquidation', values);
  }
  if (row.marginMode === 'cross') return text('trade.leverage.crossLiquidation');
  const price = parseAmount(row.liquidationPrice ?? '');
  const margin = moneyOf(row.isolatedMargin ?? row.initialMargin);
  if (price === undefined) return text('trade.leverage.isolatedMargin', { margin });
  return text('trade.leverage.isolatedLiquidation', { price: shown(price), margin });
}

/** What becomes of the margin of cross positions; an isolated one keeps what it has. */
function MarginEffect({
  rows,
  props,
}: {
  readonly rows: readonly PositionRow[];
  readonly props: EffectsProps;
}) {
  const { facts, leverage } = props;
  const text = useText();
  const { tiers, instrument } = facts;
  const { marginBefore, marginAfter } = leverageEffect(rows, leverage, {
    ...{ tiers, contractValue: instrument.contractValue },
  });
  const change = marginAfter - marginBefore;
  const moved = text(change > 0n ? 'trade.leverage.needed' : 'trade.leverage.freed', {
    amount: moneyText((change < 0n ? -change : change) as Amount),
  });
  return (
    <li>
      {text('trade.leverage.margin', { before: moneyText(marginBefore), after: moneyText(marginAfter) })}
      {change !== 0n && ` (${moved})`}
    </li>
  );
}

function Effects(props: EffectsProps) {
  const { facts, leverage, setting } = props;
  const text = useText();
  const { instrument, tiers } = facts;
  const mine = facts.positions.filter((row) => row.symbol === instrument.symbol);
  const cross = mine.filter(({ marginMode }) => marginMode === 'cross');
  // The legs of a pool share their liquidation; those that stand alone have one each.
  const concerned =
    setting.marginMode === 'cross'
      ? cross.slice(0, 1)
      : mine.filter((row) => row.marginMode === 'isolated' && row.effect === props.effect);
  const effect = leverageEffect(mine, leverage, { tiers, contractValue: instrument.contractValue });
  const most = largestAtLeverage(facts, leverage);
  const sized = (size: Amount | undefined) => (size === undefined ? '–' : `≈ ${coinsText(size, facts)}`);
  return (
    <ul className="flex flex-col gap-1 text-xs leading-5 text-soft">
      <li>
        {effect.cap === undefined
          ? text('trade.leverage.noTiers', { venue: platformFacts(instrument.platform).name })
          : text('trade.leverage.cap', { cap: capText(text, effect.cap, facts) })}
      </li>
      <li>{text('trade.leverage.most', { buy: sized(most.buy), sell: sized(most.sell) })}</li>
      {setting.marginMode === 'cross' && cross.length > 0 && <MarginEffect rows={cross} props={props} />}
      {concerned.map((row) => (
        <li key={positionKey(row)}>{liquidationText(text, row, props)}</li>
      ))}
      {contractOffer(instrument.platform).reach.leverage === 'family' && (
        <li>
          {text('trade.leverage.family', {
            venue: platformFacts(instrument.platform).name,
            mode: text(`trade.marginMode.${setting.marginMode}`),
          })}
        </li>
      )}
      {effect.tooLarge && <li className="text-danger">{text('trade.leverage.tooLarge', { leverage })}</li>}
      {leverage > CAUTION_LEVERAGE && <li className="text-warning">{text('trade.leverage.caution')}</li>}
    </ul>
  );
}

/** Leverage of the contract, with what another one does before it is sent. */
export function LeverageDialog(props: {
  readonly facts: ContractFacts;
  readonly setting: SettingRow;
  readonly effect: 0 | 1 | 2;
  /** Margin instead of less leverage, where the exchange does not lower it. */
  readonly onAddMargin: (row: PositionRow) => void;
  readonly onClose: () => void;
}) {
  const { facts, setting, effect, onAddMargin, onClose } = props;
  const text = useText();
  const now = effect === 2 ? setting.leverageShort : setting.leverageLong;
  const [entry, setEntry] = useState(String(now));
  const highest = highestLeverage(facts.tiers, setting.maxLeverage);
  const whole = entryAmount(entry);
  const typed = whole === undefined ? 0 : Number(formatAmount(whole));
  const { instrument } = facts;
  const mine = facts.positions.filter((row) => row.symbol === instrument.symbol);
  // Where it only rises both legs have one leverage: either forbids it.
  const held = isolatedPosition(facts);
  const lowers = contractOffer(instrument.platform).lowersIsolated;
  const onlyRises = held !== undefined && setting.marginMode === 'isolated' && !lowers;
  const least = onlyRises ? now : 1;
  const valid = Number.isInteger(typed) && typed >= least && typed <= highest;
  const leverage = valid ? typed : now;
  const { tooLarge } = leverageEffect(mine, leverage, {
    ...{ tiers: facts.tiers, contractValue: instrument.contractValue },
  });
  const addMargin = held && (
    <Button size="small" onClick={() => onAddMargin(held)} className="self-start max-lg:h-11">
      {text('trade.leverage.addMargin')}
    </Button>
  );
  return (
    <SettingDialog
      title="trade.leverage.title"
      description={`${instrument.symbol} · ${platformFacts(instrument.platform).name}`}
      ready={valid && leverage !== now && !tooLarge}
      onSend={() => setLeverage(instrument, { leverage, effect, marginMode: setting.marginMode })}
      mends={onlyRises ? {} : { 'lower-leverage-isolated': addMargin }}
      onClose={onClose}
    >
      <NumberInput
        label={text('trade.leverage.title')}
        value={entry}
        read={readNumberEntry}
        onChange={setEntry}
        onStep={(steps) => setEntry(String(Math.max(least, Math.min(highest, leverage + steps))))}
        unit="×"
        invalid={!valid}
        className="max-lg:h-11"
      />
      <Slider
        label={text('trade.leverage.title')}
        value={leverage}
        min={least}
        max={highest}
        step={1}
        marks={leverageMarks(facts.tiers, highest).filter((mark) => mark >= least)}
        valueText={`${leverage}×`}
        onChange={(next) => setEntry(String(next))}
      />
      <p className="flex justify-between text-xs text-faint">
        <span>{least}×</span>
        <span>{text('trade.leverage.highestIs', { leverage: highest })}</span>
      </p>
      {!valid && <p className="text-xs text-danger">{text('trade.leverage.range', { least, highest })}</p>}
      {onlyRises && (
        <>
          <p className="text-xs text-warning">
            {text('trade.leverage.onlyRises', { venue: platformFacts(instrument.platform).name })}
          </p>
          {addMargin}
        </>
      )}
      <Effects {...{ facts, leverage, setting, effect }} />
      {facts.tiers.length > 0 && <TierTable facts={facts} chosen={leverage} />}
    </SettingDialog>
  );
}
