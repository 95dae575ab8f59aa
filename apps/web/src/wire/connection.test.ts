import type { ChannelArg } from '@crossbook/contract';
import { describe, expect, test } from 'vitest';
import {
  AWAY_MILLIS_MAX,
  CONNECTION_AT_REST,
  type ConnectionEffect,
  type ConnectionEvent,
  type ConnectionState,
  LIFE_UNTIL_RETRIES_RESET_MILLIS,
  QUEUED_SUBSCRIPTIONS_MAX,
  RESUBSCRIBES_FORGOTTEN_MILLIS,
  reconnectDelayMillis,
  stepConnection,
} from './connection.ts';

const BOOK: ChannelArg = { ch: 'book', s: 'BTCUSDT' };
const TRADES: ChannelArg = { ch: 'trades', s: 'BTCUSDT' };
const LOGIN = { apiKey: 'k', timestamp: '1', sign: 's' };
const CLOSED: ConnectionEvent = { kind: 'closed', random: 0 };

/** Runs events one after the other; returns the last state and all effects in order. */
function run(
  events: readonly ConnectionEvent[],
  from: ConnectionState = CONNECTION_AT_REST,
): { state: ConnectionState; effects: ConnectionEffect[] } {
  let state = from;
  const effects: ConnectionEffect[] = [];
  for (const event of events) {
    const step = stepConnection(state, event);
    state = step.state;
    effects.push(...step.effects);
  }
  return { state, effects };
}

const open = run([{ kind: 'start' }, { kind: 'opened' }]).state;
const sent = (effects: readonly ConnectionEffect[]) =>
  effects.flatMap((effect) => (effect.kind === 'send' ? [effect.text] : []));
const subscribe = (...args: ChannelArg[]) => JSON.stringify({ action: 'subscribe', args });

describe('reconnecting', () => {
  test.each([
    [0, 0, 1_000],
    [1, 0, 2_000],
    [2, 0, 4_000],
    [4, 0, 16_000],
    [5, 0, 30_000],
    [60, 0, 30_000],
    [0, 0.999_999, 1_250],
    [5, 0.5, 33_750],
  ])('after %i reconnects with random %d the delay is %i ms', (spent, random, millis) => {
    expect(reconnectDelayMillis(spent, random)).toBe(millis);
  });

  test('three reconnects at 1, 2 and 4 s, then the dialog and no more', () => {
    const again: ConnectionEvent[] = [CLOSED, { kind: 'reconnect-due' }];
    const { state, effects } = run([...again, ...again, ...again, CLOSED], open);
    expect(effects.filter((effect) => effect.kind === 'timer').map((effect) => effect.millis)).toEqual([
      1_000, 2_000, 4_000,
    ]);
    expect(effects.filter((effect) => effect.kind === 'open')).toHaveLength(3);
    expect([state.phase, state.dialog]).toEqual(['failed', 'anomaly']);
    expect(run([CLOSED, { kind: 'reconnect-due' }], state).effects).toEqual([]);
  });

  test('opening again does not give the retries back; 30 s of life does', () => {
    const flapped = run([CLOSED, { kind: 'reconnect-due' }, { kind: 'opened' }], open);
    expect(flapped.state.reconnects).toBe(1);
    expect(flapped.effects).toContainEqual({
      kind: 'timer',
      timer: 'life',
      millis: LIFE_UNTIL_RETRIES_RESET_MILLIS,
    });
    expect(run([{ kind: 'life-proven' }], flapped.state).state.reconnects).toBe(0);
  });

  test('a reconnect asks for everything followed and for what was missed; a first open missed nothing', () => {
    const first = run([{ kind: 'start' }, { kind: 'follow', arg: BOOK }, { kind: 'opened' }]);
    expect(sent(first.effects)).toEqual([subscribe(BOOK)]);
    expect(first.effects).not.toContainEqual({ kind: 'catch-up' });
    const second = run([CLOSED, { kind: 'reconnect-due' }, { kind: 'opened' }], first.state);
    expect(sent(second.effects)).toEqual([subscribe(BOOK)]);
    expect(second.effects).toContainEqual({ kind: 'catch-up' });
  });

  test('the user may begin a new round from the dialog', () => {
    const failed: ConnectionState = { ...open, phase: 'failed', dialog: 'anomaly', reconnects: 3 };
    const { state, effects } = run([{ kind: 'reconnect' }], failed);
    expect([state.phase, state.dialog, state.reconnects]).toEqual(['connecting', 'none', 0]);
    expect(effects).toContainEqual({ kind: 'open' });
  });

  test('stopping closes the socket and every timer, and a late close starts nothing', () => {
    const { state, effects } = run([{ kind: 'stop' }], open);
    expect(effects.map((effect) => effect.kind)).toEqual(['cancel', 'cancel', 'cancel', 'close']);
    expect(run([CLOSED, { kind: 'reconnect-due' }], state)).toEqual({ state, effects: [] });
  });
});

