import {
  amount,
  ORDER_STATUS,
  ORDER_TYPE,
  SIDE,
  TIME_IN_FORCE,
  type VenueClientId,
  type VenueOrderId,
} from '@crossbook/domain';
import { describe, expect, test } from 'vitest';
import type { HttpAnswer } from '../transport.ts';
import type { VenueOrderRequest } from '../venue-orders.ts';
import { type Claim, NOON, type VenueKit } from './venue-kit.ts';
import { VENUE_KITS } from './venue-kits.ts';
import { Witness } from './witness.fixture.ts';

const CREDENTIALS = { apiKey: 'conformance-key', secret: 'conformance-secret' };
const CLIENT_ID = '0190f3a0c0de7abc8def000000000001' as VenueClientId;
const VENUE_ID = '4294967296' as VenueOrderId;

function requestOf(kit: VenueKit): VenueOrderRequest {
  return {
    clientId: CLIENT_ID,
    instrument: kit.instrument,
    side: SIDE.BUY,
    type: ORDER_TYPE.LIMIT,
    timeInForce: TIME_IN_FORCE.GTC,
    price: amount('10'),
    quantity: amount('1'),
  };
}

/** Places one order and tells what became of it, and how many placings were written. */
async function place(kit: VenueKit, answer: () => HttpAnswer | Promise<never>) {
  const { trading, placings } = kit.createTrading(answer);
  const outcome = await trading.place(CREDENTIALS, requestOf(kit));
  trading.close();
  return { outcome, placings: placings() };
}

