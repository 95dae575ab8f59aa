import { type ErrorName, errorFacts } from '@crossbook/contract';
import type { Millis } from '@crossbook/domain';
import { networkOf } from '../accounts/budgets.ts';
import type { CallOutcome } from './answers.ts';
import type { SecurityEvent } from './security-log.ts';

/** A refusal as the audit log keeps it: who and what, and never a word of what was sent. */
export interface RefusalRow {
  readonly at: Millis;
  readonly actor: { readonly kind: 'member' | 'anonymous' | 'system'; readonly id: string };
  readonly address?: string;
  readonly call: string;
  /** The member whom an anonymous try was about. */
  readonly subject?: string;
  readonly outcome: string;
  readonly details?: object;
}

/** What members and strangers are refused about money and security, on its way into the audit log. */
export interface RefusalBook {
  /** Takes a call's end up, without waiting for anything: whoever is answered notices nothing of it. */
  note(outcome: CallOutcome, event: SecurityEvent): void;
  /**
   * Writes what was taken up, in one transaction.
   * @param isLast the hub stops: also how many were left out, whenever that was last said.
   */
  write(isLast?: boolean): Promise<void>;
}

/** What the book needs. */
export interface RefusalBookDeps {
  /** Writes all rows, or none and rejects. */
  readonly append: (rows: readonly RefusalRow[]) => Promise<void>;
  readonly clock: () => Millis;
  /** A clock that is never set. */
  readonly steady: () => number;
}

const WINDOW_MILLIS = 3_600_000;
/** Rows a window, for what is refused to one sender at one call in one way. */
const ROWS_PER_KIND_MAX = 3;
/** Rows a window for one sender: a member, or a network of strangers. */
const ROWS_PER_SENDER_MAX = 20;
/** Rows a window for all strangers together, and for all members. Rows are for good: strangers write 2,400 a day at most. */
const ROWS_OF_ALL_MAX = { anonymous: 100, member: 400 } as const;
/** How long one waits to hear how many were left out. */
const LEFT_OUT_EVERY_MILLIS = 300_000;
/** Kinds that are told apart among those that were left out. */
const KINDS_COUNTED_MAX = 50;
/** Rows that wait for a database that is away. */
const WAITING_MAX = 1_000;
const OTHERS = 'others';

/** Whether an error is a decision about money or security, and not a request that was none. */
function isDecision(error: ErrorName): boolean {
  const { code } = errorFacts(error);
  const isDoor = error === 'token-invalid' || error === 'rate-limited' || error === 'origin-refused';
  return isDoor || error === 'money-halted' || (code >= 2_000 && code < 5_000);
}

/** How many rows each may still make in the window that runs. */
class RowBudget {
  #endsAt = Number.NEGATIVE_INFINITY;
  readonly #used = new Map<string, number>();

  /** @param keys with their bounds; all are used, or none. */
  take(keys: readonly (readonly [key: string, usesMax: number])[], now: number): boolean {
    if (now >= this.#endsAt) {
      this.#endsAt = now + WINDOW_MILLIS;
      this.#used.clear();
    }
    if (keys.some(([key, usesMax]) => (this.#used.get(key) ?? 0) >= usesMax)) return false;
    for (const [key] of keys) this.#used.set(key, (this.#used.get(key) ?? 0) + 1);
    return true;
  }
}

/** What no row of its own was made of: how many of which kind, since when. */
class LeftOut {
  #from: Millis | undefined;
  #count = 0;
  readonly #kinds = new Map<string, number>();

  add(kind: string, at: Millis): void {
    this.#from ??= at;
    this.#count += 1;
    const counted = this.#kinds.has(kind) || this.#kinds.size < KINDS_COUNTED_MAX ? kind : OTHERS;
    this.#kinds.set(counted, (this.#kinds.get(counted) ?? 0) + 1);
  }

  /** The row that says so, once. */
  take(until: Millis): RefusalRow | undefined {
    if (this.#from === undefined) return undefined;
    const details = { from: this.#from, until, more: this.#count, kinds: Object.fromEntries(this.#kinds) };
    this.#from = undefined;
    this.#count = 0;
    this.#kinds.clear();
    const actor = { kind: 'system', id: 'the door' } as const;
    return { at: until, actor, call: 'refusals/more', outcome: 'ok', details };
  }
}

/** Makes the book. Rows that nobody has written yet are lost with a process that is killed: those of a second. */
export function refusalBook({ append, clock, steady }: RefusalBookDeps): RefusalBook {
  const budget = new RowBudget();
  const leftOut = new LeftOut();
  let waiting: readonly RefusalRow[] = [];
  let writtenAt = steady();
  return {
    note(outcome, { call, address, who }) {
      if (outcome.ok || call.startsWith('x/admin/') || !isDecision(outcome.code.error)) return;
      const { error } = outcome.code;
      const kind = who === undefined ? 'anonymous' : 'member';
      const sender = who ?? networkOf(address);
      const { about } = outcome;
      const mayWrite =
        waiting.length < WAITING_MAX &&
        budget.take(
          [
            [`${kind} ${sender} ${about ?? ''} ${call} ${error}`, ROWS_PER_KIND_MAX],
            [`${kind} ${sender}`, ROWS_PER_SENDER_MAX],
            [kind, ROWS_OF_ALL_MAX[kind]],
          ],
          steady(),
        );
      if (!mayWrite) return leftOut.add(`${call} ${error}`, clock());
      const row = { at: clock(), actor: { kind, id: who ?? '' }, address, call, outcome: error } as const;
      waiting = [...waiting, about === undefined ? row : { ...row, subject: `member ${about}` }];
    },
    async write(isLast = false) {
      if (isLast || steady() - writtenAt >= LEFT_OUT_EVERY_MILLIS) {
        writtenAt = steady();
        const more = leftOut.take(clock());
        if (more !== undefined) waiting = [...waiting, more];
      }
      const rows = waiting;
      if (rows.length === 0) return;
      waiting = [];
      try {
        await append(rows);
      } catch (error) {
        // None was written: they come again, before what was taken up meanwhile.
        waiting = [...rows, ...waiting];
        throw error;
      }
    },
  };
}
