import type { RequestClass } from './request-class.ts';

/** What one member, or one visitor's address, may use of a budget that is shared, and what each class may use. */
export interface SharedUse {
  /** How far each class may fill the budget, as a part of it: what lies above is the reserve of the classes before it. */
  readonly fillMax: Readonly<Record<RequestClass, number>>;
  /** The most that a class may use altogether, as a part of the budget; absent: as far as `fillMax`. */
  readonly classMax: Readonly<Partial<Record<RequestClass, number>>>;
  /**
   * The most that one member may use altogether when it asks for this class, as a part of the budget. A class without
   * one knows turns only.
   */
  readonly memberMax: Readonly<Partial<Record<RequestClass, number>>>;
}

/**
 * One of a venue's limits: so much weight in so much time for one key, which is a host and our address, the operator's
 * key, an account, or an account and an instrument.
 */
export interface LimitScope {
  /** Unique at the venue. */
  readonly name: string;
  readonly weightMax: number;
  readonly windowMillis: number;
  /** `fixed`: windows begin at whole multiples of their length; `rolling`: the last so many ms, at any moment. */
  readonly window: 'fixed' | 'rolling';
  /** Present where requests of several members use the same budget. */
  readonly shared?: SharedUse;
}

/** What one request uses of one budget. */
export interface Cost {
  readonly scope: LimitScope;
  /** Whose budget of that scope: host, key of an account, key and instrument. */
  readonly key: string;
  readonly weight: number;
}

/** A budget of an address at a host: every class, with reserves. Lookups and less never take what orders need. */
export const HOST_USE: SharedUse = {
  fillMax: {
    cancel: 1,
    close: 0.97,
    order: 0.94,
    countdown: 0.9,
    'book-feed': 0.85,
    lookup: 0.8,
    reconciliation: 0.6,
    'balance-check': 0.5,
    relay: 0.5,
  },
  // The stated ceilings of countdowns and of the rotating checks (docs/venues/capabilities.md), and the relay's own small share.
  classMax: { countdown: 0.2, 'balance-check': 0.05, reconciliation: 0.2, relay: 0.3 },
  memberMax: { cancel: 0.15, close: 0.15, order: 0.1, lookup: 0.1, relay: 0.05 },
};

/** A budget of the operator's key for one kind of call: one class only, so that members need nothing but turns. */
export const OPERATOR_USE: SharedUse = {
  fillMax: {
    ...{ cancel: 1, close: 1, order: 1, countdown: 1, 'book-feed': 1, lookup: 1 },
    ...{ reconciliation: 1, 'balance-check': 1, relay: 1 },
  },
  classMax: {},
  memberMax: {},
};

/** A budget of one public call, which the hub's own feeds hardly use: visitors may have most of it. */
export const PUBLIC_CALL_USE: SharedUse = {
  fillMax: { ...OPERATOR_USE.fillMax, relay: 0.75 },
  classMax: {},
  memberMax: { relay: 0.5 },
};
