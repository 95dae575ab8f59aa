import '../../../i18n/later-words.ts';
import type { AlgoRow } from '@crossbook/contract';
import {
  type AlgoOffer,
  type Amount,
  decimalsOf,
  divDown,
  formatAmountFixed,
  mulDown,
  parseAmount,
  platformFacts,
  ZERO,
} from '@crossbook/domain';
import { Suspense, useState } from 'react';
import { useStore } from 'zustand';
import { percentOfRatio } from '../../../calculators/algos/algo-entry.ts';
import { bracketOf, type TargetsAsked, unfilledLimit } from '../../../calculators/algos/brackets.ts';
import {
  beyondPosition,
  boundByVenue,
  hangingStop,
  liquidatesBefore,
  type PositionTargets,
  protecting,
  sizedBecause,
  targetOrders,
  targetsFaults,
  triggersOf,
} from '../../../calculators/algos/position-targets.ts';
import { NO_TARGET, type TargetScene } from '../../../calculators/algos/targets.ts';
import { baseStep } from '../../../calculators/contracts/contract-size.ts';
import { percentOf, positionQuantity, shareOf } from '../../../calculators/contracts/position-stats.ts';
import { entryAmount, readNumberEntry, stepEntry } from '../../../calculators/ticket/number-entry.ts';
import { type Text, useText } from '../../../i18n/i18n.ts';
import { cancelAlgo, placeAlgo } from '../../../stores/algos/algo-calls.ts';
import { algosStore } from '../../../stores/algos/algos.ts';
import { algoOffer } from '../../../stores/market/market.ts';
import { Button } from '../../../ui/Button.tsx';
import { Dialog } from '../../../ui/Dialog.tsx';
import { NumberInput } from '../../../ui/entry/NumberInput.tsx';
import { Slider } from '../../../ui/entry/Slider.tsx';
import { lazyPart } from '../../../ui/read-ahead.ts';
import { TargetFields } from '../algos/TargetFields.tsx';
import { Answer, type Said, saidOf } from '../entry/Answer.tsx';
import { Doubt } from '../entry/Doubt.tsx';
import { Segments } from '../entry/Segments.tsx';
import { useSending } from '../entry/use-sending.ts';
import { algoSizeText, useCellTools } from '../tables/cells.tsx';
import { PositionHead } from './position-columns.tsx';
import { coinsText, priceText } from './use-close.ts';
import type { PositionView } from './use-positions.ts';

const TrailingOfPosition = lazyPart(
  async () => (await import('./TrailingOfPosition.tsx')).TrailingOfPosition,
);

/** What stands for a position, by id; the rows of every other one are left out. */
export function useProtecting({ row }: PositionView): readonly AlgoRow[] {
  const open = useStore(algosStore, (state) => state.open);
  return protecting(row, open.values());
}

/** How far a trailing stop follows, and from where: "± 500, from 61,000". */
function trailsText(text: Text, { trailing }: AlgoRow, { instrument }: PositionView): string {
  const shown = (price: string | null) => {
    const value = parseAmount(price ?? '');
    return value === undefined ? '' : priceText(value, { instrument });
  };
  if (trailing === null) return '';
  const { ratio, distance, activation } = trailing;
  const far = ratio === null ? `± ${shown(distance)}` : `${percentOfRatio(parseAmount(ratio) ?? ZERO)} %`;
  return activation === null ? far : `${far}, ${text('trade.algo.from', { price: shown(activation) })}`;
}

/** The nearest take-profit and stop-loss, and how many there are beyond: "62,000 / 58,000 +1". */
export function targetsText(
  text: Text,
  rows: readonly AlgoRow[],
  { instrument, stats }: PositionView,
): string {
  const shown = (price: Amount) => priceText(price, { instrument });
  const of = (name: 'takeProfit' | 'stopLoss') => {
    const prices = triggersOf(stats.side, rows, name);
    const [first] = prices;
    if (first === undefined) return '–';
    return prices.length > 1 ? `${shown(first)} +${prices.length - 1}` : shown(first);
  };
  if (rows.length === 0) return text('trade.targets');
  // One that trails has no price of its own.
  return rows.every(({ trailing }) => trailing !== null)
    ? text('trade.algo.type.trailing')
    : `${of('takeProfit')} / ${of('stopLoss')}`;
}

/** What the legs of a row send where it is no market order: "limit 57,900 ". */
function limitsText(text: Text, { takeProfit, stopLoss }: AlgoRow, view: PositionView): string {
  return [takeProfit, stopLoss]
    .flatMap((leg) => parseAmount(leg?.price ?? '') ?? [])
    .map((price) => `${text('trade.targets.limitAt', { price: priceText(price, view) })} `)
    .join('');
}

