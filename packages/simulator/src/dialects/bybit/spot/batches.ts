import type { Caller, Desk, Endpoint, Run } from '../endpoint.ts';
import { reply, tradeCall } from '../endpoint.ts';
import { ERRORS, invalid } from '../errors.ts';
import { ParamReader, paramsOf } from '../params.ts';
import { readTradedCategory } from './order-draft.ts';
import { amend, cancel, place } from './orders.ts';

/** Orders of one spot batch. */
const BATCH_MAX = 10;
const BATCHES_PER_SECOND_MAX = 20;

type Single = (reader: ParamReader, desk: Desk) => Run;

/** What became of one order of a batch: its row, and its code. */
async function runOne(
  desk: Desk,
  caller: Caller,
  item: object,
  single: Single,
): Promise<{ readonly row: object; readonly code: object }> {
  const reader = new ParamReader(paramsOf({ ...item, category: 'spot' }));
  const run = single(reader, desk);
  const answer =
    reader.refusal === undefined ? await run(caller) : { ok: false as const, code: reader.refusal };
  const symbol = 'symbol' in item && typeof item.symbol === 'string' ? item.symbol : '';
  const createAt = String(desk.venue.spot.now());
  return answer.ok
    ? { row: { category: 'spot', symbol, ...answer.value.result, createAt }, code: { code: 0, msg: 'OK' } }
    : {
        row: { category: 'spot', symbol, orderId: '', orderLinkId: '', createAt: '' },
        code: { code: answer.code.code, msg: answer.code.message },
      };
}

/** A batch of one kind: each order stands or falls by itself, one after the other. */
function batch(single: Single): Single {
  return (reader, desk) => {
    if (!readTradedCategory(reader)) reader.refuse(ERRORS.notLive);
    const request = reader.raw('request');
    const items = Array.isArray(request) ? (request as readonly unknown[]) : [];
    const sound = items.every((item) => typeof item === 'object' && item !== null);
    if (items.length === 0 || items.length > BATCH_MAX || !sound) reader.refuse(invalid('request'));
    return async (caller) => {
      const rows: object[] = [];
      const codes: object[] = [];
      for (const item of items) {
        const { row, code } = await runOne(desk, caller, item as object, single);
        rows.push(row);
        codes.push(code);
      }
      return reply({ list: rows }, { list: codes });
    };
  };
}

/** Several orders in one call; their codes stand beside them in `retExtInfo`. */
export const BATCH_ENDPOINTS: readonly Endpoint[] = [
  tradeCall('order.create-batch POST /v5/order/create-batch', BATCHES_PER_SECOND_MAX, batch(place)),
  tradeCall('order.cancel-batch POST /v5/order/cancel-batch', BATCHES_PER_SECOND_MAX, batch(cancel)),
  tradeCall('order.amend-batch POST /v5/order/amend-batch', BATCHES_PER_SECOND_MAX, batch(amend)),
];
