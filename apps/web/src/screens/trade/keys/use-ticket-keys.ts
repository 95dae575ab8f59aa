import { type Amount, ORDER_TYPE, SIDE, type Side } from '@crossbook/domain';
import { type RefObject, useRef } from 'react';
import { flushSync } from 'react-dom';
import type { KeyId } from '../../../calculators/keys.ts';
import { PRESET_KEYS, sizePresets } from '../../../calculators/size-presets.ts';
import { algoTicketStore, changeTargets } from '../../../stores/algos/algo-ticket.ts';
import { changeTradeSettings, tradeSettingsStore } from '../../../stores/app/settings.ts';
import { type KeyHandlers, useKeys } from './use-keys.ts';

/** What every ticket can be told. */
type TicketKeyAction =
  | { readonly kind: 'side'; readonly side: Side }
  | { readonly kind: 'type'; readonly type: 1 | 2 }
  | { readonly kind: 'percent'; readonly percent: number }
  | { readonly kind: 'pick-price'; readonly price: Amount };

/** A ticket as its keys see it. */
export interface KeyedTicket {
  readonly side: Side;
  readonly act: (action: TicketKeyAction) => void;
  /** The best prices at this moment. */
  readonly best: () => { readonly bestBid: Amount | undefined; readonly bestAsk: Amount | undefined };
  /** What the button does. */
  readonly submit: () => void;
  /** Keys that only this ticket has. */
  readonly more: KeyHandlers;
}

/**
 * Keys of a ticket, of a pair or a contract. Those that send do what the button does, questions and refusals included, and
 * are heard only where trading keys were switched on.
 * @param form where the ticket belongs.
 */
export function useTicketKeys(form: RefObject<HTMLElement | null>, ticket: KeyedTicket): void {
  const current = useRef(ticket);
  current.current = ticket;
  const { side, act, best } = ticket;
  // What is typed next replaces the size.
  const focusSize = (): void => form.current?.querySelector<HTMLInputElement>('input[name="size"]')?.select();
  const kind = (type: 1 | 2): void => {
    act({ kind: 'type', type });
    changeTradeSettings({ orderKind: type });
  };
  const pickBest = (own: boolean): void => {
    const { bestBid, bestAsk } = best();
    const price = (side === SIDE.BUY) === own ? bestBid : bestAsk;
    if (price !== undefined) act({ kind: 'pick-price', price });
  };
  const atMarket = (armed: Side): void => {
    // The ticket shows what is sent before it is checked and sent.
    flushSync(() => {
      act({ kind: 'type', type: ORDER_TYPE.MARKET });
      act({ kind: 'side', side: armed });
    });
    current.current.submit();
  };
  const shares = PRESET_KEYS.map((id, at) => [
    id,
    () => {
      const percent = sizePresets(tradeSettingsStore.getState().sizePresets)[at] ?? 0;
      act({ kind: 'percent', percent });
      // The field has the new size after this turn.
      setTimeout(focusSize);
    },
  ]);
  useKeys({
    ...(Object.fromEntries(shares) as Partial<Record<KeyId, () => void>>),
    'focus.ticket': focusSize,
    'ticket.buy': () => act({ kind: 'side', side: SIDE.BUY }),
    'ticket.sell': () => act({ kind: 'side', side: SIDE.SELL }),
    'ticket.limit': () => kind(ORDER_TYPE.LIMIT),
    'ticket.market': () => kind(ORDER_TYPE.MARKET),
    'ticket.stop': () => {
      act({ kind: 'type', type: ORDER_TYPE.LIMIT });
      changeTradeSettings({ orderKind: 3 });
    },
    'ticket.tpsl': () => changeTargets({ on: !algoTicketStore.getState().targets.on }),
    'ticket.bestOwn': () => pickBest(true),
    'ticket.bestOther': () => pickBest(false),
    'trade.send': () => ticket.submit(),
    'trade.marketBuy': () => atMarket(SIDE.BUY),
    'trade.marketSell': () => atMarket(SIDE.SELL),
    ...ticket.more,
  });
}
