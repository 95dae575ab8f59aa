import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import type { Seal } from '../../seal.ts';

const IV_BYTES = 12;
const TAG_BYTES = 16;

/** Bytes under a key of their own: without the row's key they are noise, wherever copies of them are. */
export interface SealedPicture {
  /** The key, sealed for the same context. */
  readonly key: string;
  /** Nonce, tag, and the bytes encrypted by AES-256-GCM. */
  readonly body: Uint8Array;
}

/** Encrypts bytes, bound to what they belong to. @param context names the owner and the row. */
export function sealPicture(seal: Seal, bytes: Uint8Array, context: string): SealedPicture {
  const key = randomBytes(32);
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key, iv);
  cipher.setAAD(Buffer.from(context));
  const encrypted = Buffer.concat([cipher.update(bytes), cipher.final()]);
  return {
    key: seal.seal(key.toString('hex'), context),
    body: Buffer.concat([iv, cipher.getAuthTag(), encrypted]),
  };
}

/** The bytes again. @throws Error when they or their key were changed, or belong elsewhere. */
export function openPicture(seal: Seal, { key, body }: SealedPicture, context: string): Uint8Array {
  const bytes = Buffer.from(body);
  const decipher = createDecipheriv(
    'aes-256-gcm',
    Buffer.from(seal.open(key, context), 'hex'),
    bytes.subarray(0, IV_BYTES),
    { authTagLength: TAG_BYTES },
  );
  decipher.setAAD(Buffer.from(context));
  decipher.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
  return Buffer.concat([decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES)), decipher.final()]);
}
