import type { Lots } from '@crossbook/domain';
import type { AccountNumber } from '../../../exchange.ts';
import { ContractRig } from '../../../perps/contract-rig.fixture.ts';
import { CoreRig } from '../../wire/core-rig.fixture.ts';
import { encode, openServer, type Params, type RestAnswer } from '../../wire/rig.fixture.ts';
import { OkxDialect } from '../dialect.ts';
import { ChannelSocket, type Key } from '../rig.fixture.ts';
import { signature } from '../sign.ts';

/** For tests only: the dialect over the real core, whose marks, books and clock stand where they are put. */

/** The contract that tests trade. */
export const SWAP = 'BTC-USDT-SWAP';

/** A member: his account, his key, and the calls he signs. */
export class Member {
  readonly account: AccountNumber;
  readonly key: Key;
  readonly #rig: MemberRig;

  constructor(rig: MemberRig, key: Key) {
    this.#rig = rig;
    this.account = key.account;
    this.key = key;
  }

  /** A signed call; parameters are the query of a GET, the body of a POST. */
  async call(route: string, params: Params | readonly Params[] = {}): Promise<RestAnswer> {
    const [method = 'GET', name = ''] = route.split(' ');
    const query = method === 'GET' ? encode(params as Params) : '';
    const target = `/api/v5/${name}${query === '' ? '' : `?${query}`}`;
    const body = method === 'GET' ? '' : JSON.stringify(params);
    const timestamp = new Date(this.#rig.core.now).toISOString();
    const headers = {
      'ok-access-key': this.key.apiKey,
      'ok-access-sign': signature(this.key.secret, timestamp + method + target + body),
      'ok-access-timestamp': timestamp,
      'ok-access-passphrase': this.key.passphrase,
      'content-type': 'application/json',
    };
    const init = { method, headers, ...(method === 'GET' ? {} : { body }) };
    const response = await fetch(this.#rig.url + target, init);
    return { status: response.status, headers: response.headers, body: await response.json() };
  }

  /** The rows of a call that must succeed. */
  async ask(route: string, params: Params | readonly Params[] = {}): Promise<RestAnswer['body']> {
    const { body } = await this.call(route, params);
    if (body.code !== '0') throw new Error(`${route}: ${JSON.stringify(body)}`);
    return body.data;
  }

  /** An order, at market without a price. @returns its acknowledgement, or what was refused. */
  async order(side: 'buy' | 'sell', sz: string, more: Params = {}): Promise<Record<string, string>> {
    const ordType = more.px === undefined ? 'market' : 'limit';
    const order = { instId: SWAP, tdMode: 'cross', side, sz, ordType, ...more };
    return (await this.call('POST trade/order', order)).body.data[0];
  }

  /** Trades against a house that offers exactly that at a price. @returns `ordId`. */
  async trade(side: 'buy' | 'sell', sz: string, at: number, more: Params = {}): Promise<string> {
    const lots = Math.round(Number(sz) * 100) as Lots;
    this.#rig.core.house(SWAP, side === 'buy' ? 'SELL' : 'BUY', at, lots);
    const { sCode, sMsg, ordId = '' } = await this.order(side, sz, more);
    if (sCode !== '0') throw new Error(`${sCode} ${sMsg}`);
    return ordId;
  }

  /** A private socket that follows some channels, by event only. */
  async listen(...channels: readonly object[]): Promise<ChannelSocket> {
    return await this.listenAt('private', ...channels);
  }

  async listenAt(door: 'private' | 'business', ...channels: readonly object[]): Promise<ChannelSocket> {
    const socket = await this.#rig.socket(door);
    const { apiKey, passphrase, secret } = this.key;
    const timestamp = String(Math.floor(this.#rig.core.now / 1_000));
    const sign = signature(secret, `${timestamp}GET/users/self/verify`);
    socket.send({ op: 'login', args: [{ apiKey, passphrase, timestamp, sign }] });
    await socket.hear(({ event }) => event === 'login');
    const extraParams = '{"updateInterval":"0"}';
    socket.subscribe(...channels.map((channel) => ({ extraParams, ...channel })));
    let acknowledged = 0;
    await socket.hear(() => {
      acknowledged = socket.heard.filter(({ event }) => event === 'channel-conn-count').length;
      return acknowledged === channels.length;
    });
    return socket;
  }

  /** The account as the venue's books have it: positions, size by side and mode. */
  async held(): Promise<readonly string[]> {
    const rows: Record<string, string>[] = await this.ask('GET account/positions');
    return rows.map(({ instId, mgnMode, posSide, pos }) => `${instId} ${mgnMode} ${posSide} ${pos}`);
  }
}

export class MemberRig extends CoreRig {
  static async open(): Promise<MemberRig> {
    return new MemberRig(await ContractRig.open('okx'), await openServer()).#begin();
  }

  #begin(): this {
    return this.serve(new OkxDialect({ ...this.parts, limited: false }));
  }

  /** A member with so much money. `spotOnly`: his account was never switched to Futures mode. */
  async member(label: string, funds = '10000', spotOnly = false): Promise<Member> {
    const account = await this.core.member(`sub:${label}`, funds);
    const passphrase = 'Pass-phrase1';
    const key = { account, passphrase, ...(await this.core.exchange.createKey(account, passphrase)) };
    const member = new Member(this, key);
    if (!spotOnly) await member.ask('POST account/set-account-level', { acctLv: '2' });
    return member;
  }

  async socket(path: 'public' | 'business' | 'private'): Promise<ChannelSocket> {
    return await new ChannelSocket(`${this.url.replace('http', 'ws')}/ws/v5/${path}`).whenOpen();
  }

  /** What the dialect remembers goes, as with its process; `meanwhile` nobody acts for it. */
  async restarted(meanwhile: () => Promise<void> | void): Promise<void> {
    this.unserve();
    await meanwhile();
    this.#begin();
  }
}
