import type { CallRequest } from '@crossbook/contract';
import { amount } from '@crossbook/domain';
import type { VenueTransferOutcome } from '@crossbook/venues/trading';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { attacks } from '../../../../tests/attack-sizes.ts';
import { ledgerBreaches } from '../storage/ledger/ledger-check.ts';
import { PostgresLedgerStore } from '../storage/ledger/ledger-store.ts';
import { openTestDatabase } from '../storage/testing.ts';
import { CALLER, ID, OTHER, until, World } from './wallet-world.fixture.ts';

let world: World;
beforeEach(async () => {
  world = new World(await openTestDatabase());
});
afterEach(async () => {
  await world.desk.stop();
  expect(await ledgerBreaches(world.database.database, 'fold')).toEqual([]);
  await world.database.close();
});

/** Each round on a database of its own. */
const ROUNDS = { repeats: attacks(1, 1_000) - 1 };

const text = (_key: string, value: unknown) => (typeof value === 'bigint' ? String(value) : value);

describe('while money is halted', () => {
  const HALTED = { ok: false, code: { error: 'money-halted' } } as const;

  test('no deposit and no transfer begins in either direction, and nothing is held or asked', async () => {
    await world.testFunds({ platformType: 43, tradingAmount: amount('10000') });
    const asked = world.asked.length;
    world.halted = HALTED.code;
    expect(await world.testFunds()).toEqual(HALTED);
    expect(await world.move({ direction: 1 })).toEqual(HALTED);
    expect(await world.move({ direction: 2 })).toEqual(HALTED);
    expect([await world.owns(), world.asked.length]).toEqual(['40000 10000', asked]);
  });

  test('what was asked for before has its answer, and what was sent is looked up and booked', async () => {
    await world.desk.start();
    await world.testFunds({ clientId: ID });
    world.transfer = async () => ({ outcome: 'unknown', why: 'lost' });
    await world.move();
    world.halted = HALTED.code;
    expect(await world.testFunds({ clientId: ID })).toMatchObject({ ok: true, value: { state: 'done' } });
    world.findTransfer = async () => ({ outcome: 'found', value: { venueId: '9' } });
    await world.pass(4_000);
    expect(await world.owns()).toBe('49900 100');
  });

  test('what was never sent waits, deposits and transfers, and goes on when the gate opens', async () => {
    await world.desk.start();
    await world.testFunds();
    world.transfer = async () => ({ outcome: 'not-now', why: 'limiter' });
    world.credit = async () => 'unknown';
    await world.move();
    await world.testFunds();
    world.halted = HALTED.code;
    const asked = world.asked.length;
    world.transfer = async () => ({ outcome: 'done', venueId: '1' });
    world.credit = async () => 'done';
    await world.pass(12_000);
    expect([await world.owns(), world.asked.length]).toEqual(['50000(100) 0', asked]);
    world.halted = undefined;
    await world.pass(12_000);
    expect(await world.owns()).toBe('99900 100');
  });
});

test.each([
  ['busy', { unitsQueuedMax: 0 }],
  ['unavailable', { reconnectsMax: 1, address: { host: '/nowhere', port: 1 } }],
] as const)('a ledger that is %s is told by that name, and nothing happened', async (error, options) => {
  const { database } = world.database;
  const address = 'address' in options ? { ...database.address, ...options.address } : database.address;
  const ledger = new PostgresLedgerStore({ ...database, address }, options);
  const there = new World(world.database, ledger);
  expect(await there.testFunds()).toEqual({ ok: false, code: { error } });
  expect(await there.move()).toEqual({ ok: false, code: { error } });
  expect([await world.owns(), there.asked]).toEqual(['0 0', []]);
  await ledger.close();
});

