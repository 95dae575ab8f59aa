import type { Millis } from '@crossbook/domain';
import type { AccountNumber } from '../../exchange.ts';
import { openQuietVenue } from '../../quiet-venue.fixture.ts';
import { type KeyPair, type RestAnswer, ServerRig, serveVenues, TestSocket } from '../wire/rig.fixture.ts';
import { signature } from './sign.ts';

/** For tests only: a simulator with OKX alone in this process, whose clock moves by hand. */

/** Friday 2026-11-20 12:00:00.500 UTC: not on the edge of any bar or window. */
export const BEGINNING = Date.UTC(2026, 10, 20, 12, 0, 0, 500);

export interface Key extends KeyPair {
  readonly passphrase: string;
  readonly account: AccountNumber;
}

/** How to send a signed call. */
export interface SignedCall {
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** Of the signature's time from the simulator's. */
  readonly offsetMillis?: number;
}

export class TestRig extends ServerRig {
  override async key(label: string, funds: Readonly<Record<string, string>> = {}): Promise<Key> {
    const account = await this.account(label, funds);
    const passphrase = 'Pass-phrase1';
    return { account, passphrase, ...(await this.venue.spot.createKey(account, passphrase)) };
  }

  signed(key: Key, method: string, pathAndQuery: string, call: SignedCall = {}): Promise<RestAnswer> {
    const timestamp = new Date(this.now + (call.offsetMillis ?? 0)).toISOString();
    const body = call.body === undefined ? '' : JSON.stringify(call.body);
    const headers = {
      'ok-access-key': key.apiKey,
      'ok-access-sign': signature(key.secret, timestamp + method + pathAndQuery + body),
      'ok-access-timestamp': timestamp,
      'ok-access-passphrase': key.passphrase,
      'content-type': 'application/json',
      ...call.headers,
    };
    return this.send(method, pathAndQuery, body === '' ? { headers } : { headers, body });
  }

  override async admin(method: string, call: string, body?: object): Promise<RestAnswer> {
    return await super.admin(method, call, body === undefined ? undefined : { venue: 'okx', ...body });
  }

  override async socket(path: 'public' | 'business' | 'private'): Promise<ChannelSocket> {
    return await new ChannelSocket(`${this.url.replace('http', 'ws')}/ws/v5/${path}`).whenOpen();
  }

  /** A private socket of this key. */
  async loggedIn(key: Key): Promise<ChannelSocket> {
    const socket = await this.socket('private');
    socket.send({ op: 'login', args: [this.loginArgument(key)] });
    await socket.hear((message) => message.event === 'login');
    return socket;
  }

  loginArgument(key: Key, offsetSeconds = 0): Readonly<Record<string, string>> {
    const timestamp = String(Math.floor(this.now / 1_000) + offsetSeconds);
    const { apiKey, passphrase } = key;
    const sign = signature(key.secret, `${timestamp}GET/users/self/verify`);
    return { apiKey, passphrase, timestamp, sign };
  }
}

/** A socket that subscribes to channels. */
export class ChannelSocket extends TestSocket {
  subscribe(...args: readonly object[]): void {
    this.send({ id: '1', op: 'subscribe', args });
  }

  /** Everything pushed on a channel so far. */
  // biome-ignore lint/suspicious/noExplicitAny: messages are what is under test
  pushes(channel: string): any[] {
    return this.heard.filter((message) => message.arg?.channel === channel && message.event === undefined);
  }
}

/** Starts a rig. `limited`: whether rate limits hold. */
export async function startRig(options: { readonly limited?: boolean } = {}): Promise<TestRig> {
  const clock = { now: BEGINNING };
  const venues = [await openQuietVenue('okx', { clock: () => clock.now as Millis })];
  const complaints: unknown[] = [];
  const server = await serveVenues(venues, complaints, { limited: options.limited ?? false });
  return new TestRig({ venues, server, complaints, clock });
}
