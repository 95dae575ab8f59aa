import { amount, type Lots } from '@crossbook/domain';
import { MASTER_LABEL } from '../../../accounts/labels.ts';
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

export class MemberRig extends CoreRig {
  static async open(): Promise<MemberRig> {
    const rig = new MemberRig(await ContractRig.open('binance'), await openServer());
    const { venue, ...parts } = rig.parts;
    const { spot, perps } = venue;
    return rig.serve(
      new BinanceFuturesDialect({ ...parts, venue }),
      new BinanceDialect({ ...parts, exchange: spot, perps }),
    );
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
}
