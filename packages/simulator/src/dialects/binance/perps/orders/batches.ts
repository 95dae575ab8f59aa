import { ok, type Result, refused } from '@crossbook/domain';
import { recordOf } from '../../../wire/json-text.ts';
import type { Answer, Caller, Endpoint, Prepared } from '../../endpoint.ts';
import {
  type BinanceError,
  ERRORS,
  errorBody,
  invalidData,
  mandatory,
  mandatoryEither,
} from '../../errors.ts';
import { ParamReader } from '../../params.ts';
import { type FuturesDesk, namedContract } from '../desk.ts';
import { BY_REST, BY_REST_ORDERING, memberEndpoint } from '../member-endpoint.ts';
import { cancelOne, prepareAmend, preparePlace } from './orders.ts';

const BATCH_ORDERS_MAX = 5;
const BATCH_CANCELS_MAX = 10;
const BATCH_WEIGHT = 5;

function jsonList(reader: ParamReader, name: string, max: number): readonly unknown[] | undefined {
  const text = reader.text(name);
  if (text === undefined) return undefined;
  let list: unknown;
  try {
    list = JSON.parse(text);
  } catch {
    list = undefined;
  }
  if (Array.isArray(list) && list.length > 0 && list.length <= max) return list;
  reader.refuse(invalidData(name));
  return undefined;
}

/** One order of a batch as the parameters of a call of its own. */
function parametersOf(entry: unknown): ReadonlyMap<string, string> | undefined {
  const fields = recordOf(entry);
  if (fields === undefined) return undefined;
  const values = new Map<string, string>();
  for (const [name, value] of Object.entries(fields)) {
    if (!['string', 'number', 'boolean'].includes(typeof value)) return undefined;
    values.set(name, String(value));
  }
  return values;
}

/** Runs one after the other, each for itself: a refused one is a line of the answer. */
async function lines(runs: readonly (() => Answer | Promise<Answer>)[]): Promise<Answer> {
  const answers: unknown[] = [];
  for (const run of runs) {
    const one = await run();
    answers.push(one.ok ? one.value : errorBody(one.code));
  }
  return ok(answers);
}

function batch(each: (reader: ParamReader, desk: FuturesDesk) => Prepared) {
  return (reader: ParamReader, desk: FuturesDesk): Prepared => {
    const list = jsonList(reader, 'batchOrders', BATCH_ORDERS_MAX);
    if (list === undefined) reader.refuse(mandatory('batchOrders'));
    return {
      weight: BATCH_WEIGHT,
      run: (caller) => lines((list ?? []).map((entry) => () => runOne(each, desk, caller, entry))),
    };
  };
}

function runOne(
  each: (reader: ParamReader, desk: FuturesDesk) => Prepared,
  desk: FuturesDesk,
  caller: Caller,
  entry: unknown,
): Answer | Promise<Answer> {
  const values = parametersOf(entry);
  if (values === undefined) return refused(invalidData('batchOrders'));
  const reader = new ParamReader({ values });
  const prepared = each(reader, desk);
  return reader.refusal === undefined ? prepared.run(caller) : refused(reader.refusal);
}

/** A list under its name, or in small letters: one client writes these two so, and the exchange takes both. */
function cancelList(reader: ParamReader, name: string): readonly unknown[] | undefined {
  return jsonList(reader, reader.has(name) ? name : name.toLowerCase(), BATCH_CANCELS_MAX);
}

/** Ids of orders, or client ids; one of the lists must be there. */
function readIds(
  reader: ParamReader,
): Result<readonly { orderId?: number; clientId?: string }[], BinanceError> {
  const ids = cancelList(reader, 'orderIdList');
  if (ids !== undefined) {
    if (!ids.every((id) => Number.isSafeInteger(Number(id)))) return refused(invalidData('orderIdList'));
    return ok(ids.map((id) => ({ orderId: Number(id) })));
  }
  const names = cancelList(reader, 'origClientOrderIdList');
  if (names === undefined) return refused(mandatoryEither('origClientOrderIdList', 'orderIdList'));
  return ok(names.map((name) => ({ clientId: String(name) })));
}

function cancelBatch(reader: ParamReader, desk: FuturesDesk): Prepared {
  const contract = namedContract(reader, desk);
  const ids = readIds(reader);
  if (!ids.ok) reader.refuse(ids.code);
  return {
    weight: 1,
    run: async (caller) => {
      if (contract === undefined || !ids.ok) return refused(ERRORS.badSymbol);
      const { symbol } = contract;
      return await lines(
        ids.value.map(
          ({ orderId, clientId }) =>
            () =>
              cancelOne(desk, caller, symbol, { orderId, clientId }),
        ),
      );
    },
  };
}

/** Several orders with one call. */
export const BATCH_CALLS: readonly Endpoint<FuturesDesk>[] = [
  memberEndpoint(BY_REST_ORDERING, 'orders.place POST /fapi/v1/batchOrders', batch(preparePlace)),
  memberEndpoint(BY_REST_ORDERING, 'orders.modify PUT /fapi/v1/batchOrders', batch(prepareAmend)),
  memberEndpoint(BY_REST, 'orders.cancel DELETE /fapi/v1/batchOrders', cancelBatch),
];
