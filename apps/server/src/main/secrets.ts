import { hkdfSync } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
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

const FILE = 'master.key';
const NEXT_FILE = 'master.key.next';

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

/** So that a name in a folder survives a power cut as well as what it names. */
function syncFolder(path: string): void {
  const folder = openSync(path, 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}

/** The next master key while the key is being changed: made in `master.key.next`, or found there by who goes on. */
export function nextSecrets(dataDir: string, random: RandomBytes): Secrets {
  const path = join(dataDir, NEXT_FILE);
  if (existsSync(path)) return secretsOf(readKeyFile(path));
  const key = makeKeyFile(path, random);
  syncFolder(dataDir);
  return secretsOf(key);
}

/**
 * Puts the next key in the place of the old one, which stays beside it: backups of before need it.
 * @param oldName as seals name it. @returns where the old key is.
 */
export function takeNextKey(dataDir: string, oldName: string): string {
  const [path, kept] = [join(dataDir, FILE), join(dataDir, `${FILE}.retired-${oldName}`)];
  if (!existsSync(kept)) linkSync(path, kept);
  // The old name leads to the old key or to the new one, never to none.
  renameSync(join(dataDir, NEXT_FILE), path);
  syncFolder(dataDir);
  return kept;
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
  const path = join(dataDir, FILE);
  return secretsOf(existsSync(path) ? readKeyFile(path) : makeKeyFile(path, random));
}
