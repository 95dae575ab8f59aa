import '../../../i18n/later-words.ts';
import {
  decimalsOf,
  formatAmount,
  formatAmountFixed,
  ORDER_TYPE,
  platformFacts,
  SIDE,
  ZERO,
} from '@crossbook/domain';
import { type ReactNode, type RefObject, useRef, useState } from 'react';
import { useStore } from 'zustand';
import {
  averagePrice,
  keenestPrice,
  type ScaledScene,
  scaledErrors,
  scaledList,
  scaledOrderOf,
  scaledTimeInForce,
} from '../../../calculators/ticket/scaled-entry.ts';
import {
  percentShown,
  reduce,
  requestOf,
  summarise,
  type TicketAction,
  type TicketState,
} from '../../../calculators/ticket/ticket.ts';
import { ticketErrors } from '../../../calculators/ticket/ticket-errors.ts';
import { throughBookWarning } from '../../../calculators/ticket/ticket-warnings.ts';
import { useText } from '../../../i18n/i18n.ts';
import { changeTradeSettings } from '../../../stores/app/settings.ts';
import type { ListedInstrument } from '../../../stores/market/instruments.ts';
import { isMember, sessionStore } from '../../../stores/member/session.ts';
import { scaledTicketStore, sendScaled } from '../../../stores/trading/scaled-ticket.ts';
import type { TicketStore } from '../../../stores/trading/ticket/ticket.ts';
import { ConfirmOrder } from '../entry/ConfirmOrder.tsx';
import { ConfirmToggle, useAsksFirst } from '../entry/ConfirmToggle.tsx';
import { focusField } from '../entry/focus-field.ts';
import { TICKET_COLUMNS, TicketColumns } from '../entry/TicketColumns.tsx';
import { TicketWarnings } from '../entry/TicketWarnings.tsx';
import { useDeadPair } from '../entry/use-dead-pair.ts';
import { useSendAsked } from '../entry/use-send-asked.ts';
import { VisitorButtons } from '../entry/VisitorButtons.tsx';
import { useTicketKeys } from '../keys/use-ticket-keys.ts';
import type { LiveMarket } from '../live/live-market.ts';
import { TicketTop } from '../TicketTop.tsx';
import { AvailableLine, FundsAdvice, SideAndType } from '../ticket/OrderTicket.tsx';
import { PairSend } from '../ticket/PairSend.tsx';
import { pairAction } from '../ticket/pair-words.ts';
import { PercentSlider, SizeField } from '../ticket/TicketFields.tsx';
import { TicketStats } from '../ticket/TicketStats.tsx';
import { type TicketWorld, useTicketFacts } from '../ticket/use-ticket-facts.ts';
import { RestingSelect, ScaledFields, SizeError, SkewField } from './ScaledFields.tsx';
import { ScaledList, ScaledOutcome } from './ScaledList.tsx';

/** What the ordinary ticket would send at a price: the whole of it, for figures and for what must be paid. */
function atPrice(ticket: TicketState, price: string): TicketState {
  const { LIMIT } = ORDER_TYPE;
  return { ...ticket, type: LIMIT, price, visible: '', timeInForce: scaledTimeInForce(ticket.timeInForce) };
}

/** Everything about the orders that follows from ticket and world. */
function useScaled(store: TicketStore, world: TicketWorld) {
  const { ticket } = useStore(store);
  const entry = useStore(scaledTicketStore, (state) => state.entry);
  const facts = world.shown;
  const { instrument } = facts;
  const { side, quantity } = requestOf(atPrice(ticket, ticket.price), facts);
  const scene: ScaledScene = {
    ...{ instrument, side, quantity, from: ticket.price, timeInForce: ticket.timeInForce },
    ...{ market: facts, ignored: [] },
  };
  const order = scaledOrderOf(entry, scene);
  const parts = scaledList(entry, scene);
  const average = averagePrice(parts, instrument);
  const price =
    average === undefined ? ticket.price : formatAmountFixed(average, decimalsOf(instrument.tickSize));
  const whole = atPrice(ticket, price);
  const poor =
    parts.length > 0 && ticketErrors(whole, facts).some(({ name }) => name === 'balance-insufficient');
  const warnings =
    order === undefined ? [] : throughBookWarning({ ...facts, side, price: keenestPrice(order, side) });
  return {
    ...{ ticket, entry, facts, scene, order, parts, whole, poor, warnings, side },
    errors: scaledErrors(entry, scene),
  };
}

/** Sending, and asking before it where there is something to ask. */
function useSend(
  store: TicketStore,
  now: ReturnType<typeof useScaled>,
  {
    form,
    onSent,
    instrument,
    known,
  }: {
    readonly form: RefObject<HTMLElement | null>;
    readonly onSent: (() => void) | undefined;
    readonly instrument: ListedInstrument;
    /** The first prices are here. */
    readonly known: boolean;
  },
) {
  const member = useStore(sessionStore, isMember);
  const confirm = useAsksFirst('scaled');
  const sending = useStore(scaledTicketStore, (state) => state.sending);
  const [confirming, setConfirming] = useState(false);
  const { order, ticket, facts, side, errors, poor, warnings } = now;
  const { platform, symbol } = facts.instrument;
  const dead = useDeadPair(instrument, !known);
  const send = (): void => {
    setConfirming(false);
    if (order === undefined) return;
    const { from, to, quantity, count, skew } = order;
    const asked = {
      ...{ platformType: platformFacts(platform).platformType, tinstType: 1, symbol, side, count, skew },
      ...{ from: formatAmount(from), to: formatAmount(to), quantity: formatAmount(quantity) },
      timeInForce: scaledTimeInForce(ticket.timeInForce),
    } as const;
    void sendScaled(platform, asked).then((all) => {
      if (scaledTicketStore.getState().refused !== '') return;
      store.getState().act({ kind: 'sent' }, facts);
      store.getState().setTried(false);
      if (all) onSent?.();
    });
  };
  const submit = (): void => {
    if (!member || sending || dead !== undefined) return;
    store.getState().setTried(true);
    const [wrong] = errors;
    if (wrong !== undefined) focusField(form.current, wrong.field);
    else if (poor || !facts.platformOpen) focusField(form.current, 'size');
    else if (confirm || warnings.some(({ grave }) => grave)) setConfirming(true);
    else send();
  };
  return { submit, send, sending, dead, confirming, stop: () => setConfirming(false) };
}

