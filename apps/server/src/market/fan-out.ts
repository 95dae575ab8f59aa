import type { ServerFrame } from '@crossbook/contract';
import type { ChannelState } from './channels.ts';

/** Someone who follows channels. The gateway implements it over a socket. */
export interface Follower {
  /** False while the client reads too slowly: this tick is skipped and a fresh snapshot follows later. */
  ready(): boolean;
  /** One write for everything of a tick. */
  write(frames: readonly Uint8Array[]): void;
}

/** Turns a frame into the bytes that go on every socket alike. */
export type FrameEncoder = (frame: ServerFrame) => Uint8Array;

interface Channel {
  readonly state: ChannelState;
  readonly followers: Set<Follower>;
}

interface Following {
  readonly keys: Set<string>;
  /** Channels of which this client missed a tick and needs a snapshot again. */
  readonly behind: Set<string>;
}

/**
 * Spreads channels over followers: each frame is made once a tick, and each client gets one write a tick, whatever it
 * follows (design law: cost is the number of writes). A slow client costs nothing but its own freshness.
 */
export class FanOut {
  readonly #encode: FrameEncoder;
  readonly #channels = new Map<string, Channel>();
  readonly #followings = new Map<Follower, Following>();

  constructor(encode: FrameEncoder) {
    this.#encode = encode;
  }

  /** Opens a channel; it stays until `shut`. */
  open(key: string, state: ChannelState): void {
    if (!this.#channels.has(key)) this.#channels.set(key, { state, followers: new Set() });
  }

  shut(key: string): void {
    const channel = this.#channels.get(key);
    this.#channels.delete(key);
    for (const follower of channel?.followers ?? []) this.#forget(follower, key);
  }

  has(key: string): boolean {
    return this.#channels.has(key);
  }

  /**
   * Begins to follow, or begins again after a gap: a snapshot of the channel comes with the next tick, so that however
   * often a client asks it costs one frame per channel and one write per tick.
   */
  join(follower: Follower, key: string): void {
    const channel = this.#channels.get(key);
    if (channel === undefined) return;
    const following = this.#followings.get(follower) ?? { keys: new Set(), behind: new Set() };
    this.#followings.set(follower, following);
    following.keys.add(key);
    channel.followers.add(follower);
    following.behind.add(key);
  }

  leave(follower: Follower, key: string): void {
    this.#channels.get(key)?.followers.delete(follower);
    this.#forget(follower, key);
  }

  #forget(follower: Follower, key: string): void {
    const following = this.#followings.get(follower);
    following?.keys.delete(key);
    following?.behind.delete(key);
  }

  /** Forgets a follower; returns what it followed. */
  leaveAll(follower: Follower): readonly string[] {
    const keys = [...(this.#followings.get(follower)?.keys ?? [])];
    for (const key of keys) this.leave(follower, key);
    this.#followings.delete(follower);
    return keys;
  }

  followersOf(key: string): number {
    return this.#channels.get(key)?.followers.size ?? 0;
  }

  /** Publishes what changed since the last tick. */
  tick(): void {
    const changes = new Map<string, Uint8Array>();
    for (const [key, channel] of this.#channels) {
      const frame = channel.state.change();
      if (frame !== undefined && channel.followers.size > 0) changes.set(key, this.#encode(frame));
    }
    const snapshots = new Map<string, Uint8Array | undefined>();
    for (const [follower, following] of this.#followings)
      this.#serve(follower, following, { changes, snapshots });
  }

  #serve(
    follower: Follower,
    following: Following,
    tick: { changes: ReadonlyMap<string, Uint8Array>; snapshots: Map<string, Uint8Array | undefined> },
  ): void {
    if (following.behind.size === 0 && tick.changes.size === 0) return;
    if (!follower.ready()) {
      for (const key of following.keys) if (tick.changes.has(key)) following.behind.add(key);
      return;
    }
    const frames: Uint8Array[] = [];
    for (const key of following.keys) {
      const frame = following.behind.has(key) ? this.#snapshot(key, tick.snapshots) : tick.changes.get(key);
      if (frame === undefined) continue;
      following.behind.delete(key);
      frames.push(frame);
    }
    if (frames.length > 0) follower.write(frames);
  }

  #snapshot(key: string, snapshots: Map<string, Uint8Array | undefined>): Uint8Array | undefined {
    if (!snapshots.has(key)) {
      const frame = this.#channels.get(key)?.state.snapshot();
      snapshots.set(key, frame === undefined ? undefined : this.#encode(frame));
    }
    return snapshots.get(key);
  }
}
