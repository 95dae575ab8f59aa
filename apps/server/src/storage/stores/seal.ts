import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

/** Secrets at rest: AES-256-GCM, bound to what they belong to, so that a sealed text moved to another row does not open. */
export interface Seal {
  /** @param context names the owner and the field, say `venue-secret:7:1`. */
  seal(secret: string, context: string): string;
  /** @throws Error when the text was changed, belongs elsewhere, or was sealed under a key that is not known here. */
  open(sealed: string, context: string): string;
}

/** Seals of before keys could change: they name none. */
const NAMELESS = 'v1';
const VERSION = 'v2';
const IV_BYTES = 12;
const TAG_BYTES = 16;
const NAME_BYTES = 8;

/** What seals call a master key by: 16 hex digits that tell nothing of it. */
export function masterKeyName(masterKey: Uint8Array): string {
  const name = hkdfSync('sha256', masterKey, new Uint8Array(0), 'crossbook name of a master key', 32);
  return Buffer.from(name).subarray(0, NAME_BYTES).toString('hex');
}

/** What every seal under a key begins with. */
export function sealedBy(keyName: string): string {
  return `${VERSION}.${keyName}.`;
}

function keyOf(masterKey: Uint8Array): Buffer {
  return Buffer.from(hkdfSync('sha256', masterKey, new Uint8Array(0), 'crossbook secrets at rest', 32));
}

function openWith(key: Buffer, text: string, context: string): string {
  const bytes = Buffer.from(text, 'base64url');
  // The decoder passes over what is not of its alphabet: a changed text must not read as the same bytes.
  if (bytes.toString('base64url') !== text || bytes.length < IV_BYTES + TAG_BYTES)
    throw new Error('a sealed secret that was cut or changed');
  // Without a fixed length a tag of 4 bytes would do.
  const options = { authTagLength: TAG_BYTES };
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, IV_BYTES), options);
  decipher.setAAD(Buffer.from(context));
  decipher.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
  return decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES), undefined, 'utf8') + decipher.final('utf8');
}

/**
 * Makes the seal from the hub's master key (at least 32 bytes of secret).
 * @param nameless the key of seals that name none; the same one, unless the key is being changed.
 */
export function createSeal(masterKey: Uint8Array, nameless: Uint8Array = masterKey): Seal {
  const key = keyOf(masterKey);
  const begin = sealedBy(masterKeyName(masterKey));
  const openers = new Map([
    [masterKeyName(masterKey), key],
    [masterKeyName(nameless), keyOf(nameless)],
  ]);
  return {
    seal(secret, context) {
      const iv = randomBytes(IV_BYTES);
      const cipher = createCipheriv('aes-256-gcm', key, iv);
      cipher.setAAD(Buffer.from(context));
      const body = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
      return `${begin}${Buffer.concat([iv, cipher.getAuthTag(), body]).toString('base64url')}`;
    },
    open(sealed, context) {
      const [version, ...parts] = sealed.split('.');
      const [name, text, ...more] = version === NAMELESS ? [masterKeyName(nameless), ...parts] : parts;
      if ((version !== NAMELESS && version !== VERSION) || text === undefined || more.length > 0)
        throw new Error('a sealed secret of an unknown version');
      const opener = openers.get(name ?? '');
      if (opener === undefined) throw new Error('a secret that was sealed under another master key');
      return openWith(opener, text, context);
    },
  };
}
