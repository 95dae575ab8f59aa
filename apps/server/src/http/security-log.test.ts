import { describe, expect, test } from 'vitest';
import { openedOnce } from '../../../../tests/opened.ts';
import { startTestHub, TEST_PASSWORD } from '../main/testing.ts';
import { securityLog } from './security-log.ts';

const hub = openedOnce(startTestHub);

const REFUSED = { ok: false, code: { error: 'login-failed' } } as const;

describe('the log', () => {
  test('tells who proved himself and what was refused, from where, and never with what', async () => {
    const ada = await hub.member('ada@example.org');
    await ada.logIn('ada@example.org', 'Wrong-horse-7');
    await ada.logIn('ada@example.org');
    await ada.call('x/account/StepUp', { purpose: 'credentials', password: 'Wrong-horse-8' });
    await hub.visitor().call('security/userinfo', {});
    await hub.visitor().call('user/login', { account: 'x'.repeat(9_000), password: 'y', captcha: 'z' });
    const foreign = hub.visitor();
    foreign.headers.origin = 'http://evil.example';
    await foreign.call('common/country', {});
    const lines = hub.logged.filter(({ event }) => event.startsWith('security: '));
    const seen = lines.map(({ event, facts }) => [event, facts]);
    const line = (event: string, call: string, outcome: string) => [
      `security: ${event}`,
      expect.objectContaining({ call, outcome, address: '127.0.0.1', requestId: expect.any(String) }),
    ];
    expect(seen).toEqual([
      line('proved', 'user/usernew', 'ok'),
      line('refused', 'user/login', 'login-failed'),
      line('proved', 'user/login', 'ok'),
      line('refused', 'x/account/StepUp', 'login-failed'),
      line('refused', 'security/userinfo', 'token-invalid'),
      line('refused', 'user/login', 'field-invalid'),
      line('refused', 'common/country', 'origin-refused'),
    ]);
    expect(lines[3]?.facts).toMatchObject({ who: String(ada.tid) });
    const text = JSON.stringify(hub.logged);
    for (const secret of [TEST_PASSWORD, 'horse', 'ada@', ada.stoken, ada.cookie, 'evil.example', 'xxx']) {
      expect(text).not.toContain(secret);
    }
  });

  test('leaves business alone, and reads that went well', () => {
    const written: object[] = [];
    const log = securityLog({ warn: (facts) => written.push(facts) }, () => 0);
    const event = { call: 'connextrade/PlaceOrder', requestId: '1', address: '127.0.0.1' };
    log.note({ ok: false, code: { error: 'balance-insufficient' } }, event);
    log.note({ ok: true, value: {} }, event);
    expect(written).toEqual([]);
  });

  test('is bounded in all and for each address, and says how much it left out', () => {
    const written: { readonly facts: object; readonly event: string }[] = [];
    let now = 0;
    const log = securityLog({ warn: (facts, event) => written.push({ facts, event }) }, () => now);
    const note = (address: string): void =>
      log.note(REFUSED, { call: 'user/login', requestId: '1', address });
    for (let round = 0; round < 1_000; round += 1) note('203.0.113.9');
    expect(written).toHaveLength(60);
    for (let host = 1; host < 1_000; host += 1) note(`2001:db8:1:2::${host.toString(16)}`);
    expect(written).toHaveLength(120);
    for (let host = 0; host < 5_000; host += 1) note(`198.51.${host >> 8}.${host & 255}`);
    expect(written).toHaveLength(600);
    now = 60_000;
    note('203.0.113.9');
    expect(written.slice(600).map(({ facts, event }) => [event, facts])).toEqual([
      ['security: more than is written', { leftOut: 6_399 }],
      ['security: refused', expect.objectContaining({ outcome: 'login-failed' })],
    ]);
  });
});
