import 'reflect-metadata';
import { randomBytes, webcrypto } from 'node:crypto';
import {
  BasicConstraintsExtension,
  cryptoProvider,
  PemConverter,
  SubjectAlternativeNameExtension,
  type X509Certificate,
  X509CertificateGenerator,
} from '@peculiar/x509';

cryptoProvider.set(webcrypto as unknown as Parameters<typeof cryptoProvider.set>[0]);

const KEY = { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256', modulusLength: 2_048 } as const;
const DAY_MILLIS = 86_400_000;

/** A certificate with its key, both as PEM. */
export interface Papers {
  readonly cert: string;
  readonly key: string;
}

/** An authority that nobody but a test trusts. */
export interface TestAuthority {
  readonly cert: string;
  /**
   * Signs a certificate for a name and an address of this machine.
   * @param days until it ends, negative = it has ended.
   */
  sign(name: string, days: number, address?: string): Promise<Papers>;
}

async function keyPair() {
  const pair = await webcrypto.subtle.generateKey(
    { ...KEY, publicExponent: new Uint8Array([1, 0, 1]) },
    true,
    ['sign', 'verify'],
  );
  const bytes = await webcrypto.subtle.exportKey('pkcs8', pair.privateKey);
  return { pair, pem: PemConverter.encode(bytes, 'PRIVATE KEY') };
}

/** Makes an authority. */
export async function testAuthority(): Promise<TestAuthority> {
  const own = await keyPair();
  const root = await X509CertificateGenerator.createSelfSigned({
    ...{ serialNumber: '01', name: 'CN=Test authority', keys: own.pair, signingAlgorithm: KEY },
    notBefore: new Date(Date.now() - DAY_MILLIS),
    notAfter: new Date(Date.now() + DAY_MILLIS),
    extensions: [new BasicConstraintsExtension(true, undefined, true)],
  });
  return {
    cert: root.toString('pem'),
    async sign(name, days, address = '127.0.0.1') {
      const { pair, pem } = await keyPair();
      const end = Date.now() + days * DAY_MILLIS;
      const made: X509Certificate = await X509CertificateGenerator.create({
        ...{ serialNumber: randomBytes(8).toString('hex'), subject: `CN=${name}`, issuer: root.subject },
        ...{ publicKey: pair.publicKey, signingKey: own.pair.privateKey, signingAlgorithm: KEY },
        ...{ notBefore: new Date(end - 90 * DAY_MILLIS), notAfter: new Date(end) },
        extensions: [
          new SubjectAlternativeNameExtension([
            { type: 'dns', value: 'localhost' },
            { type: 'ip', value: address },
          ]),
        ],
      });
      return { cert: made.toString('pem'), key: pem };
    },
  };
}
