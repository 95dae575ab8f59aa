import { randomBytes } from 'node:crypto';
import {
  type Amount,
  amount,
  createLanes,
  formatAmount,
  minus,
  type OrderId,
  type Platform,
  platformFacts,
  plus,
  SHIPPED_REWARDS,
  shippedLimits,
  type UserId,
  ZERO,
} from '@crossbook/domain';
import { transferId } from '@crossbook/ledger';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runs } from '../../../../tests/property-runs.ts';
import { ScriptedTime } from '../main/scripted-time.fixture.ts';
import { ledgerBreaches } from '../storage/ledger/ledger-check.ts';
import type { PostgresLedgerStore } from '../storage/ledger/ledger-store.ts';
import { createRewardStore } from '../storage/stores/members/referral-store.ts';
import { createMovementStore, MOVEMENT_WRITES } from '../storage/stores/movement-store.ts';
import { openTestDatabase, type TestDatabase } from '../storage/testing.ts';
import { UnderWay } from '../trading/under-way.fixture.ts';
import type { Custody, Direction, VenueWallet } from './ports.ts';
import { createWalletDesk, type WalletDesk } from './wallet-desk.ts';
import { CALLER } from './wallet-world.fixture.ts';

const HOME = 1;
const OPENING = amount('1000');
/** The smallest amount that platforms move; requests may be finer by a tenth of it. */
const FINEST = amount('0.00000001');

/** What becomes of one call to the outside. `lost-*` and `breaks-*`: the hub never learns whether it was carried out. */
const FATES = [
  'ok',
  'ok',
  'lost-before',
  'lost-after',
  'breaks-before',
  'breaks-after',
  'refused',
  'not-now',
] as const;
type Fate = (typeof FATES)[number];

/** Three venues' accounts, the operator's and one member's, and the fates of the calls to come; then all goes well. */
class Outside {
  readonly #fates: Fate[];
  readonly #happened = new Set<string>();
  readonly #held = new Map<string, Amount>([[`operator ${HOME}`, OPENING]]);
  /** What must never be: a transfer carried out twice, an account that is asked for more than it has. */
  readonly faults: string[] = [];

  constructor(fates: readonly Fate[]) {
    this.#fates = [...fates];
  }

  of(owner: 'operator' | 'member', platform: Platform): string {
    return formatAmount(this.#held.get(`${owner} ${platform}`) ?? ZERO);
  }

  readonly custody: Custody = {
    provide: async ({ platform, amount: sum, transfer }) => {
      if (platform === HOME) return 'there';
      const reported = this.#call(`${transfer} out`, [`operator ${HOME}`, `operator ${platform}`], sum);
      return reported === 'done' ? 'moved' : reported === 'short' ? 'short' : 'unknown';
    },
    collect: async ({ platform, amount: sum, transfer }) => {
      if (platform === HOME) return 'done';
      const reported = this.#call(`${transfer} home`, [`operator ${platform}`, `operator ${HOME}`], sum);
      if (reported === 'short') this.faults.push(`nothing to collect at ${platform}`);
      return reported === 'done' ? 'done' : 'unknown';
    },
  };

  venue(platform: Platform): VenueWallet {
    const both = [`operator ${platform}`, `member ${platform}`] as const;
    return {
      name: platformFacts(platform).name,
      state: 'live',
      accountOf: async () => 'member',
      transfer: async ({ clientId, to, amount: sum }) => {
        const [fate] = this.#fates;
        if (fate === 'refused' || fate === 'not-now') {
          this.#fates.shift();
          if (fate === 'not-now') return { outcome: 'not-now', why: 'limiter' };
          return { outcome: 'refused', venueCode: '1', message: 'not today' };
        }
        if (this.#happened.has(clientId)) this.faults.push(`${clientId} was asked for again`);
        const reported = this.#call(clientId, to === undefined ? [both[1], both[0]] : both, sum);
        if (reported === 'short') this.faults.push(`too little for ${clientId} at ${platform}`);
        return reported === 'done'
          ? { outcome: 'done', venueId: '1' }
          : { outcome: 'unknown', why: reported };
      },
      withdrawable: async () => undefined,
      findTransfer: async (clientId) => {
        const fate = this.#fates.shift() ?? 'ok';
        if (fate.startsWith('breaks')) throw new Error(fate);
        if (fate.startsWith('lost')) return { outcome: 'unknown', why: fate };
        return this.#happened.has(clientId)
          ? { outcome: 'found', value: { venueId: '1' } }
          : { outcome: 'not-found' };
      },
    };
  }

  /** A call that happens once under its name, however often it is made, and whose fate is the next one. */
  #call(name: string, [from, to]: readonly [string, string], sum: Amount): 'done' | 'short' | 'lost' {
    const fate = this.#fates.shift() ?? 'ok';
    if (fate === 'breaks-before') throw new Error(fate);
    if (fate === 'lost-before') return 'lost';
    const moved = this.#happened.has(name) || this.#move(from, to, sum);
    if (moved) this.#happened.add(name);
    if (fate === 'breaks-after') throw new Error(fate);
    if (fate === 'lost-after') return 'lost';
    return moved ? 'done' : 'short';
  }

  #move(from: string, to: string, sum: Amount): boolean {
    const has = this.#held.get(from) ?? ZERO;
    if (has < sum) return false;
    this.#held.set(from, minus(has, sum));
    this.#held.set(to, plus(this.#held.get(to) ?? ZERO, sum));
    return true;
  }
}