/** Claims about the trading half. */
const TRADING_CLAIMS: readonly Claim[] = [
  {
    id: 'C20',
    says: "a placement that the venue acknowledges is accepted with the venue's figures",
    async prove(kit) {
      const reported = { clientId: CLIENT_ID, status: 'open', executed: '0', executedQuote: '0' } as const;
      const { outcome } = await place(kit, () => kit.answers.placed(reported));
      expect(outcome).toMatchObject({
        outcome: 'accepted',
        fills: [],
        state: { clientId: CLIENT_ID, status: ORDER_STATUS.OPEN },
      });
    },
  },
  {
    id: 'C21',
    says: 'a definitive code of the venue is a refusal that carries it',
    async prove(kit) {
      const { outcome } = await place(kit, () => kit.answers.insufficientBalance());
      expect(outcome).toMatchObject({ outcome: 'refused' });
    },
  },
  {
    id: 'C22',
    says: 'a lost answer, a time-out of the venue, an unheard-of code and rubbish are unknown, with a deadline in the future',
    async prove(kit) {
      const answers: (() => HttpAnswer | Promise<never>)[] = [
        () => Promise.reject(new Error('reset')),
        () => kit.answers.serverTimeout(),
        () => kit.answers.unheardOfCode(),
        () => ({ status: 200, headers: {}, text: '<html>' }),
        () => ({ status: 502, headers: {}, text: '' }),
      ];
      for (const answer of answers) {
        const { outcome, placings } = await place(kit, answer);
        if (outcome.outcome !== 'unknown') throw new Error(`taken for ${outcome.outcome}`);
        expect(outcome.deadlineAt).toBeGreaterThan(NOON);
        expect(placings).toBe(1);
      }
    },
  },
  {
    id: 'C23',
    says: 'a client id that is in use already is unknown, because an order with it may live',
    async prove(kit) {
      expect((await place(kit, () => kit.answers.duplicateId())).outcome.outcome).toBe('unknown');
    },
  },
  {
    id: 'C24',
    says: 'an answer about another order, or one that executed more than was asked for, is not believed',
    async prove(kit) {
      const other = { clientId: 'other', status: 'open', executed: '0', executedQuote: '0' } as const;
      expect((await place(kit, () => kit.answers.placed(other))).outcome.outcome).toBe('unknown');
      // What an answer does not tell it cannot tell wrongly.
      if (kit.placementsAreBare) return;
      const over = { clientId: CLIENT_ID, status: 'filled', executed: '2', executedQuote: '20' } as const;
      expect((await place(kit, () => kit.answers.placed(over))).outcome.outcome).toBe('unknown');
    },
  },
  {
    id: 'C25',
    says: 'cancelling an order that is not open is "gone"; looking up one that never was is "not-found"',
    async prove(kit) {
      const cancel = kit.createTrading(() => kit.answers.unknownOrderOnCancel()).trading;
      expect(await cancel.cancel(CREDENTIALS, kit.instrument, CLIENT_ID)).toEqual({ outcome: 'gone' });
      const query = kit.createTrading(() => kit.answers.unknownOrderOnQuery()).trading;
      expect(await query.find(CREDENTIALS, kit.instrument, CLIENT_ID)).toEqual({ outcome: 'not-found' });
      expect(await query.findByVenueId(CREDENTIALS, kit.instrument, VENUE_ID)).toEqual({
        outcome: 'not-found',
      });
      cancel.close();
      query.close();
    },
  },
  {
    id: 'C26',
    says: 'a lookup that is not answered is unknown, never "not-found"',
    async prove(kit) {
      for (const answer of [() => Promise.reject(new Error('reset')), () => kit.answers.serverTimeout()]) {
        const { trading } = kit.createTrading(answer);
        expect((await trading.find(CREDENTIALS, kit.instrument, CLIENT_ID)).outcome).toBe('unknown');
        expect((await trading.findByVenueId(CREDENTIALS, kit.instrument, VENUE_ID)).outcome).toBe('unknown');
        trading.close();
      }
    },
  },
  {
    id: 'C27',
    says: 'no outcome contains a secret or a signature',
    async prove(kit) {
      const leaky = () =>
        Promise.reject(new Error(`POST ?signature=abc ${CREDENTIALS.secret} ${CREDENTIALS.apiKey}`));
      for (const answer of [
        leaky,
        () => kit.answers.insufficientBalance(),
        () => kit.answers.serverTimeout(),
      ]) {
        const { outcome } = await place(kit, answer);
        expect(JSON.stringify(outcome)).not.toMatch(/conformance-secret|conformance-key|signature/i);
      }
    },
  },
  {
    id: 'C28',
    says: "an order is found by the venue's own id with its client id and state; an answer about another proves nothing",
    async prove(kit) {
      const reported = { clientId: CLIENT_ID, status: 'filled', executed: '1', executedQuote: '10' } as const;
      const answers = { [VENUE_ID]: 'found', '4294967297': 'unknown' } as const;
      for (const [id, outcome] of Object.entries(answers)) {
        const { trading } = kit.createTrading(() => kit.answers.queried(reported, id));
        const found = await trading.findByVenueId(CREDENTIALS, kit.instrument, VENUE_ID);
        trading.close();
        expect(found.outcome).toBe(outcome);
        if (found.outcome !== 'found') continue;
        expect(found.value).toMatchObject({
          clientId: CLIENT_ID,
          venueOrderId: VENUE_ID,
          status: ORDER_STATUS.FILLED,
          cumulativeQuantity: amount('1'),
          cumulativeQuote: amount('10'),
        });
      }
    },
  },
  {
    id: 'C29',
    says: 'whatever is asked for somebody, and on the way, is asked in the class of who asks',
    async prove(kit) {
      for (const askedFor of ['cancel', 'lookup', 'reconciliation', 'balance-check'] as const) {
        const witness = new Witness();
        const reported = {
          clientId: CLIENT_ID,
          status: 'cancelled',
          executed: '0',
          executedQuote: '0',
        } as const;
        const { trading } = kit.createTrading(() => kit.answers.queried(reported, VENUE_ID), witness);
        const venue = trading.asking(askedFor);
        await venue.cancel(CREDENTIALS, kit.instrument, CLIENT_ID);
        await venue.find(CREDENTIALS, kit.instrument, CLIENT_ID);
        await venue.openOrders(CREDENTIALS, [kit.instrument]);
        await venue.fillsSince(CREDENTIALS, kit.instrument, NOON);
        trading.close();
        expect(witness.asked.length).toBeGreaterThanOrEqual(4);
        expect(new Set(witness.asked.map(({ requestClass }) => requestClass))).toEqual(new Set([askedFor]));
      }
    },
  },
  {
    id: 'C30',
    says: 'what our own budget does not let through is told with the time to wait, and nothing is written',
    async prove(kit) {
      let written = 0;
      const answer = () => {
        written += 1;
        return kit.answers.serverTimeout();
      };
      const { trading } = kit.createTrading(answer, new Witness(true));
      const wait = { retryAfterMillis: 12_000 };
      expect(await trading.place(CREDENTIALS, requestOf(kit))).toMatchObject({ outcome: 'refused', ...wait });
      const request = { clientId: CLIENT_ID, to: '123456', asset: 'USDT', amount: amount('1') };
      expect(await trading.transfer(CREDENTIALS, request)).toMatchObject({ outcome: 'not-now', ...wait });
      const opened = await trading.openMemberAccount(CREDENTIALS, 'member-7');
      expect(opened).toMatchObject({ outcome: 'unknown', ...wait });
      trading.close();
      expect(written).toBe(0);
    },
  },
];

describe.each(VENUE_KITS.map((kit) => ({ name: kit.name, kit })))('$name', ({ kit }) => {
  const claims = TRADING_CLAIMS.map((claim) => ({ id: claim.id, says: claim.says, claim }));
  test.each(claims)('$id $says', async ({ claim }) => {
    await claim.prove(kit);
  });
});
