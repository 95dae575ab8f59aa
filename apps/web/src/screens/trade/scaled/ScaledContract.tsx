import '../../../i18n/later-words.ts';
import {
  decimalsOf,
  formatAmount,
  formatAmountFixed,
  ORDER_TYPE,
  platformFacts,
  SIDE,
} from '@crossbook/domain';
import { useRef, useState } from 'react';
import { useStore } from 'zustand';
import {
  type ContractErrorName,
  contractErrors,
  contractWarnings,
} from '../../../calculators/contracts/contract-errors.ts';
import { availableMargin, summariseContract } from '../../../calculators/contracts/contract-summary.ts';
import {
  type ContractTicketAction,
  type ContractTicketState,
  coinsOf,
  contractPercent,
  effectOfOrder,
  leverageOf,
  onlyCloses,
  venueQuantity,
} from '../../../calculators/contracts/contract-ticket.ts';
import {
  averagePrice,
  keenestPrice,
  type ScaledScene,
  scaledErrors,
  scaledList,
  scaledOrderOf,
  scaledTimeInForce,
} from '../../../calculators/ticket/scaled-entry.ts';
import { throughBookWarning } from '../../../calculators/ticket/ticket-warnings.ts';
import { useText } from '../../../i18n/i18n.ts';
import { now } from '../../../stores/app/clock.ts';
import { changeTradeSettings } from '../../../stores/app/settings.ts';
import type { ListedInstrument } from '../../../stores/market/instruments.ts';
import { spotOffer } from '../../../stores/market/market.ts';
import { isMember, sessionStore } from '../../../stores/member/session.ts';
import { loadSetting } from '../../../stores/trading/contracts/contract-settings.ts';
import { loadOpening } from '../../../stores/trading/opening.ts';
import { scaledTicketStore, sendScaled } from '../../../stores/trading/scaled-ticket.ts';
import type { ContractTicketStore } from '../../../stores/trading/ticket/contract-ticket.ts';
import { Available } from '../contract-ticket/Available.tsx';
import { ContractSize, ContractSlider } from '../contract-ticket/ContractFields.tsx';
import { ContractStats, FoldedStats } from '../contract-ticket/ContractStats.tsx';
import { mostText } from '../contract-ticket/ContractTicket.tsx';
import { mendsOf } from '../contract-ticket/mends.ts';
import { ReduceOnly } from '../contract-ticket/ReduceOnly.tsx';
import { Sides } from '../contract-ticket/Sides.tsx';
import { SettingChips } from '../contract-ticket/settings/SettingChips.tsx';
import { SendButton, TicketState } from '../contract-ticket/TicketEnd.tsx';
import { actionText, orderSentence, sendsText } from '../contract-ticket/ticket-words.ts';
import { type ContractTicketWorld, useContractFacts } from '../contract-ticket/use-contract-facts.ts';
import { useContractKeys } from '../contract-ticket/use-contract-keys.ts';
import { useDeadReason } from '../contract-ticket/use-dead-reason.ts';
import { useHedge } from '../contract-ticket/use-hedge.ts';
import { useLargest } from '../contract-ticket/use-largest.ts';
import { ConfirmOrder } from '../entry/ConfirmOrder.tsx';
import { ConfirmToggle, useAsksFirst } from '../entry/ConfirmToggle.tsx';
import { focusField } from '../entry/focus-field.ts';
import { TICKET_COLUMNS, TicketColumns } from '../entry/TicketColumns.tsx';
import { TicketWarnings } from '../entry/TicketWarnings.tsx';
import { useSendAsked } from '../entry/use-send-asked.ts';
import { VisitorButtons } from '../entry/VisitorButtons.tsx';
import type { LiveMarket } from '../live/live-market.ts';
import { TicketTop } from '../TicketTop.tsx';
import { RestingSelect, ScaledFields, SizeError, SkewField } from './ScaledFields.tsx';
import { ScaledList, ScaledOutcome } from './ScaledList.tsx';

/** What is wrong with the whole of it, as with one order of its size; its own rules are `scaledErrors`. */
const OF_WHOLE: ReadonlySet<ContractErrorName> = new Set([
  ...(['platform-coming-soon', 'nothing-to-reduce', 'close-too-large', 'tier-exceeded'] as const),
  ...(['would-liquidate', 'balance-insufficient'] as const),
]);

/** One order of the whole size at a price. All of a position is no number that could be shared out: it is sized as it is now. */
function atPrice(ticket: ContractTicketState, price: string): ContractTicketState {
  const timeInForce = scaledTimeInForce(ticket.timeInForce);
  return { ...ticket, type: ORDER_TYPE.LIMIT, price, timeInForce, percent: undefined };
}

