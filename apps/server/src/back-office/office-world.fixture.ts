import { createHash, randomBytes } from 'node:crypto';
import type {
  AdminCallName,
  AdminInput,
  AdminResponse,
  AdminRole,
  CallInput,
  CallName,
  Envelope,
} from '@crossbook/contract';
import type { Millis } from '@crossbook/domain';
import { HubWorld } from '../accounts/hub-world.fixture.ts';
import { startTestHub } from '../main/testing.ts';
import { inviteAdmin } from '../storage/stores/office/admin-store.ts';

/** Code of success. */
export const SUCCESS = 1;
/** Of every admin of a test. */
export const ADMIN_PASSWORD = 'a long enough sentence';
/** Why tests do what they do. */
export const REASON = 'a test of the back office';

const LINK_MILLIS = 900_000;

/** A browser of an admin. */
export class AdminBrowser {
  readonly url: string;
  cookie: string | undefined;
  stoken: string | undefined;
  /** Names this browser; stays when sessions end. */
  device: string | undefined;
  /** What the newest answer told the browser to empty. */
  cleared: string | null = null;
  readonly headers: Record<string, string> = {};

  constructor(url: string) {
    this.url = url;
  }

  /** Sends fields to any call, of members too, exactly as given besides cookie, token and sosflag. */
  async send(name: AdminCallName | CallName, input: object): Promise<Envelope<unknown>> {
    const body = new URLSearchParams({ sosflag: '3', ...input });
    if (this.stoken !== undefined) body.set('stoken', this.stoken);
    const kept = [this.cookie, this.device].filter((pair) => pair !== undefined).join('; ');
    const headers = { ...(kept === '' ? {} : { cookie: kept }), ...this.headers };
    const response = await fetch(`${this.url}/api/${name}`, { method: 'POST', body, headers });
    this.cleared = response.headers.get('clear-site-data');
    for (const line of response.headers.getSetCookie()) {
      const pair = /^[^;]*/.exec(line)?.[0] ?? '';
      if (/^(__Host-)?oid=/.test(pair)) this.device = pair;
      else this.cookie = pair;
    }
    return (await response.json()) as Envelope<unknown>;
  }

  async call<Name extends AdminCallName>(
    name: Name,
    input: AdminInput<Name>,
  ): Promise<Envelope<AdminResponse<Name>>> {
    return (await this.send(name, input as CallInput<CallName>)) as Envelope<AdminResponse<Name>>;
  }

  /** A call whose refusal is the end of the test. */
  async must<Name extends AdminCallName>(name: Name, input: AdminInput<Name>): Promise<AdminResponse<Name>> {
    const { data, code, msg } = await this.call(name, input);
    if (data === null) throw new Error(`${name}: ${code} ${msg}`);
    return data;
  }

  /** Keeps the token of a session that has begun. */
  async begin(
    name: 'x/admin/Start' | 'x/admin/LogIn' | 'x/admin/Demo' | 'x/admin/PasskeyLogIn',
    input: object,
  ): Promise<number> {
    const answer = await this.send(name, input);
    if (answer.data !== null) this.stoken = (answer.data as { token: string }).token;
    return answer.code;
  }
}

/** A hub with admins. */
export class OfficeWorld extends HubWorld {
  #admins = 0;

  static async start(environment: Readonly<Record<string, string>> = {}): Promise<OfficeWorld> {
    return new OfficeWorld(await startTestHub({ environment }));
  }

  stranger(): AdminBrowser {
    return new AdminBrowser(this.hub.url);
  }

  /** A one-time link's token, as the command writes it. */
  async link(email: string, roles: readonly AdminRole[], renew = false): Promise<string> {
    const token = randomBytes(32).toString('base64url');
    const hash = createHash('sha256').update(token).digest('hex');
    const now = this.hub.now();
    const expiresAt = (now + LINK_MILLIS) as Millis;
    const invite = { email, roles, hash, invitedBy: 'operator@test', reason: REASON, now, expiresAt };
    if (!(await inviteAdmin(this.hub.database.owner, invite, renew))) throw new Error('no link');
    return token;
  }

  /** An admin who has just logged in by a link; changes are open where `proved` says so. */
  async admin(
    roles: readonly AdminRole[],
    proved = true,
    browser = this.stranger(),
  ): Promise<{ browser: AdminBrowser; secret: string; email: string }> {
    this.#admins += 1;
    const email = `admin${this.#admins}@example.org`;
    const token = await this.link(email, roles);
    const { secret } = await browser.must('x/admin/StartBegin', { token });
    const code = await browser.begin('x/admin/Start', {
      ...{ token, password: ADMIN_PASSWORD, totp: this.shows(secret, -1) },
    });
    if (code !== SUCCESS) throw new Error(`the link was refused: ${code}`);
    if (proved) await browser.must('x/admin/StepUp', { totp: this.shows(secret) });
    return { browser, secret, email };
  }
}