/** The button, what became of the last one, what to do about too little money, and the question before sending. */
function SendEnd(props: {
  readonly now: ReturnType<typeof useScaled>;
  readonly sent: ReturnType<typeof useSend>;
  readonly instrument: ListedInstrument;
  readonly onSent: (() => void) | undefined;
  readonly children: ReactNode;
}) {
  const { now, sent, instrument, onSent, children } = props;
  const { entry, facts, side, ticket, poor, warnings } = now;
  const text = useText();
  const member = useStore(sessionStore, isMember);
  const buying = side === SIDE.BUY;
  const verb = pairAction(text, { ...ticket, side, type: ORDER_TYPE.LIMIT }, instrument);
  const action = text('trade.scaled.action', { action: verb, count: Number(entry.count) || 0 });
  const tone = buying ? 'up' : 'down';
  const venue = platformFacts(instrument.platform).name;
  const sentence = `${text(`trade.ticket.tif.${scaledTimeInForce(ticket.timeInForce)}`)} · ${venue}`;
  if (!member) return <VisitorButtons />;
  return (
    <>
      <div className="sticky bottom-0 z-10 flex flex-col bg-panel py-1">
        <PairSend
          {...{ action, sentence, tone }}
          dead={sent.dead}
          state="scaled-state"
          still={sent.sending || sent.dead !== undefined}
          busy={sent.sending}
          onSend={sent.submit}
        />
      </div>
      <ScaledOutcome onSent={onSent} />
      {(poor || (buying && facts.availableQuote === ZERO)) && <FundsAdvice instrument={instrument} />}
      <ConfirmToggle kind="scaled" />
      {sent.confirming && (
        <ConfirmOrder
          kind="scaled"
          {...{ action, sentence, tone, warnings }}
          onClose={sent.stop}
          onConfirm={sent.send}
        >
          {children}
        </ConfirmOrder>
      )}
    </>
  );
}

/** The ticket of a pair's scaled order. Its first price, side and size are those of the ordinary ticket. */
export function ScaledPair(props: {
  readonly store: TicketStore;
  readonly market: LiveMarket;
  readonly instrument: ListedInstrument;
  readonly onSent?: () => void;
}) {
  const { store, market, instrument, onSent } = props;
  const text = useText();
  const world = useTicketFacts(market, instrument);
  const member = useStore(sessionStore, isMember);
  const tried = useStore(store, (slice) => slice.tried);
  const form = useRef<HTMLElement>(null);
  const now = useScaled(store, world);
  const { ticket, entry, facts, scene, parts, whole, warnings, side } = now;
  const act = (action: TicketAction): void => {
    if (action.kind === 'percent') {
      // A share of what the orders may come to together, not of one at the first price.
      const { quantity, percent } = reduce(whole, action, world.read());
      store.setState((slice) => ({ ticket: { ...slice.ticket, quantity, percent } }));
    } else store.getState().act(action, world.read());
  };
  const sent = useSend(store, now, { form, onSent, instrument, known: world.known });
  const toMarket = () => changeTradeSettings({ orderKind: 2 });
  const more = { 'trade.marketBuy': toMarket, 'trade.marketSell': toMarket };
  useSendAsked(sent.submit);
  useTicketKeys(form, { side, act, best: world.read, submit: sent.submit, more });
  const errors = member ? now.errors.filter((error) => tried || error.missing !== true) : [];
  const stats = (
    <>
      <ScaledList {...{ parts, instrument }} />
      <TicketStats ticket={whole} summary={summarise(whole, facts)} instrument={instrument} />
    </>
  );
  return (
    <section ref={form} data-ticket="" aria-label={text('trade.ticket.label')} className={TICKET_COLUMNS}>
      <TicketColumns
        stats={
          <>
            {stats}
            <TicketWarnings warnings={warnings} />
          </>
        }
        end={<SendEnd {...{ now, sent, instrument, onSent }}>{stats}</SendEnd>}
      >
        <TicketTop {...{ market, instrument }} onPrice={(price) => act({ kind: 'pick-price', price })}>
          <SideAndType ticket={ticket} act={act} />
          {member && <AvailableLine world={world} store={store} />}
        </TicketTop>
        <ScaledFields
          {...{ entry, scene, errors }}
          onFrom={(price) => act({ kind: 'write', field: 'price', text: price })}
          onBest={() => act({ kind: 'best' })}
          onEnter={sent.submit}
        />
        <SizeField
          {...{ instrument, act, errors: [] }}
          ticket={{ ...ticket, type: ORDER_TYPE.LIMIT }}
          onEnter={sent.submit}
        />
        <SizeError errors={errors} />
        {member && <PercentSlider percent={percentShown(whole, facts)} act={act} />}
        <SkewField skew={entry.skew} />
        <RestingSelect
          value={ticket.timeInForce}
          onChange={(timeInForce) => act({ kind: 'time-in-force', timeInForce })}
        />
      </TicketColumns>
    </section>
  );
}
