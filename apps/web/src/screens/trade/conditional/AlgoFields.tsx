import '../../../i18n/later-words.ts';
import {
  type Amount,
  decimalsOf,
  floorTo,
  formatAmount,
  formatAmountFixed,
  platformFacts,
  SIDE,
} from '@crossbook/domain';
import {
  ALGO_CHOICES,
  type AlgoChoice,
  type AlgoEntry,
  type AlgoFacts,
  choicesOf,
  followedPrice,
  hasTrigger,
  kindOfTrigger,
  trailsAtPosition,
} from '../../../calculators/algos/algo-entry.ts';
import { baseStep } from '../../../calculators/contracts/contract-size.ts';
import { groupThousands } from '../../../calculators/step-text.ts';
import { entryAmount } from '../../../calculators/ticket/number-entry.ts';
import { type Text, useText } from '../../../i18n/i18n.ts';
import { changeAlgoEntry } from '../../../stores/algos/algo-ticket.ts';
import { Select } from '../../../ui/Select.tsx';
import {
  type AlgoFieldsProps,
  AlgoInput,
  Far,
  FollowedUnit,
  Trailing,
  trailsText,
} from '../algos/TrailingFields.tsx';
import { Segments } from '../entry/Segments.tsx';

function Trigger(props: AlgoFieldsProps & { readonly label: string }) {
  const { entry, facts, onLimit } = props;
  const { instrument } = facts;
  return (
    <AlgoInput
      {...props}
      field="trigger"
      value={entry.trigger}
      step={instrument.tickSize}
      unit={<FollowedUnit {...{ entry, facts }} />}
      onChange={(trigger) => {
        changeAlgoEntry({ trigger });
        // At market the size is converted at the trigger.
        if (entry.market) onLimit(trigger);
      }}
    />
  );
}

/** Whether it then takes the market, or waits again at a limit. */
function SentAs({ entry, onLimit }: AlgoFieldsProps) {
  const text = useText();
  return (
    <Segments
      label={text('trade.algo.sends')}
      value={entry.market ? 'market' : 'limit'}
      onChange={(sent) => {
        changeAlgoEntry({ market: sent === 'market' });
        onLimit(entry.trigger);
      }}
      options={[
        { value: 'market', label: text('trade.ticket.market') },
        { value: 'limit', label: text('trade.ticket.limit') },
      ]}
    />
  );
}

function Limit(props: AlgoFieldsProps) {
  const { entry, facts, onLimit } = props;
  const text = useText();
  if (entry.market) return null;
  return (
    <AlgoInput
      {...props}
      field="limit"
      label={text('trade.algo.limit')}
      value={facts.limit}
      step={facts.instrument.tickSize}
      unit={facts.instrument.quote}
      onChange={onLimit}
    />
  );
}

/** The price that it never goes beyond, how much of it shows, and how far behind the market. */
function Iceberg(props: AlgoFieldsProps) {
  const { entry, facts, onLimit } = props;
  const { instrument } = facts;
  const text = useText();
  return (
    <>
      <AlgoInput
        {...props}
        field="limit"
        label={text('trade.algo.limit')}
        value={facts.limit}
        step={instrument.tickSize}
        unit={instrument.quote}
        onChange={onLimit}
      />
      <AlgoInput
        {...props}
        field="visible"
        label={text('trade.iceberg.visible')}
        value={entry.visible}
        step={baseStep(instrument)}
        unit={instrument.base}
        onChange={(visible) => changeAlgoEntry({ visible })}
      />
      <Far {...props} label={text('trade.slices.behind')} percentStep={(10n ** 16n) as Amount} />
    </>
  );
}

function priceText(price: Amount, { instrument }: AlgoFacts): string {
  return groupThousands(formatAmountFixed(price, decimalsOf(instrument.tickSize)));
}

/** What an iceberg shows and where, as a sentence. */
function icebergText(text: Text, entry: AlgoEntry, facts: AlgoFacts): string | undefined {
  const { instrument, side, limit } = facts;
  const [visible, callback, price] = [entry.visible, entry.callback, limit].map(entryAmount);
  if (!visible || !callback || !price) return undefined;
  return text('trade.slices.sentence', {
    ...{ side: side === SIDE.SELL ? 'sell' : 'buy', price: priceText(price, facts) },
    visible: `${formatAmount(visible)} ${instrument.base}`,
    far: `${formatAmount(callback)} ${entry.callbackIn === 'percent' ? '%' : instrument.quote}`,
  });
}

