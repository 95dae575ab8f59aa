import { isIP } from 'node:net';
import type { CallHandlers } from '@crossbook/contract';
import type { Millis, Tier, UserId } from '@crossbook/domain';
import { dictionary } from '@zxcvbn-ts/language-common';
import { accountBudgets } from '../accounts/budgets.ts';
import { demosPerNetworkMax, endIdleDemos } from '../accounts/demo-ends.ts';
import { BREACHED_PASSWORDS } from '../accounts/factors/breached-passwords.ts';
import { captcha } from '../accounts/factors/captcha.ts';
import { devices } from '../accounts/factors/devices.ts';
import { commonPasswords, type IsCommonPassword } from '../accounts/factors/known-passwords.ts';
import { type PasswordCost, passwords } from '../accounts/factors/passwords.ts';
import { type AccountCallName, accountHandlers, endDueResets } from '../accounts/handlers.ts';
import { type KycReview, kycReview } from '../accounts/kyc/kyc-review.ts';
import { tierOf } from '../accounts/kyc/kyc-states.ts';
import { type MailWriter, mailWriter } from '../accounts/mails.ts';
import { type MoneyOutAllowed, moneyOutAllowed } from '../accounts/money-out.ts';
import type { PasskeySiteOf } from '../accounts/passkey-ports.ts';
import type { MailSender, RandomBytes, TextSender } from '../accounts/ports.ts';
import type { SecurityStore } from '../accounts/security-ports.ts';
import { rememberSessions } from '../accounts/sessions/remembered-sessions.ts';
import { type SessionEvents, sessionEvents } from '../accounts/sessions/session-events.ts';
import { type Sessions, sessions } from '../accounts/sessions/sessions.ts';
import {
  type StreamLogin,
  verifyWebsocketArgs,
  type WebsocketArgs,
} from '../accounts/sessions/websocket-args.ts';
import { type OpeningAllowed, termsDesk } from '../accounts/terms.ts';
import type { StaffWatch } from '../back-office/staff-ports.ts';
import type { Config } from '../config.ts';
import type { HttpLog } from '../http/call-routes.ts';
import type { Database } from '../storage/postgres/database.ts';
import { mailQueue } from '../storage/stores/mail-queue.ts';
import {
  type AccountsStore,
  accountsStore,
  type LetterRoom,
} from '../storage/stores/members/accounts-store.ts';
import { budgetsStore } from '../storage/stores/members/budgets-store.ts';
import { chartSettingsStore } from '../storage/stores/members/chart-settings-store.ts';
import { demoStore } from '../storage/stores/members/demo-store.ts';
import { kycStore } from '../storage/stores/members/kyc/kyc-store.ts';
import { passkeyStore, passkeysElsewhere } from '../storage/stores/members/passkey-store.ts';
import { providerStore } from '../storage/stores/members/provider-store.ts';
import { recoveryStore } from '../storage/stores/members/recovery-store.ts';
import type { ActDeps } from '../storage/stores/members/security-acts.ts';
import { securityStore } from '../storage/stores/members/security-store.ts';
import { termsStore } from '../storage/stores/members/terms-store.ts';
import type { MailRoom } from '../storage/stores/office/approval-store.ts';
import { staffWatch as staffWatchOf } from '../storage/stores/office/break-glass-store.ts';
import { memberNotices } from '../storage/stores/office/member-notices.ts';
import type { OutboxMails } from '../storage/stores/outbox-mails.ts';
import { createSeal, type Seal } from '../storage/stores/seal.ts';
import { cleanPictures, markPictures } from './images/clean-picture.ts';
import { logInProvider } from './log-in-provider.ts';
import { type MailWorker, mailWorker } from './mail/mail-worker.ts';
import { gatewayTexts, noticeByText, outboxTexts } from './mail/text-gateway.ts';
import type { Secrets } from './secrets.ts';

