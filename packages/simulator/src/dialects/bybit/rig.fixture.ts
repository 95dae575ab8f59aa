import type { Millis } from '@crossbook/domain';
import { openQuietVenue } from '../../quiet-venue.fixture.ts';
import { hexHmac } from '../wire/hmac.ts';
import {
  DialectRig,
  encode,
  type KeyPair,
  openServer,
  type RestAnswer,
  randomText,
  type TestSocket,
} from '../wire/rig.fixture.ts';
import { BybitDialect } from './dialect.ts';
import type { BybitLimits } from './rate-limits.ts';
import { logOnPayload, restPayload } from './sign.ts';

/** For tests only: the dialect on a port of its own, over a small venue whose clock moves by hand. */

/** Friday 2027-01-08 12:00:00.500 UTC: not on the edge of any bar or window. */
export const BEGINNING = Date.UTC(2027, 0, 8, 12, 0, 0, 500);
const UNLIMITED: BybitLimits = {
  addressCallsPer5SecondsMax: 1e12,
  connectionsPer5MinutesMax: 1e12,
  accountCallsFactor: 1e9,
};

/** How to send a signed call: GET with `params`, or POST with `body`. */
export interface SignedCall {
  readonly params?: Readonly<Record<string, string | number>>;
  readonly body?: unknown;
  readonly timestamp?: number;
  readonly receiveWindow?: string;
  readonly secret?: string;
}

export class BybitRig extends DialectRig {
  /** Puts the dialect behind the port. */
  start(limits: Partial<BybitLimits>): this {
    const { slug, spot, perps, story } = this.venue;
    this.serve(
      new BybitDialect({
        venue: { slug, spot, perps, story, watch: (market, symbol) => this.watch(market, symbol) },
        faults: this.faults,
        randomText,
        limits: { ...UNLIMITED, ...limits },
        onFault: (fault) => this.complaints.push(fault),
      }),
    );
    return this;
  }

  async signed(key: KeyPair, path: string, call: SignedCall = {}): Promise<RestAnswer> {
    const timestamp = String(call.timestamp ?? this.now);
    const receiveWindow = call.receiveWindow ?? '5000';
    const posted = call.body !== undefined;
    const sent = posted ? JSON.stringify(call.body) : encode(call.params ?? {});
    const payload = restPayload({ timestamp, apiKey: key.apiKey, receiveWindow, sent });
    const headers = {
      'x-bapi-api-key': key.apiKey,
      'x-bapi-timestamp': timestamp,
      'x-bapi-recv-window': receiveWindow,
      'x-bapi-sign': hexHmac(call.secret ?? key.secret, payload),
      ...(posted ? { 'content-type': 'application/json' } : {}),
    };
    return posted
      ? await this.send('POST', path, { headers, body: sent })
      : await this.send('GET', sent === '' ? path : `${path}?${sent}`, { headers });
  }

  /** A private or trade socket that has logged on. */
  async loggedOn(path: string, key: KeyPair): Promise<TestSocket> {
    const socket = await this.socket(path);
    socket.send({ op: 'auth', args: this.logOn(key) });
    await socket.hear((message) => message.op === 'auth');
    return socket;
  }

  /** The arguments of a log-on. */
  logOn({ apiKey, secret }: KeyPair, expires = this.now + 10_000): readonly unknown[] {
    return [apiKey, expires, hexHmac(secret, logOnPayload(String(expires)))];
  }
}

/** Starts a rig; the venue's limits hold only where they are named. */
export async function startRig(limits: Partial<BybitLimits> = {}): Promise<BybitRig> {
  const clock = { now: BEGINNING };
  const venues = [await openQuietVenue('bybit', { clock: () => clock.now as Millis })];
  return new BybitRig({ clock, venues, server: await openServer() }).start(limits);
}
