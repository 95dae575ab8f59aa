import {
  amount,
  formatAmount,
  type Millis,
  ORDER_TYPE,
  type OrderEvent,
  POSITION_SIDE,
  type PositionUpdate,
  SIDE,
  TIME_IN_FORCE,
  type VenueClientId,
  type VenueOrderId,
} from '@crossbook/domain';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { HttpAnswer } from '../transport.ts';
import type { ContractEvent, SettingOutcome, VenueContracts } from '../venue-contracts.ts';
import type { VenueOrderRequest } from '../venue-orders.ts';
import type { VenueTrading } from '../venue-trading.ts';
import { type ContractKit, unclear, type WrittenOrder } from './contract-kit.ts';
import { type Edit, mutated } from './mutation.fixture.ts';
import { NOON } from './venue-kit.ts';
import { CONTRACT_KITS } from './venue-kits.ts';
import { Witness } from './witness.fixture.ts';

const KEY = { apiKey: 'conformance-key', secret: 'conformance-secret', passphrase: 'conformance-phrase' };
const CLIENT_ID = '0190f3a0c0de7abc8def000000000001' as VenueClientId;

function requestOf({ instrument }: ContractKit, order: WrittenOrder): VenueOrderRequest {
  return {
    ...{ clientId: CLIENT_ID, instrument, side: SIDE.BUY, type: ORDER_TYPE.LIMIT },
    ...{ timeInForce: TIME_IN_FORCE.GTC, price: amount('61000'), quantity: amount('0.5') },
    ...order.request,
    contract: order.terms,
  };
}

function contractsOf(kit: ContractKit, answer: Parameters<ContractKit['create']>[0]) {
  const { trading, ...rest } = kit.create(answer);
  if (trading.contracts === undefined) throw new Error('trades no contracts');
  return { trading, contracts: trading.contracts, ...rest };
}

const opening = ({ orders }: ContractKit): WrittenOrder => orders[0] as WrittenOrder;
const closing = ({ orders }: ContractKit): WrittenOrder =>
  orders.find(({ terms }) => terms.reduceOnly) as WrittenOrder;

type Change = (contracts: VenueContracts, kit: ContractKit) => Promise<SettingOutcome>;

/** Every call that changes something but an order. */
const CHANGES: readonly (readonly [string, Change])[] = [
  [
    'leverage',
    (contracts, { instrument }) =>
      contracts.setLeverage(KEY, instrument, {
        ...{ leverage: 20, marginMode: 'cross', side: POSITION_SIDE.NET },
      }),
  ],
  ['positionMode', (contracts, { instrument }) => contracts.setPositionMode(KEY, instrument, 'hedge')],
  [
    'margin',
    (contracts, { instrument: { platform, symbol }, instrument }) =>
      contracts.adjustMargin(KEY, instrument, {
        position: { platform, symbol, side: POSITION_SIDE.NET, marginMode: 'isolated' },
        amount: amount('-10'),
      }),
  ],
];
const MARGIN_MODE: Change = (contracts, { instrument }) =>
  contracts.setMarginMode(KEY, instrument, 'isolated');

/** Those that a venue has: where every order says its margin mode, there is nothing to set. */
const changesOf = ({ marginModeByOrder }: ContractKit): typeof CHANGES =>
  marginModeByOrder === true ? CHANGES : [...CHANGES, ['marginMode', MARGIN_MODE]];

/** What a message asks for by REST before it is told is answered. */
async function settled(): Promise<void> {
  await new Promise<void>((done) => setImmediate(done));
}

/** What a followed private stream has told. */
async function followed(kit: ContractKit) {
  const reported: { orders: OrderEvent[]; contracts: ContractEvent[]; malformed: string[]; opened: number } =
    {
      ...{ orders: [], contracts: [], malformed: [], opened: 0 },
    };
  const { trading, sockets } = kit.create(() => kit.listenKey?.() ?? kit.answers.serverTimeout());
  trading.userStream(KEY, {
    onOpen: () => {
      reported.opened += 1;
    },
    onOrder: (event) => reported.orders.push(event),
    onBalances: () => undefined,
    onContracts: (event) => reported.contracts.push(event),
    onClosed: () => undefined,
    onMalformed: (why) => reported.malformed.push(why),
  });
  await kit.subscribe(sockets);
  return { trading, sockets, reported };
}

