import '../../../i18n/later-words.ts';
import { platformFacts, SIDE, ZERO } from '@crossbook/domain';
import { type RefObject, useRef, useState } from 'react';
import { useStore } from 'zustand';
import {
  type AlgoFacts,
  entryOffered,
  hasTrigger,
  timeOfLimit,
} from '../../../calculators/algos/algo-entry.ts';
import { algoErrors } from '../../../calculators/algos/algo-errors.ts';
import { percentShown, requestOf, summarise, type TicketAction } from '../../../calculators/ticket/ticket.ts';
import { type TicketError, ticketErrors } from '../../../calculators/ticket/ticket-errors.ts';
import { useText } from '../../../i18n/i18n.ts';
import { algoTicketStore } from '../../../stores/algos/algo-ticket.ts';
import { changeTradeSettings } from '../../../stores/app/settings.ts';
import type { ListedInstrument } from '../../../stores/market/instruments.ts';
import { algoOffer } from '../../../stores/market/market.ts';
import { isMember, sessionStore } from '../../../stores/member/session.ts';
import type { TicketStore } from '../../../stores/trading/ticket/ticket.ts';
import { ConfirmOrder } from '../entry/ConfirmOrder.tsx';
import { ConfirmToggle, useAsksFirst } from '../entry/ConfirmToggle.tsx';
import { focusField } from '../entry/focus-field.ts';
import { TICKET_COLUMNS, TicketColumns } from '../entry/TicketColumns.tsx';
import { TimeInForceSelect } from '../entry/TicketEntry.tsx';
import { useDeadPair } from '../entry/use-dead-pair.ts';
import { useSendAsked } from '../entry/use-send-asked.ts';
import { VisitorButtons } from '../entry/VisitorButtons.tsx';
import { useTicketKeys } from '../keys/use-ticket-keys.ts';
import type { LiveMarket } from '../live/live-market.ts';
import { TicketTop } from '../TicketTop.tsx';
import { AvailableLine, FundsAdvice, SendState, SideAndType } from '../ticket/OrderTicket.tsx';
import { PairSend } from '../ticket/PairSend.tsx';
import { pairAction } from '../ticket/pair-words.ts';
import { PercentSlider, SizeField } from '../ticket/TicketFields.tsx';
import { TicketStats } from '../ticket/TicketStats.tsx';
import { type TicketWorld, useTicketFacts } from '../ticket/use-ticket-facts.ts';
import { AlgoFields, firesText } from './AlgoFields.tsx';
import { sendAlgo } from './send-algo.ts';
import { useTriggerPrices } from './use-trigger-prices.ts';
import { useWaiting } from './use-waiting.ts';

/** What of the ordinary ticket's errors is about an order that waits too: its size and the money for it. */
function isOfSize({ name, field }: TicketError): boolean {
  return field !== 'price' && field !== 'visible' && name !== 'venue-refused' && name !== 'price-stale';
}

/** Everything about the order that follows from ticket and world. */
function useConditional(store: TicketStore, world: TicketWorld, market: LiveMarket) {
  const { ticket } = useStore(store);
  const facts = world.shown;
  const { instrument } = facts;
  const kept = useStore(algoTicketStore, ({ entry }) => entry);
  const offer = algoOffer(instrument.platform, 'SPOT');
  const entry = entryOffered(kept, offer);
  const { side, quantity } = requestOf(ticket, facts);
  const algo: AlgoFacts = {
    ...{
      instrument,
      side,
      offer,
      prices: useTriggerPrices(market, instrument),
      limit: ticket.price,
      quantity,
    },
    ...{ timeInForce: ticket.timeInForce, waiting: useWaiting(instrument, offer) },
  };
  // Its size is said by the ordinary ticket, at its own field.
  const errors = algoErrors(entry, algo).filter(({ field }) => field !== 'size');
  const sizeErrors = ticketErrors(ticket, facts).filter(isOfSize);
  return { ticket, facts, entry, algo, errors, sizeErrors };
}

/** Sending, and asking before it where the member wants to be asked. */
function useSend(
  store: TicketStore,
  { entry, algo, errors, sizeErrors }: ReturnType<typeof useConditional>,
  context: {
    readonly dead: string | undefined;
    readonly form: RefObject<HTMLElement | null>;
    readonly onSent: (() => void) | undefined;
  },
) {
  const { dead, form, onSent } = context;
  const member = useStore(sessionStore, isMember);
  const inFlight = useStore(store, ({ sending }) => sending.phase === 'sending');
  const asks = useAsksFirst('conditional');
  const [confirming, setConfirming] = useState(false);
  const send = (): void => {
    setConfirming(false);
    void sendAlgo(store.getState, entry, algo).then((accepted) => {
      if (!accepted) return;
      store.setState((slice) => ({ ticket: { ...slice.ticket, quantity: '', percent: undefined } }));
      onSent?.();
    });
  };
  const submit = (): void => {
    if (!member || inFlight || dead !== undefined) return;
    store.getState().setTried(true);
    const [wrong] = errors;
    if (wrong !== undefined || sizeErrors.length > 0) focusField(form.current, wrong?.field ?? 'size');
    else if (asks) setConfirming(true);
    else send();
  };
  return { submit, send, inFlight, confirming, stop: () => setConfirming(false) };
}

