import {
  type Amount,
  amount,
  formatAmount,
  type Millis,
  ORDER_TYPE,
  type OrderId,
  PLATFORMS,
  type Platform,
  SIDE,
  type Side,
} from '@crossbook/domain';
import { venueProfile } from '@crossbook/venues';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  emptyTicket,
  reduce,
  requestOf,
  summarise,
  type TicketFacts,
  type TicketState,
} from '../../../../web/src/calculators/ticket/ticket.ts';
import { ticketErrors } from '../../../../web/src/calculators/ticket/ticket-errors.ts';
import { spotOffer } from '../../../../web/src/stores/market/market.ts';
import { BTCUSDT, CALLER } from '../trading-world.fixture.ts';
import { type RiskFacts, riskChecked } from './risk-checks.ts';

/** What the ticket offers the hub takes, to the last lot, at every venue: both ask the same rules. */

const NOW = 1_000_000 as Millis;
const ID = '01890000-0000-7000-8000-000000000001' as OrderId;

interface World {
  readonly platform: Platform;
  /** Best bid; the ask is a tick above. */
  readonly bid: Amount;
  readonly available: Amount;
}

function ticketFacts({ platform, bid, available }: World): TicketFacts {
  const { fees } = venueProfile(platform).markets.SPOT;
  return {
    instrument: { ...BTCUSDT, platform, maxQty: amount('1000000'), maxMarketQty: amount('1000000') },
    offer: spotOffer(platform),
    ...{ makerFee: fees.maker, takerFee: fees.taker },
    ...{ availableBase: available, availableQuote: available },
    ...{ bestBid: bid, bestAsk: (bid + BTCUSDT.tickSize) as Amount },
    ...{ priceStale: false, platformOpen: true },
  };
}

/** What the hub says of the ticket: the name of its refusal, that of a hold that is too large, or nothing. */
function hubSays(state: TicketState, world: World): string | undefined {
  const facts = ticketFacts(world);
  const draft = { ...requestOf(state, facts), id: ID, user: CALLER.user, payloadHash: '', createdAt: NOW };
  const best = { bid: world.bid, ask: (world.bid + BTCUSDT.tickSize) as Amount, receivedAt: NOW };
  const hub: RiskFacts = {
    ...{ platformName: '', platformState: 'live', halted: undefined, now: NOW, best, openOrders: 0 },
  };
  const checked = riskChecked(draft, hub);
  if (!checked.ok) return checked.code.error;
  return checked.value.holdAmount > world.available ? 'balance-insufficient' : undefined;
}

/** A ticket with all that is available. */
function fullTicket(facts: TicketFacts, side: Side, type: 'limit' | 'market'): TicketState {
  const price = formatAmount(facts.bestBid ?? amount('0'));
  const empty: TicketState = { ...emptyTicket(side), price, unit: 'base' };
  const typed: TicketState = { ...empty, type: type === 'market' ? ORDER_TYPE.MARKET : ORDER_TYPE.LIMIT };
  return reduce(typed, { kind: 'percent', percent: 100 }, facts);
}

const step = (state: TicketState, facts: TicketFacts) =>
  reduce(state, { kind: 'step', field: 'quantity', steps: 1 }, facts);
const names = (state: TicketState, facts: TicketFacts) => ticketErrors(state, facts).map(({ name }) => name);

describe.each(PLATFORMS)('at $name', ({ platform }) => {
  const worlds = fc.record({
    platform: fc.constant(platform),
    bid: fc.bigInt({ min: 1_000n, max: 900_000n }).map((ticks) => (ticks * BTCUSDT.tickSize) as Amount),
    // More than the dearest smallest order needs, to the last unit.
    available: fc.bigInt({ min: amount('1000'), max: amount('900000') }).map((units) => units as Amount),
  });
  const orders = fc.constantFrom(
    [SIDE.BUY, 'market'] as const,
    [SIDE.BUY, 'limit'] as const,
    [SIDE.SELL, 'market'] as const,
    [SIDE.SELL, 'limit'] as const,
  );

  test('the largest size of the ticket is taken and held by the hub; one lot more by neither', () => {
    fc.assert(
      fc.property(worlds, orders, (world, [side, type]) => {
        const facts = ticketFacts(world);
        const full = fullTicket(facts, side, type);
        expect([names(full, facts), hubSays(full, world)]).toEqual([[], undefined]);
        const more = step(full, facts);
        expect([names(more, facts), hubSays(more, world)]).toEqual([
          ['balance-insufficient'],
          'balance-insufficient',
        ]);
      }),
    );
  });

  test('what the ticket says it holds is what the hub holds', () => {
    fc.assert(
      fc.property(worlds, orders, (world, [side, type]) => {
        const facts = ticketFacts(world);
        const full = fullTicket(facts, side, type);
        const { hold } = summarise(full, facts);
        expect(hold).toBeDefined();
        expect(hubSays(full, { ...world, available: hold as Amount })).toBeUndefined();
        const less = ((hold ?? 1n) - 1n) as Amount;
        expect(hubSays(full, { ...world, available: less })).toBe('balance-insufficient');
      }),
    );
  });
});

test.each([
  [1, '95.238'],
  [2, '99.009'],
  [3, '99.009'],
] as const)('at platform %i 10,000 buy %s at 100 by market', (platform, quantity) => {
  const world = { platform, bid: amount('99.9'), available: amount('10000') };
  expect(fullTicket(ticketFacts(world), SIDE.BUY, 'market').quantity).toBe(quantity);
});
