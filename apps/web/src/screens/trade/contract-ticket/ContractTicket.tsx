import '../../../i18n/later-words.ts';
import { type Amount, ORDER_TYPE, SIDE, ZERO } from '@crossbook/domain';
import { type RefObject, useRef, useState } from 'react';
import { useStore } from 'zustand';
import { bracketWarnings } from '../../../calculators/algos/algo-warnings.ts';
import {
  type ContractError,
  contractErrors,
  contractWarnings,
} from '../../../calculators/contracts/contract-errors.ts';
import {
  availableMargin,
  lacksMarket,
  marketWalk,
  summariseContract,
} from '../../../calculators/contracts/contract-summary.ts';
import {
  type ContractTicketAction,
  contractPercent,
  effectOfOrder,
  leverageOf,
  onlyCloses,
} from '../../../calculators/contracts/contract-ticket.ts';
import type { ButtonFacts } from '../../../calculators/contracts/dead-reason.ts';
import { isolatedPosition } from '../../../calculators/contracts/setting-effects.ts';
import { confirmKindOf } from '../../../calculators/ticket/confirm-kinds.ts';
import { type Text, useText } from '../../../i18n/i18n.ts';
import { now } from '../../../stores/app/clock.ts';
import type { ListedInstrument } from '../../../stores/market/instruments.ts';
import { spotOffer } from '../../../stores/market/market.ts';
import { isMember, sessionStore } from '../../../stores/member/session.ts';
import { loadSetting } from '../../../stores/trading/contracts/contract-settings.ts';
import type { ContractTicketStore } from '../../../stores/trading/ticket/contract-ticket.ts';
import { Button } from '../../../ui/Button.tsx';
import { AddMarginInstead } from '../AddMargin.tsx';
import { ContractTargets, TargetsSent, useContractTargets } from '../algos/ContractTargets.tsx';
import type { OrderBracket } from '../algos/OrderTargets.tsx';
import { ConfirmOrder } from '../entry/ConfirmOrder.tsx';
import { ConfirmToggle, useAsksFirst } from '../entry/ConfirmToggle.tsx';
import { focusField, focusWrong } from '../entry/focus-field.ts';
import { TICKET_COLUMNS, TicketColumns } from '../entry/TicketColumns.tsx';
import { TicketWarnings } from '../entry/TicketWarnings.tsx';
import { useEarlyShare } from '../entry/use-early-share.ts';
import { useFirstPrice } from '../entry/use-first-price.ts';
import { useSendAsked } from '../entry/use-send-asked.ts';
import { VisitorButtons } from '../entry/VisitorButtons.tsx';
import type { LiveMarket } from '../live/live-market.ts';
import { TicketTop } from '../TicketTop.tsx';
import { Available } from './Available.tsx';
import {
  type ContractPartProps,
  ContractPrice,
  ContractSize,
  ContractSlider,
  ContractTimeInForce,
} from './ContractFields.tsx';
import { ContractStats, FoldedStats } from './ContractStats.tsx';
import { MissingMargin } from './MissingMargin.tsx';
import { mendsOf } from './mends.ts';
import { ReduceOnly } from './ReduceOnly.tsx';
import { Sides } from './Sides.tsx';
import { sendContract } from './send-contract.ts';
import { SettingChips } from './settings/SettingChips.tsx';
import { SendButton, TicketState } from './TicketEnd.tsx';
import { actionText, coinsText, orderSentence, sendsText } from './ticket-words.ts';
import { type ContractTicketWorld, useContractFacts } from './use-contract-facts.ts';
import { useContractKeys } from './use-contract-keys.ts';
import { useDeadReason } from './use-dead-reason.ts';
import { useHedge } from './use-hedge.ts';
import { useLargest } from './use-largest.ts';

/** Errors that are shown: what is missing only after sending was tried. */
function shownErrors(all: readonly ContractError[], tried: boolean): readonly ContractError[] {
  return all.filter((error) => tried || error.missing !== true);
}

/** The largest size, and what binds it. */
export function mostText(
  text: Text,
  { ticket, facts, most }: Pick<ReturnType<typeof useTicketStats>, 'ticket' | 'facts' | 'most'>,
): string {
  if (most === undefined) return text('trade.contract.most', { size: '–' });
  const size = coinsText(most.size, facts);
  if (most.bound === 'position') return text('trade.contract.mostPosition', { size });
  const leverage = leverageOf(effectOfOrder(ticket, facts.setting), facts.setting);
  const tier = facts.tiers.findLast(({ maxLeverage }) => maxLeverage >= leverage)?.tier ?? '–';
  const bound = text(`trade.contract.bound.${most.bound}`, { tier, leverage });
  return text('trade.contract.mostBound', { size, bound });
}

