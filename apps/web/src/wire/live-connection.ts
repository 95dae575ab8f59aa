import { type ChannelArg, channelId, type UserEvent, type VenueFrame } from '@crossbook/contract';
import {
  CONNECTION_AT_REST,
  type ConnectionEffect,
  type ConnectionEvent,
  type ConnectionState,
  type ConnectionTimer,
  type LoginArgs,
  stepConnection,
} from './connection.ts';
import { createFrameDispatcher, type FrameDispatcher, type PublicFrame } from './frame-dispatch.ts';

/** A GetWebsocketArgs answer is used again for this long (spec section 9). */
export const LOGIN_ARGS_REUSED_MILLIS = 10_000;

/** The part of a WebSocket that the driver uses. */
export interface LiveSocket {
  send(text: string): void;
  close(): void;
}

/** What a socket reports. Nothing is called any more after `close()`. */
export interface LiveSocketEvents {
  onOpen(): void;
  onText(text: string): void;
  onClose(): void;
}

/** What the driver needs from its surroundings. */
export interface LiveSurroundings {
  connect(url: string, events: LiveSocketEvents): LiveSocket;
  /** Runs `fire` once after `millis`; the returned function cancels it. */
  timer(millis: number, fire: () => void): () => void;
  /** Milliseconds of a clock that never goes back. */
  now(): number;
  /** In [0, 1). */
  random(): number;
  /** GetWebsocketArgs; `undefined` when it was refused or unanswered. */
  credentials(): Promise<LoginArgs | undefined>;
}

/** What happens on a connection, told to the stores. */
export interface LiveListeners {
  onState(state: ConnectionState): void;
  onUser(event: UserEvent): void;
  /** Read orders, fills and balances by REST: something may have been missed. */
  onCatchUp(): void;
  onVenue(frame: VenueFrame): void;
  /** Round trip of the newest ping, ms. */
  onLatency(millis: number): void;
  /** A frame that is none of the contract's. */
  onMalformed(): void;
  /** More channels were asked for than a connection carries; this one is not followed. */
  onQueueFull(arg: ChannelArg): void;
}

/** One live connection of one platform. */
export interface LiveConnection {
  dispatch(event: ConnectionEvent): void;
  /** Follows a channel until the returned function is called. The same channel may be followed many times. */
  follow(arg: ChannelArg, onFrame: (frame: PublicFrame) => void): () => void;
  /** Leaves a followed channel and enters it again, because what came on it cannot be used. */
  resubscribe(arg: ChannelArg): void;
  state(): ConnectionState;
}

/** Named timers, each at most once. */
function createTimers(surroundings: LiveSurroundings) {
  const running = new Map<string, () => void>();
  const cancel = (name: string) => {
    running.get(name)?.();
    running.delete(name);
  };
  return {
    cancel,
    set(name: string, millis: number, fire: () => void) {
      cancel(name);
      const fired = () => {
        running.delete(name);
        fire();
      };
      running.set(name, surroundings.timer(millis, fired));
    },
  };
}

/** GetWebsocketArgs with its answer kept for 10 s. */
function createCredentials(surroundings: LiveSurroundings) {
  let kept: { readonly at: number; readonly args: LoginArgs } | undefined;
  return {
    forget() {
      kept = undefined;
    },
    async ask(fresh: boolean): Promise<LoginArgs | undefined> {
      const at = surroundings.now();
      if (!fresh && kept !== undefined && at - kept.at < LOGIN_ARGS_REUSED_MILLIS) return kept.args;
      const args = await surroundings.credentials();
      kept = args === undefined ? undefined : { at, args };
      return args;
    },
  };
}

/** Who follows which channel. */
function createFollowers() {
  const byKey = new Map<string, Set<(frame: PublicFrame) => void>>();
  return {
    publish(key: string, frame: PublicFrame) {
      for (const follower of byKey.get(key) ?? []) follower(frame);
    },
    /** @returns whether the channel was followed already. */
    add(key: string, follower: (frame: PublicFrame) => void): boolean {
      const set = byKey.get(key) ?? new Set();
      byKey.set(key, set.add(follower));
      return set.size > 1;
    },
    /** @returns whether that was the last follower of the channel. */
    remove(key: string, follower: (frame: PublicFrame) => void): boolean {
      const set = byKey.get(key);
      if (set === undefined || !set.delete(follower) || set.size > 0) return false;
      return byKey.delete(key);
    },
  };
}

const FIRED: Readonly<Record<ConnectionTimer, ConnectionEvent>> = {
  ping: { kind: 'ping-due' },
  reconnect: { kind: 'reconnect-due' },
  life: { kind: 'life-proven' },
};

/** The driver of the state machine: carries out its effects, feeds it what happens. */
class LiveDriver implements LiveConnection {
  readonly #url: string;
  readonly #surroundings: LiveSurroundings;
  readonly #listeners: LiveListeners;
  readonly #timers;
  readonly #credentials;
  readonly #followers = createFollowers();
  readonly #frames: FrameDispatcher;
  #state = CONNECTION_AT_REST;
  #socket: LiveSocket | undefined;
  #pingSentAt: number | undefined;

