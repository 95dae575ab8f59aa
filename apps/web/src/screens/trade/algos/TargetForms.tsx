import '../../../i18n/later-words.ts';
import { AMOUNT_ONE, type Amount, decimalsOf, formatAmountFixed, ZERO } from '@crossbook/domain';
import { X } from 'lucide-react';
import { useId, useRef } from 'react';
import { useStore } from 'zustand';
import type { BracketError } from '../../../calculators/algos/brackets.ts';
import { formOf, formsOffered, trailingOfOrder } from '../../../calculators/algos/order-targets.ts';
import {
  type PartRow,
  partAdded,
  partRemoved,
  partRows,
  partsBring,
  shareLeft,
  withEqualShares,
} from '../../../calculators/algos/part-targets.ts';
import type { PartEntry } from '../../../calculators/algos/targets.ts';
import { baseStep } from '../../../calculators/contracts/contract-size.ts';
import { signedText } from '../../../calculators/signed-text.ts';
import { readNumberEntry, stepEntry } from '../../../calculators/ticket/number-entry.ts';
import { type Text, useText } from '../../../i18n/i18n.ts';
import { algoTicketStore, changeTargets } from '../../../stores/algos/algo-ticket.ts';
import { algoOffer } from '../../../stores/market/market.ts';
import { Button } from '../../../ui/Button.tsx';
import { NumberInput } from '../../../ui/entry/NumberInput.tsx';
import { focusField } from '../entry/focus-field.ts';
import { Segments } from '../entry/Segments.tsx';
import { UseInstead } from '../entry/TicketEntry.tsx';
import { OneTarget, type OrderTargetsProps, shownError } from './OrderTargets.tsx';
import { bringsText, TriggerInput } from './TargetFields.tsx';
import { Trailing, trailsText } from './TrailingFields.tsx';

/** What is wrong with one of several: of its price, or of its share. */
function partErrorText(text: Text, { name, field, allowed }: BracketError): string {
  if (name === 'order-combination')
    return text(field.startsWith('share') ? 'trade.parts.error.together' : 'trade.parts.error.twice', {
      allowed,
    });
  if (name === 'quantity-range') return text('trade.parts.error.small', { allowed });
  return text(`trade.algo.error.${name}`, { allowed });
}

/** One of several take-profits: where it fires, how much of the order it closes, and what that brings. */
function PartFields(props: {
  readonly row: PartRow;
  readonly targets: OrderTargetsProps;
  readonly error: BracketError | undefined;
  /** Absent: there must be as many. */
  readonly onRemove: (() => void) | undefined;
  readonly onChange: (change: Partial<PartEntry>) => void;
  /** The share that makes up 100 % with the others. */
  readonly left: string | undefined;
}) {
  const { row, targets, error, onRemove, onChange, left } = props;
  const { instrument, onEnter } = targets;
  const { number, entry, price, scene } = row;
  const text = useText();
  const id = useId();
  const wrongShare = error?.field === `share${number}`;
  const wrong = wrongShare || error?.field === `takeProfit${number}` ? error : undefined;
  const label = text('trade.parts.name', { number });
  const coins =
    scene.size === undefined || scene.size === ZERO
      ? []
      : [`${formatAmountFixed(scene.size, decimalsOf(baseStep(instrument)))} ${instrument.base}`];
  // Without leverage: what it is of the margin has no room in a row.
  const unlevered = { ...scene, leverage: 1 };
  const brings =
    bringsText(text, price, { scene: unlevered, quote: instrument.quote, limit: undefined }) ?? [];
  const said = coins.concat(brings).join(' · ');
  const share = (typed: string) => onChange({ share: typed });
  return (
    <li className="flex flex-col gap-1">
      <div className="flex items-center gap-1">
        <div className="min-w-0 flex-1">
          <TriggerInput
            {...{ label, scene, onEnter }}
            name={`takeProfit${number}`}
            entry={entry.target}
            onChange={(target) => onChange({ target })}
            invalid={wrong !== undefined && !wrongShare}
            describedBy={id}
          />
        </div>
        <div className="w-16 shrink-0 max-lg:w-20">
          <NumberInput
            label={text('trade.parts.share', { number })}
            labelHidden
            name={`share${number}`}
            value={entry.share}
            read={readNumberEntry}
            onChange={share}
            onStep={(steps) => share(stepEntry(entry.share, AMOUNT_ONE as Amount, steps))}
            unit="%"
            invalid={wrongShare}
            describedBy={id}
            onEnter={onEnter}
            className="max-lg:h-12"
          />
        </div>
        {onRemove !== undefined && (
          <Button
            tone="quiet"
            size="small"
            aria-label={text('trade.parts.remove', { number })}
            onClick={onRemove}
            className="w-7 shrink-0 px-0 max-lg:h-12 max-lg:w-11"
          >
            <X size={14} aria-hidden="true" />
          </Button>
        )}
      </div>
      <p
        id={id}
        className={`text-[11px] leading-4 empty:hidden max-lg:text-xs ${wrong === undefined ? 'text-faint' : 'text-danger'}`}
      >
        {wrong === undefined ? said : partErrorText(text, wrong)}
        {wrongShare && wrong?.name === 'order-combination' && left !== undefined && (
          <UseInstead label={text('trade.parts.take', { share: left })} onClick={() => share(left)} />
        )}
      </p>
    </li>
  );
}

