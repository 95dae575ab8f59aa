import { type Amount, decimalsOf, formatAmountFixed, type TriggerBy } from '@crossbook/domain';
import { type ReactNode, useId } from 'react';
import type { TargetsAsked } from '../../../calculators/algos/brackets.ts';
import {
  breakEvenEntry,
  entrySending,
  QUICK_PERCENTS,
  rewardToRisk,
  type TargetEntry,
  type TargetName,
  type TargetScene,
  targetLimit,
  targetPrice,
  targetStats,
  targetUnits,
} from '../../../calculators/algos/targets.ts';
import { signedText } from '../../../calculators/signed-text.ts';
import { groupThousands } from '../../../calculators/step-text.ts';
import { readNumberEntry, stepEntry } from '../../../calculators/ticket/number-entry.ts';
import { formatPercent } from '../../../i18n/format.ts';
import { type Text, useText } from '../../../i18n/i18n.ts';
import { NumberInput } from '../../../ui/entry/NumberInput.tsx';
import { BySelect } from './BySelect.tsx';

/** What both fields get. */
export interface TargetFieldsProps {
  readonly asked: TargetsAsked;
  readonly scene: TargetScene;
  readonly quote: string;
  readonly offered: readonly TriggerBy[];
  readonly onChange: (change: Partial<TargetsAsked>) => void;
  /** Which field is wrong, and why. */
  readonly wrong?: { readonly name: TargetName; readonly text: string } | undefined;
  readonly onEnter: () => void;
  /** Of what is held: one press fills a field. Absent: nothing is offered. */
  readonly quick?: { readonly breakEven: Amount | undefined };
}

const HUNDREDTH = (10n ** 16n) as Amount;

/** What a target would bring: its price, how far that is, and the gain after fees. */
export function bringsText(
  text: Text,
  price: Amount | undefined,
  {
    scene,
    quote,
    limit,
  }: Pick<TargetFieldsProps, 'scene' | 'quote'> & { readonly limit: Amount | undefined },
): string | undefined {
  const stats = price === undefined ? undefined : targetStats(price, scene, limit);
  if (price === undefined || stats === undefined) return undefined;
  const { net, roe, percent } = stats;
  const gain = net === undefined ? '–' : `≈ ${signedText(net, 2)}`;
  return text('trade.targets.brings', {
    price: groupThousands(formatAmountFixed(price, decimalsOf(scene.tickSize))),
    percent: formatPercent(percent),
    net: roe === undefined ? `${gain} ${quote}` : `${gain}, ROE ${formatPercent(roe)}`,
  });
}

/** A percent of the price, and for a stop the price at which nothing is lost, by one press. */
function QuickTargets({
  name,
  asked,
  scene,
  quick,
  onChange,
}: TargetFieldsProps & { readonly name: TargetName }) {
  const text = useText();
  if (quick === undefined) return null;
  const { breakEven } = quick;
  // A trigger somewhere else has another limit.
  const sends = asked[name].limit === undefined ? 'market' : 'limit';
  const label = text(`trade.algo.${name}`);
  const chip = (shown: string, entry: TargetEntry) => (
    <button
      key={shown}
      type="button"
      aria-label={`${label}: ${shown}`}
      onClick={() => {
        const trigger = targetPrice(name, entry, scene);
        onChange({ [name]: entrySending(entry, sends, trigger, scene.tickSize) });
      }}
      className="h-6 rounded-sm border border-line px-2 text-[11px] text-soft hover:bg-hover hover:text-text whitespace-nowrap max-lg:h-11 max-lg:flex-1 max-lg:text-xs"
    >
      {shown}
    </button>
  );
  return (
    <div className="flex flex-wrap gap-1">
      {QUICK_PERCENTS.map((percent) => chip(`${percent}%`, { text: String(percent), unit: 'percent' }))}
      {name === 'stopLoss' &&
        breakEven !== undefined &&
        chip(text('trade.targets.breakEven'), breakEvenEntry(breakEven, scene))}
    </div>
  );
}

/** What a leg sends when it fires: a market order, or a limit that begins at its trigger. */
function Sends({ name, asked, scene, onChange }: TargetFieldsProps & { readonly name: TargetName }) {
  const text = useText();
  const entry = asked[name];
  return (
    <label className="ml-auto flex items-center gap-1 text-[11px] text-faint">
      {text('trade.targets.sends')}
      <select
        aria-label={`${text(`trade.algo.${name}`)}: ${text('trade.targets.sends')}`}
        value={entry.limit === undefined ? 'market' : 'limit'}
        onChange={(event) => {
          const chosen = event.target.value === 'limit' ? 'limit' : 'market';
          const trigger = targetPrice(name, entry, scene);
          onChange({ [name]: entrySending(entry, chosen, trigger, scene.tickSize) });
        }}
        className="h-6 cursor-pointer rounded-sm bg-transparent text-xs text-soft max-lg:h-11"
      >
        <option value="market" className="bg-panel">
          {text('trade.ticket.market')}
        </option>
        <option value="limit" className="bg-panel">
          {text('trade.ticket.limit')}
        </option>
      </select>
    </label>
  );
}