/** What it waits for, as a sentence; `undefined` while its figures are missing. */
export function firesText(text: Text, entry: AlgoEntry, facts: AlgoFacts): string | undefined {
  const { by } = entry;
  if (entry.choice === 'oco') return text('trade.algo.fires.oco');
  if (entry.choice === 'iceberg') return icebergText(text, entry, facts);
  if (entry.choice === 'trailing') return trailsText(text, entry, facts);
  const trigger = entryAmount(entry.trigger);
  const now = followedPrice(entry, facts);
  if (trigger === undefined || trigger === 0n || now === undefined) return undefined;
  const kind = kindOfTrigger(trigger, now, facts.side);
  const way = trigger > now ? 'up' : 'down';
  return text('trade.algo.fires', { kind, by, way, price: priceText(trigger, facts) });
}

/** Which kind waits; what the venue has not is said. */
function Choice({ entry, facts, onLimit }: AlgoFieldsProps) {
  const text = useText();
  const { instrument, offer } = facts;
  const choices = choicesOf(offer);
  const elsewhere = trailsAtPosition(offer);
  // The limit ticket of a pair speaks of icebergs; a trailing stop may be had at the position.
  const missing = ALGO_CHOICES.filter(
    (choice) =>
      !(choice === 'iceberg' && instrument.symbolType === 'SPOT') &&
      !(choice === 'trailing' && elsewhere) &&
      !choices.includes(choice),
  );
  return (
    <>
      <Select
        label={text('trade.algo.kind')}
        labelHidden
        size="small"
        className="[&_select]:max-lg:h-12"
        value={entry.choice}
        options={choices.map((choice) => ({ value: choice, label: text(`trade.algo.choice.${choice}`) }))}
        onChange={(choice: AlgoChoice) => {
          changeAlgoEntry({ choice, ...(choice === 'trailing' ? { market: true } : {}) });
          const now = followedPrice(entry, facts);
          // What waits for no price begins with the one of now: sizes are converted at it.
          if (!hasTrigger(choice) && now !== undefined)
            onLimit(formatAmount(floorTo(now, instrument.tickSize)));
        }}
      />
      {missing.length > 0 && (
        <p className="text-[11px] leading-4 max-lg:text-xs text-faint">
          {text('trade.algo.without', {
            venue: platformFacts(instrument.platform).name,
            kinds: missing.map((choice) => text(`trade.algo.choice.${choice}`)).join(', '),
          })}
        </p>
      )}
      {elsewhere && (
        <p className="text-[11px] leading-4 max-lg:text-xs text-faint">
          {text('trade.trailing.atPosition', { targets: text('trade.targets') })}
        </p>
      )}
    </>
  );
}

/** The fields of an order that waits: when it fires, and what it then sends. */
export function AlgoFields(props: AlgoFieldsProps) {
  const { entry, facts } = props;
  const text = useText();
  const fires = firesText(text, entry, facts);
  return (
    <>
      <Choice {...props} />
      {entry.choice === 'oco' && (
        <AlgoInput
          {...props}
          field="takeProfit"
          label={text('trade.algo.takeProfit')}
          value={entry.takeProfit}
          step={facts.instrument.tickSize}
          unit={facts.instrument.quote}
          onChange={(takeProfit) => changeAlgoEntry({ takeProfit })}
        />
      )}
      {entry.choice === 'trailing' && <Trailing {...props} />}
      {entry.choice === 'iceberg' && <Iceberg {...props} />}
      {hasTrigger(entry.choice) && (
        <>
          <Trigger
            {...props}
            label={text(entry.choice === 'oco' ? 'trade.algo.stopLoss' : 'trade.algo.trigger')}
          />
          <SentAs {...props} />
          <Limit {...props} />
        </>
      )}
      {fires !== undefined && <p className="text-[11px] leading-4 max-lg:text-xs text-soft">{fires}</p>}
    </>
  );
}
