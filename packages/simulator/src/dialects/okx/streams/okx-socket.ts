import { refused } from '@crossbook/domain';
import { mayTrade } from '../../../accounts/key-rights.ts';
import type { AccountNumber } from '../../../exchange.ts';
import { answerUnder } from '../../../faults.ts';
import type { FrameSubscriber } from '../../wire/channel-hub.ts';
import { parseJson } from '../../wire/json-text.ts';
import { openAccountType } from '../account-types.ts';
import type { Desk } from '../desk.ts';
import type { Outcome } from '../dispatch.ts';
import { ERRORS } from '../errors.ts';
import type { ParamBag } from '../params.ts';
import { bagOf } from '../params.ts';
import { type PublicHub, watched } from './channel-hub.ts';
import { readLogin } from './login.ts';
import { argumentText, type ChannelArgument, frameOf } from './market-channel.ts';
import { businessChannel, publicChannel } from './market-channels.ts';
import {
  FILLS_CHANNEL,
  needsLogin,
  type PrivateChannel,
  type PrivateParts,
  privateBusinessChannel,
  privateChannel,
} from './private-channels.ts';
import { invalidRequest, noChannel, SOCKET_ERRORS, type SocketError } from './socket-errors.ts';
import { parseSocketRequest, readArgument, type SocketRequest } from './socket-message.ts';
import { isTradeOperation, operate } from './trade-ops.ts';

const HOUR_MILLIS = 3_600_000;
/** Channels one connection may follow; OKX bounds only the length of a request. */
const SUBSCRIPTIONS_MAX = 2_000;
/** Operations of one connection that wait for their answer; beyond it the client is told to slow down. */
const OPERATIONS_IN_FLIGHT_MAX = 512;
const ORDER_BOOKS_OF_VIPS = new Set(['books-l2-tbt', 'books50-l2-tbt']);

/** One of OKX's sockets by path. */
export type Door = 'public' | 'business' | 'private';

/** The client at the other end of a connection. */
export interface OkxClient {
  readonly door: Door;
  /** Sends one text frame; the bytes may be shared with other sockets. */
  send(frame: Buffer | string): void;
  /** Closes without a close frame, as a network would. */
  drop(): void;
}

interface Subscription {
  readonly argument: ChannelArgument;
  stop(): void;
}

/** One connection to `/public`, `/business` or `/private`. */
export class OkxSocket implements FrameSubscriber {
  readonly #desk: Desk;
  readonly #hub: PublicHub;
  readonly #client: OkxClient;
  readonly #connId: string;
  readonly #subscriptions = new Map<string, Subscription>();
  #account: AccountNumber | undefined;
  #apiKey: string | undefined;
  #hour = 0;
  #heardThisHour = 0;
  #inFlight = 0;
  #closed = false;

  constructor(parts: { readonly desk: Desk; readonly hub: PublicHub; readonly client: OkxClient }) {
    this.#desk = parts.desk;
    this.#hub = parts.hub;
    this.#client = parts.client;
    this.#connId = parts.desk.randomText(8).toLowerCase();
  }

  deliver(frame: Buffer | string): void {
    this.#client.send(frame);
  }