/** Everything about the orders that follows from ticket and world. */
function useScaled(store: ContractTicketStore, world: ContractTicketWorld) {
  const { ticket: kept } = useStore(store);
  const ticket = { ...kept, type: ORDER_TYPE.LIMIT };
  const entry = useStore(scaledTicketStore, (state) => state.entry);
  const facts = world.shown;
  const { instrument, setting } = facts;
  const coins = coinsOf(ticket, { ...facts, largest: undefined });
  const closes = onlyCloses(ticket, setting);
  const offer = spotOffer(instrument.platform);
  const scene: ScaledScene = {
    ...{ instrument, side: ticket.side, from: ticket.price, timeInForce: ticket.timeInForce },
    quantity: coins === undefined ? undefined : venueQuantity(coins, instrument),
    market: { ...facts, offer },
    ignored: closes ? ['notional-too-small', 'price-stale'] : [],
  };
  const order = scaledOrderOf(entry, scene);
  const parts = scaledList(entry, scene);
  const average = averagePrice(parts, instrument);
  const price =
    average === undefined ? ticket.price : formatAmountFixed(average, decimalsOf(instrument.tickSize));
  // Sized at the first price, as the field says; in coins the price changes nothing more.
  const sized =
    coins === undefined ? ticket : { ...ticket, unit: 'coin' as const, size: formatAmount(coins) };
  const whole = atPrice(sized, price);
  const summary = summariseContract(whole, facts, undefined);
  const wrong =
    parts.length === 0
      ? []
      : contractErrors(whole, facts, { offer, summary }).filter(({ name }) => OF_WHOLE.has(name));
  const side = ticket.side;
  const keenest = order === undefined ? undefined : keenestPrice(order, side);
  const context = { summary, walk: undefined, funding: undefined, now: now() };
  const warnings = [
    ...throughBookWarning({ ...facts, side, price: keenest }),
    ...contractWarnings(whole, facts, context).filter(({ name }) => name !== 'through-book'),
  ];
  const errors = scaledErrors(entry, scene);
  return { ticket, entry, facts, scene, order, parts, whole, summary, wrong, warnings, errors, closes };
}

/** Sending, and asking before it where there is something to ask. */
function useSend(
  store: ContractTicketStore,
  scaled: ReturnType<typeof useScaled>,
  context: {
    readonly dead: string | undefined;
    readonly form: HTMLElement | null;
    readonly onSent: (() => void) | undefined;
  },
) {
  const { dead, form, onSent } = context;
  const member = useStore(sessionStore, isMember);
  const confirm = useAsksFirst('scaled');
  const inFlight = useStore(scaledTicketStore, (state) => state.sending);
  const [confirming, setConfirming] = useState(false);
  const { order, ticket, facts, errors, wrong, warnings, closes } = scaled;
  const { instrument, setting } = facts;
  const send = (): void => {
    setConfirming(false);
    if (order === undefined) return;
    const { platform, symbol } = instrument;
    const { from, to, quantity, count, skew } = order;
    const effect = effectOfOrder(ticket, setting);
    const leverage = leverageOf(effect, setting);
    const asked = {
      ...{ platformType: platformFacts(platform).platformType, tinstType: 2, symbol, side: ticket.side },
      ...{ from: formatAmount(from), to: formatAmount(to), count, skew, quantity: formatAmount(quantity) },
      ...{ timeInForce: scaledTimeInForce(ticket.timeInForce), effect, reduceOnly: closes },
      ...(setting === undefined ? {} : { marginMode: setting.marginMode, leverage }),
    } as const;
    void sendScaled(platform, asked).then((all) => {
      if (scaledTicketStore.getState().refused === '') store.getState().sent();
      else {
        void loadOpening(platform);
        void loadSetting(instrument);
      }
      if (all) onSent?.();
    });
  };
  const submit = (): void => {
    if (!member || inFlight || dead !== undefined) return;
    store.getState().setTried(true);
    const [first] = errors;
    if (first !== undefined) focusField(form, first.field);
    else if (wrong.length > 0) focusField(form, 'size');
    else if (confirm || warnings.some(({ grave }) => grave)) setConfirming(true);
    else send();
  };
  const sending = inFlight ? ({ phase: 'sending', clientId: '' } as const) : ({ phase: 'idle' } as const);
  return { submit, send, sending, inFlight, confirming, stop: () => setConfirming(false) };
}

