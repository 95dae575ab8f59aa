import {
  type Amount,
  amountToSteps,
  type Lots,
  ok,
  type Result,
  refused,
  stepsToAmount,
} from '@crossbook/domain';
import type { SelfTradePrevention } from '../../../exchange.ts';
import type { NewPerpOrder, PerpRefusal, SimPositionSide } from '../../../perp-exchange.ts';
import type { PerpFacts } from '../../../venue.ts';
import type { Desk } from '../endpoint.ts';
import { type BybitError, ERRORS, invalid, missing } from '../errors.ts';
import type { ParamReader } from '../params.ts';
import { LINEAR, notHere, ORDER_REFUSALS } from './refusals.ts';
import {
  type AttachedDraft,
  countedStops,
  readAttached,
  readTrigger,
  type TriggerDraft,
  ticksOf,
} from './stop-params.ts';
import { readTraded } from './traded.ts';

const LINK_ID = /^[a-zA-Z0-9_-]{1,36}$/;
const TIMES_IN_FORCE = ['GTC', 'IOC', 'FOK', 'PostOnly', 'RPI'] as const;
/** Parameters of prices that follow the book. */
const UNSUPPORTED = ['slippageTolerance', 'slippageToleranceType', 'bboSideType', 'bboLevel'];
const SELF_TRADE: ReadonlyMap<string, SelfTradePrevention> = new Map([
  ['None', 'NONE'],
  ['CancelMaker', 'EXPIRE_MAKER'],
  ['CancelTaker', 'EXPIRE_TAKER'],
  ['CancelBoth', 'EXPIRE_BOTH'],
]);
const POSITION_SIDES: readonly SimPositionSide[] = ['BOTH', 'LONG', 'SHORT'];

/** A new order as read: well-formed, not yet counted in steps. */
export interface ContractDraft
  extends Pick<
    NewPerpOrder,
    'side' | 'positionSide' | 'kind' | 'timeInForce' | 'reduceOnly' | 'selfTradePrevention'
  > {
  readonly contract: PerpFacts | undefined;
  readonly quantity: Amount | 'WHOLE';
  readonly price: Amount | undefined;
  /** Absent: the order goes without one. */
  readonly linkId: string | undefined;
  /** What it waits for; absent: it goes into the market. */
  readonly waits: TriggerDraft | undefined;
  readonly attached: AttachedDraft | undefined;
  /** It closes on its trigger, and may only close therefore. */
  readonly closes: boolean;
}

/** 0 is the position of one-way mode, 1 the long and 2 the short leg of hedge mode. */
export function readPositionSide(reader: ParamReader): SimPositionSide {
  const side = POSITION_SIDES[reader.integer('positionIdx') ?? 0];
  if (side === undefined) reader.refuse(invalid('positionIdx'));
  return side ?? 'BOTH';
}

/** The same as the wire has it. */
export function positionIdx(side: SimPositionSide): number {
  return POSITION_SIDES.indexOf(side);
}

function readUnsupported(reader: ParamReader): void {
  // It says something about pairs alone.
  reader.choice('orderFilter', ['Order', 'tpslOrder', 'StopOrder'], ERRORS.badOrderFilter);
  for (const name of UNSUPPORTED) if (reader.has(name)) reader.refuse(notHere(name));
}

/** A quantity of 0 that reduces only and closes on its trigger closes what is there (order/create-order). */
function readQuantity(reader: ParamReader, closes: boolean, reduceOnly: boolean): Amount | 'WHOLE' {
  if (!reader.has('qty')) reader.refuse(missing('qty'));
  const quantity = reader.decimal('qty', LINEAR.badQuantity) ?? (0n as Amount);
  if (quantity !== 0n) return quantity;
  if (!closes || !reduceOnly) reader.refuse(LINEAR.badQuantity);
  return 'WHOLE';
}

