import { decimalsOf, ORDER_TYPE, platformFacts, SIDE, ZERO } from '@crossbook/domain';
import { Link } from '@tanstack/react-router';
import { type RefObject, useEffect, useRef, useState } from 'react';
import { useStore } from 'zustand';
import { confirmKindOf } from '../../../calculators/ticket/confirm-kinds.ts';
import {
  firstOrder,
  maxSize,
  percentShown,
  requestOf,
  summarise,
  type TicketAction,
  type TicketState,
  type TicketSummary,
} from '../../../calculators/ticket/ticket.ts';
import { type TicketError, ticketErrors } from '../../../calculators/ticket/ticket-errors.ts';
import {
  slippageWarning,
  type TicketWarning,
  throughBookWarning,
} from '../../../calculators/ticket/ticket-warnings.ts';
import { useText } from '../../../i18n/i18n.ts';
import { bootConfig, isPaper } from '../../../stores/app/boot.ts';
import { changeTradeSettings } from '../../../stores/app/settings.ts';
import type { ListedInstrument } from '../../../stores/market/instruments.ts';
import { roleBeside } from '../../../stores/member/own-service.ts';
import { isMember, sessionStore } from '../../../stores/member/session.ts';
import type { TicketStore } from '../../../stores/trading/ticket/ticket.ts';
import { getTestFunds } from '../../../stores/wallet/transfers.ts';
import { Button, buttonClass } from '../../../ui/Button.tsx';
import { classNames } from '../../../ui/class-names.ts';
import { type OrderBracket, OrderTargets, useOrderBracket } from '../algos/OrderTargets.tsx';
import { Words } from '../entry/Answer.tsx';
import { ConfirmOrder } from '../entry/ConfirmOrder.tsx';
import { ConfirmToggle, useAsksFirst } from '../entry/ConfirmToggle.tsx';
import { focusField } from '../entry/focus-field.ts';
import { KindSegments } from '../entry/KindSegments.tsx';
import { Segments } from '../entry/Segments.tsx';
import { TICKET_COLUMNS, TicketColumns } from '../entry/TicketColumns.tsx';
import { TicketWarnings } from '../entry/TicketWarnings.tsx';
import { useDeadPair } from '../entry/use-dead-pair.ts';
import { useEarlyShare } from '../entry/use-early-share.ts';
import { useFirstPrice } from '../entry/use-first-price.ts';
import { useSendAsked } from '../entry/use-send-asked.ts';
import { VisitorButtons } from '../entry/VisitorButtons.tsx';
import { useTicketKeys } from '../keys/use-ticket-keys.ts';
import type { LiveMarket } from '../live/live-market.ts';
import { TicketTop } from '../TicketTop.tsx';
import { PairSend } from './PairSend.tsx';
import { pairAction, pairSentence } from './pair-words.ts';
import { sendTicket } from './send-order.ts';
import {
  IcebergField,
  nameOfField,
  PercentSlider,
  PriceField,
  SizeField,
  type TicketPartProps,
  TimeInForceField,
  useErrorText,
} from './TicketFields.tsx';
import { shownAmount, TicketStats } from './TicketStats.tsx';
import { type TicketWorld, useTicketFacts } from './use-ticket-facts.ts';

/** Test funds that one click puts on the platform. */
const TEST_FUNDS_FOR_TRADING = '10000';

/** On a stranger's first visit the whole ticket is filled in. */
function useFirstFill(store: TicketStore, world: TicketWorld, wanted: boolean): boolean {
  const [filled, setFilled] = useState(false);
  // Without money one click could not buy: the ticket is filled in when the funds have arrived.
  const { availableQuote = ZERO } = world.shown;
  const ready = availableQuote > ZERO && world.shown.bestAsk !== undefined;
  useEffect(() => {
    if (!wanted || filled || !ready) return;
    store.getState().fill(firstOrder(world.read()));
    setFilled(true);
  }, [wanted, filled, ready, store, world.read]);
  return filled;
}

export function AvailableLine(props: { readonly world: TicketWorld; readonly store: TicketStore }) {
  const { world, store } = props;
  const text = useText();
  const side = useStore(store, (slice) => slice.ticket.side);
  const { instrument, availableBase, availableQuote } = world.shown;
  const buying = side === SIDE.BUY;
  const asset = buying ? instrument.quote : instrument.base;
  const decimals = buying ? Math.max(2, decimalsOf(instrument.tickSize)) : decimalsOf(instrument.lotSize);
  return (
    <div className="flex items-center justify-between text-xs">
      <span className="text-faint">{text('trade.ticket.available')}</span>
      <button
        type="button"
        title={text('trade.ticket.useMax')}
        onClick={() => store.getState().act({ kind: 'percent', percent: 100 }, world.read())}
        className="rounded-sm tabular-nums hover:underline max-lg:min-h-11"
      >
        {shownAmount(buying ? availableQuote : availableBase, decimals)}{' '}
        <span className="text-faint">{asset}</span>
      </button>
    </div>
  );
}

