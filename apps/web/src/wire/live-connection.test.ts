import { describe, expect, test } from 'vitest';
import type { ConnectionState } from './connection.ts';
import {
  createLiveConnection,
  type LiveConnection,
  type LiveSocketEvents,
  LOGIN_ARGS_REUSED_MILLIS,
} from './live-connection.ts';

/** A world in the hand of the test: a clock that is moved, timers that fire by it, sockets that are lists. */
class World {
  now = 0;
  credentialCalls = 0;
  catchUps = 0;
  readonly latencies: number[] = [];
  readonly states: ConnectionState[] = [];
  readonly sockets: { readonly events: LiveSocketEvents; readonly sent: string[]; closed: boolean }[] = [];
  readonly connection: LiveConnection;
  #timers: { readonly at: number; readonly fire: () => void }[] = [];

  constructor() {
    this.connection = createLiveConnection(
      'ws://hub/live/1',
      {
        now: () => this.now,
        random: () => 0,
        credentials: () => {
          this.credentialCalls += 1;
          return Promise.resolve({ apiKey: `key-${this.credentialCalls}`, timestamp: '1', sign: 's' });
        },
        timer: (millis, fire) => {
          const timer = { at: this.now + millis, fire };
          this.#timers.push(timer);
          return () => {
            this.#timers = this.#timers.filter((other) => other !== timer);
          };
        },
        connect: (_, events) => {
          const socket = { events, sent: [] as string[], closed: false };
          this.sockets.push(socket);
          return {
            send: (text) => socket.sent.push(text),
            close: () => {
              socket.closed = true;
            },
          };
        },
      },
      {
        onState: (state) => this.states.push(state),
        onUser: () => undefined,
        onVenue: () => undefined,
        onMalformed: () => undefined,
        onQueueFull: () => undefined,
        onCatchUp: () => {
          this.catchUps += 1;
        },
        onLatency: (millis) => this.latencies.push(millis),
      },
    );
  }

  socket(at: number) {
    const socket = this.sockets[at];
    if (socket === undefined) throw new Error(`no socket ${at}`);
    return socket;
  }

  /** Moves the clock, firing timers in their order. */
  advance(millis: number): void {
    const end = this.now + millis;
    for (;;) {
      const due = this.#timers
        .filter((timer) => timer.at <= end)
        .sort((left, right) => left.at - right.at)[0];
      if (due === undefined) break;
      this.#timers = this.#timers.filter((timer) => timer !== due);
      this.now = due.at;
      due.fire();
    }
    this.now = end;
  }
}

/** Lets answers of promises arrive. */
const settle = () => new Promise((resolve) => setImmediate(resolve));

