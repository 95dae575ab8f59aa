import { expect, test } from 'vitest';
import { openedOnce } from '../../../../tests/opened.ts';
import { startTestHub, type TestBrowser } from '../main/testing.ts';

const hub = openedOnce(startTestHub);

const HANGUL = /[\uac00-\ud7a3]/;

/** Words of a refusal that every member can cause. */
async function refusal(browser: TestBrowser, language: string): Promise<string> {
  browser.headers.language = language;
  const answer = await browser.call('connextrade/CancelOrder', {
    platformType: 43,
    orderId: '01900000-0000-7000-8000-000000000000',
  });
  expect(answer.code).toBe(3011);
  return answer.msg;
}

test('Korean is answered to members with tkropen alone; asked without it gives English', async () => {
  const open = await hub.member();
  const plain = await hub.member();
  await hub.database.owner.query('update members set tkropen = true where id = $1', [open.tid ?? 0]);
  expect(await refusal(open, 'ko')).toMatch(HANGUL);
  expect(await refusal(open, 'ko-KR')).toMatch(HANGUL);
  expect(await refusal(open, 'ja')).toMatch(/[\u3040-\u30ff]/);
  expect(await refusal(open, 'en')).toBe('There is no such order.');
  expect(await refusal(plain, 'ko')).toBe('There is no such order.');
  expect((await open.call('security/userinfo', {})).data?.tkropen).toBe(true);
  const visitor = hub.visitor();
  visitor.headers.language = 'ko';
  expect((await visitor.call('security/userinfo', {})).msg).toBe('Please log in again.');
});

test('a field problem is told in Korean as well', async () => {
  const open = await hub.member();
  await hub.database.owner.query('update members set tkropen = true where id = $1', [open.tid ?? 0]);
  open.headers.language = 'ko';
  const answer = await open.form('/api/connextrade/CurOrderList', {
    platformType: '7',
    sosflag: '3',
    stoken: open.stoken ?? '',
  });
  expect(answer.envelope.code).toBe(1001);
  expect(answer.envelope.msg).toMatch(HANGUL);
  expect(answer.envelope.msg).toContain('platformType');
});
