import { hash } from 'node:crypto';
import type { CallAnswer, CallRequest, MemberCaller, OrderRow } from '@crossbook/contract';
import {
  type Lanes,
  type Millis,
  type Platform,
  platformOfType,
  SIDE,
  type Side,
  type TimeInForce,
  uuidV7,
} from '@crossbook/domain';
import type { SendOutcome, VenueCredentials } from '@crossbook/venues/trading';
import type { IntentAnswer } from '../../intents/intent.ts';
import type { IntentMachine } from '../../intents/machine.ts';
import type { AccountOwner } from '../account-pages.ts';
import { listedRequest } from '../listed-legs.ts';
import type { CheckedOrder, OrderDraft, StoredOrder } from '../order.ts';
import { orderAnswer } from '../order-rows.ts';
import { type Doubt, type Refused, refusal, type TradingDeps, tradeBar, type VenueDesk } from '../ports.ts';
import { targetsOf } from '../targets.ts';
import { keptReason, reasonOfAge, refusalOfReason } from '../venue-refusal.ts';
import { lookupShare } from './order-intent.ts';
import type { OrderProof } from './order-proof.ts';
import { earlierOrder, type Reservation, reserve } from './reserve.ts';
import { type RiskFacts, riskChecked } from './risk-checks.ts';
import { type AskPlacement, send } from './send.ts';
import { attachedTargets, legsGoOut, targetsRefusal } from './target-checks.ts';

type PlaceRequest = CallRequest<'connextrade/PlaceOrder'>;

/** What placing needs besides the ports. */
export interface Placing {
  readonly deps: TradingDeps;
  readonly lanes: Lanes;
  /** Makes sure the member's fills are heard. */
  readonly listen: (owner: Pick<StoredOrder, 'user' | 'platform'>) => Promise<void>;
  /** Sends orders and keeps those whose outcome is not certain moving. */
  readonly machine: IntentMachine<StoredOrder, OrderProof>;
  /**
   * Makes known what algo orders of an instrument have become: their children are orders of ours, and no stranger's.
   * @returns whether that is certain.
   */
  readonly children: (
    owner: AccountOwner,
    of: Pick<StoredOrder, 'symbolType' | 'symbol'>,
  ) => Promise<boolean>;
  /** Why the member's figures at the platform are not trusted at the moment. */
  readonly doubtful: (owner: AccountOwner) => Doubt | undefined;
}

/**
 * The life of an order up to its first answer: Draft -> Checked -> Reserved -> Sent. Every `if` of it is here. A request
 * that speaks of an order made before gets that order, whatever has become of the market since; only a request that would
 * be refused, or whose id the ledger knows, can be such a one.
 */
export async function placeOrder(
  placing: Placing,
  caller: MemberCaller,
  request: PlaceRequest,
  {
    placeNew = (asked) => placeSpot(placing, asked),
    ask,
  }: {
    readonly placeNew?: (asked: Asked) => Promise<CallAnswer<OrderRow>>;
    readonly ask?: AskPlacement | undefined;
  } = {},
): Promise<CallAnswer<OrderRow>> {
  const { deps } = placing;
  const orderRequest = requestOf(deps, caller, request);
  const placed = await placeNew({ caller, request, orderRequest, ask });
  if (placed.ok || request.clientId === undefined || placed.code.error === 'outcome-unknown') return placed;
  const earlier = await earlierOrder(deps, orderRequest);
  return earlier === undefined ? placed : answerOf(earlier);
}

/** Places one order; the venue is asked by what is given, else by itself. */
export type PlaceOne = (
  caller: MemberCaller,
  request: PlaceRequest,
  ask?: AskPlacement,
) => Promise<CallAnswer<OrderRow>>;

/** A request of a member, and the order it asks for. */
export interface Asked {
  readonly caller: MemberCaller;
  readonly request: PlaceRequest;
  readonly orderRequest: Omit<OrderDraft, 'instrument'>;
  /** How the venue is asked, once all else is done: by itself, unless it goes with others. */
  readonly ask: AskPlacement | undefined;
}

