import { type ChannelArg, type ClientFrame, channelId, STREAM_LIMITS } from '@crossbook/contract';

/**
 * The live connection of spec section 4 as a pure machine: events in, new state and effects out.
 * Sockets, timers, randomness and visibility live in `live-connection.ts`, so every rule here is tested in tables.
 *
 * How the specification is read: jitter only adds 0-25 %; the retry counter resets after 30 s of life;
 * three lost pings close the connection and show the dialog without a retry round.
 */

/** Reconnects after a close before the network-anomaly dialog appears. */
export const RECONNECTS_MAX = 3;
/** Delay before the first reconnect; each later one doubles. */
export const RECONNECT_DELAY_MILLIS_MIN = 1_000;
/** Cap of the doubling, before jitter. */
export const RECONNECT_DELAY_MILLIS_MAX = 30_000;
/** Largest share that jitter adds. */
export const RECONNECT_JITTER_MAX = 0.25;
/** A connection of this age was good: the retry counter starts again. */
export const LIFE_UNTIL_RETRIES_RESET_MILLIS = 30_000;
/** Pause before a channel is asked for again a second time; each later one doubles. The first time has none. */
export const RESUBSCRIBE_DELAY_MILLIS_MIN = 1_000;
/** Cap of that doubling. */
export const RESUBSCRIBE_DELAY_MILLIS_MAX = 30_000;
/** A channel that went well for this long since it was asked for again may be asked for at once. */
export const RESUBSCRIBES_FORGOTTEN_MILLIS = 60_000;
/** Subscriptions waiting for the connection to open; more are refused, newest first. */
export const QUEUED_SUBSCRIPTIONS_MAX = 500;
/** A tab away for longer than this is asked to refresh. */
export const AWAY_MILLIS_MAX = 5 * 60_000;

/** `idle` = not wanted; `waiting` = closed, a reconnect is due; `failed` = closed until the user reconnects. */
export type ConnectionPhase = 'idle' | 'connecting' | 'open' | 'waiting' | 'failed';
/** Which dialog the user sees: the network anomaly, or the prompt after a long absence. */
export type ConnectionDialog = 'none' | 'anomaly' | 'away';

/** Everything the machine remembers. */
export interface ConnectionState {
  readonly phase: ConnectionPhase;
  readonly dialog: ConnectionDialog;
  /** Reconnects spent since the last good life. */
  readonly reconnects: number;
  readonly pingsUnanswered: number;
  /** What the screens follow, by identity, in the order of asking. Resent after every open. */
  readonly followed: ReadonlyMap<string, ChannelArg>;
  /** Which of them were asked for again on this connection, how often in a row, and when last or next. */
  readonly resubscribed: ReadonlyMap<string, { readonly times: number; readonly at: number }>;
  /** Whether a member is logged in, so that the connection should be authenticated too. */
  readonly member: boolean;
  readonly login: 'none' | 'asking' | 'sent' | 'done';
  /** Whether this connection has already asked twice for credentials after a refusal. */
  readonly loginRetried: boolean;
  readonly hiddenAt: number | undefined;
}

/** What happens to the machine. Times are ms by the injected clock; `random` is in [0, 1). */
export type ConnectionEvent =
  | { readonly kind: 'start' }
  | { readonly kind: 'stop' }
  | { readonly kind: 'reconnect' }
  | { readonly kind: 'opened' }
  | { readonly kind: 'closed'; readonly random: number }
  | { readonly kind: 'pong' }
  | { readonly kind: 'ping-due' }
  | { readonly kind: 'reconnect-due' }
  | { readonly kind: 'life-proven' }
  | { readonly kind: 'follow'; readonly arg: ChannelArg }
  | { readonly kind: 'unfollow'; readonly arg: ChannelArg }
  /** Another follower of a followed channel needs its snapshot. */
  | { readonly kind: 'snapshot'; readonly arg: ChannelArg }
  /** What came on a channel cannot be used: it is left and entered again, after a pause when it was so lately. */
  | { readonly kind: 'resubscribe'; readonly arg: ChannelArg; readonly at: number }
  | { readonly kind: 'resubscribe-due'; readonly arg: ChannelArg }
  | { readonly kind: 'member'; readonly member: boolean }
  | { readonly kind: 'credentials'; readonly args: LoginArgs | undefined }
  | { readonly kind: 'login-answer'; readonly accepted: boolean }
  | { readonly kind: 'hidden'; readonly at: number }
  | { readonly kind: 'visible'; readonly at: number }
  | { readonly kind: 'dismiss' };

