import { ok, refused, type Ticks } from '@crossbook/domain';
import type { ConditionalRefusal, NewConditionalLeg, PerpConditional } from '../../../perp-conditionals.ts';
import type { PerpOrder } from '../../../perp-exchange.ts';
import { reachedError } from '../algos/algo-errors.ts';
import type { AlgoAdapter, AlgoLeg, AlgoSlice } from '../algos/algo-legs.ts';
import { slicesPrefix } from '../algos/iceberg-ids.ts';
import { ERRORS, type OkxError, parameterError } from '../errors.ts';
import { ordIdOf } from '../ids.ts';
import { factsOf, type Listed } from '../listing.ts';
import { SEARCHED_MAX } from '../orders/order-adapter.ts';
import { sizeRefusal } from '../orders/order-words.ts';
import { perpError } from './errors.ts';
import { mgnModeOf, posSideOf } from './words.ts';

/** Numbers of algo orders on contracts begin behind this one. */
const ALGO_ORIGIN = 600_000_000_000_000_000n;
const ID = /^[0-9]{18,19}$/;

/** `algoId`: of a pair that of its first leg. */
export function algoIdOf({ group, algoId }: Pick<AlgoLeg, 'group' | 'algoId'>): string {
  return String(ALGO_ORIGIN + BigInt(group ?? algoId));
}

/** OKX's words for a refusal of the core. @param legs what was asked. */
function algoError(
  refusal: ConditionalRefusal,
  legs: readonly NewConditionalLeg[],
  listed: Listed,
): OkxError {
  const [first] = legs;
  switch (refusal) {
    case 'WOULD_TRIGGER':
      return first === undefined ? ERRORS.algoPrice : reachedError(first);
    case 'TRIGGER_PRICE':
    case 'PRICE_FILTER':
      return ERRORS.algoPrice;
    case 'TRAILING_RANGE':
      return ERRORS.trailRange;
    case 'MAX_NUM_ALGO_ORDERS':
      return ERRORS.tooManyAlgos;
    case 'CLOSE_EXISTS':
      return parameterError('closeFraction');
    case 'NO_POSITION':
      return ERRORS.nothingToClose;
    case 'DUPLICATE_CLIENT_ID':
      return ERRORS.duplicateAlgoId;
    case 'LOT_SIZE': {
      const quantity = first?.sends.quantity;
      return typeof quantity === 'number' ? sizeRefusal({ quantity }, factsOf(listed)) : ERRORS.tooSmall;
    }
    default:
      return perpError(refusal);
  }
}

/** A target that rests is an order, and no algo order that anybody sees. */
export function isShown({ attached }: Pick<AlgoLeg, 'attached'>): boolean {
  return attached?.rests !== true;
}

/** A leg of a contract: the adapter hands out no others. */
function own(leg: AlgoLeg): PerpConditional {
  return leg as PerpConditional;
}

function sliceOf({ clientId, orderId, price, executed, status }: PerpOrder): AlgoSlice {
  const open = status === 'NEW' || status === 'PARTIALLY_FILLED';
  return { clientId, orderId, price: price ?? (0 as Ticks), executed, open };
}

/** Algo orders on contracts: the core's conditional orders. */
export const CONTRACT_ALGOS: AlgoAdapter = {
  async place(desk, listed, asked) {
    const placed = await desk.venue.perps.conditionals.place(asked);
    if (!placed.ok) return refused(algoError(placed.code, asked.legs, listed));
    const [first] = placed.value;
    if (first === undefined) throw new Error('invariant broken: what was placed has a leg');
    return ok(first);
  },
  async amend(desk, { listed }, changes) {
    // Of a pair the second may be refused after the first was changed.
    for (const [leg, change] of changes) {
      const { account } = own(leg).sends;
      const done = await desk.venue.perps.conditionals.amend(account, { algoId: leg.algoId }, change);
      if (!done.ok && done.code === 'UNKNOWN_ORDER') return ERRORS.amendNotThere;
      if (!done.ok) return algoError(done.code, [own(leg)], listed);
    }
    return undefined;
  },
  async cancel(desk, leg) {
    const { account } = own(leg).sends;
    return (await desk.venue.perps.conditionals.cancel(account, { algoId: leg.algoId })).ok;
  },
  waiting: (desk, account) =>
    desk.venue.perps.conditionals
      .open(account)
      .filter(isShown)
      .filter(({ state }) => state === 'WAITING'),
  history: (desk, account, startTime) =>
    desk.venue.perps.conditionals.history(account, { startTime, limit: SEARCHED_MAX }).filter(isShown),
  byId(desk, account, id) {
    if (!ID.test(id)) return undefined;
    const algoId = Number(BigInt(id) - ALGO_ORIGIN);
    const found = desk.venue.perps.conditionals.find(account, { algoId });
    if (found === undefined || !isShown(found)) return undefined;
    return found.group === undefined || found.group === algoId ? found : undefined;
  },
  byClientId: (desk, account, clientId) => desk.venue.perps.conditionals.find(account, { clientId }),
  legsOf(desk, leg) {
    const { conditionals } = desk.venue.perps;
    const { account } = own(leg).sends;
    const first = conditionals.find(account, { algoId: leg.group ?? leg.algoId }) ?? leg;
    // The legs of a pair were made one after the other.
    const second =
      leg.group === undefined ? undefined : conditionals.find(account, { algoId: leg.group + 1 });
    return second === undefined ? [first] : [first, second];
  },
  idOf: (_, leg) => algoIdOf(leg),
  childOf(desk, listed, leg) {
    if (!('childId' in leg)) return undefined;
    const { account, symbol } = own(leg).sends;
    const orderId = leg.childId as PerpOrder['orderId'];
    const child = desk.venue.perps.perpOrder(account, symbol, { orderId });
    return child && { ...child, ordId: ordIdOf(listed, child.orderId) };
  },
  termsOf(desk, leg) {
    const { account, symbol, positionSide, marginMode, reduceOnly } = own(leg).sends;
    const { leverageLong, leverageShort } = desk.venue.perps.setting(account, symbol, marginMode);
    const lever = String(positionSide === 'SHORT' ? leverageShort : leverageLong);
    return { tdMode: mgnModeOf(marginMode), posSide: posSideOf(positionSide), reduceOnly, tgtCcy: '', lever };
  },
  slices: (desk, _listed, leg) => {
    const { account, symbol } = own(leg).sends;
    const page = { symbol, startTime: leg.createdAt, limit: SEARCHED_MAX };
    return desk.venue.perps
      .perpOrders(account, page)
      .filter(({ clientId }) => clientId.startsWith(slicesPrefix(leg)))
      .map(sliceOf);
  },
  slice(desk, leg, clientId) {
    const { account, symbol } = own(leg).sends;
    const order = desk.venue.perps.perpOrder(account, symbol, { clientId });
    return order && sliceOf(order);
  },
  async sendSlice(desk, leg, asked) {
    const placed = await desk.venue.perps.placePerp({
      ...{ ...own(leg).sends, ...asked, kind: 'LIMIT', timeInForce: 'GTC' },
    });
    return placed.ok ? asked.clientId : undefined;
  },
  async cancelSlice(desk, leg, { orderId }) {
    const { account, symbol } = own(leg).sends;
    await desk.venue.perps.cancelPerp(account, symbol, { orderId });
  },
  failCode: (refusal) => perpError(refusal as Parameters<typeof perpError>[0]).code,
};
