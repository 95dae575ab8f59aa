import { amount, type Instrument, ORDER_TYPE, SIDE, stepsToAmount, TIME_IN_FORCE } from '@crossbook/domain';
import { venueProfile } from '@crossbook/venues';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { emptyTicket, reduce, summarise, type TicketAction, type TicketFacts } from './ticket.ts';
import { ticketErrors } from './ticket-errors.ts';

const instrument: Instrument = {
  platform: 1,
  symbolType: 'SPOT',
  symbol: 'ETHUSDT',
  base: 'ETH',
  quote: 'USDT',
  tickSize: amount('0.01'),
  lotSize: amount('0.0001'),
  minPrice: amount('0.01'),
  maxPrice: amount('1000000'),
  minQty: amount('0.0001'),
  maxQty: amount('9000'),
  maxMarketQty: amount('100'),
  minNotional: amount('5'),
  contractValue: amount('1'),
  maxLeverage: 1,
  status: 'trading',
};

const text = fc.oneof(
  fc.string({ maxLength: 12 }),
  fc.integer({ min: 0, max: 10 ** 9 }).map((units) => (units / 100).toFixed(2)),
  fc.constantFrom('', '.', '0', '1,000', '1e9', '-5', '99999999999999999999999'),
);
const action: fc.Arbitrary<TicketAction> = fc.oneof(
  fc.record({ kind: fc.constant('side' as const), side: fc.constantFrom(SIDE.BUY, SIDE.SELL) }),
  fc.record({
    kind: fc.constant('type' as const),
    type: fc.constantFrom(ORDER_TYPE.LIMIT, ORDER_TYPE.MARKET),
  }),
  fc.record({
    kind: fc.constant('time-in-force' as const),
    timeInForce: fc.constantFrom(...Object.values(TIME_IN_FORCE)),
  }),
  fc.record({ kind: fc.constant('unit' as const), unit: fc.constantFrom('quote' as const, 'base' as const) }),
  fc.record({
    kind: fc.constant('write' as const),
    field: fc.constantFrom('price' as const, 'quantity' as const, 'quote' as const),
    text,
  }),
  fc.record({
    kind: fc.constant('step' as const),
    field: fc.constantFrom('price' as const, 'quantity' as const, 'quote' as const),
    steps: fc.constantFrom(-10, -1, 1, 10),
  }),
  fc.record({ kind: fc.constant('percent' as const), percent: fc.integer({ min: -10, max: 120 }) }),
  fc.constant({ kind: 'best' as const }),
);
const world = fc
  .record({
    quote: fc.integer({ min: 0, max: 10 ** 9 }),
    base: fc.integer({ min: 0, max: 10 ** 9 }),
    bid: fc.integer({ min: 1, max: 10 ** 7 }),
    spread: fc.integer({ min: 1, max: 500 }),
    fee: fc.integer({ min: 0, max: 20 }),
  })
  .map(
    (at): TicketFacts => ({
      instrument,
      offer: venueProfile(1).trading.spot,
      makerFee: stepsToAmount(at.fee, amount('0.0001')),
      takerFee: stepsToAmount(at.fee, amount('0.0001')),
      availableQuote: stepsToAmount(at.quote, amount('0.0001')),
      availableBase: stepsToAmount(at.base, amount('0.0000001')),
      bestBid: stepsToAmount(at.bid, instrument.tickSize),
      bestAsk: stepsToAmount(at.bid + at.spread, instrument.tickSize),
      priceStale: false,
      platformOpen: true,
    }),
  );

test('whatever is done to a ticket, the slider never asks for more than is available', () => {
  fc.assert(
    fc.property(
      world,
      fc.array(action, { maxLength: 12 }),
      fc.integer({ min: 0, max: 100 }),
      (facts, actions, percent) => {
        const state = [...actions, { kind: 'percent' as const, percent }].reduce(
          (before, next) => reduce(before, next, facts),
          emptyTicket(),
        );
        expect(ticketErrors(state, facts).map((error) => error.name)).not.toContain('balance-insufficient');
      },
    ),
  );
});

test('a sendable ticket never holds more than is available, and what it brings is never negative', () => {
  fc.assert(
    fc.property(world, fc.array(action, { maxLength: 12 }), (facts, actions) => {
      const state = actions.reduce((before, next) => reduce(before, next, facts), emptyTicket());
      const summary = summarise(state, facts);
      if (ticketErrors(state, facts).length > 0) return;
      expect((summary.hold ?? 0n) <= (summary.available ?? 0n)).toBe(true);
      expect((summary.receive ?? 0n) >= 0n).toBe(true);
    }),
  );
});
