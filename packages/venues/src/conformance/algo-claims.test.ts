import {
  type AlgoOffer,
  type AlgoRequest,
  type Amount,
  algoFaults,
  amount,
  formatAmount,
  type Instrument,
  ORDER_TYPE,
  type OrderTargets,
  POSITION_SIDE,
  type PositionSide,
  SIDE,
  type Side,
  TIME_IN_FORCE,
  type TriggerBy,
  type TriggerPlan,
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
const planOf = (kind: TriggerPlan['kind'], by: TriggerBy): TriggerPlan => {
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

/** What trails at a venue where that hangs on a position. */
function ofPosition({ quantity: _, ...request }: VenueAlgoRequest): VenueAlgoRequest {
  return {
    ...request,
    whole: true,
    plan: { kind: 'trailing', trailing: { distance: amount('100'), by: 'last' } },
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

const HALVES = ['65000', '66000'].map((price) => ({
  trigger: { price: amount(price), by: 'last' as const },
  quantity: amount('0.25'),
}));
/** What an order may bring along at one venue or another. */
const BROUGHT: Readonly<Record<string, OrderTargets>> = {
  bracket: { takeProfit: leg('65000', 'last'), stopLoss: leg('59000', 'last') },
  several: { takeProfits: HALVES },
  'several and a stop': { takeProfits: HALVES, stopLoss: leg('59000', 'last') },
  trailing: { trailing: { ratio: amount('0.01'), by: 'last' } },
};

/** Every act that is sent once. */
const ACTS: readonly [string, (trading: VenueTrading, kit: ContractKit) => Promise<{ outcome: string }>][] = [
  ['placing', (trading, kit) => algosOf(trading).place(KEY, requestOf(kit))],
  ['cancelling', (trading, kit) => algosOf(trading).cancel(KEY, keyOf(kit))],
  ['changing an order', (trading, kit) => trading.amend(KEY, amendmentOf(kit))],
];

/** What the door sees of a request: prices on the step and enough of everything. */
function doorOf({
  instrument,
  side,
  plan,
  quantity,
  whole,
  timeInForce,
  contract,
}: VenueAlgoRequest): AlgoRequest {
  const terms = contract && {
    contract: {
      closes: contract.side === POSITION_SIDE.NET ? contract.reduceOnly : closesLeg(contract.side, side),
      ...{ reduceOnly: contract.reduceOnly, positionMode: contract.positionMode },
    },
  };
  return {
    instrument: { ...instrument, minNotional: ZERO },
    ...{ side, plan, timeInForce, ...terms },
    ...(quantity === undefined ? {} : { quantity }),
    ...(whole === undefined ? {} : { whole }),
  };
}

const closesLeg = (position: PositionSide, side: Side): boolean =>
  (position === POSITION_SIDE.LONG) === (side === SIDE.SELL);

const shown = ({ request, ...rest }: { readonly request: VenueAlgoRequest }): string => {
  const { instrument, clientId: _, childClientIds: __, ...asked } = request;
  return JSON.stringify({ ...asked, market: instrument.symbolType, ...rest }, (_name, part: unknown) =>
    typeof part === 'bigint' ? formatAmount(part as Amount) : part,
  );
};

/** Every plan: kind x price it follows x limit, x ratio or distance. */
function everyPlan(): readonly TriggerPlan[] {
  const plans: TriggerPlan[] = [];
  for (const by of ['last', 'mark', 'index'] as const) {
    const trailing = [{ ratio: amount('0.01') }, { distance: amount('100') }];
    plans.push(...trailing.map((far): TriggerPlan => ({ kind: 'trailing', trailing: { ...far, by } })));
    for (const limit of [{}, { limit: amount('59000') }]) {
      const [target, stop] = [
        { ...leg('65000', by), ...limit },
        { ...leg('59000', by), ...limit },
      ];
      plans.push({ kind: 'stop', leg: stop }, { kind: 'take-profit', leg: target });
      for (const takeProfit of [leg('65000', by), target, { limit: amount('65000') }])
        plans.push({ kind: 'oco', takeProfit, stopLoss: stop });
    }
  }
  return plans;
}

/** Every way to stand to a position: open or close, one-way or either leg, and the whole of it. */
function everyStand(instrument: Instrument): readonly Partial<VenueAlgoRequest>[] {
  const quantity = amount('0.5');
  if (instrument.symbolType === 'SPOT') return [{ quantity }];
  const stands: Partial<VenueAlgoRequest>[] = [];
  for (const side of [POSITION_SIDE.NET, POSITION_SIDE.LONG, POSITION_SIDE.SHORT])
    for (const reduceOnly of [false, true]) {
      const positionMode = side === POSITION_SIDE.NET ? ('one-way' as const) : ('hedge' as const);
      const contract = { side, positionMode, marginMode: 'cross' as const, reduceOnly };
      stands.push({ contract, quantity });
      // The hub asks for a whole position only where the order closes it.
      if (reduceOnly) stands.push({ contract, whole: true });
    }
  return stands;
}

function everyAsk(kit: ContractKit, instrument: Instrument): readonly VenueAlgoRequest[] {
  const { contract: _, quantity: __, ...asked } = requestOf(kit, { instrument });
  return everyPlan().flatMap((plan) =>
    everyStand(instrument).flatMap((stand) =>
      Object.values(TIME_IN_FORCE).flatMap((timeInForce) =>
        [SIDE.BUY, SIDE.SELL].map((side) => ({
          ...asked,
          plan: turned(plan, side),
          side,
          timeInForce,
          ...stand,
        })),
      ),
    ),
  );
}

/** A pair's target lies on the other side for a buy. */
function turned(plan: TriggerPlan, side: Side): TriggerPlan {
  if (plan.kind !== 'oco' || side === SIDE.SELL) return plan;
  const { trigger, limit } = plan.takeProfit;
  const down = amount('55000');
  return {
    ...plan,
    takeProfit: {
      ...(trigger === undefined ? {} : { trigger: { ...trigger, price: down } }),
      ...(limit === undefined ? {} : { limit: down }),
    },
  };
}

/** An arbiter with room for everything. */
class Roomy extends Witness {
  override ask() {
    return { granted: true, giveBack: () => undefined } as const;
  }
}

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
      const hangs = offer.trailing?.ofPosition === true;
      const triggers = (['last', 'mark', 'index'] as const).map(
        (by) => [offer.triggerBy.includes(by), planOf('stop', by)] as const,
      );
      for (const [offered, plan] of [...kinds, ...triggers]) {
        const { trading, requests } = kit.create(() => kit.answers.serverTimeout());
        const asked = requestOf(kit, { plan });
        const request = hangs && plan.kind === 'trailing' ? ofPosition(asked) : asked;
        const { outcome } = await algosOf(trading).place(KEY, request);
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
  {
    id: 'C66',
    says: 'the rules of the door let through exactly what can be written for the venue, and name the field of the rest',
    async prove(kit) {
      const { platform } = kit.instrument;
      const spot = { ...kit.instrument, symbolType: 'SPOT' as const };
      for (const instrument of [spot, kit.instrument]) {
        const offer = venueProfile(platform).trading.algos[instrument.symbolType];
        // One connector a market: nothing is asked of the venue but what can be written.
        const answer = () => kit.answers.coded(kit.definitiveCodes[0] ?? '');
        const { trading, requests } = kit.create(answer, new Roomy());
        const wrong: Parameters<typeof shown>[0][] = [];
        for (const request of everyAsk(kit, instrument)) {
          const faults = algoFaults(doorOf(request), { offer, prices: {} });
          const before = requests.filter(({ method }) => method !== 'GET').length;
          const { outcome } = await algosOf(trading).place(KEY, request);
          expect(outcome).toBe('refused');
          const sent = requests.filter(({ method }) => method !== 'GET').length > before;
          const unnamed = faults.some(({ field, name }) => field === undefined && name !== 'symbol-halted');
          if (sent !== (faults.length === 0) || unnamed) wrong.push({ request, ...{ sent, faults } });
        }
        trading.close();
        expect(wrong.slice(0, 5).map(shown)).toEqual([]);
      }
    },
  },
  {
    id: 'C67',
    says: 'what an order may not bring along there is refused unsent and never left out; what it may is sent with it',
    async prove(kit) {
      const { platform } = kit.instrument;
      const offered = ({ attached, targetsMax, attachedTrails }: AlgoOffer) => ({
        bracket: attached === 'venue',
        several: targetsMax !== undefined,
        'several and a stop': targetsMax !== undefined,
        trailing: attachedTrails === true,
      });
      for (const symbolType of ['SPOT', 'SWAP'] as const) {
        const takes = offered(venueProfile(platform).trading.algos[symbolType]);
        for (const [name, attached] of Object.entries(BROUGHT)) {
          const { trading, requests } = kit.create(() => kit.answers.serverTimeout());
          const { clientId, side, timeInForce, price, quantity } = amendmentOf(kit);
          const { outcome } = await trading.place(KEY, {
            ...{ clientId, side, timeInForce, price, quantity, attached, type: ORDER_TYPE.LIMIT },
            instrument: { ...kit.instrument, symbolType },
            ...(symbolType === 'SWAP' ? { contract: termsOf(false) } : {}),
          });
          trading.close();
          const sent = requests.filter(({ method }) => method !== 'GET').length;
          const expected = takes[name as keyof typeof takes] ? ['unknown', 1] : ['refused', 0];
          expect([symbolType, name, outcome, sent]).toEqual([symbolType, name, ...expected]);
        }
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
