import type { AlgoLeg, AlgoOffer, AlgoPlan, Trailing, TriggerBy } from '../algo-order.ts';
import { type Amount, formatAmount, lesser } from '../amount.ts';
import { type Instrument, notionalDown } from '../instrument.ts';
import { SIDE, TIME_IN_FORCE, type TimeInForce } from '../order.ts';
import type { AlgoFault, AlgoField, AlgoMarket, AlgoRequest } from './algo-request.ts';
import { icebergCombination, icebergLacking, icebergRange } from './iceberg-checks.ts';

type Check = (request: AlgoRequest, market: AlgoMarket) => AlgoFault | undefined;

/** A price of the plan, and what its call names it. */
type NamedPrice = readonly [AlgoField, Amount];

/** A leg, the field of its trigger and that of its limit. */
type NamedLeg = readonly [
  AlgoLeg,
  'triggerPrice' | 'takeProfit' | 'stopLoss',
  'price' | 'takeProfitPrice' | 'stopLossPrice',
];

/** The legs of a plan under the names of the call. */
function legsOf(plan: AlgoPlan): readonly NamedLeg[] {
  if (plan.kind === 'trailing' || plan.kind === 'iceberg') return [];
  if (plan.kind === 'oco')
    return [
      [plan.takeProfit, 'takeProfit', 'takeProfitPrice'],
      [plan.stopLoss, 'stopLoss', 'stopLossPrice'],
    ];
  return [[plan.leg, 'triggerPrice', 'price']];
}

function pricesOf(plan: AlgoPlan): readonly NamedPrice[] {
  if (plan.kind === 'trailing') {
    const { activation, distance } = plan.trailing;
    return [
      ...(activation === undefined ? [] : [['activation', activation] as const]),
      ...(distance === undefined ? [] : [['trailingDistance', distance] as const]),
    ];
  }
  if (plan.kind === 'iceberg') {
    const { limit, distance } = plan.iceberg;
    return [['price', limit], ...(distance === undefined ? [] : [['behindDistance', distance] as const])];
  }
  return legsOf(plan).flatMap(([{ trigger, limit }, triggerField, limitField]) => [
    ...(trigger === undefined ? [] : [[triggerField, trigger.price] as const]),
    ...(limit === undefined ? [] : [[limitField, limit] as const]),
  ]);
}

const instrumentTrades: Check = ({ instrument }) =>
  instrument.status === 'trading' ? undefined : { name: 'symbol-halted', given: instrument.symbol };

const settingsGoTogether: Check = (request) => {
  const wrong = combinationFault(request);
  if (wrong === undefined) return undefined;
  const [allowed, field] = wrong;
  return { name: 'order-combination', allowed: [allowed], ...(field === undefined ? {} : { field }) };
};

/** What does not go together, and the field that is in the way where it is one. */
function combinationFault(request: AlgoRequest): readonly [string, AlgoField?] | undefined {
  const { plan, quantity, whole, contract, instrument } = request;
  if ((quantity === undefined) === (whole === undefined)) return ['exactly one of quantity and whole'];
  if ((contract === undefined) === (instrument.symbolType === 'SWAP'))
    return ['position settings are for contracts'];
  if (whole === true && contract?.closes !== true)
    return ['the whole of a position is only ever closed', 'whole'];
  if (contract?.reduceOnly === true && !contract.closes)
    return ['this side opens the leg and cannot reduce it', 'reduceOnly'];
  if (
    plan.kind === 'trailing' &&
    (plan.trailing.ratio === undefined) === (plan.trailing.distance === undefined)
  )
    return ['exactly one of trailingRatio and trailingDistance'];
  const iceberg = icebergCombination(request);
  if (iceberg !== undefined) return iceberg;
  const resting = legsOf(plan).find(([{ trigger }]) => trigger === undefined);
  if (resting === undefined) return undefined;
  const [{ limit }, field] = resting;
  if (field !== 'takeProfit') return ['a trigger price is needed', field];
  return limit === undefined ? ['takeProfit or takeProfitPrice is needed', 'takeProfit'] : undefined;
}

/** A thing that the venue has not, and the field that asks for it. */
type Lacking = readonly [AlgoField, string];

const venueOffersIt: Check = (request, { offer }) => {
  const lacking = lackingOf(request, offer);
  if (lacking === undefined) return undefined;
  const [field, what] = lacking;
  return { name: 'algo-not-offered', field, given: request.instrument.symbol, allowed: [what] };
};

function lackingOf(request: AlgoRequest, offer: AlgoOffer): Lacking | undefined {
  const { plan } = request;
  if (!offer.kinds.includes(plan.kind)) return ['algoType', plan.kind];
  const target = plan.kind === 'oco' ? plan.takeProfit : {};
  const rests = target.trigger === undefined && target.limit !== undefined;
  if (rests && offer.targetRests !== true) return ['takeProfit', 'a take-profit that rests in the book'];
  return (
    triggerLacking(plan, offer) ??
    icebergLacking(request, offer) ??
    wholeLacking(request, offer) ??
    timeLacking(request, offer)
  );
}