/** The ticket of a pair's order that waits for a price. Side and size are those of the ordinary ticket. */
export function ConditionalPair(props: {
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
  const now = useConditional(store, world, market);
  const { ticket, facts, entry, algo } = now;
  const form = useRef<HTMLElement>(null);
  const act = (action: TicketAction): void => store.getState().act(action, world.read());
  const unpriced = now.errors.some(({ name }) => name === 'price-missing');
  const dead = useDeadPair(instrument, !world.known || unpriced);
  const { submit, inFlight, ...sent } = useSend(store, now, { dead, form, onSent });
  const toMarket = () => changeTradeSettings({ orderKind: 2 });
  const more = { 'trade.marketBuy': toMarket, 'trade.marketSell': toMarket };
  useSendAsked(submit);
  useTicketKeys(form, { side: ticket.side, act, best: world.read, submit, more });
  const shown = now.errors.filter((error) => tried || error.missing !== true);
  const sizeErrors = member ? now.sizeErrors.filter((error) => tried || error.missing !== true) : [];
  const part = { ticket, instrument, errors: sizeErrors, act, onEnter: submit };
  const buying = ticket.side === SIDE.BUY;
  const summary = summarise(ticket, facts);
  const kind = text(`trade.algo.choice.${entry.choice}`);
  const action = `${pairAction(text, ticket, instrument)} · ${kind}`;
  const sentence = platformFacts(instrument.platform).name;
  const tone = buying ? 'up' : 'down';
  const wrong = shown.find(({ field }) => field === 'form');
  const poor =
    sizeErrors.some((error) => error.name === 'balance-insufficient') ||
    (member && buying && summary.available === ZERO);
  return (
    <section ref={form} data-ticket="" aria-label={text('trade.ticket.label')} className={TICKET_COLUMNS}>
      <TicketColumns
        stats={
          <>
            <TicketStats ticket={ticket} summary={summary} instrument={instrument} />
            <p className="text-[11px] leading-4 max-lg:text-xs text-faint">
              {text(entry.choice === 'iceberg' ? 'trade.slices.held' : 'trade.algo.locks')}
            </p>
          </>
        }
        end={
          <>
            {member ? (
              <div className="sticky bottom-0 z-10 flex flex-col gap-2 bg-panel py-1">
                <PairSend
                  {...{ action, sentence, dead }}
                  still={inFlight || dead !== undefined}
                  tone={tone}
                  busy={inFlight}
                  onSend={submit}
                />
              </div>
            ) : (
              <VisitorButtons />
            )}
            {wrong !== undefined && (
              <p role="status" className="text-xs text-danger">
                {text(`trade.algo.error.${wrong.name}`, { allowed: wrong.allowed })}
              </p>
            )}
            <SendState store={store} formError={sizeErrors.find((error) => error.field === 'form')} />
            {poor && <FundsAdvice instrument={instrument} />}
            {member && <ConfirmToggle kind="conditional" />}
            {sent.confirming && (
              <ConfirmOrder
                kind="conditional"
                {...{ action, tone }}
                sentence={`${sentence} · ${firesText(text, entry, algo) ?? kind}`}
                warnings={[]}
                onClose={sent.stop}
                onConfirm={sent.send}
              >
                <TicketStats ticket={ticket} summary={summary} instrument={instrument} />
              </ConfirmOrder>
            )}
          </>
        }
      >
        <TicketTop {...{ market, instrument }} onPrice={(price) => act({ kind: 'pick-price', price })}>
          <SideAndType ticket={ticket} act={act} />
          {member && <AvailableLine world={world} store={store} />}
        </TicketTop>
        <AlgoFields
          {...{ entry, facts: algo, errors: shown }}
          onLimit={(price) => act({ kind: 'write', field: 'price', text: price })}
          onEnter={submit}
        />
        <SizeField {...part} />
        {member && <PercentSlider percent={percentShown(ticket, facts)} act={act} />}
        {!entry.market && hasTrigger(entry.choice) && (
          <TimeInForceSelect
            value={timeOfLimit(entry, algo)}
            offered={algo.offer.limitTimes}
            onChange={(timeInForce) => act({ kind: 'time-in-force', timeInForce })}
          />
        )}
      </TicketColumns>
    </section>
  );
}