  /** Takes one message of the client. */
  onText(text: string): void {
    const request = text === 'ping' ? undefined : parseSocketRequest(text);
    if (text === 'ping') this.deliver('pong');
    else if (request === undefined) this.#refuse(undefined, invalidRequest(text));
    else if (isTradeOperation(request.op)) void this.#operate(request);
    else if (!this.#counts()) this.#refuse(request.id, SOCKET_ERRORS.tooMany);
    else this.#obey(request, text);
  }

  /** The connection has gone. */
  end(): void {
    this.#closed = true;
    for (const subscription of this.#subscriptions.values()) subscription.stop();
    this.#subscriptions.clear();
  }

  /** Counts one control message. @returns whether it is still within the hour's number. */
  #counts(): boolean {
    const hour = Math.floor(this.#desk.now() / HOUR_MILLIS);
    if (hour !== this.#hour) {
      this.#hour = hour;
      this.#heardThisHour = 0;
    }
    this.#heardThisHour += 1;
    return this.#heardThisHour <= this.#desk.rates.limits.controlMessagesPerHourMax;
  }

  #obey(request: SocketRequest, text: string): void {
    const { id, op, args } = request;
    if (op === 'login') {
      void this.#login(request);
      return;
    }
    const known = op === 'subscribe' || op === 'unsubscribe';
    if (!known || args.length === 0) this.#refuse(id, invalidRequest(text));
    for (const bag of known ? args : []) {
      const argument = readArgument(bag);
      const error =
        argument === undefined
          ? invalidRequest(text)
          : op === 'subscribe'
            ? this.#subscribe(id, argument, bag)
            : this.#unsubscribe(id, argument);
      if (error !== undefined) this.#refuse(id, error);
    }
  }

  /** @returns why not; answers by itself where it subscribes. */
  #subscribe(id: string | undefined, argument: ChannelArgument, bag: ParamBag): SocketError | undefined {
    const name = argumentText(argument);
    if (ORDER_BOOKS_OF_VIPS.has(argument.channel)) return SOCKET_ERRORS.vip5;
    // Asking again is how clients get a book afresh: what follows begins with a new snapshot.
    this.#subscriptions.get(name)?.stop();
    this.#subscriptions.delete(name);
    if (this.#subscriptions.size >= SUBSCRIPTIONS_MAX) return SOCKET_ERRORS.tooMany;
    if (needsLogin(argument.channel)) return this.#subscribePrivate(id, argument, bag);
    const make = MARKET_CHANNELS[this.#client.door];
    const channel = this.#hub.join(name, this, () => watched(this.#desk, make?.(this.#desk, argument)));
    if (channel === undefined) return noChannel(argument);
    this.#subscriptions.set(name, { argument, stop: () => this.#hub.leave(name, this) });
    const greeting = channel.greeting?.(this.#desk.now());
    this.#tell(id, 'subscribe', argument);
    if (greeting !== undefined) this.deliver(frameOf(name, greeting));
    return undefined;
  }

  #subscribePrivate(
    id: string | undefined,
    argument: ChannelArgument,
    bag: ParamBag,
  ): SocketError | undefined {
    const account = this.#account;
    if (account === undefined) {
      return this.#client.door === 'public' ? noChannel(argument) : SOCKET_ERRORS.notLoggedIn;
    }
    if (this.#client.door === 'private' && argument.channel === FILLS_CHANNEL) return SOCKET_ERRORS.feeTier;
    const extra = bag.get('extraParams');
    const channel = PRIVATE_CHANNELS[this.#client.door]?.({
      desk: this.#desk,
      account,
      argument,
      updateInterval: typeof extra === 'string' ? intervalIn(extra) : undefined,
      send: (frame) => this.deliver(frame),
    });
    if (channel === undefined) return noChannel(argument);
    const { accountUpdates } = this.#desk;
    const unfollow = accountUpdates.follow(account, channel);
    const count = accountUpdates.countConnections(account, argument.channel, 1);
    const stop = () => {
      unfollow();
      channel.stop();
      accountUpdates.countConnections(account, argument.channel, -1);
    };
    this.#subscriptions.set(argumentText(argument), { argument, stop });
    this.#tell(id, 'subscribe', argument);
    this.deliver(
      `{"event":"channel-conn-count","channel":${JSON.stringify(argument.channel)},"connCount":"${count}","connId":"${this.#connId}"}`,
    );
    const greeting = channel.greeting();
    if (greeting !== '') this.deliver(greeting);
    return undefined;
  }

  #unsubscribe(id: string | undefined, argument: ChannelArgument): SocketError | undefined {
    const name = argumentText(argument);
    const subscription = this.#subscriptions.get(name);
    if (subscription === undefined) return noChannel(argument);
    subscription.stop();
    this.#subscriptions.delete(name);
    this.#tell(id, 'unsubscribe', argument);
    return undefined;
  }

  async #login({ id, args }: SocketRequest): Promise<void> {
    if (this.#client.door === 'public') return this.#refuse(id, SOCKET_ERRORS.otherUrl);
    const login = readLogin(this.#desk, args);
    if (!login.ok) return this.#refuse(id, login.code);
    try {
      const account = await openAccountType(this.#desk, login.value.account, '18');
      if (this.#account !== undefined && this.#account !== account) {
        return this.#refuse(id, SOCKET_ERRORS.otherAccount);
      }
      this.#account = account;
      this.#apiKey = login.value.apiKey;
      this.deliver(`{${idPart(id)}"event":"login","code":"0","msg":"","connId":"${this.#connId}"}`);
    } catch (fault) {
      this.#desk.onFault(fault);
      this.#refuse(id, SOCKET_ERRORS.loginFailed);
    }
  }

  async #operate(request: SocketRequest): Promise<void> {
    if (this.#client.door !== 'private') return this.#refuse(request.id, SOCKET_ERRORS.otherUrl);
    if (this.#account === undefined) return this.#refuse(request.id, SOCKET_ERRORS.notLoggedIn);
    if (this.#inFlight >= OPERATIONS_IN_FLIGHT_MAX) return this.#refuse(request.id, SOCKET_ERRORS.tooMany);
    if (!mayTrade(this.#desk.venue.spot, this.#apiKey, 'contracts'))
      return this.#answer(request, { answer: refused(ERRORS.noPermission), fault: undefined });
    this.#inFlight += 1;
    const outcome = await operate(this.#desk, this.#account, request).finally(() => {
      this.#inFlight -= 1;
    });
    if (this.#closed) return;
    answerUnder(outcome.fault, {
      answer: () => this.#answer(request, outcome),
      drop: () => this.#client.drop(),
    });
  }

  #answer({ id, op }: SocketRequest, { answer }: Outcome): void {
    const micros = String(this.#desk.now() * 1_000);
    const { code, msg, data, times } = answer.ok
      ? answer.value
      : { ...answer.code, data: [], times: undefined };
    const { inTime, outTime } = times ?? { inTime: micros, outTime: micros };
    const body = JSON.stringify({ op, code, msg, data, inTime, outTime });
    this.deliver(`{${idPart(id)}${body.slice(1)}`);
  }

  #tell(id: string | undefined, event: string, argument: ChannelArgument): void {
    this.deliver(
      `{${idPart(id)}"event":"${event}","arg":${argumentText(argument)},"connId":"${this.#connId}"}`,
    );
  }

  #refuse(id: string | undefined, { code, msg }: SocketError): void {
    this.deliver(
      `{${idPart(id)}"event":"error","code":"${code}","msg":${JSON.stringify(msg)},"connId":"${this.#connId}"}`,
    );
  }
}

const MARKET_CHANNELS = { public: publicChannel, business: businessChannel, private: undefined } as const;
const PRIVATE_CHANNELS: Readonly<
  Record<Door, ((parts: PrivateParts) => PrivateChannel | undefined) | undefined>
> = { public: undefined, business: privateBusinessChannel, private: privateChannel };

function idPart(id: string | undefined): string {
  return id === undefined ? '' : `"id":${id},`;
}

/** `extraParams` is JSON in a text: `{"updateInterval":"0"}`. */
function intervalIn(text: string): string | undefined {
  const value = bagOf(parseJson(text))?.get('updateInterval');
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
}