test('a connection is connecting, then open, and closed until a retry is due or somebody asks for one', () => {
  const RETRY: readonly ConnectionEvent[] = [CLOSED, { kind: 'reconnect-due' }];
  const phases: string[] = [];
  let state = CONNECTION_AT_REST;
  for (const event of [
    { kind: 'start' },
    { kind: 'opened' },
    ...RETRY,
    ...RETRY,
    ...RETRY,
    CLOSED,
  ] as const) {
    state = run([event], state).state;
    phases.push(state.phase);
  }
  expect(phases).toEqual([
    ...[
      'connecting',
      'open',
      'waiting',
      'connecting',
      'waiting',
      'connecting',
      'waiting',
      'connecting',
      'failed',
    ],
  ]);
});

describe('subscriptions', () => {
  test('those asked for before opening wait, each once and in order', () => {
    const { effects } = run([
      { kind: 'follow', arg: BOOK },
      { kind: 'start' },
      { kind: 'follow', arg: TRADES },
      { kind: 'follow', arg: BOOK },
      { kind: 'opened' },
    ]);
    expect(sent(effects)).toEqual([subscribe(BOOK, TRADES)]);
  });

  test('one that is dropped before opening is never sent', () => {
    const { effects } = run([
      { kind: 'start' },
      { kind: 'follow', arg: BOOK },
      { kind: 'unfollow', arg: BOOK },
      { kind: 'opened' },
    ]);
    expect(sent(effects)).toEqual([]);
  });

  test(`the queue holds ${QUEUED_SUBSCRIPTIONS_MAX}; the next one is refused by name and the first ones stay`, () => {
    const many = Array.from(
      { length: QUEUED_SUBSCRIPTIONS_MAX },
      (_, at): ConnectionEvent => ({ kind: 'follow', arg: { ch: 'ticker', s: `S${at}` } }),
    );
    const full = run([{ kind: 'start' }, ...many]);
    expect(full.effects).toEqual([{ kind: 'open' }]);
    const over = run([{ kind: 'follow', arg: BOOK }], full.state);
    expect(over.effects).toEqual([{ kind: 'queue-full', arg: BOOK }]);
    expect(over.state.followed.size).toBe(QUEUED_SUBSCRIPTIONS_MAX);
    const frames = sent(run([{ kind: 'opened' }], over.state).effects);
    expect(frames.flatMap((text) => JSON.parse(text).args)).toHaveLength(QUEUED_SUBSCRIPTIONS_MAX);
    expect(Math.max(...frames.map((text) => text.length))).toBeLessThan(16_384);
  });

  test('candles of two intervals are two subscriptions', () => {
    const candle = (i: string): ConnectionEvent => ({
      kind: 'follow',
      arg: { ch: 'candle', s: 'BTCUSDT', i },
    });
    expect(sent(run([candle('1m'), candle('5m'), candle('1m')], open).effects)).toHaveLength(2);
  });

  test('another follower gets a snapshot by asking again, and only while the channel is followed', () => {
    expect(run([{ kind: 'snapshot', arg: BOOK }], open).effects).toEqual([]);
    const following = run([{ kind: 'follow', arg: BOOK }], open).state;
    expect(sent(run([{ kind: 'snapshot', arg: BOOK }], following).effects)).toEqual([subscribe(BOOK)]);
  });
});

