import { accountOf, type Caller, type Desk, type Endpoint, type Run, reply } from './endpoint.ts';
import { ERRORS, invalid } from './errors.ts';
import type { BybitCategory } from './format.ts';
import { ParamReader, paramsOf } from './params.ts';
import type { Counted } from './rate-limits.ts';

/** Orders of one batch (order/batch-place, 2026-07-24). */
const BATCH_MAX: Readonly<Record<BybitCategory, number>> = { spot: 10, linear: 20 };

type Single = (reader: ParamReader, desk: Desk) => Run;

/** What became of one order of a batch: its row, and its code. */
async function runOne(
  desk: Desk,
  caller: Caller,
  item: object,
  of: { readonly category: BybitCategory; readonly single: Single; readonly counted: boolean },
): Promise<{ readonly row: object; readonly code: object }> {
  const { category, single, counted } = of;
  const reader = new ParamReader(paramsOf(item));
  const run = single(reader, desk);
  const refusal = counted ? reader.refusal : ERRORS.tooManyVisits;
  const answer = refusal === undefined ? await run(caller) : { ok: false as const, code: refusal };
  const symbol = 'symbol' in item && typeof item.symbol === 'string' ? item.symbol : '';
  const createAt = String(desk.venue.spot.now());
  return answer.ok
    ? { row: { category, symbol, ...answer.value.result, createAt }, code: { code: 0, msg: 'OK' } }
    : {
        row: { category, symbol, orderId: '', orderLinkId: '', createAt: '' },
        code: { code: answer.code.code, msg: answer.code.message },
      };
}

/**
 * A batch of one kind: each order stands or falls by itself, one after the other, and each counts as a call (rate-limit, "Instructions
 * for batch endpoints", 2026-07-24): those beyond the limit fail.
 */
export function batchOf(category: BybitCategory, single: Single, as: Counted): Endpoint['prepare'] {
  return (reader, desk) => {
    const request = reader.raw('request');
    const items = Array.isArray(request) ? (request as readonly unknown[]) : [];
    const sound = items.every((item) => typeof item === 'object' && item !== null);
    if (items.length === 0 || items.length > BATCH_MAX[category] || !sound) reader.refuse(invalid('request'));
    return async (caller) => {
      const rows: object[] = [];
      const codes: object[] = [];
      const now = desk.venue.spot.now();
      for (const [at, item] of items.entries()) {
        // The call itself was counted as its first order.
        const counted = at === 0 || desk.rates.visit(String(accountOf(caller)), as, now).allowed;
        const { row, code } = await runOne(desk, caller, item as object, { category, single, counted });
        rows.push(row);
        codes.push(code);
      }
      return reply({ list: rows }, { list: codes });
    };
  };
}