/** A price that cannot be followed, or a way to follow it. */
function triggerLacking(plan: AlgoPlan, { triggerBy, trailing }: AlgoOffer): Lacking | undefined {
  const wrong = (field: AlgoField, by: TriggerBy): Lacking => [field, `a trigger by ${by} price`];
  if (plan.kind === 'trailing') {
    const { by, ratio } = plan.trailing;
    if (!(trailing?.by ?? triggerBy).includes(by)) return wrong('triggerBy', by);
    if (ratio === undefined && trailing?.distance !== true) return ['trailingDistance', 'trailingDistance'];
    return ratio !== undefined && trailing?.ratio === undefined
      ? ['trailingRatio', 'trailingRatio']
      : undefined;
  }
  for (const [{ trigger }, field] of legsOf(plan))
    if (trigger !== undefined && !triggerBy.includes(trigger.by)) return wrong(BY_FIELDS[field], trigger.by);
  return undefined;
}

/** The field that says which price a leg follows, by the one of its trigger. */
const BY_FIELDS = {
  triggerPrice: 'triggerBy',
  takeProfit: 'takeProfitBy',
  stopLoss: 'stopLossBy',
} as const;

function wholeLacking({ plan, whole, contract }: AlgoRequest, offer: AlgoOffer): Lacking | undefined {
  const hangs = plan.kind === 'trailing' && offer.trailing?.ofPosition === true;
  if (whole !== true) return hangs ? ['quantity', 'a trailing stop of a part of a position'] : undefined;
  const hedge = contract?.positionMode === 'hedge';
  if (offer.whole === 'never' || (offer.whole === 'one-way' && hedge)) return ['whole', 'the whole position'];
  if (plan.kind === 'trailing') return hangs ? undefined : ['whole', 'the whole position by a trailing stop'];
  if (plan.kind === 'iceberg') return ['whole', 'the whole position by an iceberg'];
  const atLimit = legsOf(plan).find(([{ limit }]) => limit !== undefined);
  return atLimit !== undefined && offer.wholeAtLimit !== true
    ? [atLimit[2], 'the whole position at a limit']
    : undefined;
}

/** A resting take-profit says nothing of the kind: what its venue makes of it is always post-only. */
function timeLacking({ plan, timeInForce }: AlgoRequest, { limitTimes }: AlgoOffer): Lacking | undefined {
  if (timeInForce === undefined || limitTimes.includes(timeInForce)) return undefined;
  const limited = legsOf(plan).some(([{ trigger, limit }]) => trigger !== undefined && limit !== undefined);
  return limited ? ['timeInForce', `${TIME_NAMES[timeInForce]} for what a trigger sends`] : undefined;
}

const TIME_NAMES: Readonly<Record<TimeInForce, string>> = {
  [TIME_IN_FORCE.GTC]: 'GTC',
  [TIME_IN_FORCE.IOC]: 'IOC',
  [TIME_IN_FORCE.FOK]: 'FOK',
  [TIME_IN_FORCE.POST_ONLY]: 'post-only',
};

const pricesOnStep: Check = ({ plan, instrument: { tickSize } }) => {
  const off = pricesOf(plan).find(([, price]) => price % tickSize !== 0n);
  return off === undefined
    ? undefined
    : { name: 'price-step', field: off[0], allowed: [formatAmount(tickSize)] };
};

/** What is on the step of a price without being one. */
const DISTANCES: ReadonlySet<AlgoField> = new Set(['trailingDistance', 'behindDistance']);

const pricesInRange: Check = ({ plan, instrument: { minPrice, maxPrice } }) => {
  const out = pricesOf(plan).find(
    ([field, price]) => !DISTANCES.has(field) && (price < minPrice || price > maxPrice),
  );
  if (out === undefined) return undefined;
  return { name: 'price-range', field: out[0], allowed: [formatAmount(minPrice), formatAmount(maxPrice)] };
};

const trailsInRange: Check = (request, { offer, prices }) => {
  const { plan } = request;
  const ratio = plan.kind === 'trailing' ? plan.trailing.ratio : undefined;
  const range = offer.trailing?.ratio;
  if (plan.kind === 'trailing' && offer.trailing?.ofPosition === true)
    return distanceFault(plan.trailing, request.instrument, prices);
  if (ratio === undefined || range === undefined) return undefined;
  const { min, max, step } = range;
  if (ratio >= min && ratio <= max && ratio % step === 0n) return undefined;
  return { name: 'trailing-range', field: 'trailingRatio', allowed: [formatAmount(min), formatAmount(max)] };
};

/** What is as far as the price itself is never reached. */
function distanceFault(
  { distance, activation, by }: Trailing,
  { minPrice, maxPrice }: Instrument,
  prices: AlgoMarket['prices'],
): AlgoFault | undefined {
  const most = activation ?? prices[by] ?? maxPrice;
  if (distance === undefined || (distance >= minPrice && distance < most)) return undefined;
  return {
    name: 'trailing-range',
    field: 'trailingDistance',
    allowed: [formatAmount(minPrice), formatAmount(most)],
  };
}

