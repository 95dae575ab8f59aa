import { amount, formatAmount, ORDER_STATUS, type OrderId, type OrderTargets } from '@crossbook/domain';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { TradingDesk } from '../desk.ts';
import { placeContractOrder } from '../perps/perps-world.fixture.ts';
import { CALLER, until } from '../trading-world.fixture.ts';
import { BRACKET_ID, BracketVenue } from './bracket-venue.fixture.ts';
import { barePositions } from './legs-world.fixture.ts';

/** Several take-profits of an order, or a trailing stop, where the exchange makes them (OKX), and what the hub does where it makes none. */

/** The order that is placed in place of another one. */
const NEXT = '01890000-0000-7000-8000-00000000abce' as OrderId;
const RESTS = { platformType: 41, orderType: 1, price: amount('100'), quantity: amount('2') } as const;
let venue: BracketVenue;
const opens = async (maker: 'several' | 'a trailing stop') => {
  venue = await BracketVenue.open(maker);
  await venue.perps.world.desk.start();
};
afterEach(() => venue.perps.world.close());

const pass = (millis: number) => venue.perps.world.pass(millis, 1_000);
const place = (part: Readonly<Record<string, unknown>> = {}) =>
  placeContractOrder(venue.perps, { ...RESTS, clientId: BRACKET_ID, ...venue.targets, ...part });
const caller = () => ({ ...CALLER, now: venue.perps.world.time.clock() });
const cancel = () =>
  venue.perps.world.desk.handlers['connextrade/CancelOrder'](caller(), {
    ...{ platformType: 41, orderId: BRACKET_ID },
  } as never);
const replace = (part: object) =>
  venue.perps.world.desk.handlers['connextrade/ReplaceOrder'](caller(), {
    ...{ platformType: 41, orderId: BRACKET_ID, clientId: NEXT, ...part },
  } as never);
const bare = (desk: TradingDesk = venue.perps.world.desk) => barePositions(desk, 41);
/** What stands of the legs: which part, what and how much of it, and how far it is. */
const legs = async (states?: readonly string[]) => {
  const rows = await venue.perps.world.deps.algos.ofParent(BRACKET_ID);
  return rows
    .filter(({ state }) => states === undefined || states.includes(state))
    .map(({ plan, quantity = amount('0'), state, payloadHash }) => {
      const at = plan.kind === 'stop' || plan.kind === 'take-profit' ? plan.leg.trigger?.price : undefined;
      const name = /^part (\d)/.exec(payloadHash)?.[1] ?? 'made';
      return `${name} ${plan.kind} ${formatAmount(quantity)}@${at === undefined ? '' : formatAmount(at)} ${state}`;
    })
    .sort();
};
const became = (wanted: readonly string[]) => until(async () => (await legs()).join() === wanted.join());
/** The leg at this price reaches it, and the stream says so. */
const fires = (price: string, tells = true) => {
  const at = venue.waiting().findIndex(
    ([
      ,
      {
        request: { plan },
      },
    ]) => {
      const leg = plan.kind === 'stop' || plan.kind === 'take-profit' ? plan.leg : undefined;
      return leg?.trigger?.price === amount(price);
    },
  );
  if (at === -1) throw new Error('nothing waits there');
  venue.fire(at, tells);
};
const BOTH_MADE = [
  ...['made stop 2@80 waiting', 'made take-profit 0.3@140 waiting'],
  ...['made take-profit 0.5@130 waiting', 'made take-profit 1.2@120 waiting'],
];