describe('test funds', () => {
  test('arrive in the funding wallet and are announced', async () => {
    expect(await world.testFunds()).toEqual({
      ok: true,
      value: { asset: 'USDT', amount: '50000', state: 'done', transfer: null, notMoved: null },
    });
    expect(await world.owns()).toBe('50000 0');
    expect(world.published).toMatchObject([
      { user: 7, event: { kind: 'balance', wallet: 'funding', rows: [{ asset: 'USDT', total: '50000' }] } },
    ]);
  });

  test('go on to a trading wallet in the same call', async () => {
    const answer = await world.testFunds({ platformType: 43, tradingAmount: amount('10000') });
    expect(answer).toMatchObject({
      ok: true,
      value: { state: 'done', transfer: { state: 'done', amount: '10000' } },
    });
    expect(await world.owns()).toBe('40000 10000');
  });

  test('that went no further are given all the same, and the answer says why the rest stayed, as often as it is asked', async () => {
    world.transfer = async () => ({ outcome: 'refused', venueCode: '-1', message: 'not today' });
    const request = { clientId: ID, platformType: 43, tradingAmount: amount('10000') } as const;
    const answer = await world.testFunds(request);
    expect(answer).toMatchObject({
      ok: true,
      value: { amount: '50000', state: 'done', transfer: null },
    });
    const history = await world.history();
    const [row] = history.ok ? history.value.rows : [];
    expect(answer.ok && answer.value.notMoved).toEqual({
      transferId: row?.transferId,
      code: 4007,
      msg: expect.stringMatching(/your money is where it was: the exchange refused it\.$/),
    });
    expect(await world.testFunds(request)).toEqual(answer);
    expect(await world.owns()).toBe('50000 0');
  });

  test('that may go on once the platform is open again go on when the same is asked for again', async () => {
    const request = { clientId: ID, platformType: 43, tradingAmount: amount('10000') } as const;
    world.credit = async () => {
      world.state = 'coming-soon';
      return 'done';
    };
    expect(await world.testFunds(request)).toMatchObject({
      ok: true,
      value: { transfer: null, notMoved: { code: 4006 } },
    });
    world.state = 'live';
    expect(await world.testFunds(request)).toMatchObject({
      value: { transfer: { state: 'done' }, notMoved: null },
    });
    expect(await world.owns()).toBe('40000 10000');
  });

  test(
    '64 requests at once get no more than the limit of a day, and a day later there is more',
    ROUNDS,
    async () => {
      const answers = await Promise.all(Array.from({ length: 64 }, () => world.testFunds()));
      expect(answers.filter((answer) => answer.ok)).toHaveLength(2);
      for (const answer of answers) {
        if (!answer.ok) expect(answer.code).toEqual({ error: 'test-funds-limit', allowed: '100000 USDT' });
      }
      expect(await world.owns()).toBe('100000 0');
      expect(await world.testFunds({}, OTHER)).toMatchObject({ ok: true });
      world.time.advance(86_399_999);
      expect(await world.testFunds()).toMatchObject({ ok: false });
      world.time.advance(2);
      expect(await world.testFunds()).toMatchObject({ ok: true });
    },
  );

  test('64 times the same request are one deposit and one transfer', ROUNDS, async () => {
    const request = { clientId: ID, platformType: 43, tradingAmount: amount('10') } as const;
    const answers = await Promise.all(Array.from({ length: 64 }, () => world.testFunds(request)));
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect(await world.owns()).toBe('49990 10');
  });

  test('the same id with another request, or of another member, is refused and moves nothing', async () => {
    await world.testFunds({ clientId: ID });
    const reused = { ok: false, code: { error: 'client-id-reused', field: 'clientId' } };
    expect(await world.testFunds({ clientId: ID, platformType: 43, tradingAmount: amount('1') })).toEqual(
      reused,
    );
    expect(await world.testFunds({ clientId: ID }, OTHER)).toEqual(reused);
    expect([await world.owns(), await world.owns(OTHER.user)]).toEqual(['50000 0', '0 0']);
  });

  test('two members with one id at the same moment: one of them is refused', async () => {
    const [first, second] = await Promise.all([
      world.testFunds({ clientId: ID }),
      world.testFunds({ clientId: ID }, OTHER),
    ]);
    expect([first.ok, second.ok].sort()).toEqual([false, true]);
    const owned = [await world.owns(), await world.owns(OTHER.user)].sort();
    expect(owned).toEqual(['0 0', '50000 0']);
  });

  test.each<[string, Partial<CallRequest<'x/paper/TestFunds'>>, object]>([
    [
      'more than is given',
      { platformType: 43, tradingAmount: amount('50000.1') },
      { error: 'funds-insufficient', field: 'tradingAmount' },
    ],
    [
      'more decimals than an exchange moves',
      { platformType: 43, tradingAmount: amount('1.000000001') },
      { error: 'amount-invalid', field: 'tradingAmount', allowed: '8' },
    ],
    [
      'an amount without a platform',
      { tradingAmount: amount('1') },
      { error: 'field-invalid', field: 'platformType' },
    ],
    [
      'a platform without an amount',
      { platformType: 43 },
      { error: 'field-invalid', field: 'tradingAmount' },
    ],
    [
      'a platform that is not open',
      { platformType: 41, tradingAmount: amount('1') },
      { error: 'transfer-not-open', given: 'OKX' },
    ],
  ])('%s is refused before anything is given', async (_name, part, code) => {
    expect(await world.testFunds(part)).toMatchObject({ ok: false, code });
    expect(await world.owns()).toBe('0 0');
  });

  test('a coming-soon platform is refused as a target, and without a paper faucet there are none', async () => {
    world.state = 'coming-soon';
    const onward = { platformType: 43, tradingAmount: amount('1') } as const;
    expect(await world.testFunds(onward)).toMatchObject({
      code: { error: 'transfer-not-open', given: 'Binance' },
    });
    world.paper = false;
    expect(await world.testFunds()).toMatchObject({ ok: false, code: { error: 'paper-only' } });
    expect(await world.owns()).toBe('0 0');
  });

  test('an unclear faucet is asked again in the background with the same id, and books once', async () => {
    const ids: string[] = [];
    world.credit = async (_platform, _asset, _amount, id) => {
      ids.push(id);
      return 'unknown';
    };
    expect(await world.testFunds({ clientId: ID })).toMatchObject({ ok: true, value: { state: 'unknown' } });
    expect(await world.owns()).toBe('0 0');
    await world.desk.start();
    await world.pass(14_000);
    world.credit = async () => 'done';
    await world.pass(4_000);
    expect(new Set(ids)).toEqual(new Set([ID]));
    expect(await world.owns()).toBe('50000 0');
    expect(await world.testFunds({ clientId: ID })).toMatchObject({ ok: true, value: { state: 'done' } });
    expect(await world.owns()).toBe('50000 0');
  });
});