/** What to do about too little money. */
export function FundsAdvice({ instrument }: { readonly instrument: ListedInstrument }) {
  const text = useText();
  const [asking, setAsking] = useState(false);
  const paper = isPaper(bootConfig());
  const ask = async (): Promise<void> => {
    setAsking(true);
    await getTestFunds(platformFacts(instrument.platform).platformType, TEST_FUNDS_FOR_TRADING);
    setAsking(false);
  };
  return (
    <div className="flex flex-wrap gap-2">
      <p className="basis-full text-xs text-soft">{text('trade.ticket.insufficient')}</p>
      {paper && (
        <Button size="small" busy={asking} onClick={() => void ask()} className="max-lg:h-11">
          {text('trade.ticket.testFunds')}
        </Button>
      )}
      <Link to="/wallet/TransferSub" className={classNames(buttonClass('plain', 'small'), 'max-lg:h-11')}>
        {text(paper ? 'trade.ticket.transfer' : 'trade.ticket.deposit')}
      </Link>
    </div>
  );
}

/** Buy or sell, limit or market. */
export function SideAndType({ ticket, act }: Pick<TicketPartProps, 'ticket' | 'act'>) {
  const text = useText();
  return (
    <>
      <Segments
        label={text('trade.ticket.side')}
        value={ticket.side}
        onChange={(side) => act({ kind: 'side', side })}
        options={[
          { value: SIDE.BUY, label: text('trade.ticket.buy'), className: 'bg-up text-on-up' },
          { value: SIDE.SELL, label: text('trade.ticket.sell'), className: 'bg-down text-on-down' },
        ]}
      />
      <KindSegments type={ticket.type} act={act} />
    </>
  );
}

/** Errors that are shown: what is missing, and what only a sized order can break, after sending was tried. */
function shownErrors(all: readonly TicketError[], tried: boolean): readonly TicketError[] {
  if (tried) return all;
  const unsized = all.some((error) => error.missing === true && error.field !== 'price');
  return all.filter((error) => error.missing !== true && !(unsized && error.name === 'venue-refused'));
}

export function SendState({
  store,
  formError,
}: {
  readonly store: TicketStore;
  readonly formError: TicketError | undefined;
}) {
  const text = useText();
  const errorText = useErrorText();
  const sending = useStore(store, (slice) => slice.sending);
  const message =
    sending.phase === 'unknown'
      ? text('trade.ticket.unknown')
      : sending.phase === 'refused'
        ? undefined
        : formError === undefined
          ? undefined
          : errorText(formError);
  return (
    <div
      id="ticket-state"
      role={roleBeside('status', sending.phase === 'refused' ? sending.message : undefined)}
      className={classNames('text-xs', sending.phase === 'unknown' ? 'text-warning' : 'text-danger')}
    >
      {message}
      {sending.phase === 'refused' && <Words message={sending.message} code={sending.venue?.venueCode} />}
    </div>
  );
}

/** Take-profit and stop-loss of a pair's order. */
function usePairBracket(ticket: TicketState, summary: TicketSummary, instrument: ListedInstrument) {
  const { side } = ticket;
  const { price: entry, quantity: size } = summary;
  const { tickSize, takerFee: feeRate } = instrument;
  const targets = { instrument, side, scene: { side, entry, size, leverage: 1, tickSize, feeRate } };
  return { targets, bracket: useOrderBracket(targets, true) };
}

/** Sending, and asking before it where there is something to ask. */
function useSubmit(
  store: TicketStore,
  world: TicketWorld,
  context: {
    readonly form: RefObject<HTMLElement | null>;
    readonly bracket: OrderBracket;
    readonly warnings: readonly TicketWarning[];
    /** Nothing can be sent now. */
    readonly still: boolean;
    readonly onSent: (() => void) | undefined;
  },
) {
  const { form, bracket, warnings, still, onSent } = context;
  const member = useStore(sessionStore, isMember);
  const confirm = useAsksFirst(useStore(store, ({ ticket }) => confirmKindOf(ticket.type)));
  const [confirming, setConfirming] = useState(false);
  const { platform, symbol } = world.shown.instrument;
  const send = (): void => {
    setConfirming(false);
    void sendTicket(store, platform, symbol, bracket.fields).then(() => {
      if (store.getState().sending.phase === 'idle') onSent?.();
    });
  };
  const submit = (): void => {
    if (!member || still) return;
    store.getState().setTried(true);
    const [wrong] = ticketErrors(store.getState().ticket, world.pressed());
    if (wrong !== undefined) focusField(form.current, nameOfField(wrong.field));
    else if (bracket.error !== undefined) focusField(form.current, bracket.error.field);
    else if (confirm || warnings.some((warning) => warning.grave)) setConfirming(true);
    else send();
  };
  return { submit, send, confirming, stop: () => setConfirming(false) };
}

