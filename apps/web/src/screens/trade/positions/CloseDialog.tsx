import type { OrderRow } from '@crossbook/contract';
import { type Amount, decimalsOf, formatAmount, formatAmountFixed, lesser, SIDE } from '@crossbook/domain';
import { useState } from 'react';
import { useStore } from 'zustand';
import { baseStep } from '../../../calculators/contracts/contract-size.ts';
import { closingProfit, positionQuantity, shareOf } from '../../../calculators/contracts/position-stats.ts';
import { signedText } from '../../../calculators/signed-text.ts';
import { groupThousands } from '../../../calculators/step-text.ts';
import { entryAmount, readNumberEntry, stepEntry } from '../../../calculators/ticket/number-entry.ts';
import { useText } from '../../../i18n/i18n.ts';
import { notify } from '../../../stores/app/notices.ts';
import { closePosition } from '../../../stores/trading/contracts/contract-calls.ts';
import { cancelThose, ordersStore } from '../../../stores/trading/orders.ts';
import { Button } from '../../../ui/Button.tsx';
import { Dialog } from '../../../ui/Dialog.tsx';
import { NumberInput } from '../../../ui/entry/NumberInput.tsx';
import { Segments } from '../entry/Segments.tsx';
import { PositionHead } from './position-columns.tsx';
import { useDepth } from './use-depth.ts';
import type { PositionView } from './use-positions.ts';

const SHARES = [25, 50, 75, 100] as const;

/** Orders that rest on the closing side of a position: what they close cannot be closed twice. */
function useClosingOrders({ row, stats }: PositionView): readonly OrderRow[] {
  const open = useStore(ordersStore, (state) => state.open);
  const closingSide = stats.side === SIDE.BUY ? SIDE.SELL : SIDE.BUY;
  return [...open.values()].filter(
    (order) =>
      order.exchange === row.exchange &&
      order.symbol === row.symbol &&
      order.symbolType === 'SWAP' &&
      order.side === closingSide &&
      order.effect === row.effect &&
      order.reduceOnly,
  );
}

/** Figures of a close: what it would bring and what stays. */
function useClose(view: PositionView, type: 'market' | 'limit') {
  const { stats, instrument, row } = view;
  const decimals = decimalsOf(instrument.tickSize);
  const [typed, setPrice] = useState<string>();
  const [percent, setPercent] = useState<number | undefined>(100);
  const [size, setSize] = useState('');
  const whole = percent === 100;
  const step = baseStep(instrument);
  const all = stats.size;
  const coins = percent === undefined ? entryAmount(size) : shareOf(all, percent, step);
  const { walk, best } = useDepth(instrument);
  const closingSide = stats.side === SIDE.BUY ? SIDE.SELL : SIDE.BUY;
  // The own side's best until something is typed.
  const price = typed ?? formatAmountFixed(best(closingSide) ?? stats.mark, decimals);
  const atBook = coins === undefined ? undefined : walk(closingSide, coins)?.average;
  const at = type === 'limit' ? entryAmount(price) : (atBook ?? stats.mark);
  const valid = coins !== undefined && coins > 0n && coins <= all && coins % step === 0n;
  const priced = at !== undefined && at > 0n && (type === 'market' || at % instrument.tickSize === 0n);
  const counted = positionQuantity(row);
  const part = all === 0n ? undefined : ((((coins ?? 0n) * counted) / all) as Amount);
  return { price, setPrice, percent, setPercent, size, setSize, whole, coins, at, valid, priced, part, step };
}

/** A size in coins with its unit. */
function coinsText(coins: bigint, { instrument }: PositionView): string {
  const digits = decimalsOf(baseStep(instrument));
  return `${groupThousands(formatAmountFixed(coins as Amount, digits))} ${instrument.base}`;
}

