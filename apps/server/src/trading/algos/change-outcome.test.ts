import { amount, type OrderId } from '@crossbook/domain';
import type { AlgoChange, AlgoChangeOutcome, VenueAlgos } from '@crossbook/venues/trading';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { CrashPoint } from '../ports.ts';
import { BTCUSDT, CALLER, openTradingWorld, type TradingWorld } from '../trading-world.fixture.ts';
import { AlgoVenue, placeStop } from './algo-world.fixture.ts';

const ID = '01890000-0000-7000-8000-00000000abcd' as OrderId;
/** A deadline, and lookups behind it. */
const DECIDED_MILLIS = 60_000;

/** How a change ends: `late` arrives when the test says so. */
type Fate = 'done' | 'refused' | 'lost-done' | 'lost-not' | 'late';

/** OKX, which changes orders that wait and shows what they wait for. */
class ChangingVenue extends AlgoVenue {
  fate: Fate = 'done';
  readonly changes: AlgoChange[] = [];
  asks: AlgoChange = { stopLoss: { trigger: amount('90') }, quantity: amount('1') };
  whileAsked: () => Promise<void> = async () => undefined;
  whileFound: () => Promise<void> = async () => undefined;

  arrive(): void {
    const { stopLoss, quantity } = this.changes.at(-1) ?? {};
    this.asks = {
      stopLoss: { ...this.asks.stopLoss, ...stopLoss },
      quantity: quantity ?? this.asks.quantity ?? amount('1'),
    };
  }

  override readonly amend: VenueAlgos['amend'] = async (
    _credentials,
    _key,
    change,
  ): Promise<AlgoChangeOutcome> => {
    this.changes.push(change);
    await this.whileAsked();
    const { fate } = this;
    if (fate === 'refused') return { outcome: 'refused', venueCode: '51000', message: 'no' };
    if (fate === 'done' || fate === 'lost-done') this.arrive();
    return fate === 'done' ? { outcome: 'done' } : { outcome: 'unknown', why: 'lost' };
  };

  override readonly find: VenueAlgos['find'] = async (_credentials, { clientId }) => {
    await this.whileFound();
    const kept = this.kept.get(clientId);
    if (kept === undefined) return { outcome: 'not-found' };
    const { quantity, ...asks } = this.asks;
    const value =
      kept.state.status === 'waiting'
        ? { ...kept.state, asks, ...(quantity === undefined ? {} : { quantity }) }
        : kept.state;
    return { outcome: 'found', value };
  };
}

let world: TradingWorld;
let venue: ChangingVenue;
beforeEach(async () => {
  world = await openTradingWorld();
  world.second = 2;
  world.instruments.splice(0, world.instruments.length, { ...BTCUSDT, platform: 2 });
  venue = new ChangingVenue(world);
  world.venue.algos = venue;
  await world.account(CALLER.user, 2);
  await world.fund('BTC', '2', CALLER.user, 2);
  const placed = await placeStop({ world }, { platformType: 41, clientId: ID });
  expect(placed).toMatchObject({ ok: true, value: { state: 'waiting' } });
});
afterEach(() => world.close());

const replace = (part: Readonly<Record<string, unknown>>) =>
  world.desk.handlers['connextrade/ReplaceAlgoOrder']({ ...CALLER, now: world.time.clock() }, {
    ...{ platformType: 41, algoId: ID },
    ...part,
  } as never);
const cancel = () =>
  world.desk.handlers['connextrade/CancelAlgoOrder']({ ...CALLER, now: world.time.clock() }, {
    ...{ platformType: 41, algoId: ID },
  } as never);
const row = async () => {
  const algo = await world.deps.algos.byId(ID);
  const [wallet] = await world.ledger.tradingBalances(CALLER.user, 2);
  const trigger = algo?.plan.kind === 'stop' ? algo.plan.leg.trigger?.price : undefined;
  return { trigger, quantity: algo?.quantity, unknown: algo?.unknown, held: wallet?.held };
};
const values = (trigger: string, quantity: string, held = quantity, unknown = false) => ({
  ...{ trigger: amount(trigger), quantity: amount(quantity), held: amount(held), unknown },
});
const MORE = { triggerPrice: amount('80'), quantity: amount('1.5') };

describe('an order that waits and is changed', () => {
  test('holds the larger of both while the venue is asked, and then what it needs', async () => {
    const seen: unknown[] = [];
    venue.whileAsked = async () => void seen.push(await row());
    expect(await replace(MORE)).toMatchObject({
      ok: true,
      value: { algoId: ID, quantity: '1.5', unknown: false },
    });
    await replace({ quantity: amount('0.5') });
    expect(seen).toEqual([values('90', '1', '1.5', true), values('80', '1.5', '1.5', true)]);
    expect(await row()).toEqual(values('80', '0.5'));
  });

  test('waits as it did where the venue refuses, and holds as it did', async () => {
    venue.fate = 'refused';
    expect(await replace(MORE)).toMatchObject({ ok: false, code: { error: 'venue-refused' } });
    expect(await row()).toEqual(values('90', '1'));
  });
});