/** Credentials of the live connection, from GetWebsocketArgs. */
export type LoginArgs = Extract<ClientFrame, { action: 'login' }>['args'];

/** Timers the machine asks for, each at most once at a time. */
export type ConnectionTimer = 'ping' | 'reconnect' | 'life';

/** What must be done. The driver carries effects out in order. */
export type ConnectionEffect =
  | { readonly kind: 'open' }
  | { readonly kind: 'close' }
  | { readonly kind: 'send'; readonly text: string }
  | { readonly kind: 'timer'; readonly timer: ConnectionTimer; readonly millis: number }
  | { readonly kind: 'cancel'; readonly timer: ConnectionTimer }
  /** Report `resubscribe-due` for this channel later. */
  | { readonly kind: 'resubscribe-later'; readonly arg: ChannelArg; readonly millis: number }
  /** Ask GetWebsocketArgs; `fresh` forbids the reused answer. */
  | { readonly kind: 'ask-credentials'; readonly fresh: boolean }
  /** Read by REST what the stream may have missed. */
  | { readonly kind: 'catch-up' }
  /** A subscription found the queue full. */
  | { readonly kind: 'queue-full'; readonly arg: ChannelArg };

/** A state and what to do about it. */
export interface ConnectionStep {
  readonly state: ConnectionState;
  readonly effects: readonly ConnectionEffect[];
}

/** Before anything happened. */
export const CONNECTION_AT_REST: ConnectionState = {
  phase: 'idle',
  dialog: 'none',
  reconnects: 0,
  pingsUnanswered: 0,
  followed: new Map(),
  resubscribed: new Map(),
  member: false,
  login: 'none',
  loginRetried: false,
  hiddenAt: undefined,
};

const TIMERS_OFF: readonly ConnectionEffect[] = [
  { kind: 'cancel', timer: 'ping' },
  { kind: 'cancel', timer: 'reconnect' },
  { kind: 'cancel', timer: 'life' },
];

/** Delay before a reconnect: 1 s doubling to 30 s, plus 0 to 25 %. `spent` counts the reconnects before this one. */
export function reconnectDelayMillis(spent: number, random: number): number {
  const delay = Math.min(RECONNECT_DELAY_MILLIS_MIN * 2 ** spent, RECONNECT_DELAY_MILLIS_MAX);
  return Math.round(delay * (1 + RECONNECT_JITTER_MAX * random));
}

/** One step of the machine. */
export function stepConnection(state: ConnectionState, event: ConnectionEvent): ConnectionStep {
  switch (event.kind) {
    case 'start':
      return state.phase === 'idle' ? connect(state) : same(state);
    case 'stop':
      return {
        state: { ...state, phase: 'idle', dialog: 'none', reconnects: 0, login: 'none' },
        effects: state.phase === 'idle' ? [] : [...TIMERS_OFF, { kind: 'close' }],
      };
    case 'reconnect':
      return onReconnectPressed(state);
    case 'opened':
      return state.phase === 'connecting' ? onOpened(state) : same(state);
    case 'closed':
      return onClosed(state, event.random);
    case 'reconnect-due':
      return state.phase === 'waiting' ? connect(state) : same(state);
    case 'life-proven':
      return { state: { ...state, reconnects: 0 }, effects: [] };
    case 'pong':
      return { state: { ...state, pingsUnanswered: 0 }, effects: [] };
    case 'ping-due':
      return state.phase === 'open' ? onPingDue(state) : same(state);
    case 'follow':
    case 'unfollow':
    case 'snapshot':
      return onSubscription(state, event);
    case 'resubscribe':
      return onResubscribe(state, event);
    case 'resubscribe-due':
      return state.resubscribed.has(channelId(event.arg)) ? leaveAndEnter(state, event.arg) : same(state);
    case 'member':
      return onMember(state, event.member);
    case 'credentials':
      return onCredentials(state, event.args);
    case 'login-answer':
      return onLoginAnswer(state, event.accepted);
    case 'hidden':
      return { state: { ...state, hiddenAt: event.at }, effects: [] };
    case 'visible':
      return onVisible(state, event.at);
    case 'dismiss':
      return { state: { ...state, dialog: 'none' }, effects: [] };
  }
}

