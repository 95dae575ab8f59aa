import type { Refusal } from '@crossbook/contract';
import type { UserId } from '@crossbook/domain';
import type { SecurityStore } from './security-ports.ts';

/**
 * The one question of whatever takes money out, before it asks for a hold; the hold's own transaction asks the database again.
 * Nothing takes money out yet, so nothing asks it yet.
 */
export type MoneyOutAllowed = (user: UserId) => Promise<Refusal | undefined>;

/** Makes the question: no for a frozen account, for a demo, and for 24 hours of the database's clock after a change of a credential. */
export function moneyOutAllowed(
  security: Pick<SecurityStore, 'lockedUntil' | 'isFrozen' | 'profile'>,
): MoneyOutAllowed {
  return async (user) => {
    if (await security.isFrozen(user)) return { error: 'account-frozen' };
    const { email, mobile } = await security.profile(user);
    if (email === undefined && mobile === undefined) return { error: 'own-account-needed' };
    const until = await security.lockedUntil(user);
    if (until === undefined) return undefined;
    return { error: 'security-lock', allowed: new Date(until).toISOString() };
  };
}