function Standing({ view, rows }: { readonly view: PositionView; readonly rows: readonly AlgoRow[] }) {
  const text = useText();
  const tools = useCellTools();
  if (rows.length === 0) return <p className="text-xs text-faint">{text('trade.targets.none')}</p>;
  return (
    <ul aria-label={text('trade.targets.standing')} className="flex flex-col gap-1 text-xs">
      {rows.map((row) => (
        <li key={row.algoId} className="flex items-center justify-between gap-2">
          <span className="min-w-0 tabular-nums">
            {text(`trade.algo.type.${row.algoType}`)}{' '}
            {row.trailing === null ? targetsText(text, [row], view) : trailsText(text, row, view)}
            <span className="text-faint">
              {' '}
              {limitsText(text, row, view)}· {algoSizeText(row, tools)}
              {row.quantity === null ? '' : ` ${view.instrument.base}`} ·{' '}
              {text(`trade.algo.state.${row.state}`)}
            </span>
          </span>
          <Button
            size="small"
            disabled={row.cancelPending}
            onClick={() => void cancelAlgo(row)}
            className="h-6 shrink-0 max-lg:h-11"
          >
            {text(row.cancelPending ? 'trade.orders.cancelling' : 'trade.orders.cancel')}
          </Button>
        </li>
      ))}
    </ul>
  );
}

/** How much is closed: all of it, whatever it is when it fires, or a part. */
function useSize(view: PositionView) {
  const [part, setPart] = useState(false);
  const [size, setSize] = useState('');
  const { instrument, stats } = view;
  const coins = entryAmount(size);
  const step = baseStep(instrument);
  const valid = !part || (coins !== undefined && coins > 0n && coins <= stats.size && coins % step === 0n);
  const counted = part && coins !== undefined && valid ? divDown(coins, instrument.contractValue) : undefined;
  const share = coins === undefined ? 0 : Math.min(100, Math.round(percentOf(coins, stats.size)));
  return {
    part,
    setPart,
    size,
    setSize,
    valid,
    counted,
    step,
    percent: share,
    coins: part ? coins : stats.size,
  };
}

function SizeFields({
  view,
  size,
}: {
  readonly view: PositionView;
  readonly size: ReturnType<typeof useSize>;
}) {
  const { instrument, stats } = view;
  const text = useText();
  const most = `${formatAmountFixed(stats.size, decimalsOf(size.step))} ${instrument.base}`;
  return (
    <>
      <Segments
        label={text('trade.targets.size')}
        value={size.part ? 'part' : 'whole'}
        onChange={(chosen) => size.setPart(chosen === 'part')}
        options={[
          { value: 'whole', label: text('trade.algo.whole') },
          { value: 'part', label: text('trade.targets.part') },
        ]}
      />
      {size.part && (
        <Slider
          label={text('trade.position.share')}
          value={size.percent}
          max={100}
          step={1}
          marks={[25, 50, 75]}
          valueText={`${size.percent} %`}
          onChange={(percent) =>
            size.setSize(formatAmountFixed(shareOf(stats.size, percent, size.step), decimalsOf(size.step)))
          }
        />
      )}
      {size.part && (
        <NumberInput
          label={text('trade.contract.size')}
          value={size.size}
          read={readNumberEntry}
          onChange={size.setSize}
          onStep={(steps) => size.setSize(stepEntry(size.size, size.step, steps))}
          unit={instrument.base}
          invalid={!size.valid}
          className="max-lg:h-12"
        />
      )}
      {!size.valid && size.size !== '' && (
        <p className="text-xs text-danger">{text('trade.targets.partTooLarge', { most })}</p>
      )}
    </>
  );
}

/** Why all of it is a size here, and that parts close more than there is. */
function SizeNotes(props: {
  readonly view: PositionView;
  readonly targets: PositionTargets;
  readonly offer: AlgoOffer;
  readonly standing: readonly AlgoRow[];
}) {
  const { view, targets, offer, standing } = props;
  const text = useText();
  const venue = platformFacts(view.row.exchange).name;
  const because = sizedBecause(targets, view.row, offer);
  const beyond = beyondPosition(targets, standing);
  const size = coinsText(view.stats.size, view);
  return (
    <p className="text-xs text-warning empty:hidden">
      {because !== undefined && text(`trade.targets.sized.${because}`, { venue, size })}
      {beyond > 0n &&
        text('trade.targets.beyond', {
          venue,
          size: coinsText(mulDown(beyond, view.instrument.contractValue), view),
        })}
    </p>
  );
}

const NOTHING: TargetsAsked = { takeProfit: NO_TARGET, stopLoss: NO_TARGET, by: 'last' };

