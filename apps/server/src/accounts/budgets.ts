import type { Millis } from '@crossbook/domain';
import { sha256Hex } from './keyed-hash.ts';
import { type Budget, type BudgetStore, type Refused, refusal } from './ports.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** How much of each thing is allowed; `address` budgets are multiplied by `ADDRESS_LIMIT_FACTOR`. */
export const ACCOUNT_BUDGETS = {
  codeSendsPerTarget: { usesMax: 3, windowMillis: HOUR },
  codeSendsPerAddress: { usesMax: 20, windowMillis: HOUR },
  /** Compares, right or wrong, over all codes of a target; a right one starts the count anew. */
  codeTriesPerTarget: { usesMax: 10, windowMillis: DAY },
  codeTriesPerAddress: { usesMax: 60, windowMillis: HOUR },
  /** All targets together: spraying one guess at each of many addresses is stopped here. */
  codeFailuresOfAll: { usesMax: 100, windowMillis: MINUTE },
  lookUpsPerAddress: { usesMax: 60, windowMillis: HOUR },
  /** Tries since the last success. */
  loginsPerAccount: { usesMax: 10, windowMillis: 15 * MINUTE },
  loginsPerAddress: { usesMax: 100, windowMillis: HOUR },
  signUpsPerAddress: { usesMax: 20, windowMillis: HOUR },
} as const satisfies Record<string, Budget>;

/** Which thing is counted. */
export type AccountBudgetName = keyof typeof ACCOUNT_BUDGETS;

/** The accounts feature's limits, by what they count and for whom. */
export interface AccountBudgets {
  /** Uses one; a refusal says how long to wait. */
  take(name: AccountBudgetName, whose: string, now: Millis): Promise<Refused | undefined>;
  /** Whether one is left, without using it. */
  look(name: AccountBudgetName, whose: string, now: Millis): Promise<Refused | undefined>;
  restart(name: AccountBudgetName, whose: string): Promise<void>;
}

/** Whose address budget an address uses: an IPv6 customer has a whole /64, so that counts as one. */
export function networkOf(address: string): string {
  if (!address.includes(':')) return address;
  const [head = '', tail = ''] = address.split('::');
  const front = head === '' ? [] : head.split(':');
  const back = tail === '' ? [] : tail.split(':');
  const gap = address.includes('::') ? Math.max(0, 8 - front.length - back.length) : 0;
  const groups = [...front, ...Array.from({ length: gap }, () => '0'), ...back];
  return `${groups
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, '').toLowerCase())
    .join(':')}::/64`;
}

/** Makes the limits. Keys are hashed: a list of who tried to log in is nobody's business. */
export function accountBudgets(store: BudgetStore, addressFactor: number): AccountBudgets {
  const keyOf = (name: AccountBudgetName, whose: string): string =>
    `${name}:${sha256Hex(name.endsWith('PerAddress') ? networkOf(whose) : whose).slice(0, 40)}`;
  const budgetOf = (name: AccountBudgetName): Budget => {
    const budget = ACCOUNT_BUDGETS[name];
    return name.endsWith('PerAddress') ? { ...budget, usesMax: budget.usesMax * addressFactor } : budget;
  };
  const limited = (seconds: number): Refused => refusal({ error: 'rate-limited', allowed: String(seconds) });
  return {
    async take(name, whose, now) {
      const answer = await store.consume(keyOf(name, whose), budgetOf(name), now);
      return answer.ok ? undefined : limited(answer.retryAfterSeconds);
    },
    async look(name, whose, now) {
      const answer = await store.peek(keyOf(name, whose), budgetOf(name), now);
      return answer.ok ? undefined : limited(answer.retryAfterSeconds);
    },
    restart: (name, whose) => store.reset(keyOf(name, whose)),
  };
}
