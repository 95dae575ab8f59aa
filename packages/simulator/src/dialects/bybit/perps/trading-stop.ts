import { type Amount, amountToSteps, type Lots, refused, type Ticks } from '@crossbook/domain';
import type { ConditionalRefusal, PositionStops, WaitingConditional } from '../../../perp-conditionals.ts';
import type { PerpPosition, SimPositionSide } from '../../../perp-exchange.ts';
import type { PriceKind } from '../../../triggers/trigger.ts';
import type { PerpFacts } from '../../../venue.ts';
import {
  type Answer,
  accountOf,
  type Desk,
  type Endpoint,
  type Run,
  reply,
  signedCall,
} from '../endpoint.ts';
import { type BybitError, ERRORS, invalid, missing } from '../errors.ts';
import type { ParamReader } from '../params.ts';
import { lotsOf, readPositionSide } from './order-draft.ts';
import { contractOf } from './order-shapes.ts';
import { LINEAR } from './refusals.ts';
import { countedLeg, type LegDraft, readExtent, readLeg, ticksOf } from './stop-params.ts';
import { stopRefusal } from './stop-refusals.ts';
import { priceText } from './stop-words.ts';
import { readLinear, readTraded } from './traded.ts';

const CHANGES_PER_SECOND_MAX = 10;

/** What is to protect a position, as read. What is absent stays; a price of 0 takes away. */
interface StopsDraft {
  readonly side: SimPositionSide;
  readonly takeProfit: LegDraft | undefined;
  readonly stopLoss: LegDraft | undefined;
  readonly trailing: { readonly distance: Amount; readonly activation: Amount | undefined } | undefined;
  /** Present: the legs are for so much of the position, and come to those that it has. */
  readonly size: Amount | undefined;
}

function readSize(reader: ParamReader): Amount | undefined {
  const sizes = ['tpSize', 'slSize'].flatMap((name) => reader.decimal(name, invalid(name)) ?? []);
  const [size] = sizes;
  if (size === undefined) reader.refuse(missing('tpSize and slSize'));
  else if (size === 0n || sizes.some((other) => other !== size)) reader.refuse(invalid('tpSize and slSize'));
  return size;
}

function readStops(reader: ParamReader): StopsDraft {
  // Documented as needed; ccxt leaves it out of a trailing stop, which the exchange takes.
  const extent = readExtent(reader);
  const side = readPositionSide(reader);
  const takeProfit = readLeg(reader, 'tp', extent);
  const stopLoss = readLeg(reader, 'sl', extent);
  const distance = reader.decimal('trailingStop', invalid('trailingStop'));
  const activation = reader.decimal('activePrice', invalid('activePrice'));
  const trailing =
    distance === undefined ? undefined : { distance, activation: activation === 0n ? undefined : activation };
  const partial = extent === 'PART' && (takeProfit !== undefined || stopLoss !== undefined);
  const removes = takeProfit?.trigger === 0n || stopLoss?.trigger === 0n;
  if (partial && (removes || trailing !== undefined)) reader.refuse(LINEAR.onlyFull);
  return { side, takeProfit, stopLoss, trailing, size: partial ? readSize(reader) : undefined };
}

/** The stops in the core's own steps, or what their figures are refused for. */
function counted(draft: StopsDraft, contract: PerpFacts): PositionStops | BybitError {
  let stops: PositionStops = {};
  for (const name of ['takeProfit', 'stopLoss'] as const) {
    const asked = draft[name];
    if (asked === undefined) continue;
    const leg = countedLeg(asked, contract);
    if (!leg.ok) return leg.code;
    stops = { ...stops, [name]: asked.trigger === 0n ? 'NONE' : leg.value };
  }
  const { trailing } = draft;
  if (trailing === undefined) return stops;
  if (trailing.distance === 0n) return { ...stops, trailing: 'NONE' };
  const ticks = amountToSteps(trailing.distance, contract.tickSize);
  const activation = ticksOf(trailing.activation, contract);
  if (ticks === undefined) return invalid('trailingStop');
  if (!activation.ok) return activation.code;
  const start = activation.value === undefined ? {} : { activation: activation.value };
  return { ...stops, trailing: { by: 'LAST', back: { ticks: ticks as Ticks }, ...start } };
}

