/// <reference path="./oidc-provider.d.ts" />
import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Provider } from 'oidc-provider';

/** Somebody with an account at the provider. */
export interface Person {
  readonly email?: string;
  readonly email_verified?: boolean;
}

/** What a token claims. */
export type Claims = Readonly<Record<string, unknown>>;

/** How the provider behaves where it is asked: `undefined` is honestly. */
export interface Misbehaviour {
  /** Paths that it concerns. */
  readonly at: RegExp;
  readonly how: 'hangs' | 'hangs up' | 'megabytes' | 'error page' | 'no JSON' | 'leads elsewhere';
}

const CLIENT = { id: 'crossbook', secret: 'a-secret-of-thirty-two-characters' };
const BIG = Buffer.alloc(1024 * 1024, ' ');

function base64url(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

/** A signed token, or with `none` one without a signature. */
function tokenOf(
  claims: Claims,
  header: { readonly alg: string; readonly kid?: string },
  key: KeyObject,
): string {
  const input = `${base64url({ typ: 'JWT', ...header })}.${base64url(claims)}`;
  if (header.alg === 'none') return `${input}.`;
  return `${input}.${sign('sha256', Buffer.from(input), key).toString('base64url')}`;
}

/** A real OpenID Connect provider on loopback, whose answers a test may spoil on their way out. */
export class RealProvider {
  readonly url: string;
  readonly people = new Map<string, Person>();
  misbehaves: Misbehaviour | undefined;
  /** Makes another ID token of the real one's claims. */
  forge: ((claims: Claims) => string) | undefined;
  /** What the discovery document says besides. */
  claimsToBe: Claims = {};
  /** What the user info says besides. */
  tells: Claims = {};
  /** Paths that were asked for. */
  readonly asked: string[] = [];
  readonly #server: Server;
  readonly #key: KeyObject;
  readonly #foreignKey = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
  #provider: ReturnType<Provider['callback']> | undefined;

  private constructor(server: Server, key: KeyObject, host: string) {
    this.#server = server;
    this.#key = key;
    this.url = `http://${host}:${(server.address() as AddressInfo).port}`;
    server.on('request', (request, response) => this.#answer(request, response));
  }

  /** @param host `localhost` is another site than 127.0.0.1 to a browser. */
  static async start(host: 'localhost' | '127.0.0.1' = '127.0.0.1'): Promise<RealProvider> {
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return new RealProvider(server, privateKey, host);
  }

  /** What the hub is started with. */
  get environment(): Readonly<Record<string, string>> {
    const { id, secret } = CLIENT;
    return {
      ...{ OIDC_ISSUER: this.url, OIDC_CLIENT_ID: id, OIDC_CLIENT_SECRET: secret },
      OIDC_LABEL: 'Example ID',
    };
  }

  /** Knows a hub from now on. @param settings of the provider besides. */
  serve(hub: string, settings: object = {}): void {
    const jwk = this.#key.export({ format: 'jwk' });
    this.#provider = new Provider(this.url, {
      clients: [
        {
          ...{ client_id: CLIENT.id, client_secret: CLIENT.secret },
          redirect_uris: [`${hub}/oauth`],
          ...{ grant_types: ['authorization_code'], response_types: ['code'] },
        },
      ],
      jwks: { keys: [{ ...jwk, kid: 'real', use: 'sig', alg: 'RS256' }] },
      ttl: { AccessToken: 600, Grant: 3_600, IdToken: 600, Interaction: 600, Session: 3_600 },
      cookies: { keys: ['cookies of a test'] },
      claims: { openid: ['sub'], email: ['email', 'email_verified'] },
      findAccount: (_context: unknown, id: string) => ({
        accountId: id,
        claims: () => ({ sub: id, ...this.people.get(id) }),
      }),
      ...settings,
    }).callback();
  }

  /** A token that the provider's own key signs. */
  signed(claims: Claims): string {
    return tokenOf(claims, { alg: 'RS256', kid: 'real' }, this.#key);
  }

  /** A token that another key signs under the name of the provider's. */
  signedByAnother(claims: Claims): string {
    return tokenOf(claims, { alg: 'RS256', kid: 'real' }, this.#foreignKey);
  }

  unsigned(claims: Claims): string {
    return tokenOf(claims, { alg: 'none' }, this.#key);
  }

  #answer(request: IncomingMessage, response: ServerResponse): void {
    const path = request.url ?? '';
    this.asked.push(path.replace(/\?.*/, ''));
    if (path === '/favicon.ico') {
      response.writeHead(204).end();
      return;
    }
    const bad = this.misbehaves;
    if (bad?.at.test(path) === true) {
      misbehave(bad.how, response);
      return;
    }
    const { forge, claimsToBe, tells } = this;
    if (path === '/token' && forge !== undefined) spoil(response, (answer) => forged(answer, forge));
    if (path.startsWith('/.well-known/')) spoil(response, (answer) => ({ ...answer, ...claimsToBe }));
    if (path === '/me') spoil(response, (answer) => ({ ...answer, ...tells }));
    this.#provider?.(request, response);
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

/** Changes a JSON answer on its way out. */
function spoil(response: ServerResponse, change: (answer: Claims) => Claims): void {
  const end = response.end.bind(response) as (body: string) => ServerResponse;
  response.end = ((body: string) => {
    const spoiled = JSON.stringify(change(JSON.parse(body)));
    response.setHeader('content-length', Buffer.byteLength(spoiled));
    return end(spoiled);
  }) as ServerResponse['end'];
}

function forged(answer: Claims, forge: (claims: Claims) => string): Claims {
  if (typeof answer.id_token !== 'string') return answer;
  const [, claims = ''] = answer.id_token.split('.');
  return { ...answer, id_token: forge(JSON.parse(Buffer.from(claims, 'base64url').toString())) };
}

function misbehave(how: Misbehaviour['how'], response: ServerResponse): void {
  if (how === 'hangs') return;
  if (how === 'hangs up') {
    response.destroy();
  } else if (how === 'megabytes') {
    response.writeHead(200, { 'content-type': 'application/json' });
    const more = (): void => {
      // Goes on until the other side has had enough.
      while (!response.destroyed && response.write(BIG));
      response.once('drain', more);
    };
    more();
  } else if (how === 'error page') {
    response.writeHead(503, { 'content-type': 'text/html' }).end('<h1>down</h1>');
  } else if (how === 'no JSON') {
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"issuer":');
  } else {
    response.writeHead(302, { location: 'http://127.0.0.1:9/elsewhere' }).end();
  }
}

/** A browser at the provider: its cookies, and the two forms that it fills in there. */
export async function visitAs(start: string, login: string): Promise<URLSearchParams> {
  const cookies = new Map<string, string>();
  let url = start;
  let body: URLSearchParams | undefined;
  for (let step = 0; step < 20; step += 1) {
    const response = await fetch(url, {
      redirect: 'manual',
      headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
      ...(body === undefined ? {} : { method: 'POST', body }),
    });
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      cookies.set(name, value);
    }
    body = undefined;
    const text = await response.text();
    const location = response.headers.get('location');
    if (location !== null) {
      const next = new URL(location, url);
      if (next.pathname === '/oauth') return next.searchParams;
      url = next.href;
      continue;
    }
    const prompt = /name="prompt" value="(login|consent)"/.exec(text)?.[1];
    const action = /<form[^>]* action="([^"]+)"/.exec(text)?.[1];
    if (prompt === undefined || action === undefined) throw new Error(`no form: ${response.status} ${text}`);
    url = new URL(action, url).href;
    body = new URLSearchParams({ prompt, ...(prompt === 'login' ? { login, password: 'any' } : {}) });
  }
  throw new Error('the provider goes round in circles');
}
