import { beforeEach, describe, expect, test } from 'vitest';
import type { SocketLink } from './kept-socket.ts';
import { PendingRequests } from './pending-requests.ts';
import { ScriptedTime } from './scripted-transport.fixture.ts';

type Answer = { readonly reported: string } | { readonly lost: string };

/** A link that hears, does not hear, or breaks while it is written to. */
class Link implements SocketLink {
  readonly heard: string[] = [];
  mood: 'hears' | 'closed' | 'breaks' = 'hears';
  send(text: string): boolean {
    if (this.mood === 'closed') return false;
    this.heard.push(text);
    if (this.mood === 'breaks') throw new Error('broken pipe');
    return true;
  }
  ready(): void {}
  close(): void {}
}

let time: ScriptedTime;
let link: Link;
let pending: PendingRequests<Answer>;

beforeEach(() => {
  time = new ScriptedTime();
  link = new Link();
  pending = new PendingRequests<Answer>({
    timers: time,
    pendingRequestsMax: 2,
    lost: (why) => ({ lost: why }),
  });
});

const ask = (over: SocketLink | undefined = link) => pending.write(over, 1_000, (id) => `request ${id}`);

describe('a request that waits for its answer', () => {
  test('is written before the call returns and ends with its own answer', async () => {
    const [first, second] = [ask(), ask()];
    expect(link.heard).toEqual(['request 1', 'request 2']);
    pending.settle('2', { reported: 'b' });
    pending.settle('1', { reported: 'a' });
    expect(await Promise.all([first, second])).toEqual([{ reported: 'a' }, { reported: 'b' }]);
    expect([pending.isBusy, time.waiting]).toEqual([false, 0]);
  });

  test('is lost when its time is up, and the answer that comes later is nobody’s', async () => {
    const asked = ask();
    time.advance(999);
    expect(pending.has('1')).toBe(true);
    time.advance(1);
    expect(await asked).toEqual({ lost: 'no answer in time' });
    pending.settle('1', { reported: 'late' });
    expect(await asked).toEqual({ lost: 'no answer in time' });
  });

  test('is lost with its link, and requests over another link are not', async () => {
    const other = new Link();
    const [first, second] = [ask(), ask(other)];
    pending.linkClosed(link);
    expect(await first).toEqual({ lost: 'connection lost before the answer' });
    expect(pending.has('2')).toBe(true);
    pending.settle('2', { reported: 'b' });
    expect(await second).toEqual({ reported: 'b' });
  });

  test('counts as sent when the socket breaks while it is written: lost, not unwritten', async () => {
    link.mood = 'breaks';
    expect(await ask()).toEqual({ lost: 'socket failed while writing' });
    expect(link.heard).toEqual(['request 1']);
  });

  test('is never written a second time, whatever becomes of it', async () => {
    const asked = ask();
    time.advance(1_000);
    pending.linkClosed(link);
    await asked;
    expect(link.heard).toEqual(['request 1']);
  });

  test('has an id that is not used again', () => {
    void ask();
    pending.settle('1', { reported: 'a' });
    void ask();
    expect(link.heard).toEqual(['request 1', 'request 2']);
  });
});

describe('nothing is written, and nothing waits', () => {
  test.each<[string, () => Promise<Answer> | undefined]>([
    ['without a link', () => pending.write(undefined, 1_000, (id) => id)],
    [
      'over a link that is closed',
      () => {
        link.mood = 'closed';
        return ask();
      },
    ],
  ])('%s', (_case, write) => {
    expect(write()).toBeUndefined();
    expect([link.heard, pending.isBusy, time.waiting]).toEqual([[], false, 0]);
  });

  test('beyond the bound, until an answer makes room', () => {
    void ask();
    void ask();
    expect([pending.isFull, ask()]).toEqual([true, undefined]);
    expect(link.heard).toHaveLength(2);
    pending.settle('1', { reported: 'a' });
    expect([pending.isFull, ask() !== undefined]).toEqual([false, true]);
  });
});