describe('a channel that cannot be used', () => {
  const following = run([{ kind: 'follow', arg: BOOK }], open).state;
  const again = (at: number, arg = BOOK): ConnectionEvent => ({ kind: 'resubscribe', arg, at });
  const DUE: ConnectionEvent = { kind: 'resubscribe-due', arg: BOOK };
  const LEAVE_AND_ENTER = [JSON.stringify({ action: 'unsubscribe', args: [BOOK] }), subscribe(BOOK)];

  test('is left and entered again at once', () => {
    expect(sent(run([again(0)], following).effects)).toEqual(LEAVE_AND_ENTER);
  });

  test('is asked for after 1, 2, 4 s and so on to 30 s where asking does not help', () => {
    let { state } = run([again(0)], following);
    let at = 5;
    const pauses: number[] = [];
    for (let round = 0; round < 8; round += 1) {
      const asked = run([again(at)], state);
      const [pause] = asked.effects.flatMap((effect) =>
        effect.kind === 'resubscribe-later' ? [effect.millis] : [],
      );
      pauses.push(pause ?? 0);
      expect(sent(asked.effects)).toEqual([]);
      // Until then it is not asked for twice.
      expect(run([again(at), again(at + (pause ?? 0) - 1)], asked.state).effects).toEqual([]);
      const due = run([DUE], asked.state);
      expect(sent(due.effects)).toEqual(LEAVE_AND_ENTER);
      state = due.state;
      at += (pause ?? 0) + 5;
    }
    expect(pauses).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 30_000]);
  });

  test.each([
    ['a minute later', [again(RESUBSCRIBES_FORGOTTEN_MILLIS)], LEAVE_AND_ENTER],
    ['a moment less than a minute later', [again(RESUBSCRIBES_FORGOTTEN_MILLIS - 1)], []],
    [
      'on a new connection',
      [CLOSED, { kind: 'reconnect-due' }, { kind: 'opened' }, again(1)],
      LEAVE_AND_ENTER,
    ],
    [
      'after it was given up and followed anew',
      [{ kind: 'unfollow', arg: BOOK }, { kind: 'follow', arg: BOOK }, again(1)],
      LEAVE_AND_ENTER,
    ],
  ] as const)('may be asked for at once %s: %#', (_case, events, expected) => {
    const { state } = run([again(0)], following);
    const { effects } = run(events, state);
    expect(sent(effects).slice(-2)).toEqual(expected);
  });

  test.each([
    ['nobody follows', open, []],
    ['that has no connection', { ...following, phase: 'waiting' as const }, []],
    ['another channel', following, [TRADES]],
  ])('is not asked for where it is one that %s', (_case, state, [arg = BOOK]) => {
    expect(run([again(0, arg)], state).effects).toEqual([]);
  });

  test.each([
    ['the connection was replaced', [CLOSED, { kind: 'reconnect-due' }, { kind: 'opened' }]],
    ['nobody follows it any more', [{ kind: 'unfollow', arg: BOOK }]],
  ] as const)('is not asked for by an old clock when %s', (_case, events) => {
    const { state } = run([again(0), again(1), ...events], following);
    expect(run([DUE], state).effects).toEqual([]);
  });
});

describe('pings', () => {
  test('one every 10 s; after three without an answer the connection closes and the dialog shows, with no retry', () => {
    const due: ConnectionEvent = { kind: 'ping-due' };
    const three = run([due, due, due], open);
    expect(sent(three.effects)).toEqual(['ping', 'ping', 'ping']);
    expect(three.effects.filter((effect) => effect.kind === 'timer').map((effect) => effect.millis)).toEqual([
      10_000, 10_000, 10_000,
    ]);
    expect(three.state.phase).toBe('open');
    const { state, effects } = run([due], three.state);
    expect([state.phase, state.dialog]).toEqual(['failed', 'anomaly']);
    expect(effects).toContainEqual({ kind: 'close' });
    expect(run([CLOSED], state).effects).toEqual([]);
  });

  test('a pong forgives all pings before it', () => {
    const due: ConnectionEvent = { kind: 'ping-due' };
    const { state } = run([due, due, { kind: 'pong' }, due, due, due], open);
    expect([state.phase, state.pingsUnanswered]).toEqual(['open', 3]);
  });
});

