import type { CallResponse } from '@crossbook/contract';

/** What decides whether the ticket's button can send. */
export interface ButtonFacts {
  /** Whether leverage and modes are known, are being read, or could not be. */
  readonly setting: 'known' | 'loading' | 'failed';
  /** The order can only make a position smaller. */
  readonly closes: boolean;
  readonly platformLive: boolean;
  readonly trading: boolean;
  /** The hub has not been reached for several tries. */
  readonly serverAway: boolean;
  /** When the exchange was last heard of, ms, where it is down. */
  readonly downSince: number | undefined;
  /**
   * What figures of the market the order waits for: a price that is about to be filled in, the first ones, or fresh ones at
   * market.
   */
  readonly waits: 'price' | 'figures' | 'fresh' | undefined;
  /** The contract. */
  readonly symbol: string;
  /** What the hub says of the account; `undefined` before the first answer. */
  readonly opening: CallResponse<'x/trade/Opening'> | undefined;
  /** Names for the sentences. */
  readonly venue: string;
  readonly product: string;
}

/** Why nothing can be sent now: the name of a sentence, and what fills it. */
export interface DeadReason {
  readonly id:
    | `trade.contract.dead.${DeadName}`
    | 'trade.error.platform-coming-soon'
    | 'trade.error.symbol-halted'
    | 'trade.contract.error.price-stale';
  readonly values: Readonly<Record<string, string>>;
}

type DeadName =
  | 'prices'
  | 'kyc'
  | 'unread'
  | 'failed'
  | 'noAccount'
  | 'preparing'
  | 'serverAway'
  | 'venueDown'
  | 'gateClosed'
  | 'booksDiffer';

/**
 * Why the button is dead; `undefined` where it can send. It never is for a wrong input, and reducing and closing stay
 * wherever opening stops.
 */
export function deadReason(facts: ButtonFacts): DeadReason | undefined {
  const { setting, opening, venue, product, symbol, waits } = facts;
  const dead = (name: DeadName, values: DeadReason['values'] = {}): DeadReason => ({
    id: `trade.contract.dead.${name}`,
    values: { venue, product, symbol, ...values },
  });
  // Nothing can be opened or closed, though it is known how an account would be set.
  if (opening?.stopped === 'account-none') return dead('noAccount');
  if (setting !== 'known') {
    if (opening?.stopped === 'kyc-required' && !facts.closes) return dead('kyc');
    if (opening?.stopped === 'account-preparing') return dead('preparing');
    return dead(setting === 'failed' ? 'failed' : 'unread');
  }
  // Closing goes out on whatever is known, but a limit that has no price yet.
  if (facts.closes) return waits === 'price' ? dead('prices') : undefined;
  if (facts.serverAway) return dead('serverAway');
  if (!facts.platformLive) return { id: 'trade.error.platform-coming-soon', values: {} };
  if (!facts.trading) return { id: 'trade.error.symbol-halted', values: {} };
  if (facts.downSince !== undefined) {
    return dead('venueDown', { time: new Date(facts.downSince).toISOString().slice(11, 19) });
  }
  if (opening?.stopped === 'money-halted') return dead('gateClosed');
  if (opening?.stopped === 'kyc-required') return dead('kyc');
  if (opening?.stopped === 'account-preparing') return dead('preparing');
  if (opening?.stopped === 'books-differ') {
    const { of = '', amount = '–' } = opening.differs ?? {};
    return dead('booksDiffer', { amount: `${amount} ${of}`.trimEnd() });
  }
  if (waits === 'fresh') return { id: 'trade.contract.error.price-stale', values: {} };
  return waits === undefined ? undefined : dead('prices');
}