/** Everything about the order that follows from ticket and world. */
function useTicketStats(store: ContractTicketStore, world: ContractTicketWorld, live: LiveMarket) {
  const { ticket } = useStore(store);
  const facts = world.shown;
  const hedge = useHedge(facts.setting);
  const waits: ButtonFacts['waits'] =
    useFirstPrice(store, world) ?? (lacksMarket(ticket, facts) ? 'fresh' : undefined);
  const entry = { ...facts, largest: undefined };
  const walk = marketWalk(ticket, facts, world.walk);
  const summary = summariseContract(ticket, facts, walk);
  const largest = useLargest(ticket, facts);
  const most = largest(ticket, facts);
  const errors = contractErrors(ticket, facts, { offer: spotOffer(facts.instrument.platform), summary });
  const stats = live.ticker.stats();
  const rate = Number(stats?.funding ?? Number.NaN);
  const funding =
    stats?.nextFunding === undefined || !Number.isFinite(rate) ? undefined : { rate, at: stats.nextFunding };
  const warnings = contractWarnings(ticket, facts, { summary, walk, funding, now: now() });
  const percent = contractPercent(ticket, { ...entry, largest: most?.size });
  return { ticket, facts, hedge, waits, walk, summary, largest, most, errors, warnings, percent };
}

/** Sending what is shown, and asking before it where there is something to ask. */
function useSubmit(
  store: ContractTicketStore,
  context: {
    readonly stats: ReturnType<typeof useTicketStats>;
    readonly dead: string | undefined;
    readonly form: RefObject<HTMLElement | null>;
    readonly onSent: (() => void) | undefined;
    readonly bracket: OrderBracket;
  },
) {
  const { stats, dead, form, onSent, bracket } = context;
  const member = useStore(sessionStore, isMember);
  const confirm = useAsksFirst(confirmKindOf(stats.ticket.type));
  const sending = useStore(store, (slice) => slice.sending);
  const [confirming, setConfirming] = useState(false);
  const inFlight = sending.phase === 'sending' || sending.phase === 'unknown';
  const send = (): void => {
    setConfirming(false);
    void sendContract(store, stats.facts, bracket.fields).then(() => {
      if (store.getState().sending.phase === 'idle') onSent?.();
    });
  };
  const submit = (): void => {
    if (!member || inFlight || dead !== undefined) return;
    store.getState().setTried(true);
    if (stats.errors.length > 0) focusWrong(form.current, stats.errors);
    else if (bracket.error !== undefined) focusField(form.current, bracket.error.field);
    else if (confirm || stats.warnings.some((warning) => warning.grave)) setConfirming(true);
    else send();
  };
  useSendAsked(submit);
  return { submit, send, sending, inFlight, confirming, stopConfirming: () => setConfirming(false) };
}

/** Price, size, share, time in force, and whether it may open anything. */
function Entries(props: {
  readonly part: ContractPartProps;
  readonly stats: ReturnType<typeof useTicketStats>;
  readonly member: boolean;
}) {
  const { part, stats, member } = props;
  const { ticket, facts, hedge, summary, percent } = stats;
  const text = useText();
  const { act } = part;
  return (
    <>
      <ContractPrice {...part} />
      <ContractSize {...part} sends={sendsText(text, ticket, { facts, summary })} />
      {member && (
        <ContractSlider
          percent={percent}
          onPercent={(share) => act({ kind: 'percent', percent: share })}
          most={mostText(text, stats)}
        />
      )}
      <div className="flex items-center gap-3">
        {!hedge && <ReduceOnly checked={ticket.reduceOnly} act={act} />}
        <div className="min-w-0 flex-1">
          <ContractTimeInForce ticket={ticket} act={act} />
        </div>
      </div>
    </>
  );
}

