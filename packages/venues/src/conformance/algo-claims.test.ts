import {
  type AlgoPlan,
  amount,
  POSITION_SIDE,
  type PositionSide,
  SIDE,
  TIME_IN_FORCE,
  type TriggerBy,
  type VenueClientId,
  ZERO,
} from '@crossbook/domain';
import { describe, expect, test } from 'vitest';
import { venueProfile } from '../profiles.ts';
import type { AlgoKey, VenueAlgoRequest, VenueAlgos } from '../venue-algos.ts';
import type { OrderAmendment } from '../venue-orders.ts';
import type { VenueTrading } from '../venue-trading.ts';
import { type ContractKit, unclear } from './contract-kit.ts';
import { NOON } from './venue-kit.ts';
import { CONTRACT_KITS } from './venue-kits.ts';
import { Witness } from './witness.fixture.ts';

/** What every venue must keep of algo orders and changes of orders, whatever it answers. */

const KEY = { apiKey: 'conformance-key', secret: 'conformance-secret', passphrase: 'conformance-phrase' };
const CLIENT_ID = '0190f3a0c0de7abc8def000000000001' as VenueClientId;
const OTHER_ID = '0190f3a0c0de7abc8def000000000002' as VenueClientId;

const leg = (price: string, by: TriggerBy) => ({ trigger: { price: amount(price), by } });
const planOf = (kind: AlgoPlan['kind'], by: TriggerBy): AlgoPlan => {
  if (kind === 'oco') return { kind, takeProfit: leg('65000', by), stopLoss: leg('59000', by) };
  if (kind === 'trailing') return { kind, trailing: { ratio: amount('0.01'), by } };
  return { kind, leg: leg('59000', by) };
};

function requestOf({ instrument }: ContractKit, part: Partial<VenueAlgoRequest> = {}): VenueAlgoRequest {
  return {
    ...{ clientId: CLIENT_ID, childClientIds: [CLIENT_ID, OTHER_ID], instrument, side: SIDE.SELL },
    ...{ plan: planOf('stop', 'last'), quantity: amount('0.5'), timeInForce: TIME_IN_FORCE.GTC },
    contract: termsOf(true),
    ...part,
  };
}

const termsOf = (reduceOnly: boolean, side: PositionSide = POSITION_SIDE.NET) =>
  ({ side, positionMode: 'one-way', marginMode: 'cross', reduceOnly }) as const;

const keyOf = ({ instrument }: ContractKit): AlgoKey => ({ instrument, clientId: CLIENT_ID, kind: 'stop' });

const amendmentOf = ({ instrument }: ContractKit, reduceOnly = false): OrderAmendment => ({
  ...{ clientId: CLIENT_ID, replacementId: OTHER_ID, instrument, side: SIDE.BUY },
  ...{ timeInForce: TIME_IN_FORCE.GTC, price: amount('60000'), quantity: amount('0.5'), executed: ZERO },
  contract: termsOf(reduceOnly),
});

function algosOf({ algos }: VenueTrading): VenueAlgos {
  if (algos === undefined) throw new Error('has no algo orders');
  return algos;
}

/** Every act that is sent once. */
const ACTS: readonly [string, (trading: VenueTrading, kit: ContractKit) => Promise<{ outcome: string }>][] = [
  ['placing', (trading, kit) => algosOf(trading).place(KEY, requestOf(kit))],
  ['cancelling', (trading, kit) => algosOf(trading).cancel(KEY, keyOf(kit))],
  ['changing an order', (trading, kit) => trading.amend(KEY, amendmentOf(kit))],
];

interface AlgoClaim {
  readonly id: string;
  readonly says: string;
  prove(kit: ContractKit): Promise<void>;
}

