import type { Millis } from '@crossbook/domain';
import { BoundedMap } from '../wire/bounded-map.ts';
import { WindowCounter } from '../wire/window-counter.ts';

/** Refusals of one minute that an address may overlook: what it had under way when it was refused first. */
export const ignoredRefusalsMax = 50;
/** The first ban; each further one of an address is twice as long. */
export const banMillisMin = 2 * 60_000;
const BAN_MILLIS_MAX = 3 * 86_400_000;
const ADDRESSES_MAX = 10_000;

/** Addresses that went on asking after they were told to wait: nothing of theirs is answered for a while (HTTP 418). */
export class AddressBans {
  readonly #refusals = new WindowCounter(60_000);
  readonly #bans = new BoundedMap<string, { readonly until: Millis; readonly millis: number }>(ADDRESSES_MAX);

  /** When the ban of an address ends; `undefined` while it has none. */
  until(address: string, now: Millis): Millis | undefined {
    const ban = this.#bans.get(address);
    return ban !== undefined && ban.until > now ? ban.until : undefined;
  }

  /** Notes that an address was refused for asking too much. */
  note(address: string, now: Millis): void {
    if (this.#refusals.add(address, 1, now) <= ignoredRefusalsMax) return;
    const last = this.#bans.get(address);
    // Who kept quiet for as long as the longest ban begins anew.
    const repeated = last !== undefined && now - last.until < BAN_MILLIS_MAX;
    const millis = repeated ? Math.min(2 * last.millis, BAN_MILLIS_MAX) : banMillisMin;
    this.#bans.set(address, { until: (now + millis) as Millis, millis });
    this.#refusals.add(address, -ignoredRefusalsMax - 1, now);
  }
}