function same(state: ConnectionState): ConnectionStep {
  return { state, effects: [] };
}

function connect(state: ConnectionState): ConnectionStep {
  return {
    state: {
      ...state,
      phase: 'connecting',
      pingsUnanswered: 0,
      login: 'none',
      loginRetried: false,
      resubscribed: new Map(),
    },
    effects: [{ kind: 'open' }],
  };
}

function onReconnectPressed(state: ConnectionState): ConnectionStep {
  const fresh = { ...state, dialog: 'none' as const, reconnects: 0 };
  if (state.phase === 'waiting' || state.phase === 'failed') {
    const step = connect(fresh);
    return { state: step.state, effects: [{ kind: 'cancel', timer: 'reconnect' }, ...step.effects] };
  }
  return same(fresh);
}

function onOpened(state: ConnectionState): ConnectionStep {
  const effects: ConnectionEffect[] = [
    { kind: 'timer', timer: 'ping', millis: STREAM_LIMITS.pingEveryMillis },
    { kind: 'timer', timer: 'life', millis: LIFE_UNTIL_RETRIES_RESET_MILLIS },
  ];
  if (state.member) effects.push({ kind: 'ask-credentials', fresh: false });
  effects.push(...subscribeAll(state));
  // A first open has missed nothing; a later one has.
  if (state.reconnects > 0) effects.push({ kind: 'catch-up' });
  return {
    state: { ...state, phase: 'open', dialog: 'none', login: state.member ? 'asking' : 'none' },
    effects,
  };
}

function onClosed(state: ConnectionState, random: number): ConnectionStep {
  if (state.phase !== 'connecting' && state.phase !== 'open') return same(state);
  const closed = { ...state, login: 'none' as const, pingsUnanswered: 0 };
  if (state.reconnects >= RECONNECTS_MAX) {
    return { state: { ...closed, phase: 'failed', dialog: 'anomaly' }, effects: TIMERS_OFF };
  }
  const millis = reconnectDelayMillis(state.reconnects, random);
  return {
    state: { ...closed, phase: 'waiting', reconnects: state.reconnects + 1 },
    effects: [...TIMERS_OFF, { kind: 'timer', timer: 'reconnect', millis }],
  };
}

function onPingDue(state: ConnectionState): ConnectionStep {
  if (state.pingsUnanswered >= STREAM_LIMITS.pingsUnansweredMax) {
    return {
      state: { ...state, phase: 'failed', dialog: 'anomaly', pingsUnanswered: 0, login: 'none' },
      effects: [...TIMERS_OFF, { kind: 'close' }],
    };
  }
  return {
    state: { ...state, pingsUnanswered: state.pingsUnanswered + 1 },
    effects: [
      { kind: 'send', text: 'ping' },
      { kind: 'timer', timer: 'ping', millis: STREAM_LIMITS.pingEveryMillis },
    ],
  };
}

function onSubscription(
  state: ConnectionState,
  event: Extract<ConnectionEvent, { kind: 'follow' | 'unfollow' | 'snapshot' }>,
): ConnectionStep {
  const key = channelId(event.arg);
  const known = state.followed.has(key);
  if (event.kind === 'snapshot') {
    return { state, effects: known && state.phase === 'open' ? [frame('subscribe', [event.arg])] : [] };
  }
  if (event.kind === 'follow') {
    if (known) return same(state);
    const bound = state.phase === 'open' ? STREAM_LIMITS.channelsMax : QUEUED_SUBSCRIPTIONS_MAX;
    if (state.followed.size >= bound) return { state, effects: [{ kind: 'queue-full', arg: event.arg }] };
    const followed = new Map(state.followed).set(key, event.arg);
    return {
      state: { ...state, followed },
      effects: state.phase === 'open' ? [frame('subscribe', [event.arg])] : [],
    };
  }
  if (!known) return same(state);
  const followed = new Map(state.followed);
  const resubscribed = new Map(state.resubscribed);
  followed.delete(key);
  resubscribed.delete(key);
  return {
    state: { ...state, followed, resubscribed },
    effects: state.phase === 'open' ? [frame('unsubscribe', [event.arg])] : [],
  };
}

