import '../../../i18n/later-words.ts';
import { decimalsOf, formatAmountFixed, lesser, parseAmount, ZERO } from '@crossbook/domain';
import { Minus, Plus } from 'lucide-react';
import { useId } from 'react';
import { useStore } from 'zustand';
import { closingOrdersOf, namedOrders } from '../../../calculators/contracts/close-orders.ts';
import { signedText } from '../../../calculators/signed-text.ts';
import { groupThousands } from '../../../calculators/step-text.ts';
import { movingFault } from '../../../calculators/ticket/held-still.ts';
import { readNumberEntry, stepEntry } from '../../../calculators/ticket/number-entry.ts';
import { useText } from '../../../i18n/i18n.ts';
import { kindText } from '../../../stores/trading/kind-text.ts';
import { cancelThose } from '../../../stores/trading/order-calls.ts';
import { ordersStore } from '../../../stores/trading/orders.ts';
import { Checkbox } from '../../../ui/Checkbox.tsx';
import { NumberInput } from '../../../ui/entry/NumberInput.tsx';
import { Segments } from '../entry/Segments.tsx';
import { useHeldStill } from '../entry/use-held-still.ts';
import { SideText } from '../tables/cells.tsx';
import { type Close, type CloseType, coinsText, priceText } from './use-close.ts';
import type { PositionView } from './use-positions.ts';

const SHARES = [25, 50, 75, 100] as const;
/** Orders in the way that are named; more are counted in the sentence above them. */
const NAMED_MAX = 4;
const TICK_BUTTON =
  'grid size-6 place-items-center rounded-sm border border-line text-soft hover:bg-hover hover:text-text max-lg:size-11';

interface FieldsProps {
  readonly view: PositionView;
  readonly close: Close;
  readonly onEnter: () => void;
}

/** The limit, one tick up or down by its buttons, and whether it may only wait. */
function LimitFields({ view, close, onEnter }: FieldsProps) {
  const { instrument } = view;
  const text = useText();
  const id = useId();
  const move = (steps: number) => () => close.setPrice(stepEntry(close.price, instrument.tickSize, steps));
  const unit = (
    <span className="flex items-center gap-1">
      {instrument.quote}
      <button
        type="button"
        aria-label={text('trade.chart.tickDown')}
        onClick={move(-1)}
        className={TICK_BUTTON}
      >
        <Minus size={12} aria-hidden="true" />
      </button>
      <button type="button" aria-label={text('trade.chart.tickUp')} onClick={move(1)} className={TICK_BUTTON}>
        <Plus size={12} aria-hidden="true" />
      </button>
    </span>
  );
  const crosses = close.waits === undefined ? undefined : 'post-only-crosses';
  const { waits, other } = useHeldStill(movingFault(crosses, [view.key, close.side, close.price]), close);
  return (
    <>
      <NumberInput
        label={text('trade.ticket.price')}
        value={close.price}
        shown={groupThousands(close.price)}
        read={readNumberEntry}
        onChange={close.setPrice}
        onStep={(steps) => move(steps)()}
        onEnter={onEnter}
        unit={unit}
        invalid={!close.priced || waits !== undefined}
        {...(waits === undefined ? {} : { describedBy: id })}
        className="max-lg:h-12"
      />
      {waits !== undefined && other !== undefined && (
        <p id={id} className="text-xs text-danger">
          {text('trade.contract.error.post-only-crosses', {
            best: priceText(other, view),
            price: priceText(waits, view),
          })}
          <button
            type="button"
            onClick={() => close.setPrice(formatAmountFixed(waits, decimalsOf(instrument.tickSize)))}
            className="ml-1.5 text-link underline max-lg:min-h-11"
          >
            {text('trade.contract.use', { price: priceText(waits, view) })}
          </button>
        </p>
      )}
      <Checkbox
        label={text('trade.ticket.tif.4')}
        checked={close.makes}
        onChange={(event) => close.setMakes(event.target.checked)}
        className="max-lg:py-2"
      />
    </>
  );
}

