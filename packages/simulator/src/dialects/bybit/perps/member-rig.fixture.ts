import type { Lots } from '@crossbook/domain';
import type { AccountNumber } from '../../../exchange.ts';
import { ContractRig } from '../../../perps/contract-rig.fixture.ts';
import { CoreRig } from '../../wire/core-rig.fixture.ts';
import { hexHmac } from '../../wire/hmac.ts';
import {
  encode,
  type KeyPair,
  openServer,
  type Params,
  type RestAnswer,
  TestSocket,
} from '../../wire/rig.fixture.ts';
import { BybitDialect } from '../dialect.ts';
import { BYBIT_LIMITS, type BybitLimits } from '../rate-limits.ts';
import { logOnPayload, restPayload } from '../sign.ts';

/** For tests only: the dialect over the real core, whose marks, books and clock stand where they are put. */

/** What every order on the contract of the tests says. */
export const BTC = { category: 'linear', symbol: 'BTCUSDT' } as const;

/** A member: his account, his key, and the calls he signs. */
export class Member {
  readonly account: AccountNumber;
  readonly #rig: MemberRig;
  readonly #key: KeyPair;

  constructor(rig: MemberRig, account: AccountNumber, key: KeyPair) {
    this.#rig = rig;
    this.account = account;
    this.#key = key;
  }

  /** A signed call: `POST order/create`. */
  async call(route: string, params: Params | object = {}): Promise<RestAnswer> {
    const [method = 'GET', path = ''] = route.split(' ');
    const posted = method === 'POST';
    const sent = posted ? JSON.stringify(params) : encode(params as Params);
    const timestamp = String(this.#rig.core.now);
    const { apiKey, secret } = this.#key;
    const payload = restPayload({ timestamp, apiKey, receiveWindow: '5000', sent });
    const headers = {
      ...{ 'x-bapi-api-key': apiKey, 'x-bapi-timestamp': timestamp, 'x-bapi-recv-window': '5000' },
      ...{ 'x-bapi-sign': hexHmac(secret, payload), 'content-type': 'application/json' },
    };
    const url = `${this.#rig.url}/v5/${path}${posted || sent === '' ? '' : `?${sent}`}`;
    const response = await fetch(url, { method, headers, ...(posted ? { body: sent } : {}) });
    return { status: response.status, headers: response.headers, body: await response.json() };
  }

  /** The result of a call that must succeed. */
  async ask(route: string, params: Params | object = {}): Promise<RestAnswer['body']> {
    const { body } = await this.call(route, params);
    if (body.retCode !== 0) throw new Error(`${route}: ${JSON.stringify(body)}`);
    return body.result;
  }

  /** The code of a call, with its text. */
  async refusal(route: string, params: Params | object = {}): Promise<readonly [code: number, text: string]> {
    const { body } = await this.call(route, params);
    return [body.retCode, body.retMsg];
  }

  /** The first row of a list. */
  async first(route: string, params: Params = {}): Promise<RestAnswer['body']> {
    return (await this.ask(route, { ...BTC, ...params })).list[0];
  }

  /** A limit order, `at` absent a market order. */
  order(
    side: 'Buy' | 'Sell',
    qty: string,
    more: Readonly<Record<string, unknown>> & { at?: string } = {},
  ): Promise<RestAnswer> {
    const { at, ...rest } = more;
    const kind = at === undefined ? { orderType: 'Market' } : { orderType: 'Limit', price: at };
    return this.call('POST order/create', { ...BTC, side, qty, ...kind, ...rest });
  }

  /** Trades against a house that offers exactly that at a price. @returns the order's id. */
  async trade(
    side: 'Buy' | 'Sell',
    qty: string,
    at: number,
    more: Readonly<Record<string, unknown>> = {},
  ): Promise<string> {
    const lots = Math.round(Number(qty) * 1000) as Lots;
    this.#rig.core.house('BTCUSDT', side === 'Buy' ? 'SELL' : 'BUY', at, lots);
    const { body } = await this.order(side, qty, more);
    if (body.retCode !== 0) throw new Error(JSON.stringify(body));
    return body.result.orderId;
  }

  /** His private or his trade socket, logged on. */
  async socket(path: '/v5/private' | '/v5/trade'): Promise<TestSocket> {
    const socket = await new TestSocket(this.#rig.url.replace('http', 'ws') + path).whenOpen();
    const expires = String(this.#rig.core.now + 10_000);
    const { apiKey, secret } = this.#key;
    socket.send({ op: 'auth', args: [apiKey, expires, hexHmac(secret, logOnPayload(expires))] });
    await socket.hear((message) => message.op === 'auth');
    return socket;
  }

  /** His private stream, subscribed to topics. */
  async listen(...topics: readonly string[]): Promise<TestSocket> {
    const socket = await this.socket('/v5/private');
    socket.send({ req_id: 'topics', op: 'subscribe', args: topics });
    await socket.hear((message) => message.req_id === 'topics');
    return socket;
  }
}

export class MemberRig extends CoreRig {
  /** The clock stands still, and so would the limits: they are lifted unless they are named. */
  static async open(limits: Partial<BybitLimits> = {}): Promise<MemberRig> {
    const lifted = {
      ...BYBIT_LIMITS,
      ...{ addressCallsPer5SecondsMax: 1e12, connectionsPer5MinutesMax: 1e12, accountCallsFactor: 1e9 },
      ...limits,
    };
    const rig = new MemberRig(await ContractRig.open('bybit'), await openServer());
    return rig.serve(new BybitDialect({ ...rig.parts, limits: lifted }));
  }

  /** A member with so much in his account. */
  async member(label: string, funds = '10000'): Promise<Member> {
    const account = await this.core.member(`sub:${label}`, funds);
    return new Member(this, account, await this.core.exchange.createKey(account));
  }
}