describe('login', () => {
  const member = run([{ kind: 'member', member: true }, { kind: 'start' }, { kind: 'opened' }]);

  test('a member asks for credentials on opening, sends them, and reads by REST once accepted', () => {
    expect(member.effects).toContainEqual({ kind: 'ask-credentials', fresh: false });
    const { state, effects } = run(
      [
        { kind: 'credentials', args: LOGIN },
        { kind: 'login-answer', accepted: true },
      ],
      member.state,
    );
    expect(sent(effects)).toEqual([JSON.stringify({ action: 'login', args: LOGIN })]);
    expect(effects).toContainEqual({ kind: 'catch-up' });
    expect(state.login).toBe('done');
  });

  test('a reconnect logs in again', () => {
    const { effects } = run([CLOSED, { kind: 'reconnect-due' }, { kind: 'opened' }], {
      ...member.state,
      login: 'done',
    });
    expect(effects).toContainEqual({ kind: 'ask-credentials', fresh: false });
  });

  test('refused credentials are replaced once, not for ever', () => {
    const refusal: ConnectionEvent[] = [
      { kind: 'credentials', args: LOGIN },
      { kind: 'login-answer', accepted: false },
    ];
    const once = run(refusal, member.state);
    expect(once.effects).toContainEqual({ kind: 'ask-credentials', fresh: true });
    const twice = run(refusal, once.state);
    expect(twice.effects.some((effect) => effect.kind === 'ask-credentials')).toBe(false);
    expect(twice.state.login).toBe('none');
  });

  test('a visitor who logs in while connected is logged in on the same connection', () => {
    expect(run([{ kind: 'member', member: true }], open).effects).toEqual([
      { kind: 'ask-credentials', fresh: true },
    ]);
  });

  test('logging out replaces the connection: only a new one surely knows nobody', () => {
    const { state, effects } = run([{ kind: 'member', member: false }], { ...member.state, login: 'done' });
    expect([state.phase, state.login, state.member]).toEqual(['connecting', 'none', false]);
    expect(effects.map((effect) => effect.kind).slice(-2)).toEqual(['close', 'open']);
  });

  test('credentials that arrive after the connection closed are dropped', () => {
    const { effects } = run([CLOSED, { kind: 'credentials', args: LOGIN }], member.state);
    expect(sent(effects)).toEqual([]);
  });
});

describe('coming back to the tab', () => {
  const followed = run([{ kind: 'follow', arg: BOOK }], open).state;
  const back = (away: number, from: ConnectionState = followed) =>
    run(
      [
        { kind: 'hidden', at: 1_000 },
        { kind: 'visible', at: 1_000 + away },
      ],
      from,
    );

  test.each([
    ['a moment', 10, 'none'],
    ['exactly 5 minutes', AWAY_MILLIS_MAX, 'none'],
    ['more than 5 minutes', AWAY_MILLIS_MAX + 1, 'away'],
  ] as const)('after %s: subscribed again, read by REST, dialog as it should be', (_, away, dialog) => {
    const { state, effects } = back(away);
    expect(sent(effects)).toEqual([subscribe(BOOK)]);
    expect(effects).toContainEqual({ kind: 'catch-up' });
    expect(state.dialog).toBe(dialog);
  });

  test('without a connection there is no prompt: the other dialog has spoken', () => {
    const failed: ConnectionState = { ...followed, phase: 'failed', dialog: 'anomaly' };
    expect(back(AWAY_MILLIS_MAX * 2, failed)).toEqual({
      state: { ...failed, hiddenAt: undefined },
      effects: [],
    });
  });

  test('becoming visible without having been hidden does nothing', () => {
    expect(run([{ kind: 'visible', at: 9e9 }], followed).effects).toEqual([]);
  });
});
