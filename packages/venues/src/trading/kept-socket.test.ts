import { describe, expect, test } from 'vitest';
import { KEPT_SOCKET_BOUNDS, KeptSocket, type SocketLink } from './kept-socket.ts';
import { ScriptedSockets, ScriptedTime } from './scripted-transport.fixture.ts';

function setup(random = () => 1) {
  const time = new ScriptedTime();
  const sockets = new ScriptedSockets();
  const reported: string[] = [];
  const closedLinks: SocketLink[] = [];
  const socket = new KeptSocket({
    url: 'ws://venue',
    openSocket: sockets.open,
    timers: time,
    clock: time.clock,
    random,
    heartbeat: () => 'ping',
    onOpen: (link) => link.ready(),
    onText: (text) => reported.push(text),
    onLive: () => reported.push('LIVE'),
    onLost: (why) => reported.push(`LOST ${why}`),
    onLinkClosed: (link) => closedLinks.push(link),
  });
  return { time, sockets, reported, socket, closedLinks };
}

describe('KeptSocket', () => {
  test('is current from the handshake on, and writes there', () => {
    const { sockets, socket, reported } = setup();
    expect(socket.current).toBeUndefined();
    sockets.newest.open();
    expect(socket.current?.send('hello')).toBe(true);
    expect([sockets.newest.heard, reported]).toEqual([['hello'], ['LIVE']]);
  });

  test('comes back with full jitter whose bound doubles to 30 seconds, and never gives up', () => {
    const { time, sockets, reported } = setup();
    const waits: number[] = [];
    for (let attempt = 0; attempt < 40; attempt += 1) {
      sockets.newest.drop();
      const before = sockets.peers.length;
      let waited = 0;
      while (sockets.peers.length === before && waited < 60_000) {
        time.advance(250);
        waited += 250;
      }
      waits.push(waited);
    }
    expect(waits.slice(0, 8)).toEqual([250, 500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000]);
    expect(waits.at(-1)).toBe(30_000);
    expect(reported.filter((line) => line === 'LOST reset').length).toBe(40);
  });

  test('jitter reaches down to nothing', () => {
    const { time, sockets } = setup(() => 0);
    for (let attempt = 0; attempt < 20; attempt += 1) sockets.newest.drop();
    time.advance(0);
    expect(sockets.peers.length).toBeGreaterThan(1);
  });

  test('a link that held steadily makes the next delay short again; one that flapped does not', () => {
    const { time, sockets } = setup();
    for (let attempt = 0; attempt < 5; attempt += 1) {
      sockets.newest.open();
      sockets.newest.drop();
      time.advance(30_000);
    }
    const flapped = sockets.peers.length;
    sockets.newest.open();
    sockets.newest.drop();
    time.advance(250);
    expect(sockets.peers.length).toBe(flapped);
    time.advance(30_000);
    sockets.newest.open();
    for (let beat = 0; beat < 4; beat += 1) {
      time.advance(KEPT_SOCKET_BOUNDS.heartbeatMillis);
      sockets.newest.say('pong');
    }
    const steady = sockets.peers.length;
    sockets.newest.drop();
    time.advance(250);
    expect(sockets.peers.length).toBe(steady + 1);
  });

  test('a link that answers no heartbeat is silent and replaced; one that answers anything stays', () => {
    const { time, sockets, reported } = setup();
    const { heartbeatMillis } = KEPT_SOCKET_BOUNDS;
    const peer = sockets.newest;
    peer.open();
    for (let beat = 0; beat < 5; beat += 1) {
      time.advance(heartbeatMillis);
      expect(peer.heard.at(-1)).toBe('ping');
      peer.say('x');
      time.advance(heartbeatMillis);
    }
    expect(peer.closedByClient).toBe(false);
    time.advance(2 * heartbeatMillis);
    expect(peer.closedByClient).toBe(true);
    expect(reported.at(-1)).toBe('LOST silent');
  });

  test('a link that never becomes ready is given up in time', () => {
    const { time, sockets, reported } = setup();
    time.advance(KEPT_SOCKET_BOUNDS.readyMillisMax);
    expect([sockets.peers[0]?.closedByClient, reported]).toEqual([true, ['LOST not ready in time']]);
  });

  test('before the venue cuts it a successor is ready, and the old link closes only after an overlap', () => {
    const { time, sockets, reported, socket } = setup();
    const old = sockets.newest;
    old.open();
    const keepAlive = (millis: number): void => {
      for (let passed = 0; passed < millis; passed += 5_000) {
        time.advance(5_000);
        for (const peer of sockets.peers) if (!peer.closedByClient) peer.say('alive');
      }
    };
    keepAlive(KEPT_SOCKET_BOUNDS.lifeMillisMax);
    expect(sockets.peers.length).toBe(2);
    expect(socket.current?.send('still here')).toBe(true);
    expect(old.heard).toContain('still here');
    sockets.newest.open();
    socket.current?.send('new link');
    expect(sockets.newest.heard).toEqual(['new link']);
    expect(old.closedByClient).toBe(false);
    old.say('late answer');
    expect(reported.at(-1)).toBe('late answer');
    keepAlive(KEPT_SOCKET_BOUNDS.overlapMillis);
    expect(old.closedByClient).toBe(true);
    expect(reported.filter((line) => line.startsWith('L'))).toEqual(['LIVE']);
    expect(sockets.peers.length).toBe(2);
  });

  test('a successor that fails is tried again while the old link goes on', () => {
    const { time, sockets, socket } = setup();
    const old = sockets.newest;
    old.open();
    socket.replace();
    socket.replace();
    expect(sockets.peers.length).toBe(2);
    sockets.newest.drop();
    time.advance(1_000);
    expect(sockets.peers.length).toBe(3);
    expect(socket.current?.send('x')).toBe(true);
    expect(old.heard).toEqual(['x']);
  });

  test('closing ends sockets and timers and nothing comes back', () => {
    const { time, sockets, socket, reported } = setup();
    sockets.newest.open();
    socket.close();
    sockets.newest.say('too late');
    sockets.newest.drop();
    time.advance(100_000);
    expect([sockets.peers.length, time.waiting, reported]).toEqual([1, 0, ['LIVE']]);
  });

  test('an address that is none is an attempt that failed, not a throw', () => {
    const time = new ScriptedTime();
    const lost: string[] = [];
    const socket = new KeptSocket({
      url: 'rubbish',
      openSocket: () => {
        throw new SyntaxError('invalid url');
      },
      timers: time,
      clock: time.clock,
      random: () => 1,
      heartbeat: () => '',
      onOpen: () => undefined,
      onText: () => undefined,
      onLost: (why) => lost.push(why),
    });
    time.advance(300);
    expect(lost.length).toBe(2);
    socket.close();
  });
});