/** The ticket of a contract: everything it thinks is in `calculators`, everything it remembers in its store. */
export function ContractTicket(props: {
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
  const stats = useTicketStats(store, world, market);
  const { ticket, facts, summary, walk } = stats;
  const form = useRef<HTMLElement>(null);
  const { setting } = facts;
  const closes = onlyCloses(ticket, setting);
  const { reason, doubt } = useDeadReason(world, instrument, { closes, waits: stats.waits });
  const dead = member && reason !== undefined ? text(reason.id, reason.values) : undefined;
  // Without an account nothing can be reckoned: what opens one stands there instead.
  const noAccount = member && reason?.id === 'trade.contract.dead.noAccount';
  const effect = effectOfOrder(ticket, setting);
  const scene = {
    ...{ side: ticket.side, entry: summary.price, size: summary.coins, feeRate: facts.takerFee },
    ...{ leverage: leverageOf(effect, setting), tickSize: instrument.tickSize },
  };
  const targets = { instrument, side: ticket.side, scene };
  const opens = !closes;
  const bracket = useContractTargets(targets, opens);
  const late = opens ? bracketWarnings(bracket.fields.stopLoss, summary, instrument) : [];
  const sent = useSubmit(store, { stats, dead, form, onSent, bracket });
  const errors = member ? shownErrors(stats.errors, tried) : [];
  const warnings = member && dead === undefined ? [...stats.warnings, ...late] : [];
  const act = (action: ContractTicketAction): void => {
    const read = world.read();
    const largest = stats.largest(store.getState().ticket, read)?.size;
    store.getState().act(action, { ...read, largest });
  };
  const refusedFor = sent.sending.phase === 'refused' ? sent.sending.venue?.cause : undefined;
  const useMax = (stats.most?.size ?? ZERO) > ZERO ? () => act({ kind: 'percent', percent: 100 }) : undefined;
  useEarlyShare(ticket.percent, earlyShare(stats), (percent) => act({ kind: 'percent', percent }));
  useContractKeys(form, act, { ticket, facts: world.read, submit: sent.submit });
  const mend = mendsOf(store, world.read, text);
  const part = { ticket, instrument, errors, act, onEnter: sent.submit, mend };
  const action = actionText(text, ticket, { facts, summary });
  const sentence = orderSentence(text, ticket, facts);
  const tone = ticket.side === SIDE.BUY ? 'up' : 'down';
  const available = availableMargin(facts);
  const isMarket = ticket.type === ORDER_TYPE.MARKET;
  const rows = <ContractStats {...{ instrument, summary, walk, mark: facts.mark }} market={isMarket} />;
  return (
    <section ref={form} data-ticket="" aria-label={text('trade.ticket.label')} className={TICKET_COLUMNS}>
      <TicketColumns
        stats={
          <>
            {!noAccount && <FoldedStats {...{ instrument, summary }}>{rows}</FoldedStats>}
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
              {/* Why nothing was sent is seen where it was tried, however long the summary is. */}
              <TicketState
                {...{ sending: sent.sending, dead, doubt }}
                error={errors.find((error) => error.field === 'form')}
                onRetry={() => void loadSetting(instrument)}
                failed={reason?.id === 'trade.contract.dead.failed'}
              />
              {member &&
                (needsMargin(errors, available) || noAccount || refusedFor === 'balance-insufficient') && (
                  <MissingMargin
                    instrument={instrument}
                    short={shortOf(summary.cost, available)}
                    onMax={useMax}
                  />
                )}
              {refusedFor === 'tier-exceeded' && useMax !== undefined && (
                <Button size="small" onClick={useMax} className="self-start max-lg:h-11">
                  {text('trade.contract.useMax')}
                </Button>
              )}
              {refusedFor === 'lower-leverage-isolated' && <AddMarginInstead row={isolatedPosition(facts)} />}
            </div>
            {member && <ConfirmToggle kind={confirmKindOf(ticket.type)} />}
            {sent.confirming && (
              <ConfirmOrder
                {...{ kind: confirmKindOf(ticket.type), action, tone, warnings, sentence }}
                onClose={sent.stopConfirming}
                onConfirm={sent.send}
              >
                {rows}
                <TargetsSent {...bracket} instrument={instrument} />
              </ConfirmOrder>
            )}
          </>
        }
      >
        {member && <SettingChips facts={facts} failed={world.settingStatus === 'failed'} effect={effect} />}
        <TicketTop {...{ market, instrument }} onPrice={(price) => act({ kind: 'pick-price', price })}>
          <Sides ticket={ticket} hedge={stats.hedge} act={act} />
          {member && <Available amount={available} instrument={instrument} />}
        </TicketTop>
        <Entries {...{ part, stats, member }} />
        {member && opens && <ContractTargets {...{ ...targets, bracket, tried }} onEnter={sent.submit} />}
      </TicketColumns>
    </section>
  );
}

/** What a share that was chosen early waits for. */
function earlyShare({ most, ticket }: ReturnType<typeof useTicketStats>) {
  return { known: most !== undefined, empty: ticket.size === '' };
}

function needsMargin(errors: readonly ContractError[], available: Amount | undefined): boolean {
  return errors.some((error) => error.name === 'balance-insufficient') || available === ZERO;
}

function shortOf(cost: Amount | undefined, available: Amount | undefined): Amount | undefined {
  if (cost === undefined || available === undefined || cost <= available) return undefined;
  return (cost - (available > ZERO ? available : ZERO)) as Amount;
}
