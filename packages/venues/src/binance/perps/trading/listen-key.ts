import { reasonOf } from '../../../trading/call-answers.ts';
import type { OpenTextSocket, TextSocket, TextSocketEvents, Timers } from '../../../transport.ts';
import type { VenueCredentials } from '../../../venue-answers.ts';
import { asObject, asText } from '../../../wire/guards.ts';
import type { CallAnswer } from '../../account/answers.ts';
import type { Asking, Call } from '../../account/calls.ts';

/** A listen key ends 60 minutes after it was last kept alive; a keep-alive that fails leaves time for another. */
const KEEP_ALIVE_MILLIS = 25 * 60_000;
/** The venue knows no such key (any more). */
const NO_SUCH_KEY = -1125;

type KeyCall = Pick<Call, 'method' | 'requestClass'>;
const MAKE: KeyCall = { method: 'POST', requestClass: 'lookup' };
const KEEP: KeyCall = { method: 'PUT', requestClass: 'lookup' };

/** What sockets behind a listen key need. */
export interface ListenKeyOptions {
  readonly calls: Asking;
  readonly credentials: VenueCredentials;
  readonly openSocket: OpenTextSocket;
  readonly timers: Timers;
}

/**
 * Opens sockets of a private stream: each asks for the account's listen key first (asking again gives the one that lives,
 * and prolongs it), then opens its address with the key behind it, and keeps the key alive while it is open.
 */
export function listenKeySockets(options: ListenKeyOptions): OpenTextSocket {
  return (url, events) => new ListenKeySocket(options, url, events);
}

class ListenKeySocket implements TextSocket {
  readonly #options: ListenKeyOptions;
  readonly #events: TextSocketEvents;
  #socket: TextSocket | undefined;
  #closed = false;
  #stopKeeping = (): void => undefined;

  constructor(options: ListenKeyOptions, url: string, events: TextSocketEvents) {
    this.#options = options;
    this.#events = events;
    this.#open(url).catch(() => this.#end('socket could not be opened'));
  }

  send(text: string): void {
    this.#socket?.send(text);
  }

  close(): void {
    this.#closed = true;
    this.#stopKeeping();
    this.#socket?.close();
  }

  async #open(url: string): Promise<void> {
    const answer = await ask(this.#options, MAKE);
    if (this.#closed) return;
    const key = answer.kind === 'result' ? asText(asObject(answer.value)?.listenKey) : undefined;
    if (key === undefined) {
      this.#end(`no listen key: ${reasonOf(answer)}`);
      return;
    }
    this.#keepLater();
    this.#socket = this.#options.openSocket(`${url}${encodeURIComponent(key)}`, {
      onOpen: () => this.#events.onOpen(),
      onText: (text) => this.#events.onText(text),
      onClose: (why) => this.#end(why),
    });
  }

  #keepLater(): void {
    this.#stopKeeping = this.#options.timers.after(KEEP_ALIVE_MILLIS, () => void this.#keep());
  }

  /** A keep-alive that is lost is tried again at the next turn, before the key ends; the venue says when it has ended. */
  async #keep(): Promise<void> {
    const answer = await ask(this.#options, KEEP);
    if (this.#closed) return;
    if (answer.kind === 'error' && answer.error.code === NO_SUCH_KEY) this.#end('listen key ended');
    else this.#keepLater();
  }

  #end(why: string): void {
    if (this.#closed) return;
    this.close();
    this.#events.onClose(why);
  }
}

async function ask({ calls, credentials }: ListenKeyOptions, call: KeyCall): Promise<CallAnswer> {
  const { answer } = await calls.send(credentials, {
    ...call,
    ...{ market: 'SWAP', path: '/fapi/v1/listenKey', weight: 1, unsigned: true, parameters: {} },
  });
  return answer;
}
