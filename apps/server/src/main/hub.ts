import type { CallHandlers } from '@crossbook/contract';
import { type Millis, type Platform, type PlatformSlug, platformFacts } from '@crossbook/domain';
import { venueProfile } from '@crossbook/venues';
import type { FastifyInstance } from 'fastify';
import type { PasswordCost } from '../accounts/factors/passwords.ts';
import { keyedHash } from '../accounts/keyed-hash.ts';
import type { MailSender, RandomBytes } from '../accounts/ports.ts';
import type { Config } from '../config.ts';
import { createAdmission } from '../http/admission.ts';
import type { HttpLog } from '../http/call-routes.ts';
import { httpMetrics } from '../http/metrics.ts';
import { type VenueRelay, venueRelay } from '../http/relay/venue-relay.ts';
import { requestLimits } from '../http/request-limits.ts';
import type { SecurityLog } from '../http/security-log.ts';
import { httpServer, type RequestDeadlines } from '../http/server.ts';
import { AlertWatch } from '../market/alert-watch.ts';
import type { ListingOf } from '../market/listing.ts';
import { type Database, OutcomeUnknown } from '../storage/postgres/database.ts';
import { cutChain } from '../storage/stores/audit-cut.ts';
import { createJournalSeals } from '../storage/stores/journal-seals.ts';
import { auditKeysOf } from '../storage/stores/keys/master-keys.ts';
import { priceAlertStore } from '../storage/stores/members/price-alert-store.ts';
import { fundedAccounts, fundsFaults } from '../storage/stores/office/funded-accounts.ts';
import { outboxMails } from '../storage/stores/outbox-mails.ts';
import { createInstrumentStore } from '../storage/stores/trading/instrument-store.ts';
import { demoLeavings, frozenLeavings } from '../storage/stores/trading/leavings.ts';
import { connectionCaps } from '../stream/connection-places.ts';
import { createGateway } from '../stream/gateway.ts';
import { createUserEvents, type UserEvents } from '../stream/user-events.ts';
import { KnownInstruments } from '../trading/known-instruments.ts';
import type { AbsenceProof } from '../trading/orders/order-intent.ts';
import type { CrashPoint } from '../trading/ports.ts';
import { type AccountsPart, composeAccounts } from './accounts.ts';
import { type AuditKeeper, auditKeeper, doorNotes, type HeadFile } from './audit.ts';
import { auditSink } from './audit-sink.ts';
import { composeBackOffice } from './back-office.ts';
import { bootConfig, directHosts } from './boot-config.ts';
import { type Clearing, createClearing } from './clearing.ts';
import { type ContentPart, composeContent } from './content.ts';
import { absentCalls, clearDemo, demoHandlers } from './demos.ts';
import { clearFrozen } from './frozen.ts';
import { picturesFault } from './images/clean-picture.ts';
import type { OperatorMail } from './mail/incident-mail.ts';
import { smtpMail } from './mail/smtp-mail.ts';
import { marketHandlers } from './market-calls.ts';
import { memberTiers } from './member-tiers.ts';
import { keptMetrics } from './metrics.ts';
import { composeMoney, type MoneyPart } from './money.ts';
import { offerInForce } from './offer.ts';
import { timers } from './outside/outside.ts';
import { type Look, type Surroundings, surroundings } from './outside/surroundings.ts';
import type { Secrets } from './secrets.ts';
import { type PlatformStates, platformStates } from './venues/platform-states.ts';
import { type OpenVenue, openVenues, relayEntrance, startMarkets } from './venues/venues.ts';

/** What the hub is made of; everything of the outside world is handed in. */
export interface HubParts {
  readonly config: Config;
  readonly version: string;
  readonly database: Database;
  readonly secrets: Secrets;
  /** Where the newest head of the audit log is kept besides the database. */
  readonly auditHead?: HeadFile;
  /** Time of day. */
  readonly clock: () => Millis;
  /** A clock that is never set, in ms from any moment: for windows kept in memory. */
  readonly steady: () => Millis;
  readonly random: RandomBytes;
  /** For tests whose claim is not what a password costs; the production one by default. */
  readonly passwordCost?: PasswordCost;
  /** Uniform in [0, 1), for jitter only. */
  readonly chance: () => number;
  /** For tests that kill the process at a named point of an order's life. */
  readonly crash?: (point: CrashPoint) => void;
  /** How an order is proved never to have reached its venue; the production rule by default. */
  readonly proof?: AbsenceProof;
  readonly log: HttpLog;
  /** The build of the web part that is served. */
  readonly webRoot: string | undefined;
  /** Deadlines of slow senders; the production ones by default. */
  readonly deadlines?: RequestDeadlines;
  /** What is around the hub and told of where it is not as it should be. */
  readonly looks?: readonly Look[];
  /** Adds figures of the process to /metrics. */
  readonly processMetrics: boolean;
}

