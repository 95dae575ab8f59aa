import { argon2, timingSafeEqual } from 'node:crypto';
import { composedPassword, ok, type Result, refused } from '@crossbook/domain';
import type { RandomBytes } from '../ports.ts';

/** Cost of one hash: OWASP's argon2id minimum, which keeps a two-core machine answering (decision 0030.30). */
export const ARGON2_COST = { memoryKib: 19_456, passes: 2, lanes: 1 } as const;

const SALT_BYTES = 16;
const HASH_BYTES = 32;
/** Hashes computed at once; more would only take memory from each other. */
const RUNNING_MAX = 2;
/** Callers that may wait; the next one is told `busy` instead of making the line longer. */
const WAITING_MAX = 64;

/** What a stored hash says about a password. `outdated` means: hash it anew with today's cost. */
export interface PasswordVerdict {
  readonly matches: boolean;
  readonly outdated: boolean;
}

/** Hashes passwords in a bounded queue: else sign-in would be the way to stop the service. */
export interface Passwords {
  /** A new hash in PHC form. */
  hash(password: string): Promise<Result<string, 'busy'>>;
  /** Compares what came, as it came; without a stored hash it does the same work and says no. */
  verify(password: string, stored: string | undefined): Promise<Result<PasswordVerdict, 'busy'>>;
}

/** What one hash costs. */
export interface PasswordCost {
  readonly memoryKib: number;
  readonly passes: number;
  readonly lanes: number;
}

interface StoredHash extends PasswordCost {
  /** Made while accents were made one form before hashing: its password is compared in that form. */
  readonly composed: boolean;
  readonly salt: Buffer;
  readonly hash: Buffer;
}

/** The mark of a composed one, `f=nfc`, is written by migration 0082 alone. */
const PHC =
  /^\$argon2id\$v=19\$m=([0-9]{1,7}),t=([0-9]{1,2}),p=([0-9]{1,2})(,f=nfc)?\$([A-Za-z0-9+/]{22,86})\$([A-Za-z0-9+/]{43})$/;

function parsePhc(text: string): StoredHash | undefined {
  const match = PHC.exec(text);
  if (match === null) return undefined;
  return {
    memoryKib: Number(match[1]),
    passes: Number(match[2]),
    lanes: Number(match[3]),
    composed: match[4] !== undefined,
    salt: Buffer.from(match[5] ?? '', 'base64'),
    hash: Buffer.from(match[6] ?? '', 'base64'),
  };
}

function formatPhc(cost: PasswordCost, salt: Uint8Array, hash: Uint8Array): string {
  const plain = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64').replace(/=+$/, '');
  return `$argon2id$v=19$m=${cost.memoryKib},t=${cost.passes},p=${cost.lanes}$${plain(salt)}$${plain(hash)}`;
}

function derive(password: string, salt: Uint8Array, cost: PasswordCost): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    argon2(
      'argon2id',
      {
        message: password,
        nonce: salt,
        parallelism: cost.lanes,
        tagLength: HASH_BYTES,
        memory: cost.memoryKib,
        passes: cost.passes,
      },
      (error, hash) => (error === null ? resolve(hash) : reject(error)),
    );
  });
}

/** First come, first served, `runningMax` at once, at most `waitingMax` in line. */
function boundedQueue(runningMax: number, waitingMax: number) {
  let running = 0;
  const waiting: (() => void)[] = [];
  return async <Value>(work: () => Promise<Value>): Promise<Result<Value, 'busy'>> => {
    if (running >= runningMax) {
      if (waiting.length >= waitingMax) return refused('busy');
      await new Promise<void>((resolve) => waiting.push(resolve));
    } else {
      running += 1;
    }
    try {
      return ok(await work());
    } finally {
      // The place is handed on, not given back and fought for.
      const next = waiting.shift();
      if (next === undefined) running -= 1;
      else next();
    }
  };
}

/** Makes the password hasher. `waitingMax`, a bound of callers, and `cost` are for tests alone. */
export function passwords(
  random: RandomBytes,
  {
    waitingMax = WAITING_MAX,
    cost = ARGON2_COST,
  }: { readonly waitingMax?: number; readonly cost?: PasswordCost | undefined } = {},
): Passwords {
  const inLine = boundedQueue(RUNNING_MAX, waitingMax);
  const nobody: StoredHash = {
    ...cost,
    composed: false,
    salt: Buffer.from(random(SALT_BYTES)),
    hash: Buffer.alloc(HASH_BYTES),
  };
  return {
    hash: (password) =>
      inLine(async () => {
        const salt = random(SALT_BYTES);
        return formatPhc(cost, salt, await derive(password, salt, cost));
      }),
    verify: (password, stored) =>
      inLine(async () => {
        const known = stored === undefined ? undefined : parsePhc(stored);
        const against = known ?? nobody;
        // One form is tried, never both: a second run would tell of whom it is.
        const tried = against.composed ? composedPassword(password) : password;
        const equal = timingSafeEqual(await derive(tried, against.salt, against), against.hash);
        const outdated =
          against.memoryKib !== cost.memoryKib ||
          against.passes !== cost.passes ||
          against.lanes !== cost.lanes;
        return { matches: known !== undefined && equal, outdated };
      }),
  };
}
