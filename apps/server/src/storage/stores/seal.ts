import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

/** Secrets at rest: AES-256-GCM, bound to what they belong to, so that a sealed text moved to another row does not open. */
export interface Seal {
  /** @param context names the owner and the field, say `venue-secret:7:1`. */
  seal(secret: string, context: string): string;
  /** @throws Error when the text was changed, belongs elsewhere, or was sealed under another key. */
  open(sealed: string, context: string): string;
}

const VERSION = 'v1';
const IV_BYTES = 12;
const TAG_BYTES = 16;

/** Makes the seal from the hub's master key (at least 32 bytes of secret). */
export function createSeal(masterKey: Uint8Array): Seal {
  const key = Buffer.from(hkdfSync('sha256', masterKey, new Uint8Array(0), 'crossbook secrets at rest', 32));
  return {
    seal(secret, context) {
      const iv = randomBytes(IV_BYTES);
      const cipher = createCipheriv('aes-256-gcm', key, iv);
      cipher.setAAD(Buffer.from(context));
      const body = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
      return `${VERSION}.${Buffer.concat([iv, cipher.getAuthTag(), body]).toString('base64url')}`;
    },
    open(sealed, context) {
      const [version, text, ...more] = sealed.split('.');
      if (version !== VERSION || text === undefined || more.length > 0)
        throw new Error('a sealed secret of an unknown version');
      const bytes = Buffer.from(text, 'base64url');
      // The decoder passes over what is not of its alphabet: a changed text must not read as the same bytes.
      if (bytes.toString('base64url') !== text || bytes.length < IV_BYTES + TAG_BYTES)
        throw new Error('a sealed secret that was cut or changed');
      // Without a fixed length a tag of 4 bytes would do.
      const options = { authTagLength: TAG_BYTES };
      const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, IV_BYTES), options);
      decipher.setAAD(Buffer.from(context));
      decipher.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
      return (
        decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES), undefined, 'utf8') + decipher.final('utf8')
      );
    },
  };
}