/** How they rest, and whether they may open anything. */
function Resting(props: {
  readonly ticket: ContractTicketState;
  readonly hedge: boolean;
  readonly act: (action: ContractTicketAction) => void;
}) {
  const { ticket, hedge, act } = props;
  return (
    <div className="flex items-center gap-3 [&>:last-child]:min-w-0 [&>:last-child]:flex-1">
      {!hedge && <ReduceOnly checked={ticket.reduceOnly} act={act} />}
      <RestingSelect
        value={ticket.timeInForce}
        onChange={(timeInForce) => act({ kind: 'time-in-force', timeInForce })}
      />
    </div>
  );
}

/** The ticket of a contract's scaled order. Its first price, side, size and settings are those of the ordinary ticket. */
export function ScaledContract(props: {
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
  const form = useRef<HTMLElement>(null);
  const scaled = useScaled(store, world);
  const { ticket, entry, facts, scene, parts, whole, summary, wrong, warnings, closes } = scaled;
  const { setting } = facts;
  const largest = useLargest(whole, facts);
  const most = largest(whole, facts);
  const { reason, doubt } = useDeadReason(world, instrument, {
    closes,
    waits: world.known ? undefined : 'figures',
  });
  const dead = member && reason !== undefined ? text(reason.id, reason.values) : undefined;
  const sent = useSend(store, scaled, { dead, form: form.current, onSent });
  const act = (action: ContractTicketAction): void => {
    const read = world.read();
    const size = largest(whole, read)?.size;
    store.getState().act(action, { ...read, largest: size });
  };
  const toMarket = () => changeTradeSettings({ orderKind: 2 });
  const more = { 'trade.marketBuy': toMarket, 'trade.marketSell': toMarket };
  useSendAsked(sent.submit);
  useContractKeys(form, act, { ticket, facts: world.read, submit: sent.submit, more });
  const errors = member ? scaled.errors.filter((error) => tried || error.missing !== true) : [];
  const mend = mendsOf(store, world.read, text);
  const part = { ticket, instrument, errors: member ? wrong : [], act, onEnter: sent.submit, mend };
  const plain = actionText(text, whole, { facts, summary });
  const action = text('trade.scaled.action', { action: plain, count: Number(entry.count) || 0 });
  const sentence = orderSentence(text, whole, facts);
  const tone = ticket.side === SIDE.BUY ? 'up' : 'down';
  const rows = (
    <ContractStats {...{ instrument, summary, mark: facts.mark }} walk={undefined} market={false} />
  );
  const list = <ScaledList {...{ parts, instrument }} />;
  const effect = effectOfOrder(ticket, setting);
  const hedge = useHedge(setting);
  const percent = contractPercent(ticket, { ...facts, largest: most?.size });
  return (
    <section ref={form} data-ticket="" aria-label={text('trade.ticket.label')} className={TICKET_COLUMNS}>
      <TicketColumns
        stats={
          <>
            {list}
            <FoldedStats {...{ instrument, summary }}>{rows}</FoldedStats>
            <TicketWarnings warnings={member && dead === undefined ? warnings : []} />
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
              <TicketState
                {...{ sending: sent.sending, dead, doubt }}
                error={part.errors.find(({ field }) => field === 'form')}
                onRetry={() => void loadSetting(instrument)}
                failed={reason?.id === 'trade.contract.dead.failed'}
              />
            </div>
            <ScaledOutcome onSent={onSent} />
            {member && <ConfirmToggle kind="scaled" />}
            {sent.confirming && (
              <ConfirmOrder
                kind="scaled"
                {...{ action, sentence, tone, warnings }}
                onClose={sent.stop}
                onConfirm={sent.send}
              >
                {list}
                {rows}
              </ConfirmOrder>
            )}
          </>
        }
      >
        {member && <SettingChips facts={facts} failed={world.settingStatus === 'failed'} effect={effect} />}
        <TicketTop {...{ market, instrument }} onPrice={(price) => act({ kind: 'pick-price', price })}>
          <Sides {...{ ticket, hedge, act }} />
          {member && <Available amount={availableMargin(facts)} instrument={instrument} />}
        </TicketTop>
        <ScaledFields
          {...{ entry, scene, errors }}
          onFrom={(price) => act({ kind: 'write', field: 'price', text: price })}
          onBest={() => act({ kind: 'best' })}
          onEnter={sent.submit}
        />
        <ContractSize {...part} sends={sendsText(text, whole, { facts, summary })} />
        <SizeError errors={errors} />
        {member && (
          <ContractSlider
            percent={percent}
            onPercent={(share) => act({ kind: 'percent', percent: share })}
            most={mostText(text, { ticket, facts, most })}
          />
        )}
        <SkewField skew={entry.skew} />
        <Resting {...{ ticket, hedge, act }} />
      </TicketColumns>
    </section>
  );
}
