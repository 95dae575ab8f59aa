import { type Millis, type OrderId, uuidV7 } from '@crossbook/domain';

/** Wall clock and randomness of the application; `main.tsx` hands in the real ones, tests their own. */
export interface Clock {
  now(): number;
  /** Fills and returns a fresh array of ten random bytes. */
  randomBytes(): Uint8Array;
}

let clock: Clock = { now: () => 0, randomBytes: () => new Uint8Array(10) };

/** Sets the clock; called once by the composition root. */
export function setClock(real: Clock): void {
  clock = real;
}

/** Now, ms since 1970 UTC by the browser's clock. */
export function now(): Millis {
  return clock.now() as Millis;
}

/** A new idempotency key for a call that moves money or orders. */
export function newClientId(): OrderId {
  return uuidV7(now(), clock.randomBytes());
}
