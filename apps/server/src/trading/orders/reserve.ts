import { type Amount, ORDER_STATUS, type OrderId, ZERO } from '@crossbook/domain';
import { type AccountRef, holdId, isUnjudged } from '@crossbook/ledger';
import { contractAccount } from '../contract-settle.ts';
import type { CheckedOrder, ReservedOrder, StoredOrder } from '../order.ts';
import { type Refused, refusal, type TradingDeps } from '../ports.ts';
import { attachedTargets, legsGoOut, listedTargets } from './target-checks.ts';

/** What reserving came to: a fresh order to send, or the one that the same request made before. */
export type Reservation =
  | { readonly ok: true; readonly fresh: true; readonly order: ReservedOrder }
  | { readonly ok: true; readonly fresh: false; readonly order: StoredOrder }
  | Refused;

/**
 * Holds the money and writes the order in one transaction: the row is the outbox, so a crash between this and sending
 * leaves an order that can be looked up by its client id (invariant I11).
 */
export async function reserve(deps: TradingDeps, checked: CheckedOrder): Promise<Reservation> {
  const order = storedOrder(checked, listedTargets(deps, checked));
  const { user, platform, holdAsset: asset, holdId: id, holdAmount: amount } = order;
  const spot: AccountRef = { class: 'TRADING', user, platform, asset };
  const account = order.contract === undefined ? spot : contractAccount({ user, platform, asset });
  deps.crash('before-hold');
  const committed = await deps.ledger.commit({
    // What closes a position needs no money of its own.
    commands: amount === 0n ? [] : [{ do: 'hold', id, account, amount, kind: 'order-hold' }],
    writes: [deps.orders.insert(order), ...targetWrites(deps, checked)],
  });
  deps.crash('after-hold');
  if (committed.ok && !committed.value.replayed) {
    return { ok: true, fresh: true, order: order as ReservedOrder };
  }
  if (!committed.ok && isUnjudged(committed.code)) return refusal({ error: committed.code });
  if (!committed.ok && committed.code === 'insufficient-funds') {
    return refusal({ error: 'balance-insufficient' });
  }
  return (await earlierOrder(deps, order)) ?? CLIENT_ID_REUSED;
}

/** Legs are written as it fills. */
function targetWrites(deps: TradingDeps, checked: CheckedOrder) {
  const { targets, instrument, id, user, createdAt } = checked;
  if (targets === undefined) return [];
  const goOut = legsGoOut(deps, checked);
  const attached = goOut || attachedTargets(deps, checked) !== undefined;
  // Those that the hub may have to place have another number than those that go out.
  const parts = goOut ? 1 : 0;
  const row = { order: id, user, platform: instrument.platform, placed: ZERO, parts, ended: false };
  return [deps.algos.targets.insert({ ...targets, ...row, attached, createdAt })];
}

const CLIENT_ID_REUSED = refusal({ error: 'client-id-reused', field: 'clientId' });

/** The order this request made before, or a refusal when its id belongs to another request or member. */
export async function earlierOrder(
  deps: TradingDeps,
  request: { readonly id: OrderId; readonly user: StoredOrder['user']; readonly payloadHash: string },
): Promise<Reservation | undefined> {
  const found = await deps.orders.byId(request.id);
  if (found === undefined) return undefined;
  return found.user === request.user && found.payloadHash === request.payloadHash
    ? { ok: true, fresh: false, order: found }
    : CLIENT_ID_REUSED;
}

function storedOrder(checked: CheckedOrder, listed: Amount | undefined): StoredOrder {
  const { instrument, targets: _brought, ...request } = checked;
  return {
    ...request,
    ...(listed === undefined ? {} : { listed }),
    platform: instrument.platform,
    symbolType: instrument.symbolType,
    symbol: instrument.symbol,
    base: instrument.base,
    quote: instrument.quote,
    holdId: holdId('order', checked.id),
    status: ORDER_STATUS.NEW,
    cancelPending: false,
    settled: false,
    cumQuantity: ZERO,
    cumQuote: ZERO,
    lookups: 0,
    updatedAt: checked.createdAt,
  };
}