describe('a change of one that waits whose answer is lost', () => {
  test.each<[Fate, ReturnType<typeof values>]>([
    ['lost-done', values('80', '1.5')],
    ['lost-not', values('90', '1')],
  ])('%s: the row shows what the venue has, and it is asked once', async (fate, proved) => {
    venue.fate = fate;
    expect(await replace(MORE)).toMatchObject({ ok: true, value: { unknown: true, quantity: '1' } });
    expect(await row()).toEqual(values('90', '1', '1.5', true));
    await world.pass(DECIDED_MILLIS);
    expect(await row()).toEqual(proved);
    expect(venue.changes).toHaveLength(1);
  });

  test('that arrives late is found, and meanwhile no other one is taken', async () => {
    venue.fate = 'late';
    await replace(MORE);
    await world.pass(5_000);
    expect(await replace({ quantity: amount('0.1') })).toMatchObject({ code: { error: 'change-pending' } });
    venue.arrive();
    await world.pass(DECIDED_MILLIS);
    expect(await row()).toEqual(values('80', '1.5'));
  });

  test('is not taken for lost by the first answer after its deadline: a venue may show late what it did', async () => {
    venue.fate = 'late';
    await replace(MORE);
    let looks = 0;
    venue.whileFound = async () => {
      const { deadlineAt } = (await world.deps.algos.byId(ID)) ?? {};
      if (deadlineAt !== undefined && world.time.clock() > deadlineAt) looks += 1;
      if (looks === 2) venue.arrive();
    };
    await world.pass(DECIDED_MILLIS);
    expect(await row()).toEqual(values('80', '1.5'));
  });

  test('that waits for less holds less once it is proved', async () => {
    venue.fate = 'lost-done';
    await replace({ quantity: amount('0.5') });
    expect(await row()).toEqual(values('90', '1', '1', true));
    await world.pass(DECIDED_MILLIS);
    expect(await row()).toEqual(values('90', '0.5'));
  });
});

describe('a change and a cancel of one that waits, both lost', () => {
  test.each(['heard of before it is asked', 'asked'])(
    '%s: what the venue has is shown, and the next change of its price holds that much',
    async (how) => {
      await replace({ quantity: amount('0.5'), triggerPrice: amount('85') });
      venue.fate = 'lost-done';
      await replace({ quantity: amount('1') });
      venue.next = ['dropped'];
      expect(await cancel()).toMatchObject({ ok: true, value: { unknown: true } });
      const [kept] = venue.kept.values();
      if (how !== 'asked' && kept !== undefined) world.venue.streams.at(-1)?.onAlgo?.(kept.state);
      await world.pass(DECIDED_MILLIS);
      expect(await row()).toEqual(values('85', '1'));
      expect(await world.deps.algos.byId(ID)).toMatchObject({ state: 'waiting', cancelPending: false });
      venue.fate = 'done';
      expect(await replace({ triggerPrice: amount('80') })).toMatchObject({ ok: true });
      expect(await row()).toEqual(values('80', '1'));
    },
  );
});

describe('what the venue answered and the ledger did not judge', () => {
  /** The next unit comes to nothing. */
  const cutOnce = (code: 'unavailable' | 'busy') => {
    const { ledger } = world.deps;
    const commit = ledger.commit.bind(ledger);
    Object.assign(ledger, {
      commit: async () => {
        Object.assign(ledger, { commit });
        return { ok: false, code };
      },
    });
  };

  test.each<[Fate, 'unavailable' | 'busy', ReturnType<typeof values>]>([
    ['done', 'unavailable', values('80', '1.5')],
    ['done', 'busy', values('80', '1.5')],
    ['refused', 'unavailable', values('90', '1')],
  ])('of a change (%s, %s) is asked for again by the same process', async (fate, code, proved) => {
    venue.fate = fate;
    venue.whileAsked = async () => cutOnce(code);
    expect(await replace(MORE)).toMatchObject({ ok: false, code: { error: 'outcome-unknown' } });
    expect(await row()).toEqual(values('90', '1', '1.5', true));
    await world.pass(DECIDED_MILLIS);
    expect(await row()).toEqual(proved);
    expect(venue.changes).toHaveLength(1);
  });

  test.each(['refused', 'done'] as const)('of a cancel (%s) is asked for again', async (how) => {
    venue.next = [how];
    world.crash = (point) => {
      if (point === 'after-answer') cutOnce('unavailable');
    };
    expect(await cancel()).toMatchObject({ ok: true, value: { state: 'waiting' } });
    world.crash = () => undefined;
    await world.pass(DECIDED_MILLIS);
    const state = how === 'done' ? 'cancelled' : 'waiting';
    expect(await world.deps.algos.byId(ID)).toMatchObject({ state, cancelPending: false });
    expect((await row()).held).toBe(amount(how === 'done' ? '0' : '1'));
  });

  test('before it was asked changes nothing, and says so', async () => {
    cutOnce('unavailable');
    expect(await replace(MORE)).toMatchObject({ ok: false, code: { error: 'unavailable' } });
    expect(await row()).toEqual(values('90', '1'));
    expect(venue.changes).toEqual([]);
  });
});

const POINTS = ['after-send', 'after-answer'] as const satisfies readonly CrashPoint[];

describe.each(POINTS)('a process that dies at %s of it', (point) => {
  test.each<Fate>(['done', 'lost-not'])('leaves it to the next, which never asks again: %s', async (fate) => {
    venue.fate = fate;
    world.diesAt(point);
    await replace(MORE).catch(() => undefined);
    expect(world.dead).toBe(true);
    await world.desk.stop();
    await world.restarted();
    await world.pass(DECIDED_MILLIS);
    expect(await row()).toEqual(fate === 'done' ? values('80', '1.5') : values('90', '1'));
    expect(venue.changes).toHaveLength(1);
  });
});
