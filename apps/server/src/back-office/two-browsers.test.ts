import { expect, test } from 'vitest';
import { openedOnce } from '../../../../tests/opened.ts';
import { ADMIN_PASSWORD, type AdminBrowser, OfficeWorld, REASON, SUCCESS } from './office-world.fixture.ts';

const FOUR_EYES = 6003;

const world = openedOnce(() => OfficeWorld.start({ ADDRESS_LIMIT_FACTOR: '100' }));

async function asked(maker: AdminBrowser): Promise<{ approval: string; payloadHash: string }> {
  const member = (await world.hub.member()).tid ?? 0;
  const { approval } = await maker.must('x/admin/MemberKol', {
    ...{ member, code: `HERON${member}`, rateBps: '100', reason: REASON },
  });
  const { rows } = await maker.must('x/admin/Approvals', {});
  return { approval, payloadHash: rows.find(({ id }) => id === approval)?.payloadHash ?? '' };
}

const approve = async (by: AdminBrowser, decision: { approval: string; payloadHash: string }) =>
  (await by.call('x/admin/Approve', { ...decision, reason: REASON })).code;

test('what two decide takes two browsers: logging out and in as the other admin is not enough', async () => {
  const { browser: maker } = await world.admin(['support', 'admin']);
  const decision = await asked(maker);
  await maker.must('x/admin/LogOut', {});
  expect(maker.device).toMatch(/^oid=[A-Za-z0-9_-]{43}$/);
  const same = world.stranger();
  same.device = maker.device;
  const { browser: checker } = await world.admin(['admin'], true, same);
  // The browser keeps its name, whoever logs in.
  expect(checker.device).toBe(maker.device);
  expect(await approve(checker, decision)).toBe(FOUR_EYES);
  const { browser: elsewhere } = await world.admin(['admin']);
  expect(elsewhere.device).not.toBe(maker.device);
  expect(await approve(elsewhere, decision)).toBe(SUCCESS);
});

test.each([
  ['none', undefined],
  ['one that no hub wrote', 'oid=x'],
  ['two at once', `oid=${'a'.repeat(43)}; oid=${'b'.repeat(43)}`],
])('a browser whose cookie is %s gets one of its own, and decides', async (_what, device) => {
  const { browser: maker } = await world.admin(['support', 'admin']);
  const decision = await asked(maker);
  const other = world.stranger();
  other.device = device;
  const { browser: checker } = await world.admin(['admin'], true, other);
  expect(checker.device).toMatch(/^oid=[A-Za-z0-9_-]{43}$/);
  expect(await approve(checker, decision)).toBe(SUCCESS);
});

test('the name of a browser is kept as its hash, and no session is to be had with it', async () => {
  const { browser } = await world.admin(['admin']);
  const rows = await world.hub.database.owner.query<{ device: string }>(
    'select device from admin_sessions order by created_at desc',
  );
  expect(rows.every(({ device }) => /^[0-9a-f]{64}$/.test(device))).toBe(true);
  expect(JSON.stringify(rows)).not.toContain(browser.device?.slice('oid='.length));
  const thief = world.stranger();
  [thief.device, thief.stoken] = [browser.device, browser.stoken];
  expect((await thief.call('x/admin/Me', {})).code).toBe(-2);
});

test('who began anew by a break-glass asks as before, and approves nothing for a day', async () => {
  const { browser: maker } = await world.admin(['support', 'admin']);
  const decision = await asked(maker);
  const { email } = await world.admin(['support', 'admin']);
  world.hub.advance(1);
  const token = await world.link(email, [], true);
  const anew = world.stranger();
  const { secret } = await anew.must('x/admin/StartBegin', { token });
  const proofs = { token, password: ADMIN_PASSWORD, totp: world.shows(secret, -1) };
  expect(await anew.begin('x/admin/Start', proofs)).toBe(SUCCESS);
  await anew.must('x/admin/StepUp', { totp: world.shows(secret) });
  const { owner } = world.hub.database;
  expect(await approve(anew, decision)).toBe(FOUR_EYES);
  expect((await asked(anew)).approval).toMatch(/^[0-9]+$/);
  const began = (millisAgo: number) =>
    owner.query('update admin_invites set used_at = $2 where email = $1 and used_at is not null', [
      ...[email, world.hub.now() - millisAgo],
    ]);
  const dayMillis = 86_400_000;
  await began(dayMillis - 60_000);
  expect(await approve(anew, decision)).toBe(FOUR_EYES);
  await began(dayMillis);
  expect(await approve(anew, decision)).toBe(SUCCESS);
});

test('one stranger plays both demo admins in one browser', async () => {
  const maker = world.stranger();
  expect(await maker.begin('x/admin/Demo', { as: 'maker' })).toBe(SUCCESS);
  const decision = await asked(maker);
  const checker = world.stranger();
  checker.device = maker.device;
  expect(await checker.begin('x/admin/Demo', { as: 'checker' })).toBe(SUCCESS);
  expect(await approve(checker, decision)).toBe(SUCCESS);
});
