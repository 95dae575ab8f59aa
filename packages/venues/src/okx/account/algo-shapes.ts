import {
  type AlgoLegName,
  type Amount,
  type Instrument,
  type MarginMode,
  type Millis,
  type OrderTargets,
  POSITION_SIDE,
  type PositionSide,
  SIDE,
  type Side,
  type SymbolType,
  TIME_IN_FORCE,
  type Trailing,
  type TriggerBy,
  type TriggerPlan,
  type VenueAlgoState,
  type VenueAlgoStatus,
  type VenueClientId,
  type VenueOrderId,
} from '@crossbook/domain';
import { planOfLegs, type ShownLeg } from '../../trading/shown-plan.ts';
import type { AlgoKey, FoundAlgo, ListedAlgo, ShownAlgo } from '../../venue-algos.ts';
import { asArray, asObject, asText, type WireObject } from '../../wire/guards.ts';
import { asAmount } from '../../wire/numbers.ts';
import { asIdText, asTextCounter, leverageOf } from '../wire.ts';
import type { ChannelReader } from './account-socket.ts';
import { attachmentOf } from './attached-id.ts';

/**
 * OKX's algo orders to domain values; pairs and contracts are told in one shape. Pure; `undefined` for anything that is
 * not the documented shape. Source: OKX v5 guide, "Algo order list", "Algo orders channel" (2026).
 */

/** `effective` is fired once the order that was sent is named; it may be told a moment before. */
const STATUSES: ReadonlyMap<unknown, VenueAlgoStatus> = new Map<string, VenueAlgoStatus>([
  ['live', 'waiting'],
  ['pause', 'waiting'],
  ['partially_effective', 'firing'],
  ['effective', 'firing'],
  ['canceled', 'cancelled'],
  ['order_failed', 'refused'],
  ['partially_failed', 'refused'],
]);

/** Of an iceberg: a part of it has become orders, or all has. */
const ICEBERG_STATUSES: ReadonlyMap<unknown, VenueAlgoStatus> = new Map<unknown, VenueAlgoStatus>([
  ...STATUSES,
  ['partially_effective', 'waiting'],
  ['effective', 'fired'],
]);

const LEGS: ReadonlyMap<unknown, AlgoLegName> = new Map<string, AlgoLegName>([
  ['tp', 'take-profit'],
  ['sl', 'stop-loss'],
]);

function childOf(row: WireObject): VenueAlgoState['child'] {
  const venueOrderId = asIdText(asArray(row.ordIdList)?.[0]) ?? asIdText(row.ordId);
  if (venueOrderId === undefined) return undefined;
  const leg = row.ordType === 'oco' ? LEGS.get(row.actualSide) : undefined;
  return { venueOrderId: venueOrderId as VenueOrderId, ...(leg === undefined ? {} : { leg }) };
}

/**
 * What a name says of the order that it came with. A stop beside several targets and what is for all of an order are called alike:
 * which it is only what came with the order tells.
 */
function attachmentIn(clientId: string): Pick<VenueAlgoState, 'parent' | 'leg' | 'part'> {
  const attachment = attachmentOf(clientId);
  if (attachment === undefined) return {};
  const { parent, part } = attachment;
  return part === 0 ? { parent } : { parent, leg: 'take-profit', part };
}