function onResubscribe(
  state: ConnectionState,
  { arg, at }: Extract<ConnectionEvent, { kind: 'resubscribe' }>,
): ConnectionStep {
  const id = channelId(arg);
  if (state.phase !== 'open' || !state.followed.has(id)) return same(state);
  const last = state.resubscribed.get(id);
  // It will be asked for already.
  if (last !== undefined && last.at > at) return same(state);
  const times = last === undefined || at - last.at >= RESUBSCRIBES_FORGOTTEN_MILLIS ? 0 : last.times;
  const millis =
    times === 0 ? 0 : Math.min(RESUBSCRIBE_DELAY_MILLIS_MIN * 2 ** (times - 1), RESUBSCRIBE_DELAY_MILLIS_MAX);
  const resubscribed = new Map(state.resubscribed).set(id, { times: times + 1, at: at + millis });
  const next = { ...state, resubscribed };
  return millis === 0
    ? leaveAndEnter(next, arg)
    : { state: next, effects: [{ kind: 'resubscribe-later', arg, millis }] };
}

function leaveAndEnter(state: ConnectionState, arg: ChannelArg): ConnectionStep {
  return { state, effects: [frame('unsubscribe', [arg]), frame('subscribe', [arg])] };
}

function onMember(state: ConnectionState, member: boolean): ConnectionStep {
  if (member === state.member) return same(state);
  const next = { ...state, member };
  if (state.phase !== 'open') return same(next);
  if (member) {
    return { state: { ...next, login: 'asking' }, effects: [{ kind: 'ask-credentials', fresh: true }] };
  }
  // There is no log-out frame: a fresh anonymous connection is the only one that surely knows nobody.
  const step = connect({ ...next, reconnects: 0 });
  return { state: step.state, effects: [...TIMERS_OFF, { kind: 'close' }, ...step.effects] };
}

function onCredentials(state: ConnectionState, args: LoginArgs | undefined): ConnectionStep {
  if (state.phase !== 'open' || state.login !== 'asking') return same(state);
  if (args === undefined) return { state: { ...state, login: 'none' }, effects: [] };
  return {
    state: { ...state, login: 'sent' },
    effects: [{ kind: 'send', text: JSON.stringify({ action: 'login', args } satisfies ClientFrame) }],
  };
}

function onLoginAnswer(state: ConnectionState, accepted: boolean): ConnectionStep {
  if (state.login !== 'sent') return same(state);
  if (accepted) return { state: { ...state, login: 'done' }, effects: [{ kind: 'catch-up' }] };
  if (state.loginRetried) return { state: { ...state, login: 'none' }, effects: [] };
  return {
    state: { ...state, login: 'asking', loginRetried: true },
    effects: [{ kind: 'ask-credentials', fresh: true }],
  };
}

function onVisible(state: ConnectionState, at: number): ConnectionStep {
  const { hiddenAt } = state;
  if (hiddenAt === undefined) return same(state);
  const seen = { ...state, hiddenAt: undefined };
  if (state.phase !== 'open') return same(seen);
  const away = at - hiddenAt > AWAY_MILLIS_MAX;
  return {
    state: away ? { ...seen, dialog: 'away' } : seen,
    effects: [...subscribeAll(seen), { kind: 'catch-up' }],
  };
}

function frame(action: 'subscribe' | 'unsubscribe', args: readonly ChannelArg[]): ConnectionEffect {
  return { kind: 'send', text: JSON.stringify({ action, args } satisfies ClientFrame) };
}

// Far below the largest frame the hub takes: one argument is at most about 70 characters.
const CHANNELS_PER_FRAME_MAX = 100;

function subscribeAll(state: ConnectionState): ConnectionEffect[] {
  const args = [...state.followed.values()];
  const frames: ConnectionEffect[] = [];
  for (let at = 0; at < args.length; at += CHANNELS_PER_FRAME_MAX) {
    frames.push(frame('subscribe', args.slice(at, at + CHANNELS_PER_FRAME_MAX)));
  }
  return frames;
}
