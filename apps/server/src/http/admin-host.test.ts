import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { playedProxy, startTestHub, type TestHub } from '../main/testing.ts';

/** A hub whose back office has a host name of its own. */

const DESK = 'desk.example.org';
let hub: TestHub;
let members: string;
beforeAll(async () => {
  const { environment } = await playedProxy();
  members = new URL(environment.PUBLIC_URL ?? '').host;
  hub = await startTestHub({ environment: { ...environment, ADMIN_URL: `https://${DESK}` } });
});
afterAll(() => hub.close());

interface Answer {
  readonly status: number | undefined;
  readonly body: string;
}

/** Asks as a proxy would that passes the name on. */
function ask(method: string, path: string, headers: Record<string, string>): Promise<Answer> {
  const { hostname, port } = new URL(hub.url);
  return new Promise((resolve, reject) => {
    const sent = request({ hostname, port, method, path, headers }, (answer) => {
      let body = '';
      answer.setEncoding('utf8');
      answer.on('data', (part: string) => {
        body += part;
      });
      answer.once('end', () => resolve({ status: answer.statusCode, body }));
    });
    sent.once('error', reject);
    sent.end(method === 'POST' ? 'sosflag=3' : undefined);
  });
}

const MISDIRECTED = 421;
const ORIGIN_REFUSED = '"code":1008';
const form = { 'content-type': 'application/x-www-form-urlencoded' };

describe('where the back office has a host of its own', () => {
  test.each([
    ['GET', '/', 'members'],
    ['GET', '/wallet/WalletOverviewSub', 'members'],
    ['GET', '/admin', 'office'],
    ['GET', '/admin/members', 'office'],
    ['GET', '/boot.json', 'both'],
    ['GET', '/openapi.json', 'members'],
  ])('%s %s is answered on the host of %s alone', async (method, path, door) => {
    for (const host of [members, DESK]) {
      const isOwn = door === 'both' || (door === 'office') === (host === DESK);
      const { status } = await ask(method, path, { host, accept: 'text/html' });
      if (isOwn) expect(status, host).not.toBe(MISDIRECTED);
      else expect(status, host).toBe(MISDIRECTED);
    }
  });

  test.each([
    ['/api/security/userinfo', 'members'],
    ['/api/user/login', 'members'],
    ['/api/x/admin/Me', 'office'],
    ['/api/x/admin/LogIn', 'office'],
  ])('%s is a call of the host of %s alone, also with the other one as its page', async (path, door) => {
    const [own, other] = door === 'office' ? [DESK, members] : [members, DESK];
    const onOwn = await ask('POST', path, { ...form, host: own, origin: `https://${own}` });
    expect(onOwn.body).not.toContain(ORIGIN_REFUSED);
    for (const [host, origin] of [
      [other, other],
      [own, other],
      [other, own],
    ] as const) {
      const refused = await ask('POST', path, { ...form, host, origin: `https://${origin}` });
      expect(refused.body, `${host} from ${origin}`).toContain(ORIGIN_REFUSED);
    }
  });
});