  constructor(url: string, surroundings: LiveSurroundings, listeners: LiveListeners) {
    this.#url = url;
    this.#surroundings = surroundings;
    this.#listeners = listeners;
    this.#timers = createTimers(surroundings);
    this.#credentials = createCredentials(surroundings);
    this.#frames = createFrameDispatcher({
      onPublic: this.#followers.publish,
      onVenue: listeners.onVenue,
      onUser: listeners.onUser,
      onUserGap: listeners.onCatchUp,
      onMalformed: listeners.onMalformed,
      onEvent: (frame) => {
        if (frame.event === 'login') this.dispatch({ kind: 'login-answer', accepted: frame.code === 0 });
      },
    });
  }

  state(): ConnectionState {
    return this.#state;
  }

  dispatch(event: ConnectionEvent): void {
    const before = this.#state;
    const step = stepConnection(before, event);
    this.#state = step.state;
    if (event.kind === 'member' && !event.member) {
      this.#credentials.forget();
      this.#frames.forgetMember();
    }
    for (const effect of step.effects) this.#carryOut(effect);
    if (this.#state !== before) this.#listeners.onState(this.#state);
  }

  follow(arg: ChannelArg, onFrame: (frame: PublicFrame) => void): () => void {
    const key = channelId(arg);
    // A second follower needs the snapshot too; asking again is how one gets it.
    this.dispatch({ kind: this.#followers.add(key, onFrame) ? 'snapshot' : 'follow', arg });
    return () => {
      if (this.#followers.remove(key, onFrame)) this.dispatch({ kind: 'unfollow', arg });
    };
  }

  resubscribe(arg: ChannelArg): void {
    this.dispatch({ kind: 'resubscribe', arg, at: this.#surroundings.now() });
  }

  #carryOut(effect: ConnectionEffect): void {
    if (effect.kind === 'open') this.#open();
    else if (effect.kind === 'close') this.#close();
    else if (effect.kind === 'send') this.#send(effect.text);
    else if (effect.kind === 'timer') this.#setTimer(effect.timer, effect.millis, FIRED[effect.timer]);
    else if (effect.kind === 'cancel') this.#timers.cancel(effect.timer);
    else if (effect.kind === 'resubscribe-later') {
      const { arg, millis } = effect;
      this.#setTimer(channelId(arg), millis, { kind: 'resubscribe-due', arg });
    } else if (effect.kind === 'ask-credentials') this.#ask(effect.fresh);
    else if (effect.kind === 'catch-up') this.#listeners.onCatchUp();
    else this.#listeners.onQueueFull(effect.arg);
  }

  #setTimer(name: string, millis: number, event: ConnectionEvent): void {
    this.#timers.set(name, millis, () => this.dispatch(event));
  }

  #open(): void {
    this.#pingSentAt = undefined;
    const mine: LiveSocket = this.#surroundings.connect(this.#url, {
      onOpen: () => this.#socket === mine && this.dispatch({ kind: 'opened' }),
      onText: (text) => this.#socket === mine && this.#onText(text),
      onClose: () => {
        if (this.#socket !== mine) return;
        this.#socket = undefined;
        this.dispatch({ kind: 'closed', random: this.#surroundings.random() });
      },
    });
    this.#socket = mine;
  }

  #close(): void {
    const mine = this.#socket;
    this.#socket = undefined;
    mine?.close();
  }

  #send(text: string): void {
    if (text === 'ping') this.#pingSentAt = this.#surroundings.now();
    this.#socket?.send(text);
  }

  #onText(text: string): void {
    if (text !== 'pong') {
      this.#frames.take(text);
      return;
    }
    if (this.#pingSentAt !== undefined) {
      this.#listeners.onLatency(this.#surroundings.now() - this.#pingSentAt);
    }
    this.#pingSentAt = undefined;
    this.dispatch({ kind: 'pong' });
  }

  #ask(fresh: boolean): void {
    const asker = this.#socket;
    void this.#credentials.ask(fresh).then((args) => {
      // The socket may have been replaced while the answer was on its way; the new one asks for itself.
      if (this.#socket === asker) this.dispatch({ kind: 'credentials', args });
    });
  }
}

/** Builds one live connection. */
export function createLiveConnection(
  url: string,
  surroundings: LiveSurroundings,
  listeners: LiveListeners,
): LiveConnection {
  return new LiveDriver(url, surroundings, listeners);
}

/** The browser's surroundings for a connection, but for the credentials. */
export function browserLiveSurroundings(credentials: () => Promise<LoginArgs | undefined>): LiveSurroundings {
  return {
    credentials,
    now: () => performance.now(),
    random: () => (crypto.getRandomValues(new Uint32Array(1))[0] as number) / 2 ** 32,
    timer: (millis, fire) => {
      const id = setTimeout(fire, millis);
      return () => clearTimeout(id);
    },
    connect: (url, events) => {
      const socket = new WebSocket(url);
      socket.onopen = () => events.onOpen();
      socket.onmessage = ({ data }: { readonly data: unknown }) => {
        if (typeof data === 'string') events.onText(data);
      };
      // A failed connect reports error and then close: close alone is enough.
      socket.onclose = () => events.onClose();
      return {
        // On a line that is going down the browser only complains; the next one asks for everything again.
        send: (text) => {
          if (socket.readyState === WebSocket.OPEN) socket.send(text);
        },
        close: () => socket.close(),
      };
    },
  };
}
