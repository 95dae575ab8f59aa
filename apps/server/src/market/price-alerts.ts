import type { CallAnswer, CallRequest, CallResponse, MemberCaller, PriceAlertRow } from '@crossbook/contract';
import {
  type Amount,
  formatAmount,
  type Millis,
  type OrderId,
  type Platform,
  platformOfType,
  type SymbolType,
  type UserId,
} from '@crossbook/domain';
import type { ListingOf } from './listing.ts';

/** Alerts one member may have, those that fired and were not shown yet included. */
export const ALERTS_PER_MEMBER_MAX = 20;
/** Alerts that are checked in all. */
export const ALERTS_MAX = 200_000;
/** How often a member may set or move one in a minute: a line that is dragged is set once, when it is let go. */
const SETS_PER_MINUTE_MAX = 60;
const MINUTE_MILLIS = 60_000;

/** A price that a member wants to hear of. */
export interface PriceAlert {
  readonly id: OrderId;
  readonly user: UserId;
  readonly platform: Platform;
  readonly symbolType: SymbolType;
  readonly symbol: string;
  readonly price: Amount;
  /** From which side the last price comes. */
  readonly direction: 'rises' | 'falls';
  readonly createdAt: Millis;
}

/** One that fired: at which last price, and when. */
export interface FiredAlert extends PriceAlert {
  readonly fired: { readonly price: Amount; readonly time: Millis };
}

/** An alert as it is kept. */
export type StoredAlert = PriceAlert & Partial<Pick<FiredAlert, 'fired'>>;

/** Where alerts are kept. */
export interface PriceAlertStore {
  /** Sets or moves one; `full`: the member has `countMax` others; `taken`: its id is another's, or it has fired. */
  set(alert: PriceAlert, countMax: number): Promise<'set' | 'full' | 'taken'>;
  remove(user: UserId, id: OrderId): Promise<void>;
  /** Newest first. */
  list(user: UserId): Promise<readonly StoredAlert[]>;
  /** Those that wait, in the order of their ids; the next page starts after its last one. */
  waiting(after: OrderId | undefined, countMax: number): Promise<readonly PriceAlert[]>;
  /** Marks those that still wait at the price they were checked for; answers them. */
  fire(fired: readonly FiredAlert[]): Promise<readonly FiredAlert[]>;
  /** Deletes what nobody will ask for any more; answers which of them waited. */
  sweep(now: Millis): Promise<readonly OrderId[]>;
}

/** What checks them, told of every change. */
export interface AlertKeeper {
  readonly count: number;
  keep(alert: PriceAlert): void;
  drop(user: UserId, id: OrderId): void;
}

/** An alert as its owner sees it. */
export function priceAlertRow(alert: StoredAlert): PriceAlertRow {
  const { id, platform: exchange, symbolType, symbol, price, direction, createdAt, fired } = alert;
  return {
    ...{ alertId: id, exchange, symbolType, symbol, price: formatAmount(price), direction, createdAt },
    fired: fired === undefined ? null : { price: formatAmount(fired.price), time: fired.time },
  };
}

/** The handlers of price alerts. */
export interface PriceAlertHandlers {
  list(caller: MemberCaller): Promise<CallAnswer<CallResponse<'x/alert/List'>>>;
  set(caller: MemberCaller, request: CallRequest<'x/alert/Set'>): Promise<CallAnswer<PriceAlertRow>>;
  remove(
    caller: MemberCaller,
    request: CallRequest<'x/alert/Remove'>,
  ): Promise<CallAnswer<CallResponse<'x/alert/Remove'>>>;
}

/** Counts what each member sets in a minute. */
function setBudget(): (caller: MemberCaller) => number | undefined {
  let endsAt = 0;
  const used = new Map<UserId, number>();
  return ({ user, now }) => {
    if (now >= endsAt || endsAt - now > MINUTE_MILLIS) {
      used.clear();
      endsAt = now + MINUTE_MILLIS;
    }
    const count = (used.get(user) ?? 0) + 1;
    used.set(user, count);
    return count <= SETS_PER_MINUTE_MAX ? undefined : Math.max(1, Math.ceil((endsAt - now) / 1_000));
  };
}

function not(field: string, allowed: string) {
  return { ok: false, code: { error: 'field-invalid', field, allowed } } as const;
}

/** Makes the handlers. All of it may be repeated without harm. */
export function priceAlertHandlers(
  store: PriceAlertStore,
  keeper: AlertKeeper,
  listingOf: ListingOf,
): PriceAlertHandlers {
  const overBudget = setBudget();
  return {
    async list({ user }) {
      return { ok: true, value: (await store.list(user)).map(priceAlertRow) };
    },
    async set(caller, { alertId, platformType, tinstType, symbol, price, direction }) {
      const wait = overBudget(caller);
      if (wait !== undefined) {
        return { ok: false, code: { error: 'rate-limited', allowed: String(wait) } };
      }
      const platform = platformOfType(platformType)?.platform;
      const symbolType = tinstType === 1 ? 'SPOT' : 'SWAP';
      const instrument = platform === undefined ? undefined : listingOf(platform, symbolType)?.find(symbol);
      if (platform === undefined || instrument === undefined) {
        return not('symbol', 'an instrument that the platform lists');
      }
      if (price % instrument.tickSize !== 0n) {
        return not('price', `a multiple of ${formatAmount(instrument.tickSize)}`);
      }
      if (keeper.count >= ALERTS_MAX) return { ok: false, code: { error: 'busy' } };
      const { user, now: createdAt } = caller;
      const alert: PriceAlert = {
        ...{ id: alertId, user, platform, symbolType, symbol, price, direction, createdAt },
      };
      const outcome = await store.set(alert, ALERTS_PER_MEMBER_MAX);
      if (outcome === 'full') {
        return not('alertId', `at most ${ALERTS_PER_MEMBER_MAX} price alerts; remove one first`);
      }
      if (outcome === 'taken') return not('alertId', 'a new id, or that of an alert of yours that waits');
      keeper.keep(alert);
      return { ok: true, value: priceAlertRow(alert) };
    },
    async remove({ user }, { alertId }) {
      await store.remove(user, alertId);
      keeper.drop(user, alertId);
      return { ok: true, value: { alertId } };
    },
  };
}