/** An algo order as lists, lookups and the channel give it. */
export function normaliseAlgo(entry: unknown): VenueAlgoState | undefined {
  const row = asObject(entry);
  const iceberg = row?.ordType === 'iceberg';
  const status = (iceberg ? ICEBERG_STATUSES : STATUSES).get(row?.state);
  const algoId = asIdText(row?.algoId);
  const symbol = asText(row?.instId);
  const clientId = row?.algoClOrdId;
  const time = asTextCounter(row?.uTime) ?? asTextCounter(row?.cTime);
  if (row === undefined || status === undefined || algoId === undefined) return undefined;
  if (symbol === undefined || typeof clientId !== 'string' || time === undefined) return undefined;
  // The slices of an iceberg are many, and are read by themselves.
  const child = iceberg ? undefined : childOf(row);
  const reason = asText(row.failCode);
  const quantity = asAmount(row.sz);
  const executed = iceberg ? asAmount(row.actualSz) : undefined;
  return {
    clientId: clientId as VenueClientId,
    venueAlgoId: algoId as VenueOrderId,
    symbol,
    // An order that was sent tells the rest by itself, whatever else became of the algo order.
    status: child === undefined ? status : 'fired',
    ...(child === undefined ? {} : { child }),
    ...attachmentIn(clientId),
    ...(quantity === undefined || quantity === 0n ? {} : { quantity }),
    ...(executed === undefined ? {} : { executed }),
    ...(reason === undefined || reason === '' ? {} : { reason }),
    time: time as Millis,
  };
}

/** What one that waits asks for; a limit of -1 is a market order. */
export function asksIn(row: WireObject | undefined): NonNullable<FoundAlgo['asks']> {
  const some = (values: Readonly<Record<string, Amount | undefined>>) => {
    const present = Object.entries(values).filter(([, value]) => value !== undefined);
    return present.length === 0 ? undefined : Object.fromEntries(present);
  };
  const takeProfit = some({ trigger: asAmount(row?.tpTriggerPx), limit: asAmount(row?.tpOrdPx) });
  const stopLoss = some({ trigger: asAmount(row?.slTriggerPx), limit: asAmount(row?.slOrdPx) });
  const trailing = some({
    ...{ ratio: asAmount(row?.callbackRatio), distance: asAmount(row?.callbackSpread) },
    activation: asAmount(row?.activePx),
  });
  return {
    ...(takeProfit === undefined ? {} : { takeProfit }),
    ...(stopLoss === undefined ? {} : { stopLoss }),
    ...(trailing === undefined ? {} : { trailing }),
  };
}

const BY: ReadonlyMap<unknown, TriggerBy> = new Map<unknown, TriggerBy>([
  ['', 'last'],
  ['last', 'last'],
  ['mark', 'mark'],
  ['index', 'index'],
]);
const POSITIONS: ReadonlyMap<unknown, PositionSide> = new Map<unknown, PositionSide>([
  ['net', POSITION_SIDE.NET],
  ['long', POSITION_SIDE.LONG],
  ['short', POSITION_SIDE.SHORT],
]);
const MARGIN_MODES: ReadonlyMap<unknown, MarginMode> = new Map<unknown, MarginMode>([
  ['cross', 'cross'],
  ['isolated', 'isolated'],
]);

function legIn(row: WireObject, prefix: 'tp' | 'sl'): ShownLeg {
  return {
    price: asAmount(row[`${prefix}TriggerPx`]),
    by: BY.get(row[`${prefix}TriggerPxType`]),
    limit: asAmount(row[`${prefix}OrdPx`]),
  };
}

/**
 * A trigger order fires from whichever side the price comes: what it is follows from where the last price stood when it was placed
 * (`last`, "Algo order list", 2026).
 */
function triggerPlanIn(row: WireObject, side: Side): TriggerPlan | undefined {
  const leg = { price: asAmount(row.triggerPx), by: BY.get(row.triggerPxType), limit: asAmount(row.ordPx) };
  const last = asAmount(row.last);
  if (leg.price === undefined || last === undefined || last === 0n || leg.price === last) return undefined;
  const isStop = leg.price > last === (side === SIDE.BUY);
  return isStop ? planOfLegs(undefined, leg) : planOfLegs(leg, undefined);
}

/** What comes with what a trigger order sends; `undefined` where it is not said in full, or is more than a target and a stop. */
function broughtIn(row: WireObject): OrderTargets | undefined {
  const entries = asArray(row.attachAlgoOrds) ?? [];
  const entry = asObject(entries[0]);
  if (entries.length === 0) return {};
  if (entry === undefined || entries.length > 1) return undefined;
  const plan = planOfLegs(legIn(entry, 'tp'), legIn(entry, 'sl'));
  if (plan?.kind === 'oco') return { takeProfit: plan.takeProfit, stopLoss: plan.stopLoss };
  if (plan?.kind === 'take-profit') return { takeProfit: plan.leg };
  return plan?.kind === 'stop' ? { stopLoss: plan.leg } : undefined;
}

