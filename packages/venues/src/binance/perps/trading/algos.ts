import { type Amount, formatAmount, isFinalAlgo, SIDE } from '@crossbook/domain';
import { notExpressible } from '../../../trading/call-answers.ts';
import { closesItsLeg } from '../../../trading/contract-terms.ts';
import type { AlgoKey, AlgoSendOutcome, ListedAlgo, VenueAlgoRequest } from '../../../venue-algos.ts';
import type { VenueCredentials, VenueRead } from '../../../venue-answers.ts';
import { asObject } from '../../../wire/guards.ts';
import { rowsOf } from '../../../wire/numbers.ts';
import { type AlgoRoom, cancelAlgo, classOf, findAlgo, placeAlgo } from '../../account/algo-calls.ts';
import { type Asking, readCall } from '../../account/calls.ts';
import type { CallParameters } from '../../account/sign.ts';
import { normaliseAlgo, normaliseListed } from './algo-states.ts';
import { positionParameters, TIMES_IN_FORCE } from './orders.ts';

const PATH = '/fapi/v1/algoOrder';
/** The list of one symbol weighs 1, that of all of them 40. */
const LIST_OF_ALL_WEIGHT = 40;

/**
 * Algo orders on USD-M contracts: the algo service, where all that wait for a price have been since 2025-12-09. It takes
 * no weight for a placement, only the account's count of orders. They hold no margin; what they send can be refused.
 */
export const CONTRACT_ALGOS: AlgoRoom = {
  place,
  cancel: (calls, credentials, key) =>
    cancelAlgo(
      { calls, credentials },
      { ...named(key), method: 'DELETE', requestClass: 'cancel' },
      (answer) => (asObject(answer)?.clientAlgoId === key.clientId ? 'done' : undefined),
    ),
  find: (calls, credentials, key) =>
    findAlgo(
      { calls, credentials },
      key,
      { ...named(key), method: 'GET', requestClass: 'lookup' },
      normaliseAlgo,
    ),
  waiting,
};

function named({ clientId }: AlgoKey) {
  return { path: PATH, market: 'SWAP', weight: 1, parameters: { clientAlgoId: clientId } } as const;
}

async function place(
  calls: Asking,
  credentials: VenueCredentials,
  request: VenueAlgoRequest,
): Promise<AlgoSendOutcome> {
  const parameters = algoParameters(request);
  if (parameters === undefined)
    return notExpressible('no such algo order, or its position side does not fit the mode');
  const call = { path: PATH, market: 'SWAP', method: 'POST', weight: 0, places: 1, parameters } as const;
  return placeAlgo(
    { calls, credentials },
    request,
    { ...call, requestClass: classOf(request) },
    normaliseAlgo,
  );
}

function algoParameters(request: VenueAlgoRequest): CallParameters | undefined {
  const size = sizeParameters(request);
  const plan = planParameters(request);
  if (size === undefined || plan === undefined) return undefined;
  return {
    algoType: 'CONDITIONAL',
    symbol: request.instrument.symbol,
    side: request.side === SIDE.BUY ? 'BUY' : 'SELL',
    ...size,
    ...plan,
    clientAlgoId: request.clientId,
    newOrderRespType: 'RESULT',
  };
}

/** What closes the whole position says neither quantity nor `reduceOnly` (-4137, -4138); it is one by itself. */
function sizeParameters({ contract, side, quantity, whole }: VenueAlgoRequest): CallParameters | undefined {
  if (contract === undefined || (whole === true) === (quantity !== undefined)) return undefined;
  const position = positionParameters(
    { ...contract, reduceOnly: contract.reduceOnly && whole !== true },
    side,
  );
  if (position === undefined) return undefined;
  if (quantity !== undefined) return { ...position, quantity: formatAmount(quantity) };
  return closesItsLeg(contract, side) ? { ...position, closePosition: true } : undefined;
}

const WORKING_TYPES = { last: 'CONTRACT_PRICE', mark: 'MARK_PRICE', index: undefined } as const;

function planParameters({ plan, timeInForce, whole }: VenueAlgoRequest): CallParameters | undefined {
  if (plan.kind === 'oco' || plan.kind === 'iceberg') return undefined;
  if (plan.kind === 'trailing') {
    const { ratio, activation, by } = plan.trailing;
    const workingType = WORKING_TYPES[by];
    if (ratio === undefined || whole === true || workingType === undefined) return undefined;
    // The venue counts percents.
    const callbackRate = formatAmount((ratio * 100n) as Amount);
    const activatePrice = activation === undefined ? {} : { activatePrice: formatAmount(activation) };
    return { type: 'TRAILING_STOP_MARKET', callbackRate, workingType, ...activatePrice };
  }
  const { trigger, limit } = plan.leg;
  const workingType = trigger && WORKING_TYPES[trigger.by];
  if (trigger === undefined || workingType === undefined) return undefined;
  const purpose = plan.kind === 'stop' ? 'STOP' : 'TAKE_PROFIT';
  const waits = { workingType, triggerPrice: formatAmount(trigger.price) };
  if (limit === undefined) return { type: `${purpose}_MARKET`, ...waits };
  if (whole === true) return undefined;
  return { type: purpose, ...waits, price: formatAmount(limit), timeInForce: TIMES_IN_FORCE[timeInForce] };
}

async function waiting(
  calls: Asking,
  credentials: VenueCredentials,
  instruments: Parameters<AlgoRoom['waiting']>[2],
): Promise<VenueRead<readonly ListedAlgo[]>> {
  const read = (weight: number, parameters: CallParameters) => {
    const list = { path: '/fapi/v1/openAlgoOrders', market: 'SWAP', method: 'GET', weight } as const;
    const call = { ...list, requestClass: 'reconciliation', parameters } as const;
    return readCall(calls, credentials, call, (answer) => rowsOf(answer, normaliseListed));
  };
  const found: ListedAlgo[] = [];
  const all = instruments.length > LIST_OF_ALL_WEIGHT;
  for (const parameters of all ? [{}] : instruments.map(({ symbol }) => ({ symbol }))) {
    const rows = await read(all ? LIST_OF_ALL_WEIGHT : 1, parameters);
    if (!rows.ok) return rows;
    found.push(...rows.value);
  }
  const wanted = new Set(instruments.map(({ symbol }) => symbol));
  return {
    ok: true,
    value: found.filter(({ symbol, status }) => wanted.has(symbol) && !isFinalAlgo(status)),
  };
}
