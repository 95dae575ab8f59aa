import type { Caller, DeviceCookie } from '@crossbook/contract';
import type { Millis } from '@crossbook/domain';
import { networkOf } from '../budgets.ts';
import { contactOf } from '../contacts.ts';
import { keyedHash, type SecretKey, sha256Hex } from '../keyed-hash.ts';
import type { DeviceStore, NewDevice, RandomBytes } from '../ports.ts';

/** How long a browser keeps its cookie; the most that browsers allow. */
const COOKIE_LIFE_MILLIS = 400 * 86_400_000;
/** Trust in a browser, from the last log-in there. */
export const TRUST_LIFE_MILLIS = 90 * 86_400_000;
const COOKIE_BYTES = 32;

/** Browsers: who asked for a code, and where a member has logged in before. */
export interface Devices {
  /** The browser that calls; `undefined` for a program without cookies and for a cookie that was replaced. */
  of(caller: Caller): Promise<string | undefined>;
  /** Who asks, as codes know it: the browser, or the network of what has no cookie. */
  askerOf(caller: Caller): Promise<string>;
  /** A cookie for a browser that has none yet. */
  first(caller: Caller): DeviceCookie | undefined;
  /** The browser's next cookie, made at log-in: one that somebody planted is worth nothing from then on. */
  renew(caller: Caller, options: { readonly trust: boolean }): Promise<IssuedDevice>;
  /** The browser that calls, if any member has logged in there within `TRUST_LIFE_MILLIS`. */
  own(caller: Caller): Promise<string | undefined>;
  /** The browser that calls, if the member with this account has logged in there within `TRUST_LIFE_MILLIS`. */
  trusted(account: string, caller: Caller): Promise<string | undefined>;
  /** Trusts it no more. */
  endTrust: DeviceStore['endTrust'];
}

/** A cookie just made, and what is stored of it. */
export interface IssuedDevice {
  readonly cookie: DeviceCookie;
  readonly record: NewDevice;
}

/** Makes the rules. @param key secret of the codes. */
export function devices(store: DeviceStore, key: SecretKey, random: RandomBytes): Devices {
  const draw = (): DeviceCookie => ({
    set: Buffer.from(random(COOKIE_BYTES)).toString('base64url'),
    maxAgeSeconds: COOKIE_LIFE_MILLIS / 1000,
  });
  // Asked for several times by one request, and the same through all of it.
  const known = new WeakMap<Caller, Promise<string | undefined>>();
  const of = (caller: Caller): Promise<string | undefined> => {
    const { device } = caller;
    const id = known.get(caller) ?? (device === undefined ? Promise.resolve(undefined) : store.idOf(device));
    known.set(caller, id);
    return id;
  };
  return {
    of,
    async askerOf(caller) {
      const device = await of(caller);
      if (device !== undefined) return keyedHash(key, 'asker', 'device', device);
      return keyedHash(key, 'asker', networkOf(caller.address));
    },
    first: (caller) => (caller.device === undefined ? draw() : undefined),
    async renew(caller, { trust }) {
      const cookie = draw();
      const hash = sha256Hex(cookie.set);
      const trustedUntil = (caller.now + TRUST_LIFE_MILLIS) as Millis;
      return {
        cookie,
        record: { id: (await of(caller)) ?? hash, hash, ...(trust ? { trustedUntil } : {}) },
      };
    },
    async own(caller) {
      const device = await of(caller);
      if (device === undefined) return undefined;
      return (await store.isAnyones(device, caller.now)) ? device : undefined;
    },
    endTrust: (account, device, at) => store.endTrust(account, device, at),
    async trusted(account, caller) {
      const device = await of(caller);
      if (device === undefined) return undefined;
      const to = contactOf(account)?.to ?? '';
      return (await store.isTrusted(to, device, caller.now)) ? device : undefined;
    },
  };
}