/** A running hub that does not listen yet. */
export interface Hub {
  readonly server: FastifyInstance;
  readonly accounts: AccountsPart;
  /** Keeps the audit log. */
  readonly audit: AuditKeeper;
  /** Work of the background: looks at what a former process left, deletes what has expired. */
  start(): Promise<void>;
  /** Stops taking requests, then the features. The database is closed by whoever opened it. */
  stop(): Promise<void>;
}

const SWEEP_EVERY_MILLIS = 600_000;
/** How often frozen members are looked for whose orders are to end: as long as that may last. */
const FROZEN_EVERY_MILLIS = 5_000;

/** How mails leave: to the outbox, or by SMTP. */
interface MailPart {
  readonly sender: MailSender;
  /** Nothing where the operator gave no address. */
  tellOperator(text: OperatorMail): Promise<void>;
  close(): void;
}

function mailPart(config: Config, outbox: MailSender, clock: () => Millis): MailPart {
  const { smtpUrl, from, operator: to } = config.mail;
  const smtp = smtpUrl === undefined ? undefined : smtpMail(smtpUrl, from);
  const sender = smtp ?? outbox;
  return {
    sender,
    tellOperator: async (text) => {
      if (to !== undefined) await sender.send({ to, ...text }, clock());
    },
    close: () => smtp?.close(),
  };
}

function relays(
  config: Config,
  venues: ReadonlyMap<Platform, OpenVenue>,
  steady: () => Millis,
): Partial<Record<PlatformSlug, VenueRelay>> {
  const made: Partial<Record<PlatformSlug, VenueRelay>> = {};
  for (const { platform, restBases } of config.venues) {
    const venue = venues.get(platform);
    if (venue === undefined) continue;
    const { relay: profile } = venueProfile(platform);
    const { slug } = platformFacts(platform);
    made[slug] = venueRelay({ profile, restBases, clock: steady, ...relayEntrance(venue) });
  }
  return made;
}

/** What is kept by the features and read when somebody asks for the figures. */
function metricsOf({
  venues,
  relayed,
  live,
  money,
}: {
  readonly venues: ReadonlyMap<Platform, OpenVenue>;
  readonly relayed: ReturnType<typeof relays>;
  readonly live: ReturnType<typeof createGateway>;
  readonly money: MoneyPart;
}): ReturnType<typeof keptMetrics> {
  const { trading } = money;
  return keptMetrics({
    ...{ markets: venues, relays: relayed, live, trading: trading.stats },
    oldestBalanceChecks: trading.oldestBalanceChecks,
    oldestOrderComparisons: trading.oldestOrderComparisons,
    arbiters: Object.fromEntries(
      [...venues].map(([platform, { door }]) => [platformFacts(platform).slug, door.arbiter]),
    ),
    ledger: () => money.ledger.stats(),
    gate: () => money.gate.stats(),
  });
}

async function auditOf(
  parts: HubParts,
  { tellOperator }: MailPart,
): Promise<{ readonly audit: AuditKeeper; readonly security: SecurityLog }> {
  const { config, database, secrets, clock, steady, log } = parts;
  const { auditSink: address } = config;
  const { refusals, security } = doorNotes(parts);
  const audit = auditKeeper({
    ...cutChain(database, await auditKeysOf(database.pool, secrets), clock),
    ...{ journal: createJournalSeals(database, clock), refusals },
    ...{ file: parts.auditHead, log, tellOperator, steady },
    sink: address === undefined ? undefined : auditSink({ address, steady, log }),
  });
  return { audit, security };
}