/** Reads a new order: symbol, side, type, then the rest. */
export function readContractDraft(reader: ParamReader, desk: Desk): ContractDraft {
  const contract = readTraded(reader, desk);
  if (!reader.has('side')) reader.refuse(missing('side'));
  const side = reader.choice('side', ['Buy', 'Sell'], invalid('side')) === 'Sell' ? 'SELL' : 'BUY';
  if (!reader.has('orderType')) reader.refuse(missing('orderType'));
  const market = reader.choice('orderType', ['Limit', 'Market'], invalid('orderType')) === 'Market';
  const timeInForce = reader.choice('timeInForce', TIMES_IN_FORCE, invalid('timeInForce')) ?? 'GTC';
  if (timeInForce === 'RPI') reader.refuse(notHere('timeInForce RPI'));
  const closes = reader.flag('closeOnTrigger');
  const waits = readTrigger(reader);
  const reduceOnly = reader.flag('reduceOnly');
  const quantity = readQuantity(reader, closes, reduceOnly);
  if (!market && !reader.has('price')) reader.refuse(missing('price'));
  const price = market ? undefined : reader.decimal('price', LINEAR.badPrice);
  if (price === 0n) reader.refuse(LINEAR.badPrice);
  const positionSide = readPositionSide(reader);
  const linkId = reader.pattern('orderLinkId', LINK_ID);
  const selfTradePrevention = SELF_TRADE.get(reader.text('smpType') ?? 'None');
  if (selfTradePrevention === undefined) reader.refuse(invalid('smpType'));
  readUnsupported(reader);
  const attached = readAttached(reader);
  if (attached !== undefined && reduceOnly) reader.refuse(LINEAR.closesWithStops);
  const resting = timeInForce === 'PostOnly' || timeInForce === 'RPI' ? 'GTC' : timeInForce;
  return {
    ...{ contract, side, positionSide, quantity, price, linkId, waits, attached, closes },
    reduceOnly: reduceOnly || (closes && waits !== undefined),
    kind: market ? 'MARKET' : timeInForce === 'PostOnly' ? 'LIMIT_MAKER' : 'LIMIT',
    // A market order never rests, whatever it says.
    timeInForce: market ? 'IOC' : resting,
    selfTradePrevention: selfTradePrevention ?? 'NONE',
  };
}

/** Counts a quantity in lots; what lies between two lots is none. */
export function lotsOf(
  quantity: Amount | undefined,
  contract: PerpFacts,
): Result<Lots | undefined, BybitError> {
  if (quantity === undefined) return ok(undefined);
  const lots = amountToSteps(quantity, contract.lotSize);
  if (lots !== undefined) return ok(lots as Lots);
  return refused(quantity % contract.lotSize === 0n ? LINEAR.tooLarge : LINEAR.badQuantity);
}

/** The order in the core's own units, or what its figures are refused for. */
export function toPerpOrder(
  draft: ContractDraft,
  contract: PerpFacts,
  who: Pick<NewPerpOrder, 'account' | 'clientId'>,
): Result<NewPerpOrder, BybitError> {
  const { side, positionSide, kind, timeInForce, reduceOnly, selfTradePrevention } = draft;
  const price = ticksOf(draft.price, contract);
  if (!price.ok) return price;
  const lots = draft.quantity === 'WHOLE' ? undefined : draft.quantity;
  const quantity = lotsOf(lots, contract);
  if (!quantity.ok) return quantity;
  const attached = countedStops(draft.attached, contract);
  if (!attached.ok) return attached;
  return ok({
    ...who,
    symbol: contract.symbol,
    ...{ side, positionSide, kind, timeInForce, reduceOnly, selfTradePrevention },
    // A post-only order that would take is acknowledged and cancelled at once (order/create-order, 2026-07-24).
    ...(kind === 'LIMIT_MAKER' ? { whenTaking: 'EXPIRE' as const } : {}),
    ...(price.value === undefined ? {} : { price: price.value }),
    quantity: quantity.value ?? 'WHOLE',
    ...(attached.value === undefined ? {} : { attached: attached.value }),
  });
}

/** Bybit's code for a refusal of an order: quantities are told apart by their limits. */
export function orderRefusal(
  refusal: PerpRefusal,
  quantity: Lots | 'WHOLE' | undefined,
  contract: PerpFacts,
): BybitError {
  const large =
    refusal === 'LOT_SIZE' &&
    typeof quantity === 'number' &&
    stepsToAmount(quantity, contract.lotSize) > contract.maxQty;
  return large ? LINEAR.tooLarge : ORDER_REFUSALS[refusal];
}