describe('several targets that the exchange makes', () => {
  beforeEach(() => opens('several'));

  test('go out with the order, and are rows by their parts once all has filled', async () => {
    expect(await place()).toMatchObject({ ok: true });
    const attached: OrderTargets | undefined = venue.sent[0]?.attached;
    expect(attached?.takeProfits?.map(({ trigger, quantity }) => [trigger.price, quantity])).toEqual(
      venue.targets.takeProfits,
    );
    expect(attached?.stopLoss?.trigger).toEqual({ price: amount('80'), by: 'last' });
    venue.fill(amount('1.5'), true);
    await pass(15_000);
    const asked = () => venue.algos.calls.filter((call) => call === 'attached').length;
    const before = asked();
    await pass(120_000);
    // Until then the exchange makes none of them, and the position says so; nobody asks for them again and again.
    expect([await legs(), await bare(), asked() - before]).toEqual([[], [true], 0]);
    venue.fill(amount('0.5'), true);
    await became(BOTH_MADE);
    const made = [...venue.algos.kept.values()].map(({ state }) => state.venueAlgoId).sort();
    const rows = await venue.perps.world.deps.algos.ofParent(BRACKET_ID);
    expect(rows.map(({ venueAlgoId }) => venueAlgoId).sort()).toEqual(made);
    await pass(70_000);
    expect([await legs(), await bare(), venue.algos.calls.includes('place')]).toEqual([
      BOTH_MADE,
      [false],
      false,
    ]);
  });

  test('take from the stop as they fire, and leave none behind', async () => {
    await place();
    venue.fill(amount('2'), true);
    await became(BOTH_MADE);
    fires('120');
    await until(async () => (await legs()).includes('made take-profit 1.2@120 fired'));
    await pass(61_000);
    expect(await legs(['waiting'])).toEqual([
      ...['made stop 0.8@80 waiting', 'made take-profit 0.3@140 waiting', 'made take-profit 0.5@130 waiting'],
    ]);
    expect(await bare()).toEqual([false]);
    fires('130', false);
    fires('140', false);
    await pass(61_000);
    expect([await legs(['waiting']), formatAmount(venue.position)]).toEqual([[], '0']);
  });

  test('that fire while the hub is down are known as they are, and so is what the stop is for', async () => {
    await place();
    await venue.perps.world.desk.stop();
    venue.fill(amount('2'), false);
    fires('130', false);
    const desk = await venue.perps.world.restarted();
    await pass(20_000);
    // Covered at once: what a target has sent needs no stop.
    expect(await bare(desk)).toEqual([false]);
    expect(await legs()).toEqual([
      ...['made stop 1.5@80 waiting', 'made take-profit 0.3@140 waiting'],
      ...['made take-profit 0.5@130 fired', 'made take-profit 1.2@120 waiting'],
    ]);
    expect((await venue.perps.world.deps.algos.targets.byOrder(BRACKET_ID))?.ended).toBe(true);
  });

  test.each([
    ['the stop that all of them leave', ['120', '130', '140'], 'stop'],
    ['targets that the stop leaves', ['80'], 'take-profit'],
  ])('%s is cancelled by the hub where the exchange forgot it', async (_name, fired, kind) => {
    // A position beside it: what is left over would close that.
    await placeContractOrder(venue.perps, { platformType: 41, quantity: amount('1') });
    await place();
    venue.fill(amount('2'), true);
    await became(BOTH_MADE);
    const forgets = [...venue.algos.kept].filter(([, { request }]) => request.plan.kind === kind);
    for (const price of fired) fires(price, false);
    for (const [clientId, { state }] of forgets) {
      const kept = venue.algos.kept.get(clientId);
      if (kept !== undefined) kept.state = { ...state, status: 'waiting' };
    }
    await pass(75_000);
    expect(await legs(['waiting'])).toEqual([]);
    expect(venue.waiting()).toEqual([]);
  });

  test.each([
    ['0.7', ['0 stop 0.7@80', '0 take-profit 0.7@120']],
    ['1.2', ['0 stop 1.2@80', '0 take-profit 1.2@120']],
    [
      '1.75',
      [
        ...['0 stop 1.2@80', '0 take-profit 1.2@120', '1 stop 0.5@80', '1 take-profit 0.5@130'],
        ...['2 stop 0.05@80', '2 take-profit 0.05@140'],
      ],
    ],
  ])('are pairs of the hub’s for %s of an order that ended before it filled', async (filled, pairs) => {
    await place();
    venue.fill(amount(filled), true);
    await pass(5_000);
    expect(await cancel()).toMatchObject({ ok: true });
    await pass(50_000);
    expect([await legs(), await bare()]).toEqual([[], [true]]);
    await pass(30_000);
    const stand = pairs.map((pair) => `${pair} waiting`);
    await became(stand);
    expect(await bare()).toEqual([false]);
    const placed = venue.waiting().map(([, { request }]) => request.plan.kind);
    expect(placed).toEqual(placed.toSorted());
    // One that works ends the other of its part, and no other.
    fires('120');
    const ended = new Map([
      [stand[0], '0 stop cancelled'],
      [stand[1], '0 take-profit fired'],
    ]);
    await until(async () => {
      const now = (await legs()).map((leg) => leg.replace(/ \S+@\S+/, ''));
      return now.join() === stand.map((leg) => ended.get(leg) ?? leg.replace(/ \S+@\S+/, '')).join();
    });
  });

  test('are told as refused once, each, where as many orders wait as may', async () => {
    await place();
    venue.fill(amount('2'), true);
    await became(BOTH_MADE);
    // As many rows as may wait, of another contract.
    await venue.perps.world.database.owner.query(
      `insert into algo_orders select (jsonb_populate_record(a, jsonb_build_object('id', gen_random_uuid(),
          'hold_id', gen_random_uuid(), 'symbol', 'ETHUSDT', 'parent_id', null, 'venue_algo_id', 'copy ' || n))).*
        from algo_orders a, generate_series(1, 196) n where a.id = (select min(id::text)::uuid from algo_orders)`,
    );
    expect(await place({ clientId: NEXT })).toMatchObject({ ok: true });
    const { world } = venue.perps;
    const ofNext = () => world.deps.algos.ofParent(NEXT);
    venue.fill(amount('1.5'), true, NEXT);
    await world.desk.handlers['connextrade/CancelOrder'](caller(), {
      ...{ platformType: 41, orderId: NEXT },
    } as never);
    await pass(90_000);
    const shown = async () => (await ofNext()).map(({ plan, state }) => `${plan.kind} ${state}`).sort();
    expect(await shown()).toEqual([
      ...['stop refused', 'stop refused', 'take-profit refused', 'take-profit refused'],
    ]);
  });
});

