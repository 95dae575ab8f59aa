import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';

/** Flags of authenticator data (WebAuthn Level 3, 6.1): present, verified, credential data. */
const PRESENT = 1;
const VERIFIED = 4;
const WITH_CREDENTIAL = 64;

const sha256 = (given: string | Uint8Array): Buffer => createHash('sha256').update(given).digest();
const base64url = (given: string | Uint8Array): string => Buffer.from(given).toString('base64url');

type Cbor = number | string | Uint8Array | ReadonlyMap<number | string, Cbor>;

function head(kind: number, value: number): Buffer {
  if (value < 24) return Buffer.from([(kind << 5) | value]);
  if (value < 256) return Buffer.from([(kind << 5) | 24, value]);
  return Buffer.from([(kind << 5) | 25, value >> 8, value & 255]);
}

/** As much of CBOR (RFC 8949) as an authenticator writes. */
function cbor(given: Cbor): Buffer {
  if (typeof given === 'number') return given < 0 ? head(1, -1 - given) : head(0, given);
  if (typeof given === 'string')
    return Buffer.concat([head(3, Buffer.byteLength(given)), Buffer.from(given)]);
  if (given instanceof Uint8Array) return Buffer.concat([head(2, given.length), given]);
  const pairs = [...given].flatMap(([name, value]) => [cbor(name), cbor(value)]);
  return Buffer.concat([head(5, given.size), ...pairs]);
}

/** What an answer is made of instead of what was asked for. */
export interface Forged {
  readonly origin?: string;
  readonly rpId?: string;
  readonly challenge?: string;
  readonly type?: string;
  readonly counter?: number;
  /** The PIN or finger was not asked for. */
  readonly unverified?: true;
  readonly userHandle?: string | undefined;
  readonly id?: string;
  /** The answer is signed, and changed after that. */
  readonly tampered?: true;
  /** Certificates beside a new passkey. */
  readonly certificates?: true;
}

interface Asked {
  readonly challenge: string;
  readonly rpId?: string;
  readonly rp?: { readonly id: string };
  readonly user?: { readonly id: string };
}

/** An authenticator with one passkey (ES256), as the browser at `origin` speaks for it. */
export class SoftwareAuthenticator {
  readonly id = base64url(randomBytes(32));
  readonly #keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  readonly #origin: string;
  #userHandle: string | undefined;
  /** How often it was used; an authenticator whose passkeys are synced stays at 0. */
  counter = 0;
  readonly #counts: boolean;

  constructor(origin: string, { counts = true }: { readonly counts?: boolean } = {}) {
    this.#origin = origin;
    this.#counts = counts;
  }

  #clientData(type: string, asked: Asked, forged: Forged): Buffer {
    const { origin = this.#origin, challenge = asked.challenge } = forged;
    return Buffer.from(JSON.stringify({ type: forged.type ?? type, challenge, origin, crossOrigin: false }));
  }

  #authenticatorData(rpId: string, forged: Forged, credential = Buffer.alloc(0)): Buffer {
    if (this.#counts) this.counter += 1;
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(forged.counter ?? this.counter);
    const verified = forged.unverified === true ? 0 : VERIFIED;
    const flags = PRESENT | verified | (credential.length === 0 ? 0 : WITH_CREDENTIAL);
    return Buffer.concat([sha256(forged.rpId ?? rpId), Buffer.from([flags]), counter, credential]);
  }

  #publicKey(): Buffer {
    const { x = '', y = '' } = this.#keys.publicKey.export({ format: 'jwk' });
    const point = (text: string): Buffer => Buffer.from(text, 'base64url');
    const pairs: [number, Cbor][] = [
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, point(x)],
      [-3, point(y)],
    ];
    return cbor(new Map(pairs));
  }

  /** Answers navigator.credentials.create, as JSON. */
  make(options: string, forged: Forged = {}): string {
    const asked = JSON.parse(options) as Asked;
    this.#userHandle = asked.user?.id;
    const id = Buffer.from(this.id, 'base64url');
    const length = Buffer.from([id.length >> 8, id.length & 255]);
    const credential = Buffer.concat([Buffer.alloc(16), length, id, this.#publicKey()]);
    const authData = this.#authenticatorData(asked.rp?.id ?? '', forged, credential);
    const statement: [string, Cbor][] =
      forged.certificates === true
        ? [
            ['alg', -7],
            ['sig', Buffer.alloc(70)],
            ['x5c', new Map()],
          ]
        : [];
    const object: [string, Cbor][] = [
      ['fmt', forged.certificates === true ? 'packed' : 'none'],
      ['attStmt', new Map(statement)],
      ['authData', authData],
    ];
    const response = {
      clientDataJSON: base64url(this.#clientData('webauthn.create', asked, forged)),
      attestationObject: base64url(cbor(new Map(object))),
      transports: ['internal'],
    };
    const extensions = { clientExtensionResults: {}, authenticatorAttachment: 'platform' };
    return JSON.stringify({ id: this.id, rawId: this.id, type: 'public-key', response, ...extensions });
  }

  /** Answers navigator.credentials.get, as JSON. */
  answer(options: string, forged: Forged = {}): string {
    const asked = JSON.parse(options) as Asked;
    const clientData = this.#clientData('webauthn.get', asked, forged);
    const authenticatorData = this.#authenticatorData(asked.rpId ?? '', forged);
    const signature = sign(
      'sha256',
      Buffer.concat([authenticatorData, sha256(clientData)]),
      this.#keys.privateKey,
    );
    if (forged.tampered === true) authenticatorData[36] = (authenticatorData[36] ?? 0) + 1;
    const { id = this.id } = forged;
    const userHandle = 'userHandle' in forged ? forged.userHandle : this.#userHandle;
    const response = {
      clientDataJSON: base64url(clientData),
      authenticatorData: base64url(authenticatorData),
      signature: base64url(signature),
      ...(userHandle === undefined ? {} : { userHandle }),
    };
    return JSON.stringify({ id, rawId: id, type: 'public-key', response, clientExtensionResults: {} });
  }
}
