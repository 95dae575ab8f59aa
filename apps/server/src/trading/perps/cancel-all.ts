import {
  type CallAnswer,
  type CallRequest,
  type CallResponse,
  type MemberCaller,
  type Refusal,
  refusalText,
} from '@crossbook/contract';
import { ORDER_STATUS, PLATFORMS, platformFacts } from '@crossbook/domain';
import type { StoredOrder } from '../order.ts';
import { cancelOrder } from '../orders/cancel-order.ts';
import type { Placing } from '../orders/place-order.ts';

/** So many orders of an exchange are asked for at once: fewer than one member may have waiting there. */
const CANCELS_AT_ONCE = 8;
/** What could not be asked for by then is left to the next press: somebody waits for the answer. */
const CANCEL_ALL_MILLIS_MAX = 10_000;

/** What an exchange itself refuses is asked for so often, and so far apart. */
const TRIES_MAX = 3;
const TRY_AGAIN_MILLIS = 1_000;

type CancelRow = CallResponse<'connextrade/CancelAll'>[number];

/**
 * CancelAll: every open order that is meant is asked to end; what became of each is told. Exchanges side by side, and the
 * orders of each as fast as it lets us ask.
 */
export async function cancelAll(
  placing: Placing,
  caller: MemberCaller,
  request: CallRequest<'connextrade/CancelAll'>,
): Promise<CallAnswer<CallResponse<'connextrade/CancelAll'>>> {
  const { platformType, tinstType, symbol } = request;
  const asked = PLATFORMS.filter(
    (facts) => platformType === undefined || facts.platformType === platformType,
  );
  const only = {
    ...(symbol === undefined ? {} : { symbol }),
    ...(tinstType === undefined
      ? {}
      : { symbolType: tinstType === 1 ? ('SPOT' as const) : ('SWAP' as const) }),
  };
  const endsAt = placing.deps.clock() + CANCEL_ALL_MILLIS_MAX;
  const rows = await Promise.all(
    asked.map(async ({ platform }) => {
      const open = await placing.deps.orders.openOf(caller.user, platform, only);
      return fewAtOnce(open, (order) => cancelOne(placing, caller, { order, endsAt }));
    }),
  );
  return { ok: true, value: rows.flat() };
}

/** Asks for one to end; again where there was no room for the question, as long as there is time. */
async function cancelOne(
  placing: Placing,
  caller: MemberCaller,
  { order: { id, platform }, endsAt }: { readonly order: StoredOrder; readonly endsAt: number },
): Promise<CancelRow> {
  const { platformType } = platformFacts(platform);
  for (let tries = 1; ; tries += 1) {
    const cancelled = await cancelOrder(placing, caller, { platformType, orderId: id });
    if (cancelled.ok) {
      const outcome = cancelled.value.status === ORDER_STATUS.CANCELLED ? 'cancelled' : 'pending';
      return { orderId: id, outcome, order: cancelled.value, reason: null };
    }
    const waitMillis = againAfter(cancelled.code, tries);
    if (waitMillis === undefined || placing.deps.clock() + waitMillis >= endsAt) {
      const reason = refusalText(cancelled.code, caller.language);
      return { orderId: id, outcome: 'refused', order: null, reason };
    }
    await new Promise<void>((resolve) => placing.deps.timers.after(waitMillis, resolve));
  }
}

/** How long until it may be asked again; `undefined` where that would change nothing. */
function againAfter({ error, allowed }: Refusal, tries: number): number | undefined {
  if (error === 'venue-budget') return Number(allowed) * 1_000;
  // The exchange may have counted more in its second than we did in ours.
  return error === 'venue-refused' && tries < TRIES_MAX ? TRY_AGAIN_MILLIS : undefined;
}

/** Works on all, a few at a time, and keeps their order. */
async function fewAtOnce<Item, Outcome>(
  items: readonly Item[],
  work: (item: Item) => Promise<Outcome>,
): Promise<readonly Outcome[]> {
  const outcomes: Outcome[] = [];
  const waiting = items.entries();
  const one = async (): Promise<void> => {
    for (const [at, item] of waiting) outcomes[at] = await work(item);
  };
  await Promise.all(Array.from({ length: CANCELS_AT_ONCE }, one));
  return outcomes;
}
