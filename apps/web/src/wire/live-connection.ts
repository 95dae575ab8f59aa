import type { ChannelArg, UserEvent, VenueFrame } from '@crossbook/contract';
import {
  CONNECTION_AT_REST,
  type ConnectionEffect,
  type ConnectionEvent,
  type ConnectionState,
  type ConnectionTimer,
  channelKey,
  type LoginArgs,
  stepConnection,
} from './connection.ts';
import { createFrameDispatcher, type PublicFrame } from './frame-dispatch.ts';

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
}

/** One live connection of one platform. */
export interface LiveConnection {
  dispatch(event: ConnectionEvent): void;
  /** Follows a channel until the returned function is called. The same channel may be followed many times. */
  follow(arg: ChannelArg, onFrame: (frame: PublicFrame) => void): () => void;
  state(): ConnectionState;
}

/** Builds the driver of the state machine: carries out its effects, feeds it what happens. */
export function createLiveConnection(
  url: string,
  surroundings: LiveSurroundings,
  listeners: LiveListeners,
): LiveConnection {
  let state = CONNECTION_AT_REST;
  let socket: LiveSocket | undefined;
  let credentials: { readonly at: number; readonly args: LoginArgs } | undefined;
  let pingSentAt: number | undefined;
  const timers = new Map<ConnectionTimer, () => void>();
  const followers = new Map<string, Set<(frame: PublicFrame) => void>>();

  const frames = createFrameDispatcher({
    onPublic: (key, frame) => {
      for (const follower of followers.get(key) ?? []) follower(frame);
    },
    onVenue: listeners.onVenue,
    onUser: listeners.onUser,
    onBookGap: (arg) => dispatch({ kind: 'gap', arg }),
    onUserGap: listeners.onCatchUp,
    onMalformed: () => undefined,
    onEvent: (frame) => {
      if (frame.event === 'login') dispatch({ kind: 'login-answer', accepted: frame.code === 0 });
    },
  });

  function onText(text: string): void {
    if (text !== 'pong') {
      frames.take(text);
      return;
    }
    if (pingSentAt !== undefined) listeners.onLatency(surroundings.now() - pingSentAt);
    pingSentAt = undefined;
    dispatch({ kind: 'pong' });
  }

  function open(): void {
    frames.restart();
    const mine: LiveSocket = surroundings.connect(url, {
      onOpen: () => socket === mine && dispatch({ kind: 'opened' }),
      onText: (text) => socket === mine && onText(text),
      onClose: () => {
        if (socket !== mine) return;
        socket = undefined;
        dispatch({ kind: 'closed', random: surroundings.random() });
      },
    });
    socket = mine;
  }

  function close(): void {
    const mine = socket;
    socket = undefined;
    mine?.close();
  }

  function ask(fresh: boolean): void {
    const kept = credentials;
    if (!fresh && kept !== undefined && surroundings.now() - kept.at < LOGIN_ARGS_REUSED_MILLIS) {
      dispatch({ kind: 'credentials', args: kept.args });
      return;
    }
    credentials = undefined;
    const at = surroundings.now();
    const asker = socket;
    void surroundings.credentials().then((args) => {
      // The socket may have been replaced while the answer was on its way; the new one asks for itself.
      if (socket !== asker) return;
      if (args !== undefined) credentials = { at, args };
      dispatch({ kind: 'credentials', args });
    });
  }

  function setTimer(timer: ConnectionTimer, millis: number): void {
    timers.get(timer)?.();
    const fired = { ping: 'ping-due', reconnect: 'reconnect-due', life: 'life-proven' } as const;
    timers.set(
      timer,
      surroundings.timer(millis, () => dispatch({ kind: fired[timer] })),
    );
  }

  function carryOut(effect: ConnectionEffect): void {
    switch (effect.kind) {
      case 'open':
        return open();
      case 'close':
        return close();
      case 'send':
        if (effect.text === 'ping') pingSentAt = surroundings.now();
        return socket?.send(effect.text);
      case 'timer':
        return setTimer(effect.timer, effect.millis);
      case 'cancel':
        timers.get(effect.timer)?.();
        timers.delete(effect.timer);
        return;
      case 'ask-credentials':
        return ask(effect.fresh);
      case 'catch-up':
        return listeners.onCatchUp();
      case 'queue-full':
        return;
    }
  }

  function dispatch(event: ConnectionEvent): void {
    const before = state;
    const step = stepConnection(state, event);
    state = step.state;
    if (event.kind === 'member' && !event.member) {
      credentials = undefined;
      frames.forgetMember();
    }
    for (const effect of step.effects) carryOut(effect);
    if (state !== before) listeners.onState(state);
  }

  return {
    dispatch,
    state: () => state,
    follow(arg, onFrame) {
      const key = channelKey(arg);
      const set = followers.get(key) ?? new Set();
      followers.set(key, set);
      const already = set.size > 0;
      set.add(onFrame);
      // A second follower needs the snapshot too; asking again is how one gets it.
      dispatch({ kind: already ? 'gap' : 'follow', arg });
      return () => {
        if (!set.delete(onFrame) || set.size > 0) return;
        followers.delete(key);
        dispatch({ kind: 'unfollow', arg });
      };
    },
  };
}

/** The browser's surroundings for a connection, but for the credentials. */
export function browserLiveSurroundings(
  credentials: () => Promise<LoginArgs | undefined>,
): LiveSurroundings {
  return {
    credentials,
    now: () => performance.now(),
    random: () => crypto.getRandomValues(new Uint32Array(1))[0] as number / 2 ** 32,
    timer: (millis, fire) => {
      const id = setTimeout(fire, millis);
      return () => clearTimeout(id);
    },
    connect: (url, events) => {
      const socket = new WebSocket(url);
      socket.onopen = () => events.onOpen();
      socket.onmessage = (message: MessageEvent<unknown>) => {
        if (typeof message.data === 'string') events.onText(message.data);
      };
      // A failed connect reports error and then close: close alone is enough.
      socket.onclose = () => events.onClose();
      return { send: (text) => socket.send(text), close: () => socket.close() };
    },
  };
}
