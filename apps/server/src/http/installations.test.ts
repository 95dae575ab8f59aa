import type { BootConfig } from '@crossbook/contract';
import { expect, test } from 'vitest';
import { startTestHub } from '../main/testing.ts';

/** One path of each service that the specification reaches by a prefix (decision 0051). */
const SERVICES = [
  'user/login',
  'usersms/usersms',
  'usercommon/upload',
  'security/userinfo',
  'sms/sms',
  'pub/getcaptcha',
  'common/country',
];
const UNKNOWN_CALL = 1004;
const TOKEN_INVALID = -2;

test('the test set is another installation: its page is told so, every prefix answers there, and nobody of production is known', async () => {
  const hubs = await Promise.all([
    startTestHub({ environment: { APP_ENV: 'production' } }),
    startTestHub({ environment: { APP_ENV: 'test' } }),
  ]);
  try {
    for (const [hub, environment] of [
      [hubs[0], 'production'],
      [hubs[1], 'test'],
    ] as const) {
      const boot = (await (await fetch(`${hub.url}/boot.json`)).json()) as BootConfig;
      // The services stand where the page came from, whichever installation that is.
      expect(boot).toMatchObject({ environment, hosts: { own: '', user: '', notify: '', public: '' } });
      for (const path of SERVICES) {
        const { envelope } = await hub.visitor().form(`/api/${path}`, { sosflag: '3' });
        expect(envelope.code, `${environment} ${path}`).not.toBe(UNKNOWN_CALL);
      }
    }
    const [production, testing] = hubs;
    const member = await production.member('both@example.org');
    const elsewhere = testing.visitor();
    elsewhere.cookie = member.cookie;
    elsewhere.stoken = member.stoken;
    expect((await elsewhere.call('security/userinfo', {})).code).toBe(TOKEN_INVALID);
    expect((await testing.visitor().logIn('both@example.org')).code).not.toBe(1);
    expect((await member.call('security/userinfo', {})).code).toBe(1);
  } finally {
    for (const hub of hubs) await hub.close();
  }
});