describe('a live connection', () => {
  test('a silent hub: pings at 10, 20 and 30 s, closed and told at 40 s', () => {
    const world = new World();
    world.connection.dispatch({ kind: 'start' });
    world.socket(0).events.onOpen();
    world.advance(39_999);
    expect(world.socket(0).sent).toEqual(['ping', 'ping', 'ping']);
    expect(world.connection.state().phase).toBe('open');
    world.advance(1);
    expect(world.socket(0).closed).toBe(true);
    expect([world.connection.state().phase, world.connection.state().dialog]).toEqual(['failed', 'anomaly']);
    world.advance(600_000);
    expect(world.sockets).toHaveLength(1);
  });

  test('a hub that answers is asked for hours, and the round trip is measured', () => {
    const world = new World();
    world.connection.dispatch({ kind: 'start' });
    world.socket(0).events.onOpen();
    world.advance(10_000);
    for (let ping = 0; ping < 500; ping += 1) {
      world.advance(7);
      world.socket(0).events.onText('pong');
      world.advance(9_993);
    }
    expect(world.connection.state().phase).toBe('open');
    expect(world.latencies.every((millis) => millis === 7)).toBe(true);
    expect(world.latencies).toHaveLength(500);
  });

  test('three reconnects after 1, 2 and 4 s that all fail end in the dialog', () => {
    const world = new World();
    world.connection.dispatch({ kind: 'start' });
    for (const [attempt, millis] of [1_000, 2_000, 4_000].entries()) {
      world.socket(attempt).events.onClose();
      world.advance(millis - 1);
      expect(world.sockets).toHaveLength(attempt + 1);
      world.advance(1);
      expect(world.sockets).toHaveLength(attempt + 2);
    }
    world.socket(3).events.onClose();
    world.advance(600_000);
    expect(world.sockets).toHaveLength(4);
    expect(world.connection.state().dialog).toBe('anomaly');
  });

  test('credentials are used again within 10 s, and asked for anew after', async () => {
    const world = new World();
    world.connection.dispatch({ kind: 'member', member: true });
    world.connection.dispatch({ kind: 'start' });
    world.socket(0).events.onOpen();
    await settle();
    world.socket(0).events.onClose();
    world.advance(1_000);
    world.socket(1).events.onOpen();
    await settle();
    expect(world.credentialCalls).toBe(1);
    expect(world.socket(1).sent).toContain(
      '{"action":"login","args":{"apiKey":"key-1","timestamp":"1","sign":"s"}}',
    );
    world.socket(1).events.onClose();
    world.advance(LOGIN_ARGS_REUSED_MILLIS);
    world.socket(2).events.onOpen();
    await settle();
    expect(world.credentialCalls).toBe(2);
  });

  test('frames and closes of a socket that was replaced are not heard', () => {
    const world = new World();
    world.connection.dispatch({ kind: 'start' });
    world.socket(0).events.onOpen();
    const frames: unknown[] = [];
    world.connection.follow({ ch: 'book', s: 'BTCUSDT' }, (frame) => frames.push(frame));
    world.connection.dispatch({ kind: 'stop' });
    world.connection.dispatch({ kind: 'start' });
    world.socket(1).events.onOpen();
    world.socket(0).events.onText('{"ch":"book","s":"BTCUSDT","k":"s","q":1,"b":[],"a":[],"t":1}');
    world.socket(0).events.onClose();
    expect(frames).toEqual([]);
    expect(world.connection.state().phase).toBe('open');
  });

  test('two followers of a channel share one subscription; the last one to go ends it', () => {
    const world = new World();
    world.connection.dispatch({ kind: 'start' });
    world.socket(0).events.onOpen();
    const seen: string[] = [];
    const arg = { ch: 'book', s: 'BTCUSDT' } as const;
    const first = world.connection.follow(arg, () => seen.push('first'));
    const second = world.connection.follow(arg, () => seen.push('second'));
    // The second asks again, which is how it gets a snapshot; for the hub it stays one channel.
    expect(world.socket(0).sent).toEqual(
      Array(2).fill('{"action":"subscribe","args":[{"ch":"book","s":"BTCUSDT"}]}'),
    );
    world.socket(0).events.onText('{"ch":"book","s":"BTCUSDT","k":"s","q":1,"b":[],"a":[],"t":1}');
    expect(seen).toEqual(['first', 'second']);
    first();
    first();
    expect(world.socket(0).sent).toHaveLength(2);
    second();
    expect(world.socket(0).sent.at(-1)).toBe('{"action":"unsubscribe","args":[{"ch":"book","s":"BTCUSDT"}]}');
  });

  test('a channel that cannot be used is left and entered again: at once, then after a second, and no more once it is left', () => {
    const world = new World();
    world.connection.dispatch({ kind: 'start' });
    world.socket(0).events.onOpen();
    const arg = { ch: 'book', s: 'BTCUSDT' } as const;
    const unfollow = world.connection.follow(arg, () => undefined);
    const sent = () => world.socket(0).sent.splice(0);
    const enter = '{"action":"subscribe","args":[{"ch":"book","s":"BTCUSDT"}]}';
    const leave = enter.replace('subscribe', 'unsubscribe');
    expect(sent()).toEqual([enter]);
    world.connection.resubscribe(arg);
    expect(sent()).toEqual([leave, enter]);
    world.connection.resubscribe(arg);
    world.advance(999);
    expect(sent()).toEqual([]);
    world.advance(1);
    expect(sent()).toEqual([leave, enter]);
    world.connection.resubscribe(arg);
    unfollow();
    world.advance(5_000);
    expect(sent()).toEqual([leave]);
  });

  test('a gap in private events reads by REST', async () => {
    const world = new World();
    world.connection.dispatch({ kind: 'member', member: true });
    world.connection.dispatch({ kind: 'start' });
    world.socket(0).events.onOpen();
    await settle();
    world.socket(0).events.onText('{"event":"login","code":0,"msg":""}');
    expect(world.catchUps).toBe(1);
    world.socket(0).events.onText('{"ch":"user","q":1,"d":{"kind":"hello"}}');
    world.socket(0).events.onText('{"ch":"user","q":5,"d":{"kind":"signed-out"}}');
    expect(world.catchUps).toBe(2);
  });
});