/** Sets what closes a position, whole or in parts (position/trading-stop). */
function setStops(reader: ParamReader, desk: Desk): Run {
  readLinear(reader);
  const contract = readTraded(reader, desk);
  const draft = readStops(reader);
  return async (caller) => {
    if (contract === undefined) return refused(ERRORS.badSymbol);
    const { perps } = desk.venue;
    const account = accountOf(caller);
    const { symbol } = contract;
    const { positionMode } = perps.setting(account, symbol);
    if ((positionMode === 'HEDGE') === (draft.side === 'BOTH')) return refused(LINEAR.positionIdx);
    const held = perps.positions(account, symbol).find(({ side }) => side === draft.side);
    if (held === undefined) return refused(LINEAR.noPositionToStop);
    return await protect(desk, contract, { draft, held });
  };
}

async function protect(
  desk: Desk,
  contract: PerpFacts,
  { draft, held }: { readonly draft: StopsDraft; readonly held: PerpPosition },
): Promise<Answer> {
  const stops = counted(draft, contract);
  if ('code' in stops) return refused(stops);
  const lots = lotsOf(draft.size, contract);
  if (!lots.ok) return lots;
  if ((lots.value ?? 0) > Math.abs(held.quantity)) return refused(LINEAR.stopSize);
  const { side, account, symbol, marginMode } = held;
  const key = { account, symbol, side, marginMode };
  const done = await desk.venue.perps.conditionals.protect(key, stops, lots.value);
  return done.ok ? reply({}) : refused(refusalOf(desk, done.code, { held, stops, lots: lots.value }));
}

function refusalOf(
  desk: Desk,
  refusal: ConditionalRefusal,
  asked: { readonly held: PerpPosition; readonly stops: PositionStops; readonly lots: Lots | undefined },
): BybitError {
  const { held, stops, lots } = asked;
  if (refusal === 'UNCHANGED') return LINEAR.stopsUnchanged;
  if (refusal === 'NO_POSITION') return LINEAR.noPositionToStop;
  if (refusal === 'MAX_NUM_ALGO_ORDERS') return LINEAR.tooManyPartial;
  // The venue names the leg: here the text names both.
  if (refusal === 'WOULD_TRIGGER') return LINEAR.bracketPrice;
  const leg = [stops.takeProfit, stops.stopLoss].find((one) => one !== undefined && one !== 'NONE');
  const by: PriceKind = typeof leg === 'object' ? leg.by : 'LAST';
  const trigger = { at: 'PRICE', by, direction: 'RISE', price: 0 as Ticks } as const;
  return stopRefusal(desk, refusal, { symbol: held.symbol, quantity: lots ?? 'WHOLE', trigger });
}

/** What closes all of a position, as its row tells it. */
export function stopsOfPosition(desk: Desk, held: PerpPosition | undefined): object {
  const { conditionals } = desk.venue.perps;
  const whole =
    held === undefined
      ? []
      : conditionals.protecting(held).filter(({ attached }) => attached?.position === 'WHOLE');
  const of = (purpose: WaitingConditional['purpose']) => {
    const trigger = whole.find((one) => one.purpose === purpose)?.trigger;
    if (held === undefined || trigger === undefined) return undefined;
    const price =
      trigger.at === 'PRICE' ? trigger.price : 'ticks' in trigger.back ? trigger.back.ticks : undefined;
    return priceText(price, contractOf(desk, held.symbol));
  };
  return {
    takeProfit: of('TAKE_PROFIT') ?? '',
    stopLoss: of('STOP') ?? '',
    trailingStop: of('TRAILING') ?? '0',
  };
}

/** Stops of positions. */
export const STOP_ENDPOINTS: readonly Endpoint[] = [
  signedCall('position.tradingStop POST /v5/position/trading-stop', CHANGES_PER_SECOND_MAX, setStops),
];
