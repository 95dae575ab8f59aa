import { hkdfSync } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  statSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import type { SecretKey } from '../accounts/keyed-hash.ts';
import type { RandomBytes } from '../accounts/ports.ts';

/** Secrets of this installation; each purpose has a key of its own. */
export interface Secrets {
  /** For sealing secrets at rest (`createSeal`). */
  readonly masterKey: Uint8Array;
  readonly stokenKey: SecretKey;
  /** Of admins' sessions: a member's token is never one. */
  readonly adminStokenKey: SecretKey;
  readonly codeKey: SecretKey;
  readonly captchaKey: SecretKey;
  readonly websocketKey: SecretKey;
  /** Of the chain over the audit log. */
  readonly auditKey: SecretKey;
  /** Of the hash that finds the same document again. */
  readonly documentKey: SecretKey;
}

const KEY_BYTES = 32;

/** The key file cannot be used; the message says what to do. */
export class KeyFileRefused extends Error {
  override readonly name = 'KeyFileRefused';
}

function readKeyFile(path: string): Uint8Array {
  if ((statSync(path).mode & 0o077) !== 0) {
    throw new KeyFileRefused(`${path} may be read by others: run chmod 600 on it`);
  }
  const text = readFileSync(path, 'utf8').trim();
  if (!/^[0-9a-f]{64}$/i.test(text)) {
    throw new KeyFileRefused(`${path} is not a key file of this program: restore it from your backup`);
  }
  return Buffer.from(text, 'hex');
}

/** Made once; losing it makes sealed secrets unreadable and ends all sessions, so it is forced to the disk. */
function makeKeyFile(path: string, random: RandomBytes): Uint8Array {
  const key = random(KEY_BYTES);
  const file = openSync(path, 'wx', 0o600);
  try {
    writeSync(file, `${Buffer.from(key).toString('hex')}\n`);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  return key;
}

/** Derives the keys of all purposes from the master key. */
export function secretsOf(masterKey: Uint8Array): Secrets {
  const derive = (purpose: string): SecretKey =>
    new Uint8Array(hkdfSync('sha256', masterKey, new Uint8Array(0), `crossbook ${purpose}`, KEY_BYTES));
  return {
    masterKey,
    stokenKey: derive('stoken'),
    adminStokenKey: derive('admin stoken'),
    codeKey: derive('verification codes'),
    captchaKey: derive('captcha'),
    websocketKey: derive('websocket args'),
    auditKey: derive('audit chain'),
    documentKey: derive('kyc document'),
  };
}

/**
 * The master key: from the configuration, or from `master.key` in the data directory, made at first start.
 * @throws KeyFileRefused when the file is damaged or readable by others.
 */
export function loadSecrets(given: string | undefined, dataDir: string, random: RandomBytes): Secrets {
  if (given !== undefined) return secretsOf(Buffer.from(given, 'hex'));
  mkdirSync(dataDir, { recursive: true });
  const path = join(dataDir, 'master.key');
  return secretsOf(existsSync(path) ? readKeyFile(path) : makeKeyFile(path, random));
}