interface MoveRequest {
  readonly platform: Platform;
  readonly direction: Direction;
  readonly units: bigint;
  /** Added to the units: what no platform moves. */
  readonly dust: bigint;
}

const request: fc.Arbitrary<MoveRequest> = fc.record({
  platform: fc.constantFrom<Platform>(1, 2, 3),
  direction: fc.constantFrom<Direction>(1, 1, 2),
  units: fc.bigInt({ min: 0n, max: OPENING / 2n / FINEST }),
  dust: fc.oneof({ weight: 4, arbitrary: fc.constant(0n) }, fc.bigInt({ min: 1n, max: FINEST - 1n })),
});

let database: TestDatabase;
let ledger: PostgresLedgerStore;
let user = 100;

beforeAll(async () => {
  database = await openTestDatabase();
  ledger = database.openLedger();
  ledger.register(MOVEMENT_WRITES);
});
afterAll(() => database?.close());

async function fund(member: UserId): Promise<void> {
  const funded = await ledger.commit({
    commands: [
      {
        ...{ do: 'post', id: transferId('opening', member), amount: OPENING, kind: 'test-funds' },
        from: { class: 'EXTERNAL', counterparty: `venue:${HOME}`, asset: 'USDT' },
        to: { class: 'FUNDING', user: member, asset: 'USDT' },
      },
    ],
  });
  if (!funded.ok) throw new Error(funded.code);
}

/** A desk whose looks at what has not ended a test runs, each to its end. */
function deskOn(outside: Outside): { readonly desk: WalletDesk; readonly lookUp: () => Promise<void> } {
  const time = new ScriptedTime();
  const work = new UnderWay();
  const desk = createWalletDesk({
    crash: () => undefined,
    ...{ lanes: createLanes(), ledger: work.watched(ledger), clock: time.clock, random: randomBytes },
    movements: work.watched(createMovementStore(database.database)),
    rewards: createRewardStore(database.database),
    custody: outside.custody,
    venue: (platform) => outside.venue(platform),
    privateName: (what) => what,
    faucet: undefined,
    tiers: {
      tierOf: async () => 0,
      ...{ limits: async () => shippedLimits('live'), limitsToCome: async () => new Map() },
    },
    offer: { rewards: async () => ({ ...SHIPPED_REWARDS, next: [] }) },
    moneyGate: () => undefined,
    openingAllowed: async () => undefined,
    knownAsset: () => true,
    after: time.after,
    incidents: { open: () => undefined, ended: () => undefined },
    publish: () => undefined,
    note: () => undefined,
  });
  const lookUp = async () => {
    time.advance(2_000);
    await work.over();
  };
  return { desk, lookUp };
}

test('whatever calls are lost, broken or refused: every unit is where the ledger says, and nothing moves twice', () =>
  fc
    .assert(
      fc.asyncProperty(
        fc.array(request, { minLength: 1, maxLength: 6 }),
        fc.array(fc.constantFrom(...FATES), { maxLength: 24 }),
        fc.boolean(),
        async (requests, fates, together) => {
          user += 1;
          const member = user as UserId;
          await fund(member);
          const outside = new Outside(fates);
          const { desk, lookUp } = deskOn(outside);
          const move = async ({ platform, direction, units, dust }: MoveRequest) => {
            const sum = (units * FINEST + dust) as Amount;
            if (sum === 0n) return;
            const reported = await desk.handlers['connexfunding/UniversalTransfer'](
              { ...CALLER, user: member },
              {
                ...{ platformType: platformFacts(platform).platformType, direction, asset: 'USDT' },
                ...{ amount: sum, clientId: crypto.randomUUID() as string as OrderId },
              },
            );
            if (dust > 0n) expect(reported).toMatchObject({ ok: false, code: { error: 'amount-invalid' } });
            else expect(reported).not.toMatchObject({ code: { error: 'amount-invalid' } });
          };
          await desk.start();
          if (together) await Promise.all(requests.map(move));
          else for (const one of requests) await move(one);
          const moving = async () => (await createMovementStore(database.database).movingTransfers()).length;
          for (let lookups = 0; lookups < 100 && (await moving()) > 0; lookups += 1) await lookUp();
          await desk.stop();

          expect(await moving()).toBe(0);
          expect(outside.faults).toEqual([]);
          const [funding] = await ledger.fundingBalances(member);
          expect([outside.of('operator', 1), outside.of('operator', 2), outside.of('operator', 3)]).toEqual([
            formatAmount(funding?.total ?? ZERO),
            '0',
            '0',
          ]);
          for (const platform of [1, 2, 3] as const) {
            const [trading] = await ledger.tradingBalances(member, platform);
            expect(outside.of('member', platform)).toBe(formatAmount(trading?.total ?? ZERO));
            expect(trading?.held ?? ZERO).toBe(ZERO);
          }
          expect(funding?.held ?? ZERO).toBe(ZERO);
        },
      ),
      { numRuns: runs(60, 4) },
    )
    .then(async () => expect(await ledgerBreaches(database.database, 'fold')).toEqual([])));