async function placeSpot(
  placing: Placing,
  { caller, request, orderRequest, ask }: Asked,
): Promise<CallAnswer<OrderRow>> {
  const { deps } = placing;
  const platform = platformOfType(request.platformType)?.platform as Platform;
  const desk = deps.venue(platform);
  if (desk === undefined)
    return refusal({ error: 'symbol-unknown', field: 'platformType', given: request.symbol });
  const ofContracts = [request.effect, request.reduceOnly, request.marginMode, request.leverage];
  if (ofContracts.some((value) => value !== undefined && value !== 0 && value !== false))
    return refusal({ error: 'order-combination', allowed: 'position settings are for contracts' });
  const instrument = deps.market.instrument(platform, 'SPOT', request.symbol);
  if (instrument === undefined)
    return refusal({ error: 'symbol-unknown', field: 'symbol', given: request.symbol });

  const barred = await tradeBar(deps, caller.user, request.side === SIDE.BUY);
  if (barred !== undefined) return refusal(barred);
  const draft: OrderDraft = { ...orderRequest, instrument };
  const checked = await checkRisk(placing, desk, draft);
  if (!checked.ok) return checked;

  const wrong = await targetsRefusal(deps, draft, false);
  if (wrong !== undefined) return refusal(wrong);
  const account = await deps.accounts.find(caller.user, platform);
  if (account.state !== 'ready') return refusal({ error: 'balance-insufficient' });
  const check = (openOrders: number) => riskChecked(draft, { ...checked.facts, openOrders });
  const carried = { caller, draft, desk, credentials: account.credentials, check, ask };
  const order = await carryOut(placing, carried);
  return order.ok ? orderAnswer(order.order) : order;
}

/** A draft that is on its way to its venue. */
export interface Carried {
  readonly caller: MemberCaller;
  readonly draft: OrderDraft;
  readonly desk: VenueDesk;
  readonly credentials: VenueCredentials;
  /** The checks once more, with the number of the member's other open orders there. */
  readonly check: (openOrders: number) => { readonly ok: true; readonly value: CheckedOrder } | Refused;
  readonly ask: AskPlacement | undefined;
}

/** Reserves a draft that has passed its checks, sends it once and takes the answer. */
export function carryOut(placing: Placing, carried: Carried): Promise<Reservation> {
  const { deps } = placing;
  const { caller, draft, desk, credentials, ask: asking } = carried;
  const { instrument } = draft;
  const share = lookupShare({ platform: desk.platform });
  return placing.machine.inLane(draft.id, share, async () => {
    const reserved = await reservePlace(deps, carried);
    // Whether the row is there nobody can say: a lookup tells.
    if (!reserved.ok && reserved.code.error === 'outcome-unknown')
      placing.machine.lookupSoon(draft.id, share);
    if (!reserved.ok || !reserved.fresh) return reserved;
    const { order } = reserved;
    const ask = async (): Promise<IntentAnswer<OrderProof>> => {
      await placing.listen(order);
      const late = tooOld(deps, caller.now);
      if (late !== undefined) return { outcome: 'proved', proof: { refused: late } };
      const attached = attachedTargets(deps, draft);
      const listed =
        draft.targets && legsGoOut(deps, draft) ? listedRequest(order, draft.targets) : undefined;
      const sending = { order, instrument, attached, listed, ask: asking };
      return answerOfVenue(await send(deps, desk, credentials, sending));
    };
    return { ok: true, fresh: false, order: await placing.machine.attempt(order, ask) };
  });
}

/**
 * Takes one of the member's places for open orders, then holds the money: calls side by side never get more places than
 * there are.
 */