/** What is left to ask for once an order of a kind was placed. */
function withoutPlaced(asked: TargetsAsked, algoType: AlgoRow['algoType']): TargetsAsked {
  return {
    ...asked,
    ...(algoType === 'take-profit' ? {} : { stopLoss: NO_TARGET }),
    ...(algoType === 'stop' ? {} : { takeProfit: NO_TARGET }),
  };
}

/** What is asked for, and what is wrong with it. */
function useAsked(view: PositionView, size: ReturnType<typeof useSize>) {
  const { row, instrument, stats } = view;
  const [asked, setAsked] = useState<TargetsAsked>(NOTHING);
  const offer = algoOffer(row.exchange, 'SWAP');
  const scene: TargetScene = {
    ...{ side: stats.side, entry: stats.entry, size: size.coins, leverage: row.leverage },
    ...{ tickSize: instrument.tickSize, feeRate: instrument.takerFee },
  };
  const targets: PositionTargets = {
    ...{ bracket: bracketOf(asked, scene), by: asked.by, part: size.counted },
    quantity: positionQuantity(row),
  };
  const prices = view.markAgeMillis > 0 ? {} : { mark: stats.mark };
  const [fault] = targetsFaults(targets, row, { instrument, offer, prices });
  return { asked, setAsked, offer, scene, targets, fault };
}

/** Take-profit and stop-loss of a position: what stands, and what is to be placed besides. */
export function TargetsDialog({
  view,
  onClose,
}: {
  readonly view: PositionView;
  readonly onClose: () => void;
}) {
  const { row, instrument, stats } = view;
  const text = useText();
  const standing = useProtecting(view);
  const size = useSize(view);
  const { asked, setAsked, offer, scene, targets, fault } = useAsked(view, size);
  const sending = useSending();
  const orders = targetOrders(targets, row, offer);
  const hanging = hangingStop(standing);
  const liquidation = parseAmount(row.liquidationPrice ?? '');
  const allowed = (fault?.allowed ?? []).join(' – ');
  const unfilled = unfilledLimit(targets.bracket);
  const wrong =
    unfilled !== undefined
      ? { name: unfilled, text: text('trade.algo.error.field-invalid') }
      : fault && { name: fault.target, text: text(`trade.algo.error.${fault.name}`, { allowed }) };
  const ready = orders.length > 0 && wrong === undefined && size.valid;
  const place = async (): Promise<Said | undefined> => {
    for (const order of orders) {
      const placed = await placeAlgo(row.exchange, order);
      // What stands, or may stand, is asked for no more; what was refused stays to be mended.
      if (placed.ok || placed.kind !== 'refused') setAsked((before) => withoutPlaced(before, order.algoType));
      if (!placed.ok) return saidOf(placed, text('order.unknown'));
    }
    return undefined;
  };
  const submit = (): void => {
    if (ready) void sending.send(place);
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title={text('trade.targets.title', { symbol: row.symbol })}
      closeLabel={text('common.close')}
      actions={
        <>
          <Button onClick={onClose} className="max-lg:h-11">
            {text('common.close')}
          </Button>
          <Button
            tone="primary"
            busy={sending.busy}
            disabled={!ready}
            onClick={submit}
            className="max-lg:h-11"
          >
            {text('trade.targets.place')}
          </Button>
        </>
      }
    >
      <div className="text-xs">
        <PositionHead view={view} text={text} />
      </div>
      <Standing view={view} rows={standing} />
      {offer.unbinds === true && boundByVenue(standing) && (
        <p className="text-xs text-faint">
          {text('trade.targets.unbinds', { venue: platformFacts(row.exchange).name })}
        </p>
      )}
      <TargetFields
        {...{ asked, scene, wrong, quote: instrument.quote, offered: offer.triggerBy }}
        quick={{ breakEven: parseAmount(row.breakEvenPrice ?? '') }}
        onChange={(change) => setAsked({ ...asked, ...change })}
        onEnter={submit}
      />
      <SizeFields {...{ view, size }} />
      <SizeNotes {...{ view, targets, offer, standing }} />
      {liquidation !== undefined && liquidatesBefore(stats.side, targets.bracket.stopLoss, liquidation) && (
        <p className="text-xs text-warning">
          {text('trade.targets.liquidationFirst', { price: priceText(liquidation, view) })}
        </p>
      )}
      <Doubt instrument={instrument} />
      <Answer said={sending.said} />
      {offer.trailing?.ofPosition === true && (
        <Suspense fallback={null}>
          <TrailingOfPosition key={hanging?.algoId ?? 'none'} {...{ view, standing: hanging }} />
        </Suspense>
      )}
    </Dialog>
  );
}