/** Kind, price and size of the close. */
export function CloseFields(
  props: FieldsProps & { readonly type: CloseType; readonly onType: (type: CloseType) => void },
) {
  const { view, type, close, onType, onEnter } = props;
  const { instrument, stats } = view;
  const text = useText();
  const id = useId();
  const wrong = close.percent === undefined && !close.sized;
  return (
    <>
      <Segments
        label={text('trade.ticket.type')}
        value={type}
        onChange={onType}
        options={[
          { value: 'market', label: text('trade.ticket.market') },
          { value: 'limit', label: text('trade.ticket.limit') },
        ]}
      />
      {type === 'limit' && <LimitFields {...{ view, close, onEnter }} />}
      <Segments
        label={text('trade.position.share')}
        value={close.percent ?? 0}
        onChange={(percent) => close.setPercent(percent)}
        options={SHARES.map((share) => ({ value: share as number, label: `${share}%` }))}
      />
      <NumberInput
        label={text('trade.contract.size')}
        value={
          close.percent === undefined
            ? close.size
            : formatAmountFixed(close.coins ?? ZERO, decimalsOf(close.step))
        }
        read={readNumberEntry}
        onChange={(entry) => {
          close.setPercent(undefined);
          close.setSize(entry);
        }}
        onEnter={onEnter}
        unit={instrument.base}
        invalid={!close.sized}
        {...(wrong ? { describedBy: id } : {})}
        className="max-lg:h-12"
      />
      {wrong && (
        <p id={id} className="text-xs text-danger">
          {text('trade.position.close.wrong', { most: coinsText(stats.size, view) })}
        </p>
      )}
    </>
  );
}

/** At which price, what the close would bring, and what stays. */
export function CloseStats({ view, close }: Pick<FieldsProps, 'view' | 'close'>) {
  const { instrument, stats } = view;
  const text = useText();
  const { profit, at } = close;
  return (
    <dl className="grid grid-cols-[1fr_auto] gap-y-1 text-xs text-faint">
      <dt>{text('trade.position.close.estimate')}</dt>
      <dd className="num text-text">
        {at === undefined ? '–' : `≈ ${priceText(at, view)} ${instrument.quote}`}
      </dd>
      <dt>{text('trade.position.ifClosed')}</dt>
      <dd className={`num ${profit === undefined ? '' : profit.net < 0n ? 'text-down' : 'text-up'}`}>
        {profit === undefined ? '–' : `≈ ${signedText(profit.net, 2)} ${instrument.quote}`}
      </dd>
      <dt>{text('trade.position.stays')}</dt>
      <dd className="num text-text">
        {close.whole || close.coins === undefined
          ? text('trade.contract.flat')
          : coinsText(stats.size - lesser(close.coins, stats.size), view)}
      </dd>
    </dl>
  );
}

/** Closing orders that rest already, by name: what they close cannot be closed twice. */
export function InTheWay({ view }: { readonly view: PositionView }) {
  const text = useText();
  const open = useStore(ordersStore, (state) => state.open);
  const orders = closingOrdersOf(view.row, open.values());
  if (orders.length === 0) return null;
  const priceOf = (price: string) => priceText(parseAmount(price) ?? ZERO, view);
  return (
    <div className="flex flex-col gap-1 text-xs">
      <p className="text-warning">
        {text('trade.position.closing', { orders: orders.length })}
        <button
          type="button"
          onClick={() => void cancelThose(orders)}
          className="ml-1.5 text-link underline max-lg:min-h-11"
        >
          {text('trade.contract.cancelThose')}
        </button>
      </p>
      <ul aria-label={text('trade.position.closingNames')}>
        {namedOrders(orders.slice(0, NAMED_MAX), view.instrument).map(({ row, coins, price }) => (
          <li key={row.orderId} className="flex justify-between gap-3 text-soft">
            <span>
              <SideText side={row.side} effect={row.effect} /> {coinsText(coins, view)}
            </span>
            <span className="num">
              {price !== undefined && `${priceOf(price)} · `}
              {kindText(text, row)}
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}
