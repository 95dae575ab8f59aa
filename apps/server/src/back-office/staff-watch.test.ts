import { afterAll, beforeAll, expect, test } from 'vitest';
import { OfficeWorld, REASON, SUCCESS } from './office-world.fixture.ts';

/** What every admin sees of the staff: who was let in anew from the host, and that nobody else is there to decide. */

let world: OfficeWorld;
beforeAll(async () => {
  world = await OfficeWorld.start();
});
afterAll(() => world.hub.close());

async function subjectsTo(to: string): Promise<readonly string[]> {
  const response = await fetch(`${world.hub.url}/dev/outbox.json?to=${encodeURIComponent(to)}`);
  const mails = (await response.json()) as readonly { readonly subject: string; readonly body: string }[];
  return mails.map(({ subject }) => subject);
}

const LET_IN = 'Crossbook: an admin was let in anew by break-glass';

test('on the first days one admin alone is told what nobody else may decide, and no longer once somebody may', async () => {
  const only = await world.admin(['support', 'admin']);
  const undecidable = async () => (await only.browser.must('x/admin/Me', {})).undecidable;
  expect(await undecidable()).toEqual([
    ...['unfreeze', 'kol', 'terms', 'admin-invite', 'admin-roles', 'admin-disable', 'platform-open'],
    'recovery',
  ]);
  // It may be asked for all the same, and waits; what is said keeps nobody from it, and lets nobody through.
  const member = (await world.hub.member()).tid ?? 0;
  const kol = { member, code: 'LONELY', rateBps: 100, reason: REASON };
  const { approval } = await only.browser.must('x/admin/MemberKol', kol);
  const { rows } = await only.browser.must('x/admin/Approvals', {});
  const payloadHash = rows.find(({ id }) => id === approval)?.payloadHash ?? '';
  expect((await only.browser.call('x/admin/Approve', { approval, payloadHash, reason: REASON })).code).toBe(
    6003,
  );
  // A second one by the operator's command, as the page says.
  const second = await world.admin(['admin']);
  expect(await undecidable()).toEqual(['recovery']);
  expect((await second.browser.call('x/admin/Approve', { approval, payloadHash, reason: REASON })).code).toBe(
    SUCCESS,
  );
  await world.admin(['kyc']);
  expect(await undecidable()).toEqual([]);
  // With paper money one admin alone has orders ended, and the other demo admin is always there.
  const maker = await world.admin(['treasury-maker']);
  expect((await maker.browser.must('x/admin/Me', {})).undecidable).toEqual([]);
  const stranger = world.stranger();
  await stranger.begin('x/admin/Demo', { as: 'maker' });
  expect((await stranger.must('x/admin/Me', {})).undecidable).toEqual([]);
});

test('after a break-glass every admin is written to, before its link opens, and sees it for seven days', async () => {
  const lost = await world.admin(['admin']);
  const other = await world.admin(['auditor']);
  expect((await other.browser.must('x/admin/Me', {})).breakGlasses).toEqual([]);
  const at = world.hub.now();
  const token = await world.link(lost.email, ['admin'], true);
  expect(await subjectsTo(other.email)).toEqual([]);
  await world.stranger().must('x/admin/StartBegin', { token });
  for (const { email } of [lost, other]) expect(await subjectsTo(email)).toEqual([LET_IN]);
  // Written once, however often the link is opened or the hub sweeps.
  await world.stranger().must('x/admin/StartBegin', { token });
  await world.hub.hub.accounts.store.sweep(world.hub.now());
  expect(await subjectsTo(other.email)).toEqual([LET_IN]);
  expect((await other.browser.must('x/admin/Me', {})).breakGlasses).toEqual([{ name: lost.email, at }]);
  const stranger = world.stranger();
  await stranger.begin('x/admin/Demo', { as: 'maker' });
  expect((await stranger.must('x/admin/Me', {})).breakGlasses).toEqual([{ name: 'a***@e***.org', at }]);
  const [entry] = await world.hub.database.owner.query<{ reason: string; actor: string }>(
    `select reason, actor from audit_log where call = 'admin/break-glass'`,
  );
  expect(entry).toEqual({ reason: REASON, actor: 'operator@test' });
  world.hub.advance(7 * 86_400_000);
  const later = await world.admin(['auditor']);
  expect((await later.browser.must('x/admin/Me', {})).breakGlasses).toEqual([]);
});

test('a break-glass while the hub did not run is written of by its next sweep, and the server makes and hides none', async () => {
  const lost = await world.admin(['support']);
  await world.link(lost.email, ['support'], true);
  await world.hub.hub.accounts.store.sweep(world.hub.now());
  expect(await subjectsTo(lost.email)).toEqual([LET_IN]);
  const { database } = world.hub.database;
  for (const statement of [
    `insert into admin_break_glasses (admin, at, operator, reason) values (1, 1, 'x', 'long enough')`,
    'delete from admin_break_glasses',
    'update admin_break_glasses set at = 1',
  ])
    await expect(database.query(statement)).rejects.toThrow(/permission denied/);
});