function planIn(row: WireObject, side: Side): TriggerPlan | undefined {
  if (row.ordType === 'trigger') return triggerPlanIn(row, side);
  if (row.ordType === 'move_order_stop') {
    const [ratio, distance] = [asAmount(row.callbackRatio), asAmount(row.callbackSpread)];
    const activation = asAmount(row.activePx);
    if ((ratio ?? distance) === undefined) return undefined;
    const far = ratio === undefined ? { distance } : { ratio };
    return {
      kind: 'trailing',
      trailing: { by: 'last', ...far, ...(activation === undefined ? {} : { activation }) } as Trailing,
    };
  }
  return planOfLegs(legIn(row, 'tp'), legIn(row, 'sl'));
}

/** A row of the list of what waits on a swap, in full; `undefined` where it leaves out what its member must know. */
export function shownIn(row: WireObject | undefined): ShownAlgo | undefined {
  const side = row?.side === 'buy' ? SIDE.BUY : row?.side === 'sell' ? SIDE.SELL : undefined;
  if (row?.instType !== 'SWAP' || side === undefined) return undefined;
  const plan = planIn(row, side);
  const brings = broughtIn(row);
  const position = POSITIONS.get(row.posSide);
  const marginMode = MARGIN_MODES.get(row.tdMode);
  const leverage = leverageOf(row.lever);
  const quantity = asAmount(row.sz);
  const whole = row.closeFraction === '1';
  if (plan === undefined || position === undefined || brings === undefined) return undefined;
  if (!whole && (quantity === undefined || quantity === 0n)) return undefined;
  const closesLeg =
    position !== POSITION_SIDE.NET && (position === POSITION_SIDE.LONG) === (side === SIDE.SELL);
  return {
    ...{ side, plan, position, timeInForce: TIME_IN_FORCE.GTC },
    reduces: whole || closesLeg || row.reduceOnly === 'true',
    ...(marginMode === undefined ? {} : { marginMode }),
    ...(leverage === undefined ? {} : { leverage }),
    ...(whole || quantity === undefined ? {} : { quantity }),
    ...(Object.keys(brings).length === 0 ? {} : { brings }),
  };
}

/** A row of the list of what waits. */
export function normaliseListed(entry: unknown): ListedAlgo | undefined {
  const state = normaliseAlgo(entry);
  const shown = shownIn(asObject(entry));
  return state && (shown === undefined ? state : { ...state, shown });
}

/** The acknowledgement of a placement. */
export function normalisePlacedAlgo(
  row: WireObject | undefined,
  { symbol }: Instrument,
  now: Millis,
): VenueAlgoState | undefined {
  const algoId = asIdText(row?.algoId);
  const clientId = asText(row?.algoClOrdId);
  if (row?.sCode !== '0' || algoId === undefined || clientId === undefined) return undefined;
  return {
    clientId: clientId as VenueClientId,
    venueAlgoId: algoId as VenueOrderId,
    ...{ symbol, status: 'waiting', time: now },
  };
}

/** Whether a row names the algo order that was meant; anything else proves nothing. */
export function namesAlgo(row: WireObject | undefined, { venueAlgoId, clientId }: AlgoKey): boolean {
  return venueAlgoId === undefined ? row?.algoClOrdId === clientId : row?.algoId === venueAlgoId;
}

/** The channels of algo orders of one type of market; icebergs and trailing orders have one of their own. */
export function algoReaders(instType: SymbolType): readonly ChannelReader[] {
  return ['orders-algo', 'algo-advance'].map((channel) => ({
    ...{ channel, instType },
    read(row, handlers) {
      const state = normaliseAlgo(row);
      if (state !== undefined) handlers.onAlgo?.(state);
      return state !== undefined;
    },
  }));
}
