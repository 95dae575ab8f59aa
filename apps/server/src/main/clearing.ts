import type { MemberCaller } from '@crossbook/contract';
import type { Millis, UserId } from '@crossbook/domain';
import type { HttpLog } from '../http/call-routes.ts';
import type { TradingDesk } from '../trading/desk.ts';

/** What is asked of trading for a member who is not there. */
type Desk = Pick<TradingDesk, 'handlers'>;

/** Cancels what one member left open, as far as it is to end, and marks him once nothing of it is left. */
export type Clear = (user: UserId, desk: Desk) => Promise<void>;

/** Members who left orders open that nobody is there to end. */
export interface Clearing {
  /** One who has just become one. */
  readonly add: (user: UserId) => void;
  /** Accounts tell of them, and are put together before trading is. */
  clearWith(desk: Desk): void;
  /** Looks in the tables for those that are left: a former process may have ended, an exchange may have been silent. */
  sweep(): Promise<void>;
  /** Begins nothing more; resolves once nothing is being cancelled. */
  stop(): Promise<void>;
}

/** What it is put together from. */
export interface ClearingParts {
  /** Those after one, in a fixed order. */
  readonly uncleared: (after: UserId, membersMax: number) => Promise<readonly UserId[]>;
  readonly clear: Clear;
  readonly log: Pick<HttpLog, 'warn'>;
}

/** Members that one sweep looks at, and that wait to be cleared; beyond, a later sweep finds them. */
const CLEARED_AT_ONCE_MAX = 100;
/** So many are cleared side by side: one whose exchange is silent keeps no others waiting. */
const UNDER_WAY_MAX = 8;

/** The caller as whom the hub itself asks, at a moment. */
export function callerFor(user: UserId, now: Millis): MemberCaller {
  return { address: '', userAgent: '', origin: '', language: 'en', sessionId: '', user, now };
}

/** A few members at a time: those who trade come first at the exchanges. */
export function createClearing({ uncleared, clear, log }: ClearingParts): Clearing {
  const due = new Set<UserId>();
  let trading: Desk | undefined;
  let working: Promise<unknown> | undefined;
  let stopped = false;
  let sweptTo = 0 as UserId;

  const workOff = async (desk: Desk): Promise<void> => {
    for (const user of due) {
      if (stopped) return;
      due.delete(user);
      await clear(user, desk).catch((error: unknown) => {
        log.warn({ error, user }, 'orders of a member who is not there were not cancelled');
      });
    }
  };
  const work = (desk: Desk): Promise<unknown> =>
    Promise.all(Array.from({ length: UNDER_WAY_MAX }, () => workOff(desk)));
  const begin = (): void => {
    if (trading === undefined || stopped) return;
    working ??= work(trading).finally(() => {
      working = undefined;
      if (due.size > 0) begin();
    });
  };
  const add = (user: UserId): void => {
    if (due.size < CLEARED_AT_ONCE_MAX) due.add(user);
  };

  return {
    clearWith(desk) {
      trading = desk;
    },
    add(user) {
      add(user);
      begin();
    },
    async sweep() {
      const found = await uncleared(sweptTo, CLEARED_AT_ONCE_MAX);
      sweptTo = found.length < CLEARED_AT_ONCE_MAX ? (0 as UserId) : (found.at(-1) ?? (0 as UserId));
      for (const user of found) add(user);
      begin();
      await working;
    },
    async stop() {
      stopped = true;
      await working;
    },
  };
}
