import { amount, plus, type UserId, ZERO } from '@crossbook/domain';
import { transferId } from '@crossbook/ledger';
import { expect, test } from 'vitest';
import { openedOnce } from '../../../../tests/opened.ts';
import { fundsFaults } from '../storage/stores/office/funded-accounts.ts';
import { OfficeWorld } from './office-world.fixture.ts';

const world = openedOnce(() =>
  OfficeWorld.start({ FUNDED_FLOORS: 'promo:USDT=500,fees:BTC=0.25,fees:ETH=1' }),
);

test('the funds page says what members have, and every asset adds up to zero', async () => {
  const { browser } = await world.admin(['auditor']);
  expect((await browser.must('x/admin/Funds', {})).rows).toEqual([]);
  const ledger = world.hub.database.openLedger();
  for (const asset of ['USDT', 'BTC']) {
    const user = (await world.hub.member()).tid as UserId;
    const venue = { class: 'EXTERNAL', counterparty: 'venue:1', asset } as const;
    const member = { class: 'FUNDING', user, asset } as const;
    const move = { do: 'post', from: venue, to: member, amount: amount('12.5'), kind: 'test-funds' } as const;
    const fee = {
      do: 'post',
      from: member,
      to: { class: 'HOUSE_FEE', asset },
      amount: amount('0.25'),
    } as const;
    const done = await ledger.commit({
      commands: [
        { ...move, id: transferId('test-credit', asset) },
        { ...fee, id: transferId('test-fee', asset), kind: 'trade-fee' },
      ],
    });
    expect(done.ok).toBe(true);
  }
  const { rows } = await browser.must('x/admin/Funds', {});
  expect(rows).toMatchObject([
    { asset: 'BTC', members: '12.25', fees: '0.25', outside: '-12.5' },
    { asset: 'USDT', members: '12.25', fees: '0.25', outside: '-12.5' },
  ]);
  const owned = await world.hub.database.owner.query<{ asset: string; total: string }>(
    'select asset, trim_scale(sum(posted))::text as total from ledger_accounts where owner is not null group by asset',
  );
  for (const { asset, members, ...others } of rows) {
    expect(members).toBe(owned.find((row) => row.asset === asset)?.total);
    expect(Object.values(others).reduce((sum, text) => plus(sum, amount(text)), amount(members))).toBe(ZERO);
  }
});

test('it goes page by page, each asset once', async () => {
  const { browser } = await world.admin(['treasury-maker']);
  const all = (await browser.must('x/admin/Funds', { limit: 200 })).rows.map(({ asset }) => asset);
  const seen: string[] = [];
  for (let cursor: string | undefined, more = true; more; more = cursor !== undefined) {
    const page: Awaited<ReturnType<typeof browser.must<'x/admin/Funds'>>> = await browser.must(
      'x/admin/Funds',
      { limit: 1, ...(cursor === undefined ? {} : { cursor }) },
    );
    seen.push(...page.rows.map(({ asset }) => asset));
    cursor = page.next ?? undefined;
  }
  expect(seen).toEqual(all);
});

test('accounts that others are paid from stand with floor, pace and runway, and who is below is named', async () => {
  const { browser } = await world.admin(['auditor']);
  const { owner } = world.hub.database;
  const [one, two] = [await world.hub.member(), await world.hub.member()];
  const referral = 'insert into referrals (invitee, referrer, code, kind, at) values ($1, $2, $3, $4, 0)';
  await owner.query(referral, [two.tid ?? 0, one.tid ?? 0, 'ABCDEFGH', 'self']);
  const reward = (state: string, paidAt: number | null) =>
    owner.query(
      `insert into referral_rewards (invitee, referrer, asset, rate_bps, amount, state, accrued_at, settled_at)
       values ($1, $2, 'USDT', 2000, 10, $3, 0, $4)
       on conflict (invitee) do update set state = excluded.state, settled_at = excluded.settled_at`,
      [two.tid ?? 0, one.tid ?? 0, state, paidAt],
    );
  const promo = async () => (await browser.must('x/admin/Funds', {})).accounts[0];
  await reward('unsettled', null);
  const empty = { account: 'promo', asset: 'USDT', balance: '0', floor: '500', below: true };
  expect(await promo()).toMatchObject({ ...empty, waiting: '10', paid: '0', runwayDays: null });
  await reward('settled', world.hub.now() - 31 * 86_400_000);
  expect(await promo()).toMatchObject({ ...empty, waiting: '0', paid: '0', runwayDays: null });
  await reward('settled', world.hub.now());
  const venue = { class: 'EXTERNAL', counterparty: 'venue:1', asset: 'USDT' } as const;
  const filled = await world.hub.database.openLedger().commit({
    commands: [
      {
        ...{ do: 'post', id: transferId('promo-funding', 1), amount: amount('700'), kind: 'promo-funding' },
        ...{ from: venue, to: { class: 'HOUSE_PROMO', asset: 'USDT' } },
      },
    ],
  });
  expect(filled.ok).toBe(true);
  const { accounts } = await browser.must('x/admin/Funds', {});
  // 700 at 10 in 30 days.
  expect(accounts).toMatchObject([
    { account: 'promo', asset: 'USDT', balance: '700', paid: '10', runwayDays: 2_100, below: false },
    { account: 'fees', asset: 'BTC', balance: '0.25', floor: '0.25', runwayDays: null, below: false },
    { account: 'fees', asset: 'ETH', balance: '0', floor: '1', below: true },
    { account: 'fees', asset: 'USDT', balance: '0.25', floor: '0', below: false },
  ]);
  expect(fundsFaults(accounts, false)).toEqual(['fees ETH: 0 is below its floor of 1']);
  const starving = accounts.map((each) => ({ ...each, waiting: each.account === 'promo' ? '10' : '0' }));
  expect(fundsFaults(starving, true)).toEqual([
    'fees ETH: 0 is below its floor of 1',
    'rewards of 10 USDT wait for the promo account, which holds 700: they are paid when it is filled',
  ]);
});