/** A pair of legs stands around the price: what has come true already would fire at once. */
const legsAreAround: Check = ({ plan, side }, { prices }) => {
  if (plan.kind !== 'oco') return undefined;
  const sells = side === SIDE.SELL;
  const name = sells ? 'targets-of-long' : 'targets-of-short';
  const target = plan.takeProfit.trigger?.price ?? plan.takeProfit.limit;
  const stop = plan.stopLoss.trigger;
  if (target === undefined || stop === undefined) return undefined;
  const beyond = (higher: Amount, lower: Amount) => (sells ? higher > lower : higher < lower);
  if (!beyond(target, stop.price)) return { name, field: 'takeProfit' };
  const targetNow = prices[plan.takeProfit.trigger?.by ?? 'last'];
  if (targetNow !== undefined && !beyond(target, targetNow)) return { name, field: 'takeProfit' };
  const stopNow = prices[stop.by];
  return stopNow !== undefined && !beyond(stopNow, stop.price) ? { name, field: 'stopLoss' } : undefined;
};

const waitsForSomething: Check = ({ plan, side }, { prices }) => {
  if (plan.kind === 'oco' || plan.kind === 'iceberg') return undefined;
  const [field, price, by] =
    plan.kind === 'trailing'
      ? (['activation', plan.trailing.activation, plan.trailing.by] as const)
      : (['triggerPrice', plan.leg.trigger?.price, plan.leg.trigger?.by ?? 'last'] as const);
  const now = prices[by];
  if (price === undefined || now === undefined) return undefined;
  // A trailing order begins where the price is better than now, as a take-profit does.
  const above = (plan.kind === 'stop') === (side === SIDE.BUY);
  if (above ? price > now : price < now) return undefined;
  return { name: 'trigger-at-once', field, allowed: [`${above ? '>' : '<'} ${formatAmount(now)}`] };
};

const quantityOnStep: Check = ({ quantity, instrument: { lotSize } }) =>
  quantity === undefined || quantity % lotSize === 0n
    ? undefined
    : { name: 'quantity-step', field: 'quantity', allowed: [formatAmount(lotSize)] };

const quantityInRange: Check = ({ quantity, plan, instrument }) => {
  if (quantity === undefined) return undefined;
  const { minQty, maxQty, maxMarketQty } = instrument;
  const most = sendsMarket(plan) ? lesser(maxQty, maxMarketQty) : maxQty;
  if (quantity >= minQty && quantity <= most) return undefined;
  return { name: 'quantity-range', field: 'quantity', allowed: [formatAmount(minQty), formatAmount(most)] };
};

function sendsMarket(plan: AlgoPlan): boolean {
  return plan.kind === 'trailing' || legsOf(plan).some(([{ limit }]) => limit === undefined);
}

/** What closes a position may be as small as the position is. */
const valueIsEnough: Check = ({ quantity, plan, contract, instrument }) => {
  if (quantity === undefined || contract?.closes === true) return undefined;
  const { minNotional, quote, contractValue } = instrument;
  // Each slice of an iceberg is an order's size itself.
  const size = plan.kind === 'iceberg' ? plan.iceberg.visible : quantity;
  const prices =
    plan.kind === 'iceberg'
      ? [plan.iceberg.limit]
      : legsOf(plan).map(([{ trigger, limit }]) => limit ?? trigger?.price);
  const least = prices
    .filter((price) => price !== undefined)
    .map((price) => notionalDown(price, size, contractValue));
  if (least.every((value) => value >= minNotional)) return undefined;
  return {
    name: 'notional-too-small',
    field: plan.kind === 'iceberg' ? 'visibleQuantity' : 'quantity',
    allowed: [`${formatAmount(minNotional)} ${quote}`],
  };
};

/** The checks in the order of the catalogue. */
const CHECKS: readonly Check[] = [
  instrumentTrades,
  settingsGoTogether,
  venueOffersIt,
  pricesOnStep,
  pricesInRange,
  trailsInRange,
  legsAreAround,
  waitsForSomething,
  quantityOnStep,
  quantityInRange,
  (request, { offer }) => icebergRange(request, offer),
  valueIsEnough,
];

/** Everything that is wrong with an algo order but its balance, in the order of the catalogue; empty for a sound one. */
export function algoFaults(request: AlgoRequest, market: AlgoMarket): readonly AlgoFault[] {
  return CHECKS.map((check) => check(request, market)).filter((fault) => fault !== undefined);
}

/** How far a trailing order can be from the price where it begins: the highest at which a buy of it fires. */
export function trailingBuyMax({ ratio, distance }: Trailing, begins: Amount): Amount {
  if (distance !== undefined) return (begins + distance) as Amount;
  return (begins + (begins * (ratio ?? (0n as Amount))) / 10n ** 18n) as Amount;
}