/** The accounts feature, put together. */
export interface AccountsPart {
  readonly handlers: Pick<CallHandlers, AccountCallName>;
  /** Admins choose none of these either. */
  readonly isCommonPassword: IsCommonPassword;
  readonly sessions: Sessions;
  /** Told when a session ends: the stream gateway closes its connections. */
  readonly events: SessionEvents;
  /** A demo member has looked in. */
  readonly demoSeen: (user: UserId, now: Millis) => Promise<void>;
  /** Checks the login of a live connection; for the stream gateway. */
  verifyStreamLogin(args: WebsocketArgs, origin: string, now: Millis): Promise<StreamLogin | undefined>;
  readonly store: AccountsStore;
  /** How many passkeys died because members open another host now than when they were made. */
  passkeysElsewhere(): Promise<number>;
  /** What the back office does with cases. */
  readonly kyc: KycReview;
  /** What a member may do, by whether it is known who he is. */
  tierOf(user: UserId): Promise<Tier>;
  /** Letters to members, written in the transaction of what they tell of. */
  readonly letters: Pick<ActDeps, 'putMail' | 'mailsWritten'>;
  /** Who of the staff was let in anew, and who is there to decide. */
  readonly staffWatch: StaffWatch;
  /** What letters of the staff to members are made of. */
  readonly staffLetters: {
    readonly mails: MailWriter;
    readonly linkBase: (origin: string) => string;
    readonly security: Pick<SecurityStore, 'profile'>;
  };
  /** Asked by everything that opens something. */
  readonly openingAllowed: OpeningAllowed;
  /** Asked by everything that takes money out. */
  readonly moneyOutAllowed: MoneyOutAllowed;
  /** Sends mails that were written together with what they tell. */
  readonly mails: MailWorker;
}

/** The outbox in paper mode, the operator's gateway otherwise; none where there is neither. */
function textSender({ textGateway, mail }: Config, outbox: OutboxMails): TextSender | undefined {
  if (textGateway !== undefined) return gatewayTexts(textGateway);
  return mail.smtpUrl === undefined ? outboxTexts(outbox) : undefined;
}

/** Sends what waits in the queue. A code for a phone is sent once: each text message costs the operator money. */
function mailsAndTexts(mail: MailSender, tellByText: TextSender['send']): MailSender {
  return {
    send: (message, now) =>
      message.to.startsWith('+')
        ? tellByText({ to: message.to, text: message.body }, now)
        : mail.send(message, now),
  };
}

/** The name under which a hub without a proxy has passkeys. */
const PASSKEY_HOST_ALONE = 'localhost';

/**
 * Passkeys are made for the host that members open: the public one, or `localhost` where there is no proxy. The door has let only
 * own pages in, so that the port may be whatever the page has. Browsers make none for an IP address.
 * @param publicUrl origin behind the TLS proxy.
 */
export function passkeySites(publicUrl: URL | undefined): PasskeySiteOf {
  if (publicUrl !== undefined) {
    const { hostname: rpId, origin } = publicUrl;
    const isName = isIP(rpId) === 0 && !rpId.startsWith('[');
    return (asked) => (isName && asked === origin ? { rpId, origin } : undefined);
  }
  return (origin) =>
    /^http:\/\/localhost(:\d{1,5})?$/.test(origin) ? { rpId: PASSKEY_HOST_ALONE, origin } : undefined;
}

/** Read when the first password is judged. */
const isCommonPassword = commonPasswords(dictionary['passwords-common'], BREACHED_PASSWORDS);

/** What goes to members, written in the transaction of what it tells of and sent after it. */
function messages(parts: {
  readonly config: Config;
  readonly database: Database;
  readonly seal: Seal;
  readonly mail: MailSender;
  readonly outbox: OutboxMails;
  readonly clock: () => Millis;
  readonly log: HttpLog;
}) {
  const { config, database, seal, mail, outbox, clock, log } = parts;
  const queue = mailQueue(database, seal);
  const texts = textSender(config, outbox);
  const tellByText = noticeByText(texts, log);
  const mails = mailWorker({ queue, sender: mailsAndTexts(mail, tellByText), clock, log });
  const putMail = config.mail.smtpUrl === undefined ? outbox.put : queue.put;
  const putText = config.textGateway === undefined ? outbox.put : queue.put;
  const put: typeof queue.put = (client, letter, now, isMeant) =>
    (letter.to.startsWith('+') ? putText : putMail)(client, letter, now, isMeant);
  const letters: LetterRoom = {
    putLetter: (client, { mail: letter, isMeant }, now) => put(client, letter, now, isMeant),
    mailsWritten: mails.wake,
  };
  return { texts, mails, putMail: put, letters, queue };
}

/** Where links in mails lead: the public address, or where the caller is. */
function linkBaseOf({ proxy, port }: Config): (origin: string) => string {
  return (origin) => proxy?.publicUrl.origin ?? (origin === '' ? `http://localhost:${port.number}` : origin);
}

/** What is written to admins and members of what none of their own calls has caused. */
function noticesOf(
  database: Database,
  { config, seal, mails }: { readonly config: Config; readonly seal: Seal; readonly mails: MailRoom },
) {
  const { productName, links: legalLinks } = config;
  return {
    staffWatch: staffWatchOf(database, { mails, productName }),
    notices: memberNotices(database, {
      ...{ seal, mails, productName, legalLinks },
      origin: linkBaseOf(config)(''),
    }),
  };
}

