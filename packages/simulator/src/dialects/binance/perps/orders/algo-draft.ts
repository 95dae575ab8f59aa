import { AMOUNT_ONE, type Amount, type Lots, ok, type Result, refused, type Ticks } from '@crossbook/domain';
import type { AccountNumber } from '../../../../exchange.ts';
import type { ConditionalRefusal, NewConditional, NewConditionalLeg } from '../../../../perp-conditionals.ts';
import type { NewPerpOrder, PerpRefusal } from '../../../../perp-exchange.ts';
import type { PerpFacts } from '../../../../venue.ts';
import { type BinanceError, ERRORS, invalidData, mandatory, notRequired } from '../../errors.ts';
import type { ParamReader } from '../../params.ts';
import { type FuturesDesk, namedContract } from '../desk.ts';
import { FUTURES_ERRORS } from '../errors.ts';
import { orderRefusal, PRICE_WORDS, readPositionSide, readSide, SIZE_WORDS, stepsOf } from './order-draft.ts';

const TYPES = ['STOP', 'STOP_MARKET', 'TAKE_PROFIT', 'TAKE_PROFIT_MARKET', 'TRAILING_STOP_MARKET'] as const;
type AlgoType = (typeof TYPES)[number];
const TIMES_IN_FORCE = ['GTC', 'IOC', 'FOK', 'GTX', 'GTE_GTC'] as const;
const CLIENT_ID = /^[.A-Z:/a-z0-9_-]{1,36}$/;
const CLIENT_ID_LENGTH = 22;
/** Hundredths of a percent in one percent, which the wire counts. */
const BIPS_PER_PERCENT = 100n;

/** A new conditional order as read: well-formed, not yet counted in steps. */
export interface AlgoDraft {
  readonly contract: PerpFacts | undefined;
  readonly type: AlgoType;
  readonly timeInForce: (typeof TIMES_IN_FORCE)[number];
  readonly by: 'LAST' | 'MARK';
  readonly quantity: Amount | undefined;
  readonly price: Amount | undefined;
  readonly triggerPrice: Amount | undefined;
  readonly activatePrice: Amount | undefined;
  readonly callbackRate: Amount | undefined;
  readonly closePosition: boolean;
  readonly guarded: boolean;
  readonly saysReduceOnly: boolean;
  readonly rest: Pick<
    NewPerpOrder,
    'side' | 'positionSide' | 'reduceOnly' | 'clientId' | 'selfTradePrevention'
  >;
}

/** What each type must and must not have. */
function checkType(reader: ParamReader, type: AlgoType, closePosition: boolean): void {
  const need = (name: string) => {
    if (!reader.has(name)) reader.refuse(mandatory(name));
  };
  const forbid = (name: string) => {
    if (reader.has(name)) reader.refuse(notRequired(name));
  };
  const limit = type === 'STOP' || type === 'TAKE_PROFIT';
  const trails = type === 'TRAILING_STOP_MARKET';
  if (closePosition) {
    if (limit || trails) reader.refuse(FUTURES_ERRORS.closePosition);
    if (reader.has('quantity')) reader.refuse(FUTURES_ERRORS.closesWithoutQuantity);
    if (reader.has('reduceOnly')) reader.refuse(FUTURES_ERRORS.closesWithoutReduceOnly);
  } else need('quantity');
  if (limit) need('price');
  else forbid('price');
  if (trails) {
    need('callbackRate');
    forbid('triggerPrice');
  } else {
    need('triggerPrice');
    forbid('callbackRate');
    forbid('activatePrice');
  }
}

/** What the venue could find by itself is not simulated. */
function refuseLeftOut(reader: ParamReader): void {
  const match = reader.text('priceMatch');
  if (match !== undefined && match !== 'NONE') reader.refuse(invalidData('priceMatch'));
  reader.integer('goodTillDate');
}

/** Reads a new conditional order in the order in which the venue names what is wrong. */
export function readAlgoDraft(reader: ParamReader, desk: FuturesDesk): AlgoDraft {
  reader.requiredText('algoType');
  reader.choice('algoType', ['CONDITIONAL'], invalidData('algoType'));
  const contract = namedContract(reader, desk);
  const side = readSide(reader);
  reader.requiredText('type');
  const type = reader.choice('type', TYPES, ERRORS.badOrderType) ?? 'STOP_MARKET';
  const positionSide = readPositionSide(reader);
  refuseLeftOut(reader);
  const timeInForce = reader.choice('timeInForce', TIMES_IN_FORCE, ERRORS.badTimeInForce) ?? 'GTC';
  const working = reader.choice('workingType', ['CONTRACT_PRICE', 'MARK_PRICE']) ?? 'CONTRACT_PRICE';
  const closePosition = reader.flag('closePosition') ?? false;
  const decimal = (name: string) => reader.decimal(name);
  // Documented in capitals; clients send either.
  const guard = reader.choice('priceProtect', ['TRUE', 'FALSE', 'true', 'false']) ?? 'FALSE';
  const saysReduceOnly = reader.has('reduceOnly');
  const reduceOnly = reader.flag('reduceOnly') ?? false;
  const draft = {
    ...{ quantity: decimal('quantity'), price: decimal('price'), triggerPrice: decimal('triggerPrice') },
    ...{ activatePrice: decimal('activatePrice'), callbackRate: decimal('callbackRate') },
  };
  checkType(reader, type, closePosition);
  const clientId = reader.pattern('clientAlgoId', CLIENT_ID, FUTURES_ERRORS.badClientId);
  const modes = ['NONE', 'EXPIRE_TAKER', 'EXPIRE_MAKER', 'EXPIRE_BOTH'] as const;
  const selfTradePrevention = reader.choice('selfTradePreventionMode', modes) ?? 'EXPIRE_MAKER';
  return {
    ...{ contract, type, timeInForce, ...draft, closePosition, saysReduceOnly },
    by: working === 'MARK_PRICE' ? 'MARK' : 'LAST',
    guarded: guard.toUpperCase() === 'TRUE',
    rest: {
      ...{ side, positionSide, reduceOnly, selfTradePrevention },
      clientId: clientId ?? desk.randomText(CLIENT_ID_LENGTH),
    },
  };
}

