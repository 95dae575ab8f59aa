import type { CallHandlers } from '@crossbook/contract';
import type { Millis } from '@crossbook/domain';
import { accountBudgets } from '../accounts/budgets.ts';
import { captcha } from '../accounts/captcha.ts';
import { type AccountCallName, accountHandlers } from '../accounts/handlers.ts';
import { mailWriter } from '../accounts/mails.ts';
import { passwords } from '../accounts/passwords.ts';
import type { MailSender, RandomBytes } from '../accounts/ports.ts';
import { rememberSessions } from '../accounts/remembered-sessions.ts';
import { type SessionEvents, sessionEvents } from '../accounts/session-events.ts';
import { type Sessions, sessions } from '../accounts/sessions.ts';
import { type StreamLogin, verifyWebsocketArgs, type WebsocketArgs } from '../accounts/websocket-args.ts';
import type { Config } from '../config.ts';
import type { Database } from '../storage/postgres/database.ts';
import { type AccountsStore, accountsStore } from '../storage/stores/accounts-store.ts';
import { budgetsStore } from '../storage/stores/budgets-store.ts';
import type { Secrets } from './secrets.ts';

/** The accounts feature, put together. */
export interface AccountsPart {
  readonly handlers: Pick<CallHandlers, AccountCallName>;
  readonly sessions: Sessions;
  /** Told when a session ends: the stream gateway closes its connections. */
  readonly events: SessionEvents;
  /** Checks the login of a live connection; for the stream gateway. */
  verifyStreamLogin(args: WebsocketArgs, origin: string, now: Millis): Promise<StreamLogin | undefined>;
  readonly store: AccountsStore;
}

/** Puts the accounts feature together on a database. */
export function composeAccounts(parts: {
  readonly config: Config;
  readonly database: Database;
  readonly secrets: Secrets;
  readonly random: RandomBytes;
  readonly mail: MailSender;
}): AccountsPart {
  const { config, database, secrets, random, mail } = parts;
  const store = accountsStore(database);
  const events = sessionEvents();
  const sessionStore = rememberSessions(store.sessions, events);
  const memberSessions = sessions(sessionStore, secrets.stokenKey, random);
  const handlers = accountHandlers({
    members: store.members,
    sessionStore,
    sessions: memberSessions,
    codes: store.codes,
    captcha: captcha(store.captchas, { key: secrets.captchaKey, random, workMax: config.captchaWorkMax }),
    budgets: accountBudgets(budgetsStore(database), config.addressLimitFactor),
    passwords: passwords(random),
    mail,
    mails: mailWriter(config.productName),
    events,
    random,
    codeKey: secrets.codeKey,
    websocketKey: secrets.websocketKey,
  });
  return {
    handlers,
    sessions: memberSessions,
    events,
    verifyStreamLogin: (args, origin, now) =>
      verifyWebsocketArgs(args, origin, { sessions: sessionStore, key: secrets.websocketKey, now }),
    store,
  };
}
