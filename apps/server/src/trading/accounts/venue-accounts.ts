import type { Lanes, Platform, UserId } from '@crossbook/domain';
import type { TradingDeps, VenueAccount } from '../ports.ts';

/**
 * The label of a member's account at a venue: a function of both, so that asking twice finds the same (decision
 * 0030.5).
 */
export function accountLabel(user: UserId): string {
  return `crossbook-member-${user}`;
}

/**
 * The member's account at a platform, made on first use. Safe to repeat and to interrupt: the intent is written first,
 * and the venue is asked for the account of a label rather than for a new one.
 * @returns the account, or the state it is stuck in.
 */
export function openVenueAccount(
  deps: TradingDeps,
  lanes: Lanes,
  owner: { readonly user: UserId; readonly platform: Platform },
): Promise<VenueAccount> {
  const { user, platform } = owner;
  return lanes.run(`account:${platform}:${user}`, async () => {
    const known = await deps.accounts.find(user, platform);
    const desk = deps.venue(platform);
    if (known.state === 'ready' || desk === undefined) return known;
    await deps.accounts.begin(user, platform);
    const opened = await desk.trading.openMemberAccount(desk.master, accountLabel(user));
    if (opened.outcome !== 'found') {
      const why = opened.outcome === 'unknown' ? opened.why : opened.outcome;
      deps.log.note('venue account not opened', { user, platform, why });
      const retryAfterMillis = opened.outcome === 'unknown' ? opened.retryAfterMillis : undefined;
      return { state: 'creating', ...(retryAfterMillis === undefined ? {} : { retryAfterMillis }) };
    }
    await deps.accounts.complete(user, platform, opened.value);
    return { state: 'ready', ...opened.value };
  });
}
