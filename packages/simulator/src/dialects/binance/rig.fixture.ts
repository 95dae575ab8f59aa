import { randomBytes } from 'node:crypto';
import type { Millis, PlatformSlug } from '@crossbook/domain';
import type { OpenedExchange } from '../../core.ts';
import type { ReplayPlan } from '../../market/story/replay.ts';
import { openVenues } from '../../open-venue.ts';
import { hexHmac } from '../wire/hmac.ts';
import {
  encode,
  type KeyPair,
  type Params,
  type RestAnswer,
  ServerRig,
  serveVenues,
  TestSocket,
} from '../wire/rig.fixture.ts';
import type { BinanceLimits } from './rate-limits.ts';

/** For tests only: a whole simulator in this process whose clock moves by hand. */

/** Friday 2026-01-02 12:00:00.500 UTC: not on the edge of any bar or window. */
const BEGINNING = Date.UTC(2026, 0, 2, 12, 0, 0, 500);
const SEED = 7;

/** How to send a signed call. */
export interface SignedCall {
  readonly method?: string;
  readonly params?: Params;
  readonly body?: Params;
  readonly timestamp?: number;
}

export class TestRig extends ServerRig {
  get exchange(): OpenedExchange {
    return this.venue.spot;
  }

  async signed(key: KeyPair, path: string, call: SignedCall = {}): Promise<RestAnswer> {
    const query = encode({ ...call.params, timestamp: call.timestamp ?? this.now });
    const body = call.body === undefined ? '' : encode(call.body);
    const sign = hexHmac(key.secret, query + body);
    const headers: Record<string, string> = { 'x-mbx-apikey': key.apiKey };
    if (body !== '') headers['content-type'] = 'application/x-www-form-urlencoded';
    return await this.send(call.method ?? 'GET', `${path}?${query}&signature=${sign}`, {
      headers,
      ...(body === '' ? {} : { body }),
    });
  }

  override async socket(path: string): Promise<ApiSocket> {
    return await new ApiSocket(this.url.replace('http', 'ws') + path).whenOpen();
  }
}

/** Who signs, and when. */
export interface Signer {
  readonly key: KeyPair;
  readonly now: number;
}

/** A socket that can also sign what it asks. */
export class ApiSocket extends TestSocket {
  /** One signed WebSocket API request and its answer. */
  // biome-ignore lint/suspicious/noExplicitAny: messages are what is under test
  async askSigned(signer: Signer, id: number, method: string, params: object = {}): Promise<any> {
    const { key, now } = signer;
    const all: Record<string, unknown> = { ...params, apiKey: key.apiKey, timestamp: now };
    const payload = Object.keys(all)
      .sort()
      .map((name) => `${name}=${String(all[name])}`)
      .join('&');
    return await this.ask(id, method, { ...all, signature: hexHmac(key.secret, payload) });
  }
}

/** Starts a rig. */
export async function startRig(
  options: {
    readonly limits?: Partial<BinanceLimits>;
    readonly replay?: ReplayPlan;
    /** Binance alone when absent; where given, Binance is the first. */
    readonly venues?: readonly PlatformSlug[];
  } = {},
): Promise<TestRig> {
  const clock = { now: BEGINNING };
  const complaints: unknown[] = [];
  const opened = await openVenues(options.venues ?? ['binance'], {
    seed: SEED,
    clock: () => clock.now as Millis,
    randomBytes: (size) => randomBytes(size),
    onFault: (fault) => complaints.push(fault),
    ...(options.replay === undefined ? {} : { replay: options.replay }),
  });
  if (!opened.ok) throw new Error(opened.code);
  const raised = { streamMessagesPerSecondMax: 1000, connectionsPer5MinutesMax: 100_000 };
  const binanceLimits = { ...raised, ...options.limits };
  const server = await serveVenues(opened.value, complaints, { binanceLimits });
  return new TestRig({ server, complaints, clock, venues: opened.value });
}