describe('an order with several targets', () => {
  beforeEach(() => opens('several'));

  test('keeps its quantity, and its targets at another price', async () => {
    await place();
    for (const quantity of ['1', '3'])
      expect(await replace({ quantity: amount(quantity) })).toMatchObject({
        ok: false,
        code: { error: 'order-combination', field: 'quantity', allowed: expect.stringContaining('cancel') },
      });
    // Every target lies above the price of the order still.
    expect(await replace({ price: amount('125') })).toMatchObject({
      ok: false,
      code: { error: 'targets-above-below', field: 'takeProfits' },
    });
    venue.perps.world.venue.answers.amend = async () => ({
      ...{ outcome: 'amended', state: venue.stateOf(BRACKET_ID) },
    });
    expect(await replace({ price: amount('95') })).toMatchObject({ ok: true, value: { outcome: 'amended' } });
    expect(venue.sent).toHaveLength(1);
    venue.fill(amount('2'), true);
    await became(BOTH_MADE);
  });

  test.each([
    [
      '0',
      [
        ['120', '1.2'],
        ['130', '0.5'],
        ['140', '0.3'],
      ],
      undefined,
    ],
    [
      '0.5',
      [
        ['120', '0.7'],
        ['130', '0.5'],
        ['140', '0.3'],
      ],
      undefined,
    ],
    [
      '1.4',
      [
        ['130', '0.3'],
        ['140', '0.3'],
      ],
      undefined,
    ],
    ['1.8', undefined, '140'],
  ])(
    'that filled %s before it was placed anew brings those that are left',
    async (filled, several, single) => {
      await place();
      if (filled !== '0') venue.fill(amount(filled), true);
      await pass(5_000);
      // A cancel that was lost: such an order is not changed in its place.
      const { cancel: cancels } = venue.perps.world.venue.answers;
      venue.perps.world.venue.answers.cancel = async () => ({ outcome: 'unknown', why: 'lost' });
      await cancel();
      if (cancels !== undefined) venue.perps.world.venue.answers.cancel = cancels;
      expect(await replace({ price: amount('95') })).toMatchObject({
        ok: true,
        value: { outcome: 'replaced' },
      });
      const { quantity, ...request } = venue.sent.at(-1) ?? {};
      const attached: OrderTargets | undefined = 'attached' in request ? request.attached : undefined;
      expect(formatAmount(quantity ?? amount('0'))).toBe(
        formatAmount((amount('2') - amount(filled)) as never),
      );
      expect(attached?.takeProfits?.map(({ trigger, quantity: part }) => [trigger.price, part])).toEqual(
        several?.map(([price = '', size = '']) => [amount(price), amount(size)]),
      );
      expect(attached?.takeProfit?.trigger?.price).toBe(single && amount(single));
      expect(attached?.stopLoss?.trigger?.price).toBe(amount('80'));
    },
  );

  test('that is cancelled before it fills leaves nothing', async () => {
    await place();
    expect(await cancel()).toMatchObject({ ok: true, value: { status: ORDER_STATUS.CANCELLED } });
    await pass(90_000);
    expect([await legs(), venue.waiting()]).toEqual([[], []]);
    expect((await venue.perps.world.deps.algos.targets.byOrder(BRACKET_ID))?.ended).toBe(true);
  });

  test('is not placed once more with another split under the same id', async () => {
    expect(await place()).toMatchObject({ ok: true });
    const takeProfits = [
      [amount('120'), amount('1')],
      [amount('130'), amount('1')],
    ];
    expect(await place({ takeProfits })).toMatchObject({
      ok: false,
      code: { error: 'client-id-reused', field: 'clientId' },
    });
    expect(await place()).toMatchObject({ ok: true, value: { orderId: BRACKET_ID } });
    expect(venue.sent).toHaveLength(1);
  });

  const pairs = (...all: readonly (readonly [string, string])[]) => ({
    takeProfits: all.map(([price, size]) => [amount(price), amount(size)]),
  });
  test.each<[string, Readonly<Record<string, unknown>>, object]>([
    ['a limit of its own', { takeProfitPrice: amount('121') }, { field: 'takeProfits' }],
    ['a single one beside it', { takeProfit: amount('121') }, { field: 'takeProfits' }],
    ['one', pairs(['120', '2']), { field: 'takeProfits', allowed: '2 to 10 take-profits' }],
    ['none', pairs(), { field: 'takeProfits', allowed: '2 to 10 take-profits' }],
    [
      'another sum',
      pairs(['120', '1'], ['130', '0.5']),
      { field: 'takeProfits', allowed: 'take-profits of 2 together' },
    ],
    ['one price twice', pairs(['120', '1'], ['120', '1']), { field: 'takeProfits' }],
    ['less than a lot', pairs(['120', '1.0005'], ['130', '0.9995']), { error: 'quantity-step' }],
    ['one below its price', pairs(['99', '1'], ['130', '1']), { error: 'targets-above-below' }],
    ['a trailing stop beside them', { trailingRatio: amount('0.05') }, { field: 'trailingRatio' }],
    ['to close a position', { reduceOnly: true }, { error: 'order-combination' }],
  ])('with %s is refused by name, and nothing is sent', async (_name, part, code) => {
    const before = await venue.perps.world.ledger.tradingBalances(CALLER.user, 2);
    expect(await place(part)).toMatchObject({ ok: false, code });
    expect(venue.sent).toEqual([]);
    expect(await venue.perps.world.ledger.tradingBalances(CALLER.user, 2)).toEqual(before);
    expect(await venue.perps.world.deps.algos.targets.byOrder(BRACKET_ID)).toBeUndefined();
  });
});