/** The ticket: everything it thinks is in `calculators/ticket.ts`, everything it remembers in its store. */
export function OrderTicket(props: {
  readonly store: TicketStore;
  readonly market: LiveMarket;
  readonly instrument: ListedInstrument;
  /** Fill in a sensible small buy: the stranger's first minute. */
  readonly firstVisit: boolean;
  readonly onSent?: () => void;
}) {
  const { store, market, instrument, firstVisit, onSent } = props;
  const text = useText();
  const world = useTicketFacts(market, instrument);
  const waits = useFirstPrice(store, world);
  const filledIn = useFirstFill(store, world, firstVisit);
  const member = useStore(sessionStore, isMember);
  const { ticket, sending, tried } = useStore(store);
  const act = (action: TicketAction): void => store.getState().act(action, world.read());
  const all = member ? ticketErrors(ticket, world.shown) : [];
  const errors = shownErrors(all, tried);
  const summary = summarise(ticket, world.shown);
  const buying = ticket.side === SIDE.BUY;
  const needsFunds =
    errors.some((error) => error.name === 'balance-insufficient') ||
    (sending.phase === 'refused' && sending.venue?.cause === 'balance-insufficient') ||
    (member && buying && summary.available === ZERO);
  const inFlight = sending.phase === 'sending' || sending.phase === 'unknown';
  const dead = useDeadPair(instrument, waits !== undefined);
  // No input is wrong then, and pressing would do nothing: the sentence under the button says what is waited for.
  const still = inFlight || dead !== undefined || all.some(({ name }) => name === 'price-stale');

  const form = useRef<HTMLElement>(null);
  const { targets, bracket } = usePairBracket(ticket, summary, instrument);
  const { side, price } = requestOf(ticket, world.shown);
  const walk = world.shown.priceStale ? undefined : world.walk(side, summary.quantity);
  const warnings = member
    ? [...throughBookWarning({ ...world.shown, side, price }), ...slippageWarning(ticket.type, walk)]
    : [];
  const { submit, ...sent } = useSubmit(store, world, { form, bracket, warnings, still, onSent });
  const nextUnit = (): void => {
    const spotUnit = ticket.unit === 'base' ? 'quote' : 'base';
    act({ kind: 'unit', unit: spotUnit });
    changeTradeSettings({ spotUnit });
  };
  const keyed = { side: ticket.side, act, best: world.read, submit };
  const early = {
    known: maxSize(ticket, world.shown) !== undefined,
    empty: ticket.quantity === '' && ticket.quote === '',
  };
  useEarlyShare(ticket.percent, early, (percent) => act({ kind: 'percent', percent }));
  useSendAsked(submit);
  useTicketKeys(form, { ...keyed, more: { 'ticket.unit': nextUnit } });
  const part = { ticket, instrument, errors, act, onEnter: submit };
  const action = pairAction(text, ticket, instrument);
  const best = buying ? world.shown.bestAsk : world.shown.bestBid;
  const sentence = pairSentence(text, ticket, { summary, instrument, best });
  const tone = buying ? 'up' : 'down';
  const stats = <TicketStats ticket={ticket} summary={summary} instrument={instrument} />;
  return (
    <section ref={form} data-ticket="" aria-label={text('trade.ticket.label')} className={TICKET_COLUMNS}>
      <TicketColumns
        stats={
          <>
            {stats}
            {filledIn && ticket.quote !== '' && ticket.type === ORDER_TYPE.MARKET && (
              <p className="text-xs text-soft">{text('trade.ticket.filledIn')}</p>
            )}
            <TicketWarnings warnings={warnings} />
          </>
        }
        end={
          <>
            {member ? (
              <PairSend
                {...{ action, sentence, tone, still, dead }}
                busy={sending.phase === 'sending'}
                onSend={submit}
              />
            ) : (
              <VisitorButtons />
            )}
            <SendState store={store} formError={errors.find((error) => error.field === 'form')} />
            {needsFunds && <FundsAdvice instrument={instrument} />}
            {member && <ConfirmToggle kind={confirmKindOf(ticket.type)} />}
            {sent.confirming && (
              <ConfirmOrder
                {...{ kind: confirmKindOf(ticket.type), action, tone, sentence, warnings }}
                onClose={sent.stop}
                onConfirm={sent.send}
              >
                {stats}
              </ConfirmOrder>
            )}
          </>
        }
      >
        <TicketTop {...{ market, instrument }} onPrice={(price) => act({ kind: 'pick-price', price })}>
          <SideAndType ticket={ticket} act={act} />
          {member && <AvailableLine world={world} store={store} />}
        </TicketTop>
        <PriceField {...part} />
        <SizeField {...part} />
        {member && <PercentSlider percent={percentShown(ticket, world.shown)} act={act} />}
        <TimeInForceField ticket={ticket} act={act} />
        {member && <IcebergField {...part} />}
        {member && <OrderTargets {...{ ...targets, bracket, tried }} onEnter={submit} />}
      </TicketColumns>
    </section>
  );
}
