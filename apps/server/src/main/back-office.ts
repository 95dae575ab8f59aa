import { formatAmount, type Millis, type Platform, platformFacts } from '@crossbook/domain';
import { accountBudgets } from '../accounts/budgets.ts';
import { type PasswordCost, passwords } from '../accounts/factors/passwords.ts';
import type { RandomBytes } from '../accounts/ports.ts';
import { adminSessions } from '../back-office/admin-sessions.ts';
import { backOfficeHandlers } from '../back-office/back-office.ts';
import type { PlatformDesk, ShownSaying } from '../back-office/platform-calls.ts';
import type { RunningParts } from '../back-office/ports.ts';
import { noteRefusedAct } from '../back-office/refused-act.ts';
import type { Config } from '../config.ts';
import type { AdminRoutesDeps } from '../http/admin-routes.ts';
import type { Database } from '../storage/postgres/database.ts';
import { budgetsStore } from '../storage/stores/members/budgets-store.ts';
import { createMoneyGateStore } from '../storage/stores/money-gate-store.ts';
import { adminPasskeyStore } from '../storage/stores/office/admin-passkey-store.ts';
import { adminStore } from '../storage/stores/office/admin-store.ts';
import { approvalStore } from '../storage/stores/office/approval-store.ts';
import { contentDesk } from '../storage/stores/office/content-desk.ts';
import { mailDesk } from '../storage/stores/office/mail-desk.ts';
import { auditAct, memberDesk } from '../storage/stores/office/member-desk.ts';
import { orderDesk } from '../storage/stores/office/order-desk.ts';
import { recoveryDesk } from '../storage/stores/office/recovery-desk.ts';
import { referralDesk } from '../storage/stores/office/referral-desk.ts';
import { staffDesk } from '../storage/stores/office/staff-desk.ts';
import { watchDesk } from '../storage/stores/office/watch-desk.ts';
import {
  type PlatformSaying,
  platformDebts,
  platformHistory,
  sayPlatform,
} from '../storage/stores/platform-state-store.ts';
import { createSeal } from '../storage/stores/seal.ts';
import { pricesSince } from '../wallets/last-prices.ts';
import { type AccountsPart, passkeySites } from './accounts.ts';
import { type AuditKeeper, breakText } from './audit.ts';
import type { MoneyPart } from './money.ts';
import { type OfferParts, offerDesk, settingDesk } from './offer.ts';
import type { Surroundings } from './outside/surroundings.ts';
import type { Secrets } from './secrets.ts';
import type { PlatformStates } from './venues/platform-states.ts';
import type { OpenVenue } from './venues/venues.ts';

/** What staff looks through is told by prices as old as this. */
const PRICES_AGE_MILLIS_MAX = 60_000;
const SAYINGS_SHOWN_MAX = 50;
/** More of them are one fault of the hub: their number says so. */
const DIFFERENCES_SHOWN_MAX = 100;

/** What the back office is made of. */
export interface BackOfficeParts {
  readonly config: Config;
  readonly database: Database;
  readonly secrets: Secrets;
  readonly random: RandomBytes;
  readonly passwordCost?: PasswordCost;
  readonly clock: () => Millis;
  readonly accounts: AccountsPart;
  readonly audit: AuditKeeper;
  readonly money: MoneyPart;
  readonly venues: ReadonlyMap<Platform, OpenVenue>;
  readonly states: PlatformStates;
  readonly around: Surroundings;
}

/** The parts of the hub that say how they are. */
function runningParts({
  config,
  database,
  audit,
  money,
  venues,
  states,
  around,
  clock,
}: BackOfficeParts): RunningParts {
  const gateStore = createMoneyGateStore(database);
  return {
    async gate() {
      const { closed, request } = await gateStore.read();
      const { open, checkAgeMillis = null, rowRounds, checks } = money.gate.stats();
      const why = closed ?? (open ? null : 'the ledger was not checked lately, or a check found a breach');
      return { closed: why, waiting: request !== undefined, checkAgeMillis, rounds: rowRounds, checks };
    },
    invariants() {
      const now = clock();
      const at = (age: number | undefined) => (age === undefined ? null : Math.round(now - age));
      return money.gate.standings().map(({ invariant: name, broken, checkAgeMillis, goodAgeMillis }) => ({
        ...{ name, checkedAt: at(checkAgeMillis), goodAt: at(goodAgeMillis) },
        broken:
          broken === undefined ? null : `${broken.subject}: ${broken.found}, expected ${broken.expected}`,
      }));
    },
    venues() {
      const ages = money.trading.oldestBalanceChecks();
      return config.venues.map(({ platform, mode }) => {
        const state = states.paused(platform) ? 'paused' : states.stateOf(platform);
        const all = venues.get(platform)?.markets.all ?? [];
        return {
          ...{ name: platformFacts(platform).name, state, mode },
          live: all.filter(({ stats }) => stats.state === 'live').length,
          markets: all.length,
          balanceCheckAgeMillis: ages.get(platform) ?? null,
        };
      });
    },
    surroundings: () => around.seen().map(({ what, at, faults }) => ({ what, at, faults: [...faults] })),
    membersStopped: () => money.trading.stats().balances.doubted,
    differences: () =>
      money.trading
        .doubtedAccounts()
        .slice(0, DIFFERENCES_SHOWN_MAX)
        .map(({ owner, doubt }) => ({
          ...{ member: owner.user, platform: platformFacts(owner.platform).name },
          ...{ asset: doubt.of, amount: formatAmount(doubt.amount) },
        })),
    ordersWaiting: () => money.trading.stats().waiting,
    async verifyAudit(oldMillisMax) {
      const { head, waiting, broken, headKept, cut } = await audit.verdict(oldMillisMax);
      const places = head.seq - (cut?.seq ?? 0);
      return { places, waiting, broken: broken === undefined ? null : breakText(broken), headKept };
    },
  };
}

