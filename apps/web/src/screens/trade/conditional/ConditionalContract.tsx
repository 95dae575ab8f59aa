import '../../../i18n/later-words.ts';
import { ORDER_TYPE, SIDE } from '@crossbook/domain';
import { type RefObject, useRef, useState } from 'react';
import { useStore } from 'zustand';
import {
  type AlgoFacts,
  asksWhole,
  entryOffered,
  hasTrigger,
  meansWholePosition,
  timeOfLimit,
} from '../../../calculators/algos/algo-entry.ts';
import { algoErrors } from '../../../calculators/algos/algo-errors.ts';
import { algoWarnings } from '../../../calculators/algos/algo-warnings.ts';
import { firedOrder } from '../../../calculators/algos/fired-order.ts';
import { type ContractErrorName, contractErrors } from '../../../calculators/contracts/contract-errors.ts';
import {
  availableMargin,
  metPosition,
  summariseContract,
} from '../../../calculators/contracts/contract-summary.ts';
import {
  type ContractTicketAction,
  contractPercent,
  effectOfOrder,
  leverageOf,
  onlyCloses,
  venueQuantity,
} from '../../../calculators/contracts/contract-ticket.ts';
import { useText } from '../../../i18n/i18n.ts';
import { algoTicketStore, changeAlgoEntry } from '../../../stores/algos/algo-ticket.ts';
import { changeTradeSettings } from '../../../stores/app/settings.ts';
import type { ListedInstrument } from '../../../stores/market/instruments.ts';
import { algoOffer, spotOffer } from '../../../stores/market/market.ts';
import { isMember, sessionStore } from '../../../stores/member/session.ts';
import { loadSetting } from '../../../stores/trading/contracts/contract-settings.ts';
import type { ContractTicketStore } from '../../../stores/trading/ticket/contract-ticket.ts';
import { Checkbox } from '../../../ui/Checkbox.tsx';
import { Available } from '../contract-ticket/Available.tsx';
import { type ContractPartProps, ContractSize, ContractSlider } from '../contract-ticket/ContractFields.tsx';
import { ContractStats, FoldedStats } from '../contract-ticket/ContractStats.tsx';
import { mostText } from '../contract-ticket/ContractTicket.tsx';
import { mendsOf } from '../contract-ticket/mends.ts';
import { ReduceOnly } from '../contract-ticket/ReduceOnly.tsx';
import { Sides } from '../contract-ticket/Sides.tsx';
import { SettingChips } from '../contract-ticket/settings/SettingChips.tsx';
import { SendButton, TicketState } from '../contract-ticket/TicketEnd.tsx';
import { actionText, sendsText } from '../contract-ticket/ticket-words.ts';
import { type ContractTicketWorld, useContractFacts } from '../contract-ticket/use-contract-facts.ts';
import { useContractKeys } from '../contract-ticket/use-contract-keys.ts';
import { useDeadReason } from '../contract-ticket/use-dead-reason.ts';
import { useHedge } from '../contract-ticket/use-hedge.ts';
import { useLargest } from '../contract-ticket/use-largest.ts';
import { ConfirmOrder } from '../entry/ConfirmOrder.tsx';
import { ConfirmToggle, useAsksFirst } from '../entry/ConfirmToggle.tsx';
import { focusField } from '../entry/focus-field.ts';
import { TICKET_COLUMNS, TicketColumns } from '../entry/TicketColumns.tsx';
import { TimeInForceSelect } from '../entry/TicketEntry.tsx';
import { TicketWarnings } from '../entry/TicketWarnings.tsx';
import { useSendAsked } from '../entry/use-send-asked.ts';
import { VisitorButtons } from '../entry/VisitorButtons.tsx';
import type { LiveMarket } from '../live/live-market.ts';
import { TicketTop } from '../TicketTop.tsx';
import { AlgoFields, firesText } from './AlgoFields.tsx';
import { sendAlgo } from './send-algo.ts';
import { useTriggerPrices } from './use-trigger-prices.ts';
import { useWaiting } from './use-waiting.ts';

/** What of an order's size is wrong whenever it is sent; margin is looked at when it fires. */
const SIZE_ERRORS: ReadonlySet<ContractErrorName> = new Set([
  ...(['field-invalid', 'platform-coming-soon', 'symbol-halted', 'quantity-step'] as const),
  ...(['quantity-range', 'notional-too-small'] as const),
]);

