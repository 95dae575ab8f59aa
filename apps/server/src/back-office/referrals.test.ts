import { afterAll, beforeAll, expect, test } from 'vitest';
import { type AdminBrowser, OfficeWorld } from './office-world.fixture.ts';

const DAY = 86_400_000;
let world: OfficeWorld;
let support: AdminBrowser;
const ids: number[] = [];
/** What members' own codes are. */
const codes: string[] = [];
beforeAll(async () => {
  world = await OfficeWorld.start();
  support = (await world.admin(['support'])).browser;
  for (let made = 0; made < 6; made += 1) ids.push((await world.hub.member()).tid ?? 0);
  const { owner } = world.hub.database;
  const [a, b, c, d, e, f] = ids as [number, number, number, number, number, number];
  // The first has brought three, the second one; the third has a KOL code alone.
  for (const [invitee, referrer] of [
    [d, a],
    [e, a],
    [f, a],
    [c, b],
  ] as const) {
    await owner.query(
      `insert into referrals (invitee, referrer, code, kind, at) values ($1, $2, 'X', 'self', 0)`,
      [...[invitee, referrer]],
    );
  }
  const reward = (invitee: number, referrer: number, at: number, paid: boolean) =>
    owner.query(
      `insert into referral_rewards (invitee, referrer, asset, rate_bps, amount, state, accrued_at, settled_at)
       values ($1, $2, 'USDT', 2000, 10.5, $3, $4, $5)`,
      [invitee, referrer, paid ? 'settled' : 'unsettled', at, paid ? at : null],
    );
  const now = world.hub.now();
  await reward(d, a, now - 2 * DAY, false);
  await reward(e, a, now, false);
  await reward(c, b, now - 2 * DAY, true);
  await owner.query(`update members set kol_referral_code = 'STAR', kol_rate_bps = 3500 where id = $1`, [c]);
  await owner.query(`update members set kol_referral_code = 'MOON', kol_rate_bps = 5000 where id = $1`, [a]);
  const rows = await owner.query<{ code: string }>('select referral_code as code from members order by id');
  codes.push(...rows.map(({ code }) => code));
});
afterAll(() => world.hub.close());

test('who has a code or has brought somebody is listed once, the newest first, with what waits and what of it is late', async () => {
  const [a, b, c] = ids;
  const { rows, next } = await support.must('x/admin/Referrals', {});
  expect(rows).toMatchObject([
    { member: c, kolCode: 'STAR', kolRateBps: 3500, invitees: 0, unsettled: '0', late: '0' },
    { member: b, code: codes[1], kolCode: null, kolRateBps: null, invitees: 1, unsettled: '0', late: '0' },
    {
      member: a,
      kolCode: 'MOON',
      invitees: 3,
      manyInvitees: false,
      unsettled: '21',
      late: '10.5',
      asset: 'USDT',
    },
  ]);
  expect(next).toBeNull();
  const seen: number[] = [];
  for (let cursor: string | undefined, more = true; more; more = cursor !== undefined) {
    const page: Awaited<ReturnType<typeof support.must<'x/admin/Referrals'>>> = await support.must(
      'x/admin/Referrals',
      { limit: 1, ...(cursor === undefined ? {} : { cursor }) },
    );
    seen.push(...page.rows.map(({ member }) => member));
    cursor = page.next ?? undefined;
  }
  expect(seen).toEqual([c, b, a]);
});

test('one is found by id, by own code and by KOL code in any case, never by a part of a code', async () => {
  const [a, , , d] = ids as [number, number, number, number];
  const found = async (query: string) =>
    (await support.must('x/admin/Referrals', { query })).rows.map(({ member }) => member);
  for (const query of [String(a), 'MOON', 'moon', ` ${codes[0]}`, codes[0]?.toLowerCase() ?? ''])
    expect(await found(query), query).toEqual([a]);
  // Who has brought nobody is found as well.
  expect(await found(codes[3] ?? '')).toEqual([d]);
  for (const query of ['MOO', '%', 'NOBODY', '999999999']) expect(await found(query), query).toEqual([]);
});
