import { createServer, type Server, type ServerOptions } from 'node:https';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import {
  type Papers,
  type TestAuthority,
  testAuthority,
} from '../../storage/postgres/certificates.fixture.ts';
import { frontFaults } from './front-check.ts';

const GOOD = {
  minVersion: 'TLSv1.2',
  ciphers: 'ECDHE-RSA-AES128-GCM-SHA256:ECDHE-RSA-AES256-GCM-SHA384',
} as const;

let authority: TestAuthority;
let good: Papers;
let server: Server | undefined;
beforeAll(async () => {
  authority = await testAuthority();
  good = await authority.sign('localhost', 60);
});
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
  server = undefined;
});

/** What is told of a front with these settings. */
async function faultsOf(
  options: ServerOptions,
  { authorities = authority.cert, header = 'max-age=1' } = {},
): Promise<readonly string[]> {
  server = createServer({ ...good, ...GOOD, ...options }, (_request, response) => {
    response.writeHead(200, header === '' ? {} : { 'strict-transport-security': header }).end('ok');
  });
  const front = server;
  front.on('tlsClientError', () => undefined);
  await new Promise<void>((resolve) => front.listen(0, '127.0.0.1', resolve));
  const origin = new URL(`https://localhost:${(front.address() as AddressInfo).port}`);
  return frontFaults({ origin, now: Date.now(), authorities });
}

describe('the proxy in front', () => {
  test('with a trusted certificate, TLS of today and our headers has no fault', async () => {
    expect(await faultsOf({})).toEqual([]);
  });

  test('that takes TLS 1.0 or 1.1 is named', async () => {
    const old = { minVersion: 'TLSv1', ciphers: `${GOOD.ciphers}:ECDHE-RSA-AES128-SHA:@SECLEVEL=0` } as const;
    expect(await faultsOf(old)).toContain('takes TLS 1.1 or older');
  });

  test.each(['AES128-GCM-SHA256', 'ECDHE-RSA-AES128-SHA256', 'AES256-SHA'])(
    'that takes the suite %s is named',
    async (suite) => {
      const faults = await faultsOf({ ciphers: `${GOOD.ciphers}:${suite}:@SECLEVEL=0` });
      expect(faults).toEqual(['takes suites without forward secrecy or authentication']);
    },
  );

  test('with a certificate that nobody trusts, or for another name, or that has ended, is named', async () => {
    const other = await testAuthority();
    expect(await faultsOf({}, { authorities: other.cert })).toEqual([
      expect.stringContaining('is not trusted'),
    ]);
    server?.close();
    expect(await faultsOf(await authority.sign('localhost', -1))).toEqual([
      'its certificate is not trusted (CERT_HAS_EXPIRED)',
    ]);
  });

  test('whose certificate ends soon is named in time', async () => {
    expect(await faultsOf(await authority.sign('localhost', 13.5))).toEqual([
      'its certificate ends in 13 days',
    ]);
  });

  test('that takes our headers off is named', async () => {
    expect(await faultsOf({}, { header: '' })).toEqual(['answers of the hub arrive without their headers']);
  });

  test('that is not there is not known', async () => {
    const faults = await frontFaults({ origin: new URL('https://127.0.0.1:1'), now: 0 });
    expect(faults).toEqual(['not known: it could not be asked from here (ECONNREFUSED)']);
  });
});