/** Platforms as admins open and close them. */
function platformDesk(parts: BackOfficeParts): PlatformDesk {
  const { config, database, states, venues, money } = parts;
  return {
    async rows() {
      const debts = await platformDebts(database);
      const checks = money.trading.oldestBalanceChecks();
      return config.venues.map(({ platform, mode, state: byDefault }) => {
        const { name, platformType } = platformFacts(platform);
        const state = states.paused(platform) ? 'paused' : states.stateOf(platform);
        const canOpen = states.canOpen(platform);
        const saying = states.saying(platform);
        const said = saying === undefined ? null : saidOf(saying);
        const markets = venues.get(platform)?.markets.all ?? [];
        const ages = markets.flatMap((market) => market.bookAgeMillis() ?? []);
        return {
          ...{ platformType, name, mode, state, byDefault, canOpen, said },
          bookAgeMillis: ages.length === 0 ? null : Math.max(...ages),
          debts: debts
            .filter((debt) => debt.platform === platform)
            .map(({ asset, amount }) => ({ asset, amount })),
          balanceCheckAgeMillis: checks.get(platform) ?? null,
        };
      });
    },
    async history() {
      const rows = await platformHistory(database, SAYINGS_SHOWN_MAX);
      return rows.map((row) => ({ id: row.id, name: platformFacts(row.platform).name, ...saidOf(row) }));
    },
    standing: (platform) => states.saying(platform)?.id ?? '0',
    async close(act, platform, state) {
      const { name } = platformFacts(platform);
      const done = await database.withTransaction(async (client) => {
        const saying = { platform, state, at: act.now, by: `admin ${act.admin}`, reason: act.reason };
        if (!(await sayPlatform(client, saying))) return false;
        await auditAct(client, act, { subject: `platform ${name}`, details: { state } });
        return true;
      });
      await states.refresh();
      return done;
    },
    refresh: states.refresh,
  };
}

function saidOf({ at, by, state, reason }: PlatformSaying): Omit<ShownSaying, 'id' | 'name'> {
  return { at, by, state, reason };
}

/** Puts the back office together. */
export function composeBackOffice(parts: BackOfficeParts): AdminRoutesDeps {
  const { config, database, secrets, random, accounts } = parts;
  const seal = createSeal(secrets.masterKey);
  const store = adminStore(database, seal);
  const sessions = adminSessions(store, secrets.adminStokenKey, random);
  const budgets = accountBudgets(budgetsStore(database), config.addressLimitFactor);
  const listingOf: OfferParts['listingOf'] = (platform, type) =>
    parts.venues.get(platform)?.markets.of(type)?.listing;
  const offered = { config, database, listingOf };
  const approvals = approvalStore(database, accounts.letters);
  const handlers = backOfficeHandlers({
    ...{ store, budgets, sessions, random, productName: config.productName },
    passkeys: adminPasskeyStore(database),
    passkeySite: passkeySites(config.proxy?.adminUrl ?? config.proxy?.publicUrl),
    challengeKey: secrets.codeKey,
    // A queue of its own: members who sign in do not keep admins out.
    passwords: passwords(random, { cost: parts.passwordCost }),
    isCommonPassword: accounts.isCommonPassword,
    demo: config.outbox && config.money === 'paper',
    members: memberDesk(database, {
      ended: accounts.events.ended,
      prices: async () =>
        pricesSince(
          await parts.money.equity.lastPrices((parts.clock() - PRICES_AGE_MILLIS_MAX) as Millis),
          undefined,
        ),
    }),
    kyc: accounts.kyc,
    orders: orderDesk(database),
    realMoney: config.money === 'live',
    approvals,
    staff: staffDesk(database),
    staffWatch: accounts.staffWatch,
    platforms: platformDesk(parts),
    ...{ offer: offerDesk(offered), settings: settingDesk(offered) },
    watch: watchDesk(database, config.fundedFloors),
    content: contentDesk(database),
    mails: mailDesk(database, seal, accounts.letters.mailsWritten),
    referrals: referralDesk(database),
    recovery: {
      ...accounts.staffLetters,
      recoveries: recoveryDesk(database, { ...accounts.letters, seal }),
    },
    accrueRewards: parts.money.wallets.accrueRewards,
    running: runningParts(parts),
  });
  return {
    handlers,
    authenticate: sessions.authenticate,
    async changing({ demo, address, now }) {
      if (!demo) return undefined;
      return (await budgets.take('demoChangesPerAddress', { address }, now))?.code;
    },
    async refused(tried) {
      const { demo, address, now } = tried.caller;
      // A stranger who plays an admin does not fill a log of which no row is ever removed.
      if (demo && (await budgets.take('demoRefusalsPerAddress', { address }, now)) !== undefined) return;
      await noteRefusedAct({ store, approvals }, tried);
    },
  };
}