async function reservePlace(deps: TradingDeps, { draft, caller, check }: Carried): Promise<Reservation> {
  const { id, user } = draft;
  const { platform, symbol, symbolType } = draft.instrument;
  const { others, giveBack } = await deps.openOrders.take({ id, user, platform, symbol, symbolType });
  try {
    const checked = check(others);
    if (!checked.ok) return checked;
    const late = tooOld(deps, caller.now);
    return late === undefined ? await reserve(deps, checked.value) : refusal(refusalOfReason(late));
  } finally {
    giveBack();
  }
}

/** Why an order is not sent any more: whoever clicked expects none this late, for prices have moved on. */
function tooOld({ clock, orderAgeMillisMax }: TradingDeps, arrivedAt: Millis): string | undefined {
  const age = clock() - arrivedAt;
  return age > orderAgeMillisMax ? reasonOfAge(age, orderAgeMillisMax) : undefined;
}

/** What an answer proves. */
function answerOfVenue(outcome: SendOutcome): IntentAnswer<OrderProof> {
  if (outcome.outcome === 'refused') return { outcome: 'proved', proof: { refused: keptReason(outcome) } };
  if (outcome.outcome === 'unknown') {
    return { outcome: 'unknown', why: outcome.why, deadlineAt: outcome.deadlineAt };
  }
  const update = { state: outcome.state, fills: outcome.fills, barrier: false };
  return { outcome: 'proved', proof: { update, receiptOnly: outcome.receiptOnly === true, first: true } };
}

function answerOf(reservation: Reservation): CallAnswer<OrderRow> {
  return reservation.ok ? orderAnswer(reservation.order) : reservation;
}

/**
 * The risk checks but for the count of open orders, and what they looked at; only an order that nothing else speaks
 * against, and that rests on the price, waits for a book.
 */
async function checkRisk(
  placing: Placing,
  desk: VenueDesk,
  draft: OrderDraft,
): Promise<{ readonly ok: true; readonly facts: RiskFacts } | Refused> {
  const { deps } = placing;
  const { platform } = desk;
  const facts: RiskFacts = {
    platformName: desk.name,
    platformState: desk.state,
    halted: placing.doubtful({ user: draft.user, platform }),
    now: deps.clock(),
    best: undefined,
    openOrders: 0,
  };
  const checked = riskChecked(draft, facts);
  if (checked.ok) return { ok: true, facts };
  if (checked.code.error !== 'price-stale') return checked;
  const priced = {
    ...facts,
    best: await deps.market.best(platform, 'SPOT', draft.instrument.symbol),
    now: deps.clock(),
  };
  const again = riskChecked(draft, priced);
  return again.ok ? { ok: true, facts: priced } : again;
}

function requestOf(
  deps: TradingDeps,
  caller: MemberCaller,
  request: PlaceRequest,
): Omit<OrderDraft, 'instrument'> {
  const { price, quantity, quoteQuantity, visibleQuantity: visible } = request;
  const targets = targetsOf(request);
  const createdAt = deps.clock();
  return {
    id: request.clientId ?? uuidV7(createdAt, deps.random(10)),
    user: caller.user,
    side: request.side satisfies Side,
    type: request.orderType,
    timeInForce: request.timeInForce satisfies TimeInForce,
    ...(price === undefined ? {} : { price }),
    ...(quantity === undefined ? {} : { quantity }),
    ...(quoteQuantity === undefined ? {} : { quoteQuantity }),
    ...(visible === undefined ? {} : { visible }),
    ...(Object.keys(targets).length === 0 ? {} : { targets }),
    payloadHash: payloadHash(request),
    createdAt,
  };
}

/** Equal for equal requests, whatever the order of the fields; the id itself is not part of it. */
export function payloadHash(request: Readonly<Record<string, unknown>>): string {
  const { clientId: _id, ...asked } = request;
  const parts = Object.entries(asked)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}=${String(value)}`)
    .sort();
  return hash('sha256', parts.join('\n'));
}