function aroundOf(
  { looks = [], config, database, clock, log }: HubParts,
  { tellOperator }: MailPart,
  { wallets }: MoneyPart,
): Surroundings {
  const faults = async () =>
    fundsFaults(await fundedAccounts(database, config.fundedFloors, clock()), wallets.rewardsStarved());
  return surroundings({
    looks: [...looks, { what: 'funds', faults }],
    ...{ clock, log, tellOperator, every: timers.every },
  });
}

/** What keeps price alerts, and what checks them. */
function priceAlerts(
  { database, clock, log }: HubParts,
  venues: ReadonlyMap<Platform, OpenVenue>,
  { publish }: UserEvents,
) {
  const store = priceAlertStore(database);
  const watch = new AlertWatch({
    ...{ store, publish, sources: [...venues.values()].flatMap(({ markets }) => markets.all) },
    ports: { clock, every: timers.every, note: (event, facts) => log.warn(facts, event) },
  });
  return { store, watch };
}

/** Members who are not there, and whose orders end without them. */
function clearings(database: Database, { clock, log }: Pick<HubParts, 'clock' | 'log'>) {
  const [demos, frozen] = [demoLeavings(database), frozenLeavings(database)];
  return {
    demos: createClearing({ uncleared: demos.uncleared, clear: clearDemo(demos, clock), log }),
    frozen: createClearing({ uncleared: frozen.uncleared, clear: clearFrozen(frozen, clock), log }),
  };
}

/** Puts the hub together: storage, features, then the doors. */
export async function createHub(parts: HubParts): Promise<Hub> {
  const { config, database, secrets, clock, steady, random, log } = parts;
  const outbox = outboxMails(database);
  const mail = mailPart(config, outbox, clock);
  const { audit, security } = await auditOf(parts, mail);
  const { demos, frozen } = clearings(database, { clock, log });
  const accounts = composeAccounts({ ...parts, outbox, mail: mail.sender, demoOver: demos.add });

  const content = composeContent(database, config);
  const states = await platformStates(database, config, log);
  const note = (event: string, facts: object): void => log.warn(facts, event);
  const known = await KnownInstruments.open(createInstrumentStore(database), note);
  const venues = await openVenues({
    ...{ config, clock, steady, states, chance: parts.chance, note, known },
  });
  // Sequence numbers of private events start above those of any former process (decision 0005).
  const events = createUserEvents(clock());
  const offer = offerInForce(database);
  const money = composeMoney({
    ...{ config, database, venues, known, clock, random, log },
    ...{ publish: events.publish, heard: events.heard, openingAllowed: accounts.openingAllowed },
    ...{ masterKey: secrets.masterKey, tiers: memberTiers(config, database, accounts.tierOf), offer },
    privateName: (what) => keyedHash(secrets.codeKey, 'private name', what),
    tellOperator: mail.tellOperator,
    ...(parts.crash === undefined ? {} : { crash: parts.crash }),
    ...(parts.proof === undefined ? {} : { proof: parts.proof }),
  });
  for (const clearing of [demos, frozen]) clearing.clearWith(money.trading);
  const around = aroundOf(parts, mail, money);
  const alerts = priceAlerts(parts, venues, events);
  const live = createGateway({
    markets: (platform) => venues.get(platform)?.markets,
    events,
    verify: (args, origin) => accounts.verifyStreamLogin(args, origin, clock()),
    onLogin: (user, platform) => money.trading.listen(user, platform),
    oldestCheckMillis: money.trading.oldestCheckMillis,
    ...{ clock, steady, random, caps: connectionCaps(config.addressLimitFactor) },
    every: timers.every,
  });
  accounts.events.onEnd(({ sessionId }) => live.endSession(sessionId));
  const listingOf: ListingOf = (platform, type) => venues.get(platform)?.markets.of(type)?.listing;
  const handlers: CallHandlers = {
    ...accounts.handlers,
    ...money.trading.handlers,
    ...money.wallets.handlers,
    ...money.equity.handlers,
    ...content.handlers,
    ...demoHandlers(accounts, money),
    ...marketHandlers(database, listingOf, offer, alerts),
  };

  const relayed = relays(config, venues, steady);
  const kept = metricsOf({ venues, relayed, live, money });
  const server = await httpServer({
    handlers,
    absent: absentCalls(config),
    sessions: accounts.sessions,
    face: { proxy: config.proxy },
    tenant: config.tenant,
    limits: requestLimits(config.addressLimitFactor, steady),
    admission: createAdmission(clock),
    metrics: httpMetrics({ processMetrics: parts.processMetrics, kept }),
    ...{ clock, log, security },
    isOutcomeUnknown: (error) => error instanceof OutcomeUnknown,
    boot: () =>
      bootConfig(config, parts.version, {
        tradesContracts: (platform) => venues.get(platform)?.desk.trading.contracts !== undefined,
        states,
      }),
    ready: () => database.health(),
    outbox: config.outbox ? (recipient) => outbox.newest(recipient) : undefined,
    relays: relayed,
    pages: { webRoot: parts.webRoot, connectHosts: directHosts(config) },
    ...{ live, admin: composeBackOffice({ ...parts, accounts, audit, money, venues, states, around }) },
    platforms: config.venues.map((venue) => venue.platform),
    ...(parts.deadlines === undefined ? {} : { deadlines: parts.deadlines }),
  });

  const background = { demos, frozen, audit, content, states, alerts: alerts.watch, around, mail };
  return runningHub({ server, accounts, venues, money, live, clock, log, ...background });
}