/** What cases of this hub are kept by. */
function kycTerms({ kycValidYears: validYears, productName }: Config, { documentKey }: Secrets) {
  return { validYears, productName, documentKey };
}

/** Puts the accounts feature together on a database. */
export function composeAccounts(parts: {
  readonly config: Config;
  readonly database: Database;
  readonly secrets: Secrets;
  readonly random: RandomBytes;
  readonly passwordCost?: PasswordCost;
  readonly mail: MailSender;
  readonly outbox: OutboxMails;
  readonly clock: () => Millis;
  /** A clock that is never set. */
  readonly steady: () => Millis;
  readonly log: HttpLog;
  readonly demoOver: (user: UserId, now: Millis) => void;
}): AccountsPart {
  const { config, database, secrets, random, mail, steady, log } = parts;
  const events = sessionEvents();
  const seal = createSeal(secrets.masterKey);
  const { texts, mails, putMail, letters, queue } = messages({ ...parts, seal });
  const store = accountsStore(database, letters, config.links, config.money === 'live');
  const actDeps = { legalLinks: config.links, seal, putMail, mailsWritten: mails.wake };
  const security = securityStore(database, actDeps);
  const recoveries = recoveryStore(database, { ...letters, seal });
  const kyc = kycStore(database, { ...actDeps, ...kycTerms(config, secrets) });
  const sessionStore = rememberSessions(store.sessions, events);
  const memberSessions = sessions(sessionStore, secrets.stokenKey, random);
  const demos = demoStore(database);
  const terms = termsDesk(termsStore(database, config.links), parts.clock);
  const letterRoom = { putMail, mailsWritten: mails.wake };
  const linkBase = linkBaseOf(config);
  const { staffWatch, notices } = noticesOf(database, { config, seal, mails: letterRoom });
  const mailTexts = mailWriter(config.productName);
  const deps = {
    ...{ terms, demos, demoOver: parts.demoOver, chartSettings: chartSettingsStore(database) },
    demosPerNetworkMax: demosPerNetworkMax(config.addressLimitFactor),
    members: store.members,
    sessionStore,
    sessions: memberSessions,
    codes: store.codes,
    devices: devices(store.devices, secrets.codeKey, random),
    captcha: captcha(store.captchas, { key: secrets.captchaKey, random, workMax: config.captchaWorkMax }),
    budgets: accountBudgets(budgetsStore(database), config.addressLimitFactor),
    passwords: passwords(random, { cost: parts.passwordCost }),
    mail,
    mails: mailTexts,
    events,
    ...{ random, codeKey: secrets.codeKey, websocketKey: secrets.websocketKey },
    security,
    passkeys: passkeyStore(database),
    passkeySite: passkeySites(config.proxy?.publicUrl),
    providers: providerStore(database),
    provider:
      config.logInProvider === undefined
        ? undefined
        : logInProvider({ ...config.logInProvider, steady, log }),
    texts,
    ...{ productName: config.productName, linkBase, recoveries },
    newDeviceCode: config.newDeviceCode,
    kyc,
    cleanPicture: cleanPictures(),
    ...{ restrictedCountries: config.restrictedCountries, isCommonPassword },
  };
  const sweep = async (now: Millis): Promise<void> => {
    for (const part of [store, kyc, recoveries, queue]) await part.sweep(now);
    await endDueResets(deps, now);
    await staffWatch.tell(now);
    await notices.tell(now);
    await endIdleDemos({ demos, events, demoOver: parts.demoOver }, now);
  };
  return {
    handlers: accountHandlers(deps),
    isCommonPassword,
    passkeysElsewhere: () =>
      passkeysElsewhere(database, config.proxy?.publicUrl.hostname ?? PASSKEY_HOST_ALONE),
    sessions: memberSessions,
    events,
    demoSeen: demos.seen,
    verifyStreamLogin: (args, origin, now) =>
      verifyWebsocketArgs(args, origin, { sessions: sessionStore, key: secrets.websocketKey, now }),
    store: { ...store, sweep },
    ...{ mails, staffWatch, letters: letterRoom },
    staffLetters: { security, mails: mailTexts, linkBase },
    kyc: kycReview({
      ...{ store: kyc, security, markPicture: markPictures(), productName: config.productName },
    }),
    ...{ openingAllowed: terms.allowed, moneyOutAllowed: moneyOutAllowed(security) },
    tierOf: async (user) => tierOf((await kyc.standing(user)).state),
  };
}