/** The rows of several take-profits, and what they bring together. */
function PartList({ targets }: { readonly targets: OrderTargetsProps }) {
  const { instrument, scene } = targets;
  const text = useText();
  const parts = useStore(algoTicketStore, (state) => state.targets.parts);
  const { targetsMax = parts.length } = algoOffer(instrument.platform, instrument.symbolType);
  const rows = partRows(parts, scene, instrument);
  const { net } = partsBring(rows);
  const form = useRef<HTMLDivElement>(null);
  const error = shownError(targets);
  const change = (changed: readonly PartEntry[], focused?: number): void => {
    changeTargets({ parts: changed });
    // The row is drawn by then.
    if (focused !== undefined) requestAnimationFrame(() => focusField(form.current, `takeProfit${focused}`));
  };
  return (
    <div ref={form} className="flex flex-col gap-2">
      <ol aria-label={text('trade.parts.list')} className="flex flex-col gap-2">
        {rows.map((row) => (
          <PartFields
            key={row.number}
            {...{ row, targets, error, left: shareLeft(parts, row.number) }}
            onRemove={
              parts.length > 2
                ? () => change(partRemoved(parts, row.number), Math.max(1, row.number - 1))
                : undefined
            }
            onChange={(changed) => change(parts.with(row.number - 1, { ...row.entry, ...changed }))}
          />
        ))}
      </ol>
      <div className="flex flex-wrap items-center gap-1">
        <Button
          size="small"
          disabled={parts.length >= targetsMax}
          onClick={() => change(partAdded(parts), parts.length + 1)}
          className="max-lg:h-11"
        >
          {text('trade.parts.add')}
        </Button>
        <Button size="small" onClick={() => change(withEqualShares(parts))} className="max-lg:h-11">
          {text('trade.parts.equal')}
        </Button>
        {net !== undefined && (
          <span className="num ml-auto text-[11px] text-faint max-lg:text-xs">
            {text('trade.parts.together', { net: `≈ ${signedText(net, 2)} ${instrument.quote}` })}
          </span>
        )}
      </div>
    </div>
  );
}

function SeveralTargets(props: OrderTargetsProps) {
  const { instrument, scene } = props;
  const parts = useStore(algoTicketStore, (state) => state.targets.parts);
  const { price } = partsBring(partRows(parts, scene, instrument));
  return <OneTarget {...props} takes={{ price, fields: <PartList targets={props} /> }} />;
}

/** The fields of a trailing stop as one by itself has them, and what it does. */
function TrailingTarget(props: OrderTargetsProps) {
  const { instrument, side, onEnter } = props;
  const text = useText();
  const asked = useStore(algoTicketStore, (state) => state.targets.trailing);
  const offer = algoOffer(instrument.platform, instrument.symbolType);
  const { entry, facts } = trailingOfOrder(asked, { instrument, side, offer });
  const error = shownError(props);
  const field = error?.field === 'activation' ? 'activation' : 'callback';
  const fires = trailsText(text, entry, facts);
  return (
    <>
      <Trailing
        {...{ entry, facts, onEnter, onLimit: () => undefined }}
        errors={error === undefined ? [] : [{ ...error, field }]}
        onTrailing={(change) => changeTargets({ trailing: { ...asked, ...change } })}
      />
      {fires !== undefined && <p className="text-[11px] leading-4 max-lg:text-xs text-soft">{fires}</p>}
    </>
  );
}

/** The targets of an order on a contract, in one of the forms that its exchange takes. */
export function TargetForms(props: OrderTargetsProps) {
  const { instrument } = props;
  const text = useText();
  const targets = useStore(algoTicketStore, (state) => state.targets);
  const offer = algoOffer(instrument.platform, instrument.symbolType);
  const form = formOf(targets, offer);
  return (
    <>
      <Segments
        label={text('trade.forms')}
        value={form}
        fitted
        onChange={(chosen) => changeTargets({ form: chosen })}
        options={formsOffered(offer).map((value) => ({ value, label: text(`trade.forms.${value}`) }))}
      />
      {form === 'one' && <OneTarget {...props} />}
      {form === 'several' && <SeveralTargets {...props} />}
      {form === 'trailing' && <TrailingTarget {...props} />}
    </>
  );
}