interface ContractClaim {
  readonly id: string;
  readonly says: string;
  prove(kit: ContractKit): Promise<void>;
}

const CLAIMS: readonly ContractClaim[] = [
  {
    id: 'C40',
    says: "opening and closing, one-way and hedge, are written in the venue's own way, once",
    async prove(kit) {
      for (const order of kit.orders) {
        const { trading, requests } = kit.create(() => kit.answers.placed(CLIENT_ID));
        const outcome = await trading.place(KEY, requestOf(kit, order));
        trading.close();
        expect({ says: order.says, outcome: outcome.outcome }).toEqual({
          says: order.says,
          outcome: 'accepted',
        });
        const [sent, ...more] = requests.filter(({ method }) => method !== 'GET');
        if (sent === undefined) throw new Error('nothing was sent');
        expect(more).toEqual([]);
        const fields = kit.fieldsOf(sent);
        expect({ says: order.says, ...fields }).toMatchObject(order.fields);
        for (const name of order.absent) expect(fields).not.toHaveProperty(name);
      }
    },
  },
  {
    id: 'C41',
    says: 'an order whose side of the position does not fit the mode is refused unsent',
    async prove(kit) {
      const { trading, requests } = kit.create(() => kit.answers.placed(CLIENT_ID));
      const { terms } = opening(kit);
      for (const contract of [
        { ...terms, positionMode: 'hedge', side: POSITION_SIDE.NET } as const,
        { ...terms, positionMode: 'one-way', side: POSITION_SIDE.LONG } as const,
        // A buy can only open a long leg.
        { ...terms, positionMode: 'hedge', side: POSITION_SIDE.LONG, reduceOnly: true } as const,
        undefined,
      ]) {
        const { contract: _, ...request } = requestOf(kit, opening(kit));
        const asked = contract === undefined ? request : { ...request, contract };
        expect((await trading.place(KEY, asked)).outcome).toBe('refused');
      }
      trading.close();
      expect(requests.filter(({ method }) => method !== 'GET')).toEqual([]);
    },
  },
  {
    id: 'C42',
    says: 'margin that does not suffice and nothing to reduce are refusals; what proves nothing is unknown',
    async prove(kit) {
      for (const answer of [kit.answers.refused, kit.answers.nothingToReduce]) {
        const { trading } = kit.create(() => answer());
        expect((await trading.place(KEY, requestOf(kit, closing(kit)))).outcome).toBe('refused');
        trading.close();
      }
      for (const answer of unclear(kit)) {
        const { trading } = kit.create(answer);
        expect((await trading.place(KEY, requestOf(kit, opening(kit)))).outcome).toBe('unknown');
        trading.close();
      }
    },
  },
  {
    id: 'C43',
    says: 'a change of a setting is refused by a definitive code, unknown by all that proves nothing, never sent twice',
    async prove(kit) {
      for (const [says, change] of changesOf(kit)) {
        const { contracts, trading } = contractsOf(kit, () => kit.answers.forbidden());
        expect({ says, ...(await change(contracts, kit)) }).toMatchObject({ says, outcome: 'refused' });
        trading.close();
        for (const answer of unclear(kit)) {
          const played = contractsOf(kit, answer);
          expect({ says, ...(await change(played.contracts, kit)) }).toMatchObject({
            says,
            outcome: 'unknown',
          });
          expect(played.requests.filter(({ method }) => method !== 'GET').length).toBe(1);
          played.trading.close();
        }
      }
      if (kit.marginModeByOrder !== true) return;
      const { contracts, trading, requests } = contractsOf(kit, () => kit.answers.serverTimeout());
      expect(await MARGIN_MODE(contracts, kit)).toEqual({ outcome: 'done' });
      expect(requests).toEqual([]);
      trading.close();
    },
  },
  {
    id: 'C44',
    says: 'a setting that is so already is done',
    async prove(kit) {
      for (const setting of ['leverage', 'marginMode', 'positionMode'] as const) {
        const already = kit.answers.alreadySo(setting);
        if (already === undefined) continue;
        const { contracts, trading } = contractsOf(kit, () => already);
        const { instrument } = kit;
        const outcomes = {
          leverage: () =>
            contracts.setLeverage(KEY, instrument, {
              ...{ leverage: 20, marginMode: 'cross', side: POSITION_SIDE.NET },
            }),
          marginMode: () => contracts.setMarginMode(KEY, instrument, 'cross'),
          positionMode: () => contracts.setPositionMode(KEY, instrument, 'one-way'),
        };
        expect({ setting, ...(await outcomes[setting]()) }).toEqual({ setting, outcome: 'done' });
        trading.close();
      }
    },
  },
  {
    id: 'C45',
    says: 'an order that only reduces is asked for in the class of closing, any other in that of orders',
    async prove(kit) {
      for (const [order, requestClass] of [
        [opening(kit), 'order'],
        [closing(kit), 'close'],
      ] as const) {
        const witness = new Witness();
        const { trading } = kit.create(() => kit.answers.placed(CLIENT_ID), witness);
        await trading.place(KEY, requestOf(kit, order));
        trading.close();
        expect(witness.asked.map((asked) => asked.requestClass)).toContain(requestClass);
        const other = requestClass === 'order' ? 'close' : 'order';
        expect(witness.asked.map((asked) => asked.requestClass)).not.toContain(other);
      }
    },
  },
  {
    id: 'C46',
    says: 'both legs of hedge mode are read, also where an empty one comes first; of all contracts only those held',
    async prove(kit) {
      const held = [{ side: POSITION_SIDE.SHORT, quantity: '3' }];
      const { contracts, trading } = contractsOf(kit, (request) => kit.answers.hedgeLegs(request, held));
      const all = await contracts.positions(KEY, []);
      const own = await contracts.positions(KEY, [kit.instrument]);
      trading.close();
      if (!all.ok || !own.ok) throw new Error(`positions: ${JSON.stringify([all, own])}`);
      expect(all.value.map(({ side, quantity }) => [side, formatAmount(quantity)])).toEqual([
        [POSITION_SIDE.SHORT, '3'],
      ]);
      const short = own.value.find(({ side }) => side === POSITION_SIDE.SHORT);
      expect(short).toMatchObject({ symbol: kit.instrument.symbol, quantity: amount('3') });
      expect(own.value.filter(({ quantity }) => quantity !== 0n).length).toBe(1);
    },
  },
  {
    id: 'C47',
    says: 'a ratio of 1 is liquidation and smaller is safer',
    async prove(kit) {
      const { contracts, trading } = contractsOf(kit, (request) => kit.answers.pool(request));
      const pool = await contracts.pool(KEY);
      trading.close();
      if (!pool.ok) throw new Error(`pool: ${pool.code}`);
      expect(pool.value.ratio).toBeCloseTo(0.04, 6);
      expect(pool.value.asset).toBe('USDT');
    },
  },
  {
    id: 'C48',
    says: 'a fee is above 0 when it was paid, and what closing realised has its sign',
    async prove(kit) {
      const { trading } = kit.create((request) => kit.answers.fills(request));
      const fills = await trading.fillsOfOrder(KEY, kit.instrument, '77' as VenueOrderId);
      trading.close();
      if (!fills.ok) throw new Error(`fills: ${fills.code}`);
      expect(fills.value.length).toBe(1);
      expect(fills.value[0]).toMatchObject({
        fee: amount('6.1'),
        feeAsset: 'USDT',
        contract: { realisedPnl: amount('-40.5'), cause: 'trade' },
      });
    },
  },
  {
    id: 'C49',
    says: 'income is above 0 when it was received, each entry under an id of its own',
    async prove(kit) {
      const entries = [
        { kind: 'funding', amount: '-1.5308625' },
        { kind: 'funding', amount: '0.25' },
      ] as const;
      const { contracts, trading } = contractsOf(kit, (request) => kit.answers.income(request, entries));
      const page = await contracts.income(KEY, { since: NOON });
      trading.close();
      if (!page.ok) throw new Error(`income: ${page.code}`);
      expect(page.value.rows.map(({ kind, amount: paid }) => ({ kind, amount: formatAmount(paid) }))).toEqual(
        entries,
      );
      expect(new Set(page.value.rows.map(({ id }) => id)).size).toBe(2);
    },
  },
  {
    id: 'C50',
    says: 'tiers come smallest first, without gaps, with less leverage and more maintenance the higher they are',
    async prove(kit) {
      const { contracts, trading } = contractsOf(kit, (request) => kit.answers.tiers(request));
      const tiers = await contracts.tiers(KEY, kit.instrument);
      trading.close();
      if (!tiers.ok) throw new Error(`tiers: ${tiers.code}`);
      expect(tiers.value.length).toBeGreaterThan(1);
      expect(tiers.value.map(({ tier }) => tier)).toEqual(tiers.value.map((_, at) => at + 1));
      for (const [at, tier] of tiers.value.entries()) {
        const before = tiers.value[at - 1];
        if (before === undefined) continue;
        expect(tier.floor).toBe(before.cap);
        expect(tier.maxLeverage).toBeLessThan(before.maxLeverage);
        expect(tier.maintenanceRate > before.maintenanceRate).toBe(true);
      }
    },
  },
  {
    id: 'C51',
    says: 'the frames of one fill say the same in any order and twice: one fill, and the newest position',
    async prove(kit) {
      const seen = [];
      for (const frames of [
        kit.fillFrames,
        [...kit.fillFrames].reverse(),
        [...kit.fillFrames, ...kit.fillFrames],
      ]) {
        const { trading, sockets, reported } = await followed(kit);
        expect(reported.opened).toBe(1);
        for (const frame of frames) sockets.newest.say(frame);
        await settled();
        trading.close();
        expect(reported.malformed).toEqual([]);
        const fills = new Map(reported.orders.flatMap(({ fill }) => (fill ? [[fill.tradeId, fill]] : [])));
        const positions = new Map<string, PositionUpdate>();
        const rows = reported.contracts.flatMap((event) => event.positions);
        for (const row of rows.toSorted((left, right) => left.version - right.version)) {
          const key = `${row.symbol} ${row.side} ${row.marginMode}`;
          // What a message leaves out stays as it was.
          positions.set(key, { ...positions.get(key), ...row });
        }
        seen.push({ fills: [...fills.values()], positions: [...positions.values()] });
      }
      const [first, ...others] = seen;
      expect(first?.fills.length).toBe(1);
      expect(first?.fills[0]).toMatchObject({
        fee: amount('6.1'),
        contract: { realisedPnl: amount('-40.5') },
      });
      expect(first?.positions.length).toBeGreaterThan(0);
      for (const other of others) expect(other).toEqual(first);
    },
  },
  {
    id: 'C52',
    says: 'whatever arrives on the private stream never ends it, and golden frames are read without a complaint',
    async prove(kit) {
      const { trading, sockets, reported } = await followed(kit);
      const peer = sockets.newest;
      for (const frame of kit.frames) peer.say(frame);
      await settled();
      expect(reported.malformed).toEqual([]);
      const edits = fc.array(fc.tuple(fc.nat(4), fc.nat(4_000), fc.nat(255)), { minLength: 1, maxLength: 6 });
      fc.assert(
        fc.property(fc.constantFrom(...kit.frames), edits, (frame, changes) => {
          const bytes = Buffer.from(JSON.stringify(frame));
          peer.say(mutated(bytes, changes as readonly Edit[]).toString());
        }),
        { numRuns: 500 },
      );
      trading.close();
      const stats = [
        ...reported.contracts.flatMap(({ positions }) => positions),
        ...reported.orders.map(({ state }) => state),
      ];
      for (const row of stats)
        expect(Object.values(row).every((value) => value !== undefined && !Number.isNaN(value))).toBe(true);
    },
  },
  {
    id: 'C55',
    says: 'a margin call names the contract that is near liquidation, moves nothing, and is told of by no other message',
    async prove(kit) {
      const { trading, sockets, reported } = await followed(kit);
      for (const frame of kit.frames) sockets.newest.say(frame);
      await settled();
      trading.close();
      const calls = reported.contracts.filter(({ cause }) => cause === 'margin-call');
      const call = { positions: [], symbols: [kit.instrument.symbol] };
      expect(calls).toMatchObject(kit.marginCall === undefined ? [] : [call]);
      expect(kit.frames.filter((frame) => frame === kit.marginCall)).toHaveLength(calls.length);
    },
  },
  {
    id: 'C53',
    says: 'whatever a hostile venue answers, reads give documented figures or say that they do not',
    async prove(kit) {
      const { instrument } = kit;
      const golden: readonly ((request: Parameters<ContractKit['answers']['pool']>[0]) => HttpAnswer)[] = [
        (request) => kit.answers.hedgeLegs(request, [{ side: POSITION_SIDE.LONG, quantity: '3' }]),
        kit.answers.pool,
        kit.answers.fills,
        kit.answers.tiers,
        (request) => kit.answers.income(request, [{ kind: 'funding', amount: '-1' }]),
      ];
      const edits = fc.array(fc.tuple(fc.nat(4), fc.nat(2_000), fc.nat(255)), { minLength: 1, maxLength: 5 });
      await fc.assert(
        fc.asyncProperty(fc.constantFrom(...golden), edits, async (answer, changes) => {
          const { contracts, trading } = contractsOf(kit, (request) => {
            const { text, ...rest } = answer(request);
            return { ...rest, text: mutated(Buffer.from(text), changes as readonly Edit[]).toString() };
          });
          const since = NOON as Millis;
          const reads = [
            await contracts.positions(KEY, [instrument]),
            await contracts.pool(KEY),
            await contracts.tiers(KEY, instrument),
            await contracts.income(KEY, { since }),
            await contracts.setting(KEY, instrument),
            await trading.openOrders(KEY, [instrument]),
            await trading.fillsSince(KEY, instrument, since),
          ];
          trading.close();
          for (const read of reads) expect(typeof read.ok).toBe('boolean');
        }),
        { numRuns: 200 },
      );
    },
  },
  {
    id: 'C54',
    says: "each definitive code of the venue's table refuses orders and changes, every other code leaves them unknown",
    async prove(kit) {
      const definitive = new Set(kit.definitiveCodes);
      const place = (_: VenueContracts, __: ContractKit, trading: VenueTrading) =>
        trading.place(KEY, requestOf(kit, opening(kit)));
      const said = async (code: string) => {
        const outcomes = new Set<string>();
        // A code of a limiter makes a connector wait before it asks again: each call has a new one.
        for (const ask of [place, ...changesOf(kit).map(([, change]) => change)]) {
          const { trading, contracts } = contractsOf(kit, () => kit.answers.coded(code));
          outcomes.add((await ask(contracts, kit, trading)).outcome);
          trading.close();
        }
        return [...outcomes];
      };
      expect(definitive.size).toBeGreaterThan(50);
      for (const code of definitive) expect([code, await said(code)]).toEqual([code, ['refused']]);
      // Neighbours of listed codes: what a range or a prefix would take for one of them.
      const strange = fc.tuple(fc.constantFrom(...definitive), fc.integer({ min: -9, max: 9 }));
      await fc.assert(
        fc.asyncProperty(strange, async ([code, step]) => {
          const near = String(Number(code) + step);
          fc.pre(!definitive.has(near) && !kit.otherwiseClear(near));
          expect([near, await said(near)]).toEqual([near, ['unknown']]);
        }),
        { numRuns: 150 },
      );
    },
  },
];

describe.each(CONTRACT_KITS.map((kit) => ({ name: kit.name, kit })))('$name', ({ kit }) => {
  const claims = CLAIMS.map((claim) => ({ id: claim.id, says: claim.says, claim }));
  test.each(claims)('$id $says', async ({ claim }) => {
    await claim.prove(kit);
  });
});