describe('a trailing stop', () => {
  beforeEach(() => opens('a trailing stop'));
  const trails = (quantity: string, state: string, name = 'made') => [
    `${name} trailing ${quantity}@ ${state}`,
  ];

  test('goes out with the order, and is a row once that has filled', async () => {
    expect(await place({ activation: amount('110') })).toMatchObject({ ok: true });
    expect(venue.sent[0]?.attached).toEqual({
      trailing: { ratio: amount('0.05'), activation: amount('110'), by: 'last' },
    });
    venue.fill(amount('2'), true);
    await became(trails('2', 'waiting'));
    expect(await bare()).toEqual([false]);
    venue.fire(0, true);
    await became(trails('2', 'fired'));
    expect(formatAmount(venue.position)).toBe('0');
  });

  test('is for what has filled of an order that is cancelled', async () => {
    await place();
    venue.fill(amount('0.7'), true);
    await pass(5_000);
    expect(await bare()).toEqual([true]);
    await cancel();
    await pass(15_000);
    expect([await legs(), await bare()]).toEqual([trails('0.7', 'waiting'), [false]]);
  });

  test('is the hub’s to place where the exchange has made none in a minute', async () => {
    venue.algos.attached = async () => ({ ok: true, value: [] });
    await place();
    venue.fill(amount('2'), true);
    await pass(50_000);
    expect(await legs()).toEqual([]);
    await pass(30_000);
    await became(trails('2', 'waiting', '0'));
    const [[, placed] = []] = venue.waiting().slice(-1);
    expect(placed?.request).toMatchObject({
      plan: { kind: 'trailing', trailing: { ratio: amount('0.05'), by: 'last' } },
      contract: { reduceOnly: true },
    });
    expect(await bare()).toEqual([false]);
  });

  test.each<[string, Readonly<Record<string, unknown>>, object]>([
    ['by nothing', { trailingRatio: undefined, activation: amount('110') }, { error: 'order-combination' }],
    ['by two', { trailingDistance: amount('5') }, { error: 'order-combination' }],
    ['from where it loses', { activation: amount('90') }, { field: 'activation' }],
    ['beside a stop', { stopLoss: amount('80') }, { field: 'trailingRatio' }],
  ])('%s is refused by name', async (_name, part, code) => {
    expect(await place(part)).toMatchObject({ ok: false, code });
    expect(venue.sent).toEqual([]);
  });
});

describe.each([
  ['Binance', 'hub'],
  ['Bybit', 'a leg for each'],
] as const)('at %s', (_name, maker) => {
  test.each<[string, object, object]>([
    [
      'several take-profits',
      {
        takeProfits: [
          [amount('120'), amount('1')],
          [amount('130'), amount('1')],
        ],
      },
      { field: 'takeProfits', allowed: 'several take-profits' },
    ],
    [
      'a trailing stop',
      { trailingRatio: amount('0.05') },
      { field: 'trailingRatio', allowed: 'a trailing stop with an order' },
    ],
  ])('%s is refused by name, and nothing is held or sent', async (_claim, targets, code) => {
    venue = await BracketVenue.open(maker);
    const { ledger } = venue.perps.world;
    const { platform, platformType } = venue;
    const before = await ledger.tradingBalances(CALLER.user, platform);
    const order = { ...RESTS, platformType, clientId: BRACKET_ID, ...targets };
    expect(await placeContractOrder(venue.perps, order)).toMatchObject({
      ok: false,
      code: { error: 'algo-not-offered', given: expect.any(String), ...code },
    });
    expect([venue.sent, await ledger.tradingBalances(CALLER.user, platform)]).toEqual([[], before]);
  });
});
