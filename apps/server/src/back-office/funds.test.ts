import { amount, plus, type UserId, ZERO } from '@crossbook/domain';
import { transferId } from '@crossbook/ledger';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { OfficeWorld } from './office-world.fixture.ts';

let world: OfficeWorld;
beforeAll(async () => {
  world = await OfficeWorld.start();
});
afterAll(() => world.hub.close());

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