const CLAIMS: readonly AlgoClaim[] = [
  {
    id: 'C60',
    says: "each definitive code of the venue's table refuses, with that code",
    async prove(kit) {
      for (const venueCode of kit.definitiveCodes)
        for (const [says, act] of ACTS) {
          const { trading } = kit.create(() => kit.answers.coded(venueCode));
          const outcome = await act(trading, kit);
          trading.close();
          expect({ says, ...outcome }).toMatchObject({ says, outcome: 'refused', venueCode });
        }
    },
  },
  {
    id: 'C61',
    says: 'what proves nothing is unknown, and nothing is sent twice',
    async prove(kit) {
      for (const [says, act] of ACTS)
        for (const answer of unclear(kit)) {
          const { trading, requests } = kit.create(answer);
          const outcome = await act(trading, kit);
          trading.close();
          expect({ says, ...outcome }).toMatchObject({ says, outcome: 'unknown' });
          if (says !== 'cancelling')
            expect((outcome as { deadlineAt?: number }).deadlineAt).toBeGreaterThan(NOON);
          expect(requests.filter(({ method }) => method !== 'GET').length).toBe(1);
          expect(JSON.stringify(outcome)).not.toMatch(/conformance-/);
        }
    },
  },
  {
    id: 'C62',
    says: 'an answer about nothing that was asked for is not believed',
    async prove(kit) {
      for (const [says, act] of ACTS) {
        const { trading } = kit.create(() => kit.answers.placed(OTHER_ID));
        const outcome = await act(trading, kit);
        trading.close();
        expect({ says, ...outcome }).toMatchObject({ says, outcome: 'unknown' });
      }
    },
  },
  {
    id: 'C63',
    says: 'a cancel goes first, then what protects and closes, then what opens; a lookup and a list wait',
    async prove(kit) {
      const classes = async (ask: (trading: VenueTrading) => Promise<unknown>) => {
        const witness = new Witness();
        const { trading } = kit.create(() => kit.answers.serverTimeout(), witness);
        await ask(trading);
        trading.close();
        return new Set(witness.asked.map(({ requestClass }) => requestClass));
      };
      const { instrument } = kit;
      const asked = [
        await classes((trading) => algosOf(trading).cancel(KEY, keyOf(kit))),
        await classes((trading) => algosOf(trading).place(KEY, requestOf(kit))),
        await classes((trading) => trading.amend(KEY, amendmentOf(kit, true))),
        await classes((trading) => algosOf(trading).place(KEY, requestOf(kit, { contract: termsOf(false) }))),
        await classes((trading) => trading.amend(KEY, amendmentOf(kit))),
        await classes((trading) => algosOf(trading).find(KEY, keyOf(kit))),
        await classes((trading) => trading.findTerms(KEY, instrument, CLIENT_ID)),
        await classes((trading) => algosOf(trading).waiting(KEY, [instrument])),
      ];
      const expected = ['cancel', 'close', 'close', 'order', 'order', 'lookup', 'lookup', 'reconciliation'];
      expect(asked).toEqual(expected.map((one) => new Set([one])));
    },
  },
  {
    id: 'C64',
    says: 'what our own budget does not let through is told with the time to wait, and nothing is written',
    async prove(kit) {
      for (const [says, act] of ACTS) {
        const { trading, requests } = kit.create(() => kit.answers.serverTimeout(), new Witness(true));
        const outcome = await act(trading, kit);
        trading.close();
        expect({ says, ...outcome }).toMatchObject({ says, outcome: 'refused', retryAfterMillis: 12_000 });
        expect(requests).toEqual([]);
      }
    },
  },
  {
    id: 'C65',
    says: 'a kind, a trigger and a whole position that the venue does not offer are refused unsent',
    async prove(kit) {
      const { platform, symbolType } = kit.instrument;
      const offer = venueProfile(platform).trading.algos[symbolType];
      const kinds = (['stop', 'take-profit', 'trailing', 'oco'] as const).map(
        (kind) => [offer.kinds.includes(kind), planOf(kind, 'last')] as const,
      );
      const triggers = (['last', 'mark', 'index'] as const).map(
        (by) => [offer.triggerBy.includes(by), planOf('stop', by)] as const,
      );
      for (const [offered, plan] of [...kinds, ...triggers]) {
        const { trading, requests } = kit.create(() => kit.answers.serverTimeout());
        const { outcome } = await algosOf(trading).place(KEY, requestOf(kit, { plan }));
        trading.close();
        const sent = requests.filter(({ method }) => method !== 'GET').length;
        expect([plan.kind, outcome, sent]).toEqual([
          ...(offered ? [plan.kind, 'unknown', 1] : [plan.kind, 'refused', 0]),
        ]);
      }
      const { quantity: _, ...unsized } = requestOf(kit);
      for (const request of [unsized, requestOf(kit, { whole: true })]) {
        const { trading, requests } = kit.create(() => kit.answers.serverTimeout());
        expect((await algosOf(trading).place(KEY, request)).outcome).toBe('refused');
        trading.close();
        expect(requests).toEqual([]);
      }
    },
  },
];

describe.each(CONTRACT_KITS.map((kit) => ({ name: kit.name, kit })))('$name', ({ kit }) => {
  const claims = CLAIMS.map((claim) => ({ id: claim.id, says: claim.says, claim }));
  test.each(claims)('$id $says', async ({ claim }) => {
    await claim.prove(kit);
  });
});
