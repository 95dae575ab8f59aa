import {
  amount,
  formatAmount,
  type Millis,
  minus,
  mulUp,
  type OrderId,
  plus,
  type VenueFill,
  venueClientId,
  ZERO,
} from '@crossbook/domain';
import type { SendOutcome, VenueOrderRequest } from '@crossbook/venues/trading';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { runs } from '../../../../../tests/property-runs.ts';
import { CALLER, FILLED, fillOf, OPEN, stateOf, type TradingWorld } from '../trading-world.fixture.ts';
import { askFor, openBatchWorld, TWENTY, taken } from './batch-world.fixture.ts';
import { scaledId } from './place-scaled.ts';

const USDT = '300';
const FATES = ['rests', 'rests', 'rests', 'fills', 'refused', 'lost, rests', 'lost, fills', 'lost'] as const;
const POINTS = [
  'after-hold',
  'before-send',
  'after-send',
  'after-answer',
  'before-post',
  'after-post',
] as const;

/** An exchange that does with each order what chance says, and knows afterwards what it did. */
class NaiveExchange {
  readonly sent = new Map<string, number>();
  readonly #known = new Map<
    string,
    { readonly request: VenueOrderRequest; readonly fills: readonly VenueFill[] }
  >();
  readonly #world: TradingWorld;
  #fates: readonly (typeof FATES)[number][];
  #lost: boolean;

  /** @param lost whether the answer to a call never comes. */
  constructor(world: TradingWorld, fates: readonly (typeof FATES)[number][], lost: boolean) {
    this.#world = world;
    this.#fates = fates;
    this.#lost = lost;
    const { answers } = world.venue;
    answers.placeSeveral = async (_credentials, requests) => {
      const outcomes = requests.map((request) => this.#take(request));
      if (this.#lost) throw new Error('reset');
      return outcomes;
    };
    answers.place = async (_credentials, request) => this.#take(request);
    answers.find = async (_credentials, _instrument, clientId) => {
      const state = this.#stateOf(clientId);
      return state === undefined ? { outcome: 'not-found' } : { outcome: 'found', value: state };
    };
    answers.fillsOfOrder = async (_credentials, _instrument, id) => ({
      ok: true,
      value: this.#known.get(id)?.fills ?? [],
    });
  }

  /** From now on it answers at once and takes everything. */
  calm(): void {
    this.#fates = [];
    this.#lost = false;
  }

  /** What rests holds so much, and what has filled moved so much. */
  money() {
    let [held, spent, bought] = [ZERO, ZERO, ZERO];
    for (const { request, fills } of this.#known.values()) {
      const { price = ZERO, quantity = ZERO } = request;
      if (fills.length === 0) held = plus(held, mulUp(price, quantity));
      for (const fill of fills) {
        spent = plus(spent, fill.quoteQuantity);
        bought = plus(bought, minus(fill.quantity, fill.fee));
      }
    }
    return { held, spent, bought };
  }

  #take(request: VenueOrderRequest): SendOutcome {
    const { clientId, price = ZERO, quantity = ZERO } = request;
    const at = this.sent.size;
    this.sent.set(clientId, (this.sent.get(clientId) ?? 0) + 1);
    const fate = this.#fates[at] ?? 'rests';
    if (fate === 'refused') return { outcome: 'refused', venueCode: '51008', message: 'no' };
    if (fate !== 'lost') {
      const quote = { price, quoteQuantity: mulUp(price, quantity), venueOrderId: clientId as never };
      const fills = fate.endsWith('fills') ? [fillOf(at + 1, formatAmount(quantity), quote)] : [];
      this.#known.set(clientId, { request, fills });
    }
    if (fate.startsWith('lost'))
      return { outcome: 'unknown', why: 'lost', deadlineAt: this.#world.time.clock() as Millis };
    const outcome = taken(request);
    return outcome.outcome === 'accepted' ? { ...outcome, receiptOnly: true } : outcome;
  }

  #stateOf(clientId: string) {
    const known = this.#known.get(clientId);
    if (known === undefined) return undefined;
    const { request, fills } = known;
    const [fill] = fills;
    const id = clientId as string as OrderId;
    const filled = fill === undefined ? '0' : formatAmount(fill.quantity);
    return {
      ...stateOf({ id, symbol: 'BTCUSDT' }, fill === undefined ? OPEN : FILLED, filled, clientId),
      clientId: request.clientId,
      cumulativeQuote: fill?.quoteQuantity ?? ZERO,
    };
  }
}

test('however its calls are answered, lost or cut off by a death, each order is sent once and every unit is where it belongs', async () => {
  const chance = fc.record({
    fates: fc.array(fc.constantFrom(...FATES), { maxLength: 20 }),
    lost: fc.boolean(),
    dies: fc.option(fc.record({ point: fc.constantFrom(...POINTS), times: fc.integer({ min: 1, max: 14 }) })),
  });
  await fc.assert(
    fc.asyncProperty(chance, async ({ fates, lost, dies }) => {
      const world = await openBatchWorld(USDT);
      try {
        const exchange = new NaiveExchange(world, fates, lost);
        world.diesAt(dies?.point, dies?.times);
        await askFor(world).catch(() => undefined);
        const sent = exchange.sent.size;
        await world.desk.stop();
        const next = await world.restarted();
        await world.pass(240_000, 5_000);
        // The next process sent nothing by itself.
        expect(exchange.sent.size).toBe(sent);
        exchange.calm();
        await askFor(world, {}, next);
        await world.pass(240_000, 5_000);
        expect([...exchange.sent.values()].every((times) => times === 1)).toBe(true);
        const ids = Array.from({ length: 20 }, (_order, at) => scaledId(CALLER.user, TWENTY.clientId, at));
        const rows = await Promise.all(ids.map((id) => world.orders.byId(id)));
        // What was sent has a row; a row that was not sent has ended.
        for (const [at, row] of rows.entries()) {
          const wasSent = exchange.sent.has(venueClientId(ids[at] as OrderId));
          if (wasSent) expect(row).toBeDefined();
          else if (row !== undefined) expect(row.settled).toBe(true);
        }
        const { held, spent, bought } = exchange.money();
        const balances = await world.ledger.tradingBalances(CALLER.user, 2);
        const of = (asset: string) => balances.find((row) => row.asset === asset);
        expect([of('USDT')?.total, of('USDT')?.held]).toEqual([minus(amount(USDT), spent), held]);
        expect([of('BTC')?.total ?? ZERO, of('BTC')?.held ?? ZERO]).toEqual([bought, ZERO]);
      } finally {
        await world.close();
      }
    }),
    { numRuns: runs(12) },
  );
}, 600_000);