describe('a universal transfer', () => {
  beforeEach(() => world.testFunds());

  test('goes to the trading wallet and back, the venue moving first', async () => {
    expect(await world.move()).toMatchObject({
      ok: true,
      value: { state: 'done', direction: 1, reason: null },
    });
    expect(await world.owns()).toBe('49900 100');
    expect(await world.move({ direction: 2, amount: amount('40') })).toMatchObject({
      ok: true,
      value: { state: 'done' },
    });
    expect(await world.owns()).toBe('49940 60');
    expect(world.asked).toMatchObject([
      { to: 'sub-7', asset: 'USDT', amount: amount('100') },
      { from: 'sub-7', asset: 'USDT', amount: amount('40') },
    ]);
    const kinds = world.published
      .slice(1)
      .map(({ event }) => (event.kind === 'balance' ? event.wallet : event.kind));
    expect(kinds).toEqual(['transfer', 'funding', 43, 'transfer', 'funding', 43]);
  });

  test.each<[string, Partial<CallRequest<'connexfunding/UniversalTransfer'>>, object]>([
    [
      'more than there is',
      { amount: amount('50000.00000001') },
      { error: 'funds-insufficient', field: 'amount' },
    ],
    [
      'less than an exchange moves',
      { amount: amount('0.000000009999999999') },
      { error: 'amount-invalid', field: 'amount', allowed: '8' },
    ],
    [
      'more decimals than an exchange moves',
      { amount: amount('1.000000001') },
      { error: 'amount-invalid', field: 'amount', allowed: '8' },
    ],
    ['out of an empty wallet', { direction: 2 }, { error: 'funds-insufficient' }],
    ['an asset nobody trades', { asset: 'NOPE' }, { error: 'asset-unknown', given: 'NOPE' }],
    ['a platform that is not there', { platformType: 42 }, { error: 'transfer-not-open', given: 'Bybit' }],
    [
      'an unknown asset on an unknown platform: the asset',
      { asset: 'NOPE', platformType: 42 },
      { error: 'asset-unknown' },
    ],
  ])('%s is refused and nothing is asked', async (_name, part, code) => {
    expect(await world.move(part)).toMatchObject({ ok: false, code });
    expect(world.asked).toEqual([]);
    expect(await world.owns()).toBe('50000 0');
    expect(await world.history()).toEqual({ ok: true, value: { rows: [] } });
  });

  test('a coming-soon platform takes nothing in and lets everything out', async () => {
    await world.move();
    world.state = 'coming-soon';
    expect(await world.move()).toMatchObject({
      ok: false,
      code: { error: 'transfer-not-open', given: 'Binance' },
    });
    expect(await world.move({ direction: 2 })).toMatchObject({ ok: true, value: { state: 'done' } });
    expect(await world.owns()).toBe('50000 0');
  });

  test("a refusal of the venue gives the money back; the venue's own words are kept, and shown to no member", async () => {
    world.transfer = async () => ({ outcome: 'refused', venueCode: '-1', message: 'not today' });
    const answer = await world.move({ clientId: ID });
    expect(answer).toEqual({ ok: false, code: { error: 'transfer-refused', given: 'not today' } });
    expect(await world.owns()).toBe('50000 0');
    expect(await world.move({ clientId: ID })).toEqual(answer);
    expect(world.asked).toHaveLength(1);
  });

  test('waits for an account at the exchange, and without one is refused after a minute', async () => {
    world.accountOf = async () => undefined;
    await world.desk.start();
    expect(await world.move({ clientId: ID })).toMatchObject({ ok: true, value: { state: 'unknown' } });
    await world.pass(58_000);
    expect(await world.owns()).toBe('50000(100) 0');
    await world.pass(4_000);
    expect([await world.owns(), world.asked.length]).toEqual(['50000 0', 0]);
    expect(await world.move({ clientId: ID })).toMatchObject({
      code: { error: 'transfer-refused', given: 'no account at the exchange' },
    });
    await world.move();
    world.accountOf = async () => 'sub-7';
    await world.pass(4_000);
    expect([await world.owns(), world.asked.length]).toEqual(['49900 100', 1]);
  });

  test.each<[string, () => void]>([
    [
      'moves it',
      () => {
        world.transfer = async () => ({ outcome: 'not-now', why: 'local', retryAfterMillis: 11_500 });
      },
    ],
    [
      "opens the member's account",
      () => {
        world.accountOf = async () => ({ retryAfterMillis: 11_500 });
      },
    ],
  ])(
    'for which our own budget never %s is refused as ours, with the seconds to wait',
    async (_name, script) => {
      script();
      await world.desk.start();
      expect(await world.move({ clientId: ID })).toMatchObject({ ok: true, value: { state: 'unknown' } });
      await world.pass(62_000);
      expect(await world.owns()).toBe('50000 0');
      const refused = { ok: false, code: { error: 'venue-budget', allowed: '12' } };
      expect(await world.move({ clientId: ID })).toEqual(refused);
    },
  );

  test('that the exchange is too busy to take is asked for again, and moves once', async () => {
    world.transfer = async () => ({ outcome: 'not-now', why: 'limiter' });
    await world.desk.start();
    expect(await world.move({ clientId: ID })).toMatchObject({ ok: true, value: { state: 'unknown' } });
    await world.pass(10_000);
    expect([await world.owns(), world.asked.length > 2]).toEqual(['50000(100) 0', true]);
    world.transfer = async () => ({ outcome: 'done', venueId: '1' });
    await world.pass(4_000);
    expect(await world.owns()).toBe('49900 100');
    expect(new Set(world.asked.map((request) => JSON.stringify(request, text))).size).toBe(1);
    expect(await world.move({ clientId: ID })).toMatchObject({ value: { state: 'done' } });
  });

  test('after a busy exchange an answer that is lost is looked for, never asked again', async () => {
    world.transfer = async () => ({ outcome: 'not-now', why: 'limiter' });
    await world.desk.start();
    await world.move();
    world.transfer = async () => ({ outcome: 'unknown', why: 'lost' });
    await world.pass(4_000);
    const asked = world.asked.length;
    await world.pass(8_000);
    expect([await world.owns(), world.asked.length]).toEqual(['50000(100) 0', asked]);
    world.findTransfer = async () => ({ outcome: 'found', value: { venueId: '9' } });
    await world.pass(4_000);
    expect([await world.owns(), world.asked.length]).toEqual(['49900 100', asked]);
  });

  test('64 times the same request move once; 64 of their own no more than there is', ROUNDS, async () => {
    const same = await Promise.all(Array.from({ length: 64 }, () => world.move({ clientId: ID })));
    expect(new Set(same.map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect(world.asked).toHaveLength(1);
    const own = await Promise.all(Array.from({ length: 64 }, () => world.move({ amount: amount('10000') })));
    expect(own.filter((answer) => answer.ok)).toHaveLength(4);
    expect(await world.owns()).toBe('9900 40100');
    const back = await Promise.all(
      Array.from({ length: 64 }, () => world.move({ direction: 2, amount: amount('20050') })),
    );
    expect(back.filter((answer) => answer.ok)).toHaveLength(2);
    expect(await world.owns()).toBe('50000 0');
  });

  test.each<[string, Partial<CallRequest<'connexfunding/UniversalTransfer'>>]>([
    ['amount', { amount: amount('101') }],
    ['asset', { asset: 'BTC' }],
    ['direction', { direction: 2 }],
    ['platform', { platformType: 41 }],
  ])('the same id with another %s is refused and moves nothing', async (_name, change) => {
    await world.move({ clientId: ID });
    expect(await world.move({ clientId: ID, ...change })).toMatchObject({
      code: { error: 'client-id-reused' },
    });
    expect(world.asked).toHaveLength(1);
    expect(await world.owns()).toBe('49900 100');
  });

  test("another member's id is refused, and histories are one's own, page by page", async () => {
    for (let count = 0; count < 5; count += 1) {
      world.time.advance(1);
      await world.move({ amount: amount(String(count + 1)) });
    }
    await world.move({ clientId: ID });
    expect(await world.move({ clientId: ID }, OTHER)).toMatchObject({ code: { error: 'client-id-reused' } });
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await world.history({ limit: 2, cursor });
      if (!page.ok) throw new Error(page.code.error);
      seen.push(...page.value.rows.map((row) => row.amount));
      cursor = page.value.next;
    } while (cursor !== undefined);
    expect(seen.sort()).toEqual(['1', '100', '2', '3', '4', '5']);
    expect(await world.history({}, OTHER)).toMatchObject({ value: { rows: [] } });
    expect(await world.history({ platformType: 41 })).toMatchObject({ value: { rows: [] } });
  });

  test.each(['x', '1_2', `1_${'-'.repeat(36)}`, '99999999999999999_x', `1_${'0'.repeat(36)}`])(
    'the cursor %s of no page gives the first page',
    async (cursor) => {
      await world.move();
      expect(await world.history({ cursor })).toMatchObject({ value: { rows: [{ amount: '100' }] } });
    },
  );
});

describe('a transfer whose outcome is unknown', () => {
  beforeEach(async () => {
    await world.testFunds();
    world.transfer = async () => ({ outcome: 'unknown', why: 'lost' });
    await world.desk.start();
  });
  const state = async () => {
    const page = await world.history();
    return page.ok ? page.value.rows.map((row) => row.state).join() : page.code.error;
  };

  test('holds the money until the venue knows it', async () => {
    expect(await world.move({ clientId: ID })).toMatchObject({ ok: true, value: { state: 'unknown' } });
    expect(await world.owns()).toBe('50000(100) 0');
    expect(await world.desk.transferMoving({ user: CALLER.user, platform: 1 })).toBe(true);
    expect(await world.desk.transferMoving({ user: OTHER.user, platform: 1 })).toBe(false);
    world.findTransfer = async () => ({ outcome: 'found', value: { venueId: '9' } });
    await world.pass(4_000);
    expect([await state(), await world.owns()]).toEqual(['done', '49900 100']);
    expect(world.asked).toHaveLength(1);
    expect(await world.desk.transferMoving({ user: CALLER.user, platform: 1 })).toBe(false);
  });

  test('and that the venue provably never saw is refused after the deadline and five more lookups', async () => {
    await world.move();
    await world.pass(20_000);
    expect([await state(), await world.owns()]).toEqual(['unknown', '50000(100) 0']);
    await world.pass(10_000);
    expect([await state(), await world.owns()]).toEqual(['refused', '50000 0']);
  });

  test('stays as it is while the venue cannot be asked', async () => {
    await world.move();
    world.findTransfer = async () => ({ outcome: 'unknown', why: 'lost' });
    await world.pass(60_000);
    expect([await state(), await world.owns()]).toEqual(['unknown', '50000(100) 0']);
  });

  test('a call that breaks while it is sent is unknown too, and is looked for', async () => {
    world.transfer = async () => {
      throw new Error('the wire is cut');
    };
    expect(await world.move()).toMatchObject({ ok: true, value: { state: 'unknown' } });
    expect(await world.owns()).toBe('50000(100) 0');
    await world.pass(40_000);
    expect([await state(), await world.owns()]).toEqual(['refused', '50000 0']);
    expect(world.asked).toHaveLength(1);
  });

  test('a call that breaks before anything is sent goes on where it stopped', async () => {
    world.accountOf = async () => {
      throw new Error('the database is gone');
    };
    expect(await world.move()).toMatchObject({ ok: true, value: { state: 'unknown' } });
    await world.pass(20_000);
    expect([await world.owns(), world.asked.length]).toEqual(['50000(100) 0', 0]);
    world.accountOf = async (user) => `sub-${user}`;
    world.transfer = async () => ({ outcome: 'done', venueId: '1' });
    await world.pass(4_000);
    expect([await state(), await world.owns(), world.asked.length]).toEqual(['done', '49900 100', 1]);
  });

  test('one that is still being sent is never judged, however long its account takes to make', async () => {
    let open: (account: string) => void = () => undefined;
    let answer: (outcome: VenueTransferOutcome) => void = () => undefined;
    world.accountOf = () =>
      new Promise((resolve) => {
        open = resolve;
      });
    world.transfer = () =>
      new Promise((resolve) => {
        answer = resolve;
      });
    const moving = world.move();
    await until(() => world.opening > 0);
    await world.pass(60_000);
    expect([await state(), world.asked.length]).toEqual(['pending', 0]);
    open('sub-7');
    await until(() => world.asked.length > 0);
    await world.pass(20_000);
    expect(await state()).toBe('pending');
    answer({ outcome: 'done', venueId: '1' });
    expect(await moving).toMatchObject({ ok: true, value: { state: 'done' } });
    expect(await world.owns()).toBe('49900 100');
    expect(world.notes).toEqual([]);
  });

  test('its deadline counts from the moment it was sent', async () => {
    let open: (account: string) => void = () => undefined;
    world.accountOf = () =>
      new Promise((resolve) => {
        open = resolve;
      });
    const moving = world.move();
    await until(() => world.opening > 0);
    await world.pass(30_000);
    open('sub-7');
    expect(await moving).toMatchObject({ ok: true, value: { state: 'unknown' } });
    await world.pass(13_000);
    expect(await state()).toBe('unknown');
    world.findTransfer = async () => ({ outcome: 'found', value: { venueId: '9' } });
    await world.pass(4_000);
    expect(await state()).toBe('done');
  });
});

test('balances are the ledger: funding, one platform, all platforms, one asset', async () => {
  await world.testFunds({ platformType: 43, tradingAmount: amount('10') });
  const { handlers } = world.desk;
  const row = (total: string) => ({ asset: 'USDT', total, available: total, locked: '0' });
  const spot = { ...row('10'), pocket: 'spot' };
  expect(await handlers['connexfunding/fundingbalance'](CALLER, {})).toEqual({
    ok: true,
    value: [row('49990')],
  });
  expect(await handlers['connexfunding/fundingbalance'](CALLER, { asset: 'BTC' })).toEqual({
    ok: true,
    value: [],
  });
  const trading = handlers['connexfunding/tradingbalance'];
  expect(await trading(CALLER, { platformType: 43, asset: 'USDT' })).toEqual({
    ok: true,
    value: [spot],
  });
  expect(await trading(CALLER, { platformType: 41 })).toEqual({ ok: true, value: [] });
  expect(await trading(OTHER, { platformType: 43 })).toEqual({ ok: true, value: [] });
  expect(await handlers['connexfunding/tradingbalancesum'](CALLER, {})).toEqual({
    ok: true,
    value: [
      { platformType: 43, rows: [spot] },
      { platformType: 41, rows: [] },
      { platformType: 42, rows: [] },
    ],
  });
  const one = await handlers['connexfunding/tradingbalancesum'](CALLER, { platformType: 42 });
  expect(one).toEqual({ ok: true, value: [{ platformType: 42, rows: [] }] });
});