/** Everything that begins and ends with the hub. */
interface HubWorks {
  readonly server: FastifyInstance;
  readonly accounts: AccountsPart;
  readonly demos: Clearing;
  readonly frozen: Clearing;
  readonly audit: AuditKeeper;
  readonly content: ContentPart;
  readonly venues: ReadonlyMap<Platform, OpenVenue>;
  readonly states: PlatformStates;
  readonly money: MoneyPart;
  readonly live: { close(): void };
  readonly alerts: Pick<AlertWatch, 'start' | 'stop'>;
  readonly mail: { close(): void };
  readonly around: Surroundings;
  readonly clock: () => Millis;
  readonly log: HttpLog;
}

function runningHub({
  server,
  accounts,
  demos,
  frozen,
  audit,
  content,
  venues,
  states,
  money,
  live,
  alerts,
  mail,
  around,
  clock,
  log,
}: HubWorks): Hub {
  let stopping = false;
  let sweeper: NodeJS.Timeout | undefined;
  let unwatchFrozen = (): void => {};
  return {
    server,
    accounts,
    audit,
    async start() {
      await content.ship(clock());
      await startMarkets(venues);
      // Stopped while a venue was waited for: nothing more begins.
      if (stopping) return;
      await money.start();
      await alerts.start();
      audit.start();
      states.start();
      accounts.mails.start();
      around.start();
      // Found out beside the start: the hub serves everything else meanwhile.
      accounts
        .passkeysElsewhere()
        .then((passkeys) => {
          if (passkeys > 0) log.warn({ passkeys }, 'passkeys were made for another host: they serve no more');
        })
        .catch((error) => log.warn({ error }, 'passkeys were not counted'));
      picturesFault()
        .then((fault) => {
          if (fault !== undefined) log.warn({ fault }, 'pictures of documents cannot be read');
        })
        .catch((error) => log.warn({ error }, 'pictures of documents cannot be read'));
      sweeper = setInterval(() => {
        accounts.store
          .sweep(clock())
          .then(() => demos.sweep())
          .catch((error) => log.warn({ error }, 'sweeping failed'));
      }, SWEEP_EVERY_MILLIS);
      sweeper.unref();
      unwatchFrozen = timers.every(FROZEN_EVERY_MILLIS, () => {
        frozen.sweep().catch((error) => log.warn({ error }, 'frozen members were not looked for'));
      });
    },
    async stop() {
      stopping = true;
      clearInterval(sweeper);
      unwatchFrozen();
      states.stop();
      live.close();
      await server.close();
      await Promise.all([demos.stop(), frozen.stop()]);
      await alerts.stop();
      await money.stop();
      await audit.stop();
      await around.stop();
      await accounts.mails.stop();
      for (const { markets, desk, door } of venues.values()) {
        markets.stop();
        desk.trading.close();
        door.arbiter.close();
      }
      mail.close();
    },
  };
}
