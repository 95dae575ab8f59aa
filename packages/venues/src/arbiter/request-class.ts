/**
 * What a request to a venue is for, the most urgent first. Where a budget is short the upper class is served before the
 * lower, and keeps a reserve that the lower never touches.
 */
export const REQUEST_CLASSES = [
  'cancel',
  /** Orders that only lower a position, and protective stops. */
  'close',
  /** Orders, transfers and the opening of members' accounts: somebody waits for the answer. */
  'order',
  /** Countdowns that begin anew: late ones cost members their orders. */
  'countdown',
  /** Snapshots, lists of instruments and tickers, the venue's clock: what all members see. */
  'book-feed',
  'lookup',
  'reconciliation',
  'balance-check',
  /** Public questions of visitors. */
  'relay',
] as const;

/** One class of requests. */
export type RequestClass = (typeof REQUEST_CLASSES)[number];

/** Position in the order of classes; 0 is the most urgent. */
export function rankOf(requestClass: RequestClass): number {
  return REQUEST_CLASSES.indexOf(requestClass);
}

/**
 * How long a request waits for room before it is refused, ms. A refusal comes at once where no room can be there in
 * time. Orders wait least: a price that was good a second ago may not be now.
 */
export const WAIT_MILLIS_MAX: Readonly<Record<RequestClass, number>> = {
  cancel: 2_500,
  close: 2_500,
  order: 1_000,
  countdown: 5_000,
  'book-feed': 2_500,
  lookup: 2_500,
  reconciliation: 5_000,
  'balance-check': 5_000,
  relay: 2_500,
};

/**
 * How long a request with the operator's key waits, ms: those keys have narrow limits that all members share. It is part
 * of the time in which a transfer may still arrive, and stays well below its margin (`transferDeadlineMillis`).
 */
export const OPERATOR_WAIT_MILLIS_MAX = 3_000;

/** Classes that a member sets going, and that therefore count against the member's own share. */
const MEMBERS_OWN: ReadonlySet<RequestClass> = new Set(['cancel', 'close', 'order', 'lookup', 'relay']);

/** Whether a request of the class counts against its member's share of a budget. */
export function isMembersOwn(requestClass: RequestClass): boolean {
  return MEMBERS_OWN.has(requestClass);
}
