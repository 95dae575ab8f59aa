import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { amount, type Lots, type PlatformSlug } from '@crossbook/domain';
import { MASTER_LABEL } from '../../../accounts/labels.ts';
import type { AccountNumber } from '../../../exchange.ts';
import { FaultBox } from '../../../faults.ts';
import { ContractRig } from '../../../perps/contract-rig.fixture.ts';
import type { Dialect } from '../../dialect.ts';
import { hexHmac } from '../../wire/hmac.ts';
import {
  encode,
  type KeyPair,
  openServer,
  type Params,
  type RestAnswer,
  randomText,
  type TestSocket,
} from '../../wire/rig.fixture.ts';
import { BinanceDialect } from '../dialect.ts';
import { ApiSocket } from '../rig.fixture.ts';
import { BinanceFuturesDialect } from './dialect.ts';

/** For tests only: spot's and the futures' dialect over the real core, whose marks, books and clock stand where they are put. */

/** A member: his account, his key, and the calls he signs. */
export class Member {
  readonly account: AccountNumber;
  readonly key: KeyPair;
  readonly #rig: MemberRig;

  constructor(rig: MemberRig, account: AccountNumber, key: KeyPair) {
    this.#rig = rig;
    this.account = account;
    this.key = key;
  }

  /** A signed call: `POST /fapi/v1/order`. */
  call(route: string, params: Params = {}): Promise<RestAnswer> {
    const [method = 'GET', path = '/'] = route.split(' ');
    const query = encode({ ...params, timestamp: this.#rig.core.now });
    const sign = hexHmac(this.key.secret, query);
    return this.#rig.send(method, `${path}?${query}&signature=${sign}`, this.key.apiKey);
  }

  /** The body of a call that must succeed. */
  async ask(route: string, params: Params = {}): Promise<RestAnswer['body']> {
    const { status, body } = await this.call(route, params);
    if (status !== 200) throw new Error(`${route}: ${status} ${JSON.stringify(body)}`);
    return body;
  }

  /** A limit order, `at` absent a market order. */
  order(side: 'BUY' | 'SELL', quantity: string, more: Params & { at?: string } = {}): Promise<RestAnswer> {
    const { at, ...rest } = more;
    const kind = at === undefined ? { type: 'MARKET' } : { type: 'LIMIT', timeInForce: 'GTC', price: at };
    const params = { symbol: 'BTCUSDT', side, quantity, newOrderRespType: 'RESULT', ...kind, ...rest };
    return this.call('POST /fapi/v1/order', params as Params);
  }

  /** Trades against a house that offers exactly that at a price. */
  async trade(
    side: 'BUY' | 'SELL',
    quantity: string,
    at: number,
    more: Params = {},
  ): Promise<RestAnswer['body']> {
    const lots = Math.round(Number(quantity) * 1000) as Lots;
    this.#rig.core.house('BTCUSDT', side === 'BUY' ? 'SELL' : 'BUY', at, lots);
    const { status, body } = await this.order(side, quantity, more);
    if (status !== 200 || body.status !== 'FILLED') throw new Error(`${status} ${JSON.stringify(body)}`);
    return body;
  }

  /** His private stream: what it has told, in order. */
  async listen(path = '/private/ws?listenKey='): Promise<TestSocket> {
    const { listenKey } = await this.ask('POST /fapi/v1/listenKey');
    return await this.#rig.socket(path + listenKey);
  }
}

export class MemberRig {
  readonly core: ContractRig;
  readonly faults = new FaultBox();
  readonly complaints: unknown[] = [];
  readonly url: string;
  readonly #server: Server;
  readonly #dialects: readonly Dialect[];

  private constructor(core: ContractRig, server: Server) {
    this.core = core;
    this.#server = server;
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const { faults } = this;
    const onFault = (fault: unknown) => this.complaints.push(fault);
    const venue = {
      slug: 'binance' as PlatformSlug,
      spot: core.exchange,
      perps: core.perps,
      story: { premium: () => 0, longShare: () => 0.5, indexParts: () => [] },
      watch: () => () => undefined,
    };
    this.#dialects = [
      new BinanceFuturesDialect({ venue, faults, randomText, onFault }),
      new BinanceDialect({ exchange: core.exchange, perps: core.perps, faults, randomText, onFault }),
    ];
    server.on('request', (request, response) => {
      const path = (request.url ?? '/').split('?')[0] ?? '/';
      const owner = this.#dialects.find((dialect) => dialect.owns(path));
      owner?.handleHttp(request, response).catch(onFault);
    });
    server.on('upgrade', (request, socket, head) => {
      socket.on('error', () => socket.destroy());
      const taken = this.#dialects.some((dialect) => dialect.handleUpgrade(request, socket, head));
      if (!taken) socket.end('HTTP/1.1 404 Not Found\r\n\r\n');
    });
  }

  static async open(): Promise<MemberRig> {
    return new MemberRig(await ContractRig.open('binance'), await openServer());
  }

  /** A member with so much in his futures wallet. */
  async member(label: string, funds = '10000'): Promise<Member> {
    const account = await this.core.member(`sub:${label}`, funds);
    return new Member(this, account, await this.core.exchange.createKey(account));
  }

  /** The master with so much in spot. */
  async master(funds: string): Promise<Member> {
    const account = await this.core.exchange.openAccount(MASTER_LABEL);
    await this.core.exchange.credit(account, 'USDT', amount(funds), 'first of the master');
    return new Member(this, account, await this.core.exchange.createKey(account));
  }

  async send(method: string, pathAndQuery: string, apiKey: string): Promise<RestAnswer> {
    const response = await fetch(this.url + pathAndQuery, { method, headers: { 'x-mbx-apikey': apiKey } });
    return { status: response.status, headers: response.headers, body: await response.json() };
  }

  async socket(path: string): Promise<ApiSocket> {
    return await new ApiSocket(this.url.replace('http', 'ws') + path).whenOpen();
  }

  async close(): Promise<void> {
    for (const dialect of this.#dialects) dialect.close();
    const closed = once(this.#server, 'close');
    this.#server.close();
    this.#server.closeAllConnections();
    for (const dialect of this.#dialects) dialect.dropSockets('all');
    await closed;
    await this.core.exchange.close();
  }
}