/** Everything about the order that follows from ticket and world. */
function useConditional(store: ContractTicketStore, world: ContractTicketWorld, market: LiveMarket) {
  const { ticket } = useStore(store);
  const facts = world.shown;
  const { instrument, setting } = facts;
  const kept = useStore(algoTicketStore, ({ entry }) => entry);
  const offer = algoOffer(instrument.platform, 'SWAP');
  const entry = entryOffered(kept, offer);
  const fired = firedOrder(ticket, entry, { facts, offer });
  const summary = summariseContract(fired.ticket, fired.facts, undefined);
  const effect = effectOfOrder(ticket, setting);
  const algo: AlgoFacts = {
    ...{
      instrument,
      side: ticket.side,
      offer,
      prices: useTriggerPrices(market, instrument),
      limit: ticket.price,
    },
    ...{ timeInForce: ticket.timeInForce, waiting: useWaiting(instrument, offer) },
    quantity: summary.coins === undefined ? undefined : venueQuantity(summary.coins, instrument),
    contract: {
      ...{ effect, reduceOnly: onlyCloses(ticket, setting) },
      ...(setting === undefined
        ? {}
        : { marginMode: setting.marginMode, leverage: leverageOf(effect, setting) }),
    },
  };
  const sized = !meansWholePosition(entry, algo);
  // Its size is said by the ordinary ticket, at its own field.
  const errors = algoErrors(entry, algo).filter(({ field }) => field !== 'size');
  const context = { offer: spotOffer(instrument.platform), summary };
  const sizeErrors = contractErrors(fired.ticket, fired.facts, context)
    .filter(({ name, field }) => SIZE_ERRORS.has(name) && field !== 'price')
    .filter(({ field }) => sized || field !== 'size');
  const warnings = algoWarnings(entry, algo, metPosition(ticket, facts), sized ? summary : undefined);
  return {
    ticket,
    facts,
    hedge: useHedge(setting),
    fired,
    entry,
    algo,
    summary,
    errors,
    sizeErrors,
    sized,
    effect,
    warnings,
  };
}

/** The largest size once it fires, and what is done to the ticket with it. */
function useSizing(
  store: ContractTicketStore,
  { fired, entry, algo: { offer } }: ReturnType<typeof useConditional>,
  read: ContractTicketWorld['read'],
) {
  const largest = useLargest(fired.ticket, fired.facts);
  const act = (action: ContractTicketAction): void => {
    const facts = read();
    const at = firedOrder(store.getState().ticket, entry, { facts, offer });
    const size = largest(at.ticket, at.facts)?.size;
    store.getState().act(action, { ...facts, waitsFor: at.waitsFor, largest: size });
  };
  return { most: largest(fired.ticket, fired.facts), act };
}

/** Size, its share, and whether it may open anything. */
function Sizes(props: {
  readonly part: ContractPartProps;
  readonly now: ReturnType<typeof useConditional>;
  readonly most: Parameters<typeof mostText>[1]['most'];
}) {
  const { part, now, most } = props;
  const { ticket, facts, hedge, entry, algo, summary, sized, effect } = now;
  const text = useText();
  const { act } = part;
  const closes = onlyCloses(ticket, facts.setting);
  const wholeOffered = asksWhole(entry, algo.offer, effect) && (!hedge || closes);
  return (
    <>
      {sized && (
        <>
          <ContractSize {...part} sends={sendsText(text, ticket, { facts, summary })} />
          <ContractSlider
            percent={contractPercent(ticket, { ...now.fired.facts, largest: most?.size })}
            onPercent={(percent) => act({ kind: 'percent', percent })}
            most={mostText(text, { ticket, facts, most })}
          />
        </>
      )}
      <div className="flex flex-wrap items-center gap-x-4 gap-y-1">
        {wholeOffered && (
          <Checkbox
            label={text('trade.algo.whole')}
            checked={entry.whole}
            onChange={(event) => changeAlgoEntry({ whole: event.target.checked })}
            className="max-lg:py-2"
          />
        )}
        {!hedge && sized && <ReduceOnly checked={ticket.reduceOnly} act={act} />}
      </div>
      {!entry.market && hasTrigger(entry.choice) && (
        <TimeInForceSelect
          value={timeOfLimit(entry, algo)}
          offered={algo.offer.limitTimes}
          onChange={(timeInForce) => act({ kind: 'time-in-force', timeInForce })}
        />
      )}
    </>
  );
}

/** Sending, and asking before it where the member wants to be asked. */
function useSend(
  store: ContractTicketStore,
  now: ReturnType<typeof useConditional>,
  context: {
    readonly dead: string | undefined;
    readonly form: RefObject<HTMLElement | null>;
    readonly onSent: (() => void) | undefined;
  },
) {
  const { dead, form, onSent } = context;
  const member = useStore(sessionStore, isMember);
  const confirm = useAsksFirst('conditional');
  const sending = useStore(store, (slice) => slice.sending);
  const [confirming, setConfirming] = useState(false);
  const send = (): void => {
    setConfirming(false);
    void sendAlgo(store.getState, now.entry, now.algo).then((accepted) => {
      if (!accepted) return;
      store.getState().sent();
      onSent?.();
    });
  };
  const inFlight = sending.phase === 'sending';
  const submit = (): void => {
    if (!member || inFlight || dead !== undefined) return;
    store.getState().setTried(true);
    const [wrong] = now.errors;
    if (wrong !== undefined || now.sizeErrors.length > 0) focusField(form.current, wrong?.field ?? 'size');
    else if (confirm) setConfirming(true);
    else send();
  };
  return { submit, send, sending, inFlight, confirming, stop: () => setConfirming(false) };
}

