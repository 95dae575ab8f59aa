import { request } from 'node:https';
import { connect, type TLSSocket } from 'node:tls';

/** A front that does not answer in time is not known. */
const TIMEOUT_MILLIS = 5_000;
/** A certificate is renewed long before; who has so few days left has a renewal that does not work. */
const CERTIFICATE_DAYS_MIN = 14;
const DAY_MILLIS = 86_400_000;

/** Suites of TLS 1.2 without forward secrecy or without an authenticated cipher: nobody should take them. */
const WEAK_SUITES = [
  ...['AES128-SHA', 'AES256-SHA', 'AES128-SHA256', 'AES256-SHA256', 'AES128-GCM-SHA256', 'AES256-GCM-SHA384'],
  ...['ECDHE-RSA-AES128-SHA', 'ECDHE-RSA-AES256-SHA', 'ECDHE-ECDSA-AES128-SHA', 'ECDHE-ECDSA-AES256-SHA'],
  ...['ECDHE-RSA-AES128-SHA256', 'ECDHE-RSA-AES256-SHA384', 'DHE-RSA-AES128-SHA', 'DHE-RSA-AES256-SHA'],
  ...['ECDHE-ECDSA-AES128-SHA256', 'ECDHE-ECDSA-AES256-SHA384'],
].join(':');

/** How a handshake is tried that ought to fail. Nothing is sent over it. */
const FORBIDDEN = [
  {
    fault: 'takes TLS 1.1 or older',
    offer: { minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' },
  },
  {
    fault: 'takes suites without forward secrecy or authentication',
    offer: { minVersion: 'TLSv1.2', maxVersion: 'TLSv1.2', ciphers: `${WEAK_SUITES}:@SECLEVEL=0` },
  },
] as const;

/** Where a front is looked at, and by whom its certificate has to be signed. */
export interface FrontOptions {
  /** Scheme, name and port that browsers open. */
  readonly origin: URL;
  /** Time of day: certificates end by it. */
  readonly now: number;
  /** Authorities in place of those that everybody trusts; tests only. */
  readonly authorities?: string;
}

/** Whether a handshake failed because of the certificate, that is after protocol and suite were agreed on. */
function isAboutCertificate(error: NodeJS.ErrnoException): boolean {
  const { code = '' } = error;
  return !code.startsWith('ERR_SSL') && /CERT|SIGNED|SIGNATURE|ISSUER/.test(code);
}

function trusted({ authorities }: FrontOptions): { readonly ca?: string } {
  return authorities === undefined ? {} : { ca: authorities };
}

/** Asks as a browser would: what the certificate says, and whether our own headers arrive. */
function askedAsBrowser(options: FrontOptions): Promise<readonly string[]> {
  const { origin, now } = options;
  return new Promise((resolve) => {
    const asked = request(
      new URL('/healthz', origin),
      { ...trusted(options), agent: false, timeout: TIMEOUT_MILLIS },
      (answer) => {
        const { valid_to: end = '' } = (answer.socket as TLSSocket).getPeerCertificate();
        const days = Math.floor((Date.parse(end) - now) / DAY_MILLIS);
        answer.resume();
        resolve([
          ...(days < CERTIFICATE_DAYS_MIN ? [`its certificate ends in ${days} days`] : []),
          ...(answer.headers['strict-transport-security'] === undefined
            ? ['answers of the hub arrive without their headers']
            : []),
        ]);
      },
    );
    asked.on('timeout', () => asked.destroy(new Error('no answer')));
    asked.on('error', (error: NodeJS.ErrnoException) => {
      const why = error.code ?? error.message;
      resolve([
        isAboutCertificate(error)
          ? `its certificate is not trusted (${why})`
          : `not known: it could not be asked from here (${why})`,
      ]);
    });
    asked.end();
  });
}

/** Whether the front agrees to a handshake that it ought to refuse. */
function agrees(options: FrontOptions, offer: (typeof FORBIDDEN)[number]['offer']): Promise<boolean> {
  const { origin } = options;
  return new Promise((resolve) => {
    const socket = connect({
      ...{ host: origin.hostname, port: Number(origin.port === '' ? 443 : origin.port) },
      ...{ servername: origin.hostname, ...trusted(options), ...offer },
    });
    const end = (taken: boolean): void => {
      socket.destroy();
      resolve(taken);
    };
    socket.setTimeout(TIMEOUT_MILLIS, () => end(false));
    socket.on('secureConnect', () => end(true));
    socket.on('error', (error) => end(isAboutCertificate(error)));
  });
}

/**
 * Looks at the proxy in front from outside, as a browser and as an attacker would: its certificate, its protocols and suites,
 * and whether it hands on our headers. Never rejects.
 * @returns one sentence per fault; none when it is as docs/security.md asks.
 */
export async function frontFaults(options: FrontOptions): Promise<readonly string[]> {
  const faults = await askedAsBrowser(options);
  // Nobody there: the other questions would only say so again.
  if (faults.some((fault) => fault.startsWith('not known'))) return faults;
  const taken = await Promise.all(FORBIDDEN.map(({ offer }) => agrees(options, offer)));
  return [...faults, ...FORBIDDEN.filter((_, at) => taken[at]).map(({ fault }) => fault)];
}