/** Kind, price and size of the close. */
function CloseFields(props: {
  readonly view: PositionView;
  readonly type: 'market' | 'limit';
  readonly close: ReturnType<typeof useClose>;
  readonly onType: (type: 'market' | 'limit') => void;
  readonly onEnter: () => void;
}) {
  const { view, type, close, onType, onEnter } = props;
  const { instrument, stats } = view;
  const text = useText();
  const coinDigits = decimalsOf(close.step);
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
      {type === 'limit' && (
        <NumberInput
          label={text('trade.ticket.price')}
          value={close.price}
          read={readNumberEntry}
          onChange={close.setPrice}
          onStep={(steps) => close.setPrice(stepEntry(close.price, instrument.tickSize, steps))}
          onEnter={onEnter}
          unit={instrument.quote}
          invalid={!close.priced}
          className="max-lg:h-12"
        />
      )}
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
            : formatAmountFixed(close.coins ?? (0n as Amount), coinDigits)
        }
        read={readNumberEntry}
        onChange={(entry) => {
          close.setPercent(undefined);
          close.setSize(entry);
        }}
        onEnter={onEnter}
        unit={instrument.base}
        invalid={!close.valid}
        className="max-lg:h-12"
      />
      {close.percent === undefined && !close.valid && (
        <p className="text-xs text-danger">
          {text('trade.position.close.wrong', { most: coinsText(stats.size, view) })}
        </p>
      )}
    </>
  );
}

/** What the close would bring, and what stays. */
function CloseStats(props: {
  readonly view: PositionView;
  readonly type: 'market' | 'limit';
  readonly close: ReturnType<typeof useClose>;
}) {
  const { view, type, close } = props;
  const { instrument, stats } = view;
  const text = useText();
  const profit =
    close.coins === undefined || close.at === undefined
      ? undefined
      : closingProfit(
          stats,
          close.coins,
          close.at,
          type === 'limit' ? instrument.makerFee : instrument.takerFee,
        );
  return (
    <dl className="grid grid-cols-[1fr_auto] gap-y-1 text-xs text-faint">
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

/** Closes a position, or a part of it, at market or at a limit. */
export function CloseDialog(props: {
  readonly view: PositionView;
  readonly type: 'market' | 'limit';
  readonly onClose: () => void;
}) {
  const { view, onClose } = props;
  const { row, stats } = view;
  const text = useText();
  const [type, setType] = useState(props.type);
  const close = useClose(view, type);
  const [busy, setBusy] = useState(false);
  const [answer, setAnswer] = useState<string>();
  const inTheWay = useClosingOrders(view);
  const ready = close.valid && close.priced;
  const send = async (): Promise<void> => {
    if (!ready || busy) return;
    setBusy(true);
    setAnswer(undefined);
    const result = await closePosition(row, {
      ...(close.whole || close.part === undefined ? {} : { quantity: formatAmount(close.part) }),
      ...(type === 'limit' && close.at !== undefined ? { price: formatAmount(close.at) } : {}),
    });
    setBusy(false);
    if (!result.ok) setAnswer(result.kind === 'refused' ? result.message : text('trade.position.noAnswer'));
    else if (result.data.outcome === 'sent') {
      notify('success', { id: 'contract.closeSent', values: { symbol: row.symbol } });
      onClose();
    } else setAnswer(result.data.reason ?? text('trade.position.noAnswer'));
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title={text('trade.position.close.title', { symbol: row.symbol })}
      closeLabel={text('common.close')}
      actions={
        <>
          <Button onClick={onClose} className="max-lg:h-11">
            {text('common.cancel')}
          </Button>
          <Button
            tone={stats.side === SIDE.BUY ? 'down' : 'up'}
            busy={busy}
            disabled={!ready}
            onClick={() => void send()}
            className="max-lg:h-11"
          >
            {text(close.whole ? 'trade.position.close.all' : 'trade.position.close.part', {
              size: close.coins === undefined ? '' : coinsText(close.coins, view),
            })}
          </Button>
        </>
      }
    >
      <div className="text-xs">
        <PositionHead view={view} text={text} />
      </div>
      <CloseFields {...{ view, type, close }} onType={setType} onEnter={() => void send()} />
      <CloseStats {...{ view, type, close }} />
      {inTheWay.length > 0 && (
        <p className="text-xs text-warning">
          {text('trade.position.closing', { orders: inTheWay.length })}
          <button
            type="button"
            onClick={() => void cancelThose(inTheWay)}
            className="ml-1.5 text-link underline max-lg:min-h-11"
          >
            {text('trade.contract.cancelThose')}
          </button>
        </p>
      )}
      <p role="status" className="text-xs text-danger empty:hidden">
        {answer}
      </p>
    </Dialog>
  );
}