/** The price of the limit that a leg sends; nothing of one that sends a market order. */
function LimitField(props: TargetFieldsProps & { readonly name: TargetName }) {
  const { name, asked, scene, quote, onChange, onEnter } = props;
  const text = useText();
  const entry = asked[name];
  const { limit } = entry;
  if (limit === undefined) return null;
  const write = (typed: string) => onChange({ [name]: { ...entry, limit: typed } });
  return (
    <NumberInput
      label={text('trade.targets.limit', { target: text(`trade.algo.${name}`) })}
      value={limit}
      shown={groupThousands(limit)}
      read={readNumberEntry}
      onChange={write}
      onStep={(steps) => write(stepEntry(limit, scene.tickSize, steps))}
      onEnter={onEnter}
      unit={quote}
      invalid={entry.text !== '' && targetLimit(entry) === 0n}
      className="max-lg:h-12"
    />
  );
}

/** Where a take-profit or stop-loss fires, in one of the units. */
export function TriggerInput(props: {
  readonly label: string;
  readonly name: string;
  readonly entry: TargetEntry;
  readonly scene: TargetScene;
  readonly onChange: (entry: TargetEntry) => void;
  readonly onEnter: () => void;
  readonly invalid: boolean;
  readonly describedBy: string | undefined;
}) {
  const { label, name, entry, scene, onChange, onEnter, invalid, describedBy } = props;
  const text = useText();
  const write = (typed: string) => onChange({ ...entry, text: typed });
  const unit = (
    <select
      aria-label={`${label}: ${text('trade.targets.unit')}`}
      value={entry.unit}
      onChange={(event) => {
        const chosen = targetUnits(scene).find((candidate) => candidate === event.target.value);
        // What was typed means something else in another unit.
        if (chosen !== undefined) onChange({ ...entry, text: '', unit: chosen });
      }}
      className="h-6 cursor-pointer rounded-sm bg-transparent text-xs text-soft max-lg:h-9"
    >
      {targetUnits(scene).map((candidate) => (
        <option key={candidate} value={candidate} className="bg-panel">
          {text(`trade.targets.unit.${candidate}`)}
        </option>
      ))}
    </select>
  );
  return (
    <NumberInput
      {...{ label, name, unit, onEnter, invalid }}
      value={entry.text}
      shown={groupThousands(entry.text)}
      read={readNumberEntry}
      onChange={write}
      onStep={(steps) =>
        write(stepEntry(entry.text, entry.unit === 'price' ? scene.tickSize : HUNDREDTH, steps))
      }
      {...(describedBy === undefined ? {} : { describedBy })}
      className="max-lg:h-12"
    />
  );
}

function TargetField(props: TargetFieldsProps & { readonly name: TargetName }) {
  const { name, asked, scene, quote, onChange, wrong, onEnter } = props;
  const text = useText();
  const id = useId();
  const entry = asked[name];
  const brings = bringsText(text, targetPrice(name, entry, scene), {
    scene,
    quote,
    limit: targetLimit(entry),
  });
  const error = wrong?.name === name ? wrong.text : undefined;
  const said = error ?? brings;
  return (
    <>
      <TriggerInput
        {...{ name, entry, scene, onEnter }}
        label={text(`trade.algo.${name}`)}
        onChange={(changed) => onChange({ [name]: changed })}
        invalid={error !== undefined}
        describedBy={said === undefined ? undefined : id}
      />
      <div className="-mt-1 flex flex-wrap items-center gap-1">
        <QuickTargets {...props} />
        <Sends {...props} />
      </div>
      <LimitField {...props} />
      {said !== undefined && (
        <p
          id={id}
          className={`-mt-1 text-[11px] leading-4 max-lg:text-xs ${error === undefined ? 'text-faint' : 'text-danger'}`}
        >
          {said}
        </p>
      )}
    </>
  );
}

/** What stands in place of the one take-profit, and the price that it comes to. */
export interface TargetsTaken {
  readonly price: Amount | undefined;
  readonly fields: ReactNode;
}

/** Take-profit and stop-loss by price, percent, gain or return; what is typed is kept, the rest is reckoned from it. */
export function TargetFields(props: TargetFieldsProps & { readonly takes?: TargetsTaken }) {
  const { asked, scene, offered, onChange, takes } = props;
  const text = useText();
  const ratio = rewardToRisk(
    takes === undefined ? targetPrice('takeProfit', asked.takeProfit, scene) : takes.price,
    targetPrice('stopLoss', asked.stopLoss, scene),
    scene,
  );
  return (
    <div className="flex flex-col gap-2">
      {takes === undefined ? <TargetField {...props} name="takeProfit" /> : takes.fields}
      <TargetField {...props} name="stopLoss" />
      <p className="flex items-center justify-between gap-2 text-[11px] leading-4 max-lg:text-xs text-faint">
        <span className="flex items-center gap-1">
          {text('trade.algo.trigger')}
          <BySelect value={asked.by} offered={offered} onChange={(by) => onChange({ by })} />
        </span>
        {ratio !== undefined && <span>{text('trade.targets.ratio', { ratio: ratio.toFixed(1) })}</span>}
      </p>
    </div>
  );
}