type Stepped = Result<number | undefined, BinanceError>;

function ticksOf(value: Amount | undefined, { tickSize }: PerpFacts): Stepped {
  return value === undefined ? ok(undefined) : stepsOf(value, tickSize, PRICE_WORDS);
}

/** The order in the core's own units, or what is wrong with its figures. */
export function toConditional(
  draft: AlgoDraft,
  desk: FuturesDesk,
  account: AccountNumber,
): Result<NewConditional, BinanceError> {
  const { contract, closePosition, timeInForce } = draft;
  if (contract === undefined) return refused(ERRORS.badSymbol);
  const { symbol } = contract;
  const hedge = draft.saysReduceOnly && desk.perps.setting(account, symbol).positionMode === 'HEDGE';
  if (hedge) return refused(FUTURES_ERRORS.reduceOnlyInHedge);
  const lots: Stepped =
    draft.quantity === undefined ? ok(undefined) : stepsOf(draft.quantity, contract.lotSize, SIZE_WORDS);
  if (!lots.ok) return lots;
  const price = ticksOf(draft.price, contract);
  if (!price.ok) return price;
  const trigger = triggerOf(draft, contract);
  if (!trigger.ok) return trigger;
  const market = price.value === undefined;
  const sends: NewPerpOrder = {
    ...{ ...draft.rest, account, symbol },
    reduceOnly: draft.rest.reduceOnly || (closePosition && draft.rest.positionSide === 'BOTH'),
    kind: market ? 'MARKET' : timeInForce === 'GTX' ? 'LIMIT_MAKER' : 'LIMIT',
    timeInForce: market ? 'IOC' : timeInForce === 'IOC' || timeInForce === 'FOK' ? timeInForce : 'GTC',
    ...(market ? {} : { price: price.value as Ticks }),
    quantity: closePosition ? 'WHOLE' : (lots.value as Lots),
  };
  const ends = closePosition ? 'WHOLE' : 'PART';
  const position = closePosition || timeInForce === 'GTE_GTC' ? ({ position: ends } as const) : {};
  const guarded = draft.guarded ? ({ guarded: true } as const) : {};
  const leg = { purpose: purposeOf(draft.type), trigger: trigger.value, sends, ...guarded };
  return ok({ legs: [leg], ...position });
}

function purposeOf(type: AlgoType): NewConditionalLeg['purpose'] {
  if (type === 'TRAILING_STOP_MARKET') return 'TRAILING';
  return type.startsWith('STOP') ? 'STOP' : 'TAKE_PROFIT';
}

function triggerOf(
  draft: AlgoDraft,
  contract: PerpFacts,
): Result<NewConditionalLeg['trigger'], BinanceError> {
  const { type, by, callbackRate, rest } = draft;
  const sells = rest.side === 'SELL';
  const price = ticksOf(draft.triggerPrice, contract);
  if (!price.ok) return price;
  const activation = ticksOf(draft.activatePrice, contract);
  if (!activation.ok) return activation;
  if (callbackRate === undefined) {
    const direction = type.startsWith('STOP') === sells ? 'FALL' : 'RISE';
    return ok({ at: 'PRICE', by, direction, price: price.value as Ticks });
  }
  // A tenth of a percent is the finest.
  if ((callbackRate * 10n) % AMOUNT_ONE !== 0n) return refused(invalidData('callbackRate'));
  return ok({
    ...{ at: 'TRAIL', by, direction: sells ? 'FALL' : 'RISE' },
    back: { bips: Number((callbackRate * BIPS_PER_PERCENT) / AMOUNT_ONE) },
    ...(activation.value === undefined ? {} : { activation: activation.value as Ticks }),
  });
}

/** The venue's words for what the core refuses of a conditional order. */
export function algoRefusal(code: ConditionalRefusal, sends: NewPerpOrder, desk: FuturesDesk): BinanceError {
  switch (code) {
    case 'WOULD_TRIGGER':
      return FUTURES_ERRORS.wouldTrigger;
    case 'TRIGGER_PRICE':
      return FUTURES_ERRORS.priceTooHigh;
    case 'TRAILING_RANGE':
      return invalidData('callbackRate');
    case 'MAX_NUM_ALGO_ORDERS':
      return FUTURES_ERRORS.tooManyStops;
    case 'CLOSE_EXISTS':
      return FUTURES_ERRORS.closeExists;
    case 'NO_POSITION':
      return FUTURES_ERRORS.noPositionToEndWith;
    default:
      return orderRefusal(code satisfies PerpRefusal, { ...sends, quantity: sends.quantity as Lots }, desk);
  }
}