/** The ticket of a contract order that waits for a price. Size, side and settings are those of the ordinary ticket. */
export function ConditionalContract(props: {
  readonly store: ContractTicketStore;
  readonly market: LiveMarket;
  readonly instrument: ListedInstrument;
  readonly onSent?: () => void;
}) {
  const { store, market, instrument, onSent } = props;
  const text = useText();
  const world = useContractFacts(market, instrument);
  const member = useStore(sessionStore, isMember);
  const tried = useStore(store, (slice) => slice.tried);
  const now = useConditional(store, world, market);
  const { ticket, facts, entry, algo, summary } = now;
  const { setting } = facts;
  const form = useRef<HTMLElement>(null);
  const { most, act } = useSizing(store, now, world.read);
  const { reason, doubt } = useDeadReason(world, instrument, {
    closes: onlyCloses(ticket, setting) || !now.sized,
    waits: world.known && !now.errors.some(({ name }) => name === 'price-missing') ? undefined : 'figures',
  });
  const dead = member && reason !== undefined ? text(reason.id, reason.values) : undefined;
  const sent = useSend(store, now, { dead, form, onSent });
  const warnings = member && dead === undefined ? now.warnings : [];
  const toMarket = () => changeTradeSettings({ orderKind: 2 });
  const more = { 'trade.marketBuy': toMarket, 'trade.marketSell': toMarket };
  useSendAsked(sent.submit);
  useContractKeys(form, act, { ticket, facts: world.read, submit: sent.submit, more });
  const shown = now.errors.filter((error) => tried || error.missing !== true);
  const sizeErrors = now.sizeErrors.filter((error) => tried || error.missing !== true);
  const mend = mendsOf(store, world.read, text);
  const part = { ticket, instrument, errors: sizeErrors, act, onEnter: sent.submit, mend };
  const kind = text(`trade.algo.choice.${entry.choice}`);
  const action = now.sized
    ? `${actionText(text, { ...ticket, percent: undefined }, { facts, summary })} · ${kind}`
    : `${text('trade.algo.whole')} · ${kind}`;
  const sentence = firesText(text, entry, algo) ?? kind;
  const tone = ticket.side === SIDE.BUY ? 'up' : 'down';
  const wrong = shown.find(({ field }) => field === 'form');
  const rows = (
    <ContractStats {...{ instrument, summary, mark: facts.mark }} walk={undefined} market={false} />
  );
  return (
    <section ref={form} data-ticket="" aria-label={text('trade.ticket.label')} className={TICKET_COLUMNS}>
      <TicketColumns
        stats={
          <>
            {now.sized && <FoldedStats {...{ instrument, summary }}>{rows}</FoldedStats>}
            <p className="text-[11px] leading-4 max-lg:text-xs text-faint">
              {text(entry.choice === 'iceberg' ? 'trade.slices.margin' : 'trade.algo.free')}
            </p>
            <TicketWarnings warnings={warnings} />
          </>
        }
        end={
          <>
            <div className="sticky bottom-0 z-10 flex flex-col gap-1.5 bg-panel py-1">
              {member ? (
                <SendButton {...{ action, sentence, tone, sent }} dead={dead !== undefined} />
              ) : (
                <VisitorButtons />
              )}
              {wrong !== undefined && (
                <p role="status" className="text-xs text-danger">
                  {text(`trade.algo.error.${wrong.name}`, { allowed: wrong.allowed })}
                </p>
              )}
              <TicketState
                {...{ sending: sent.sending, dead, doubt }}
                error={sizeErrors.find((error) => error.field === 'form')}
                onRetry={() => void loadSetting(instrument)}
                failed={reason?.id === 'trade.contract.dead.failed'}
              />
            </div>
            {member && <ConfirmToggle kind="conditional" />}
            {sent.confirming && (
              <ConfirmOrder
                kind="conditional"
                {...{ action, sentence, tone }}
                warnings={warnings}
                onClose={sent.stop}
                onConfirm={sent.send}
              >
                {now.sized ? rows : null}
              </ConfirmOrder>
            )}
          </>
        }
      >
        {member && (
          <SettingChips facts={facts} failed={world.settingStatus === 'failed'} effect={now.effect} />
        )}
        <TicketTop {...{ market, instrument }} onPrice={(price) => act({ kind: 'pick-price', price })}>
          <Sides ticket={{ ...ticket, type: ORDER_TYPE.LIMIT }} hedge={now.hedge} act={act} />
          {member && <Available amount={availableMargin(facts)} instrument={instrument} />}
        </TicketTop>
        <AlgoFields
          {...{ entry, facts: algo, errors: shown }}
          onLimit={(price) => act({ kind: 'write', field: 'price', text: price })}
          onEnter={sent.submit}
        />
        <Sizes {...{ part, now, most }} />
      </TicketColumns>
    </section>
  );
}
