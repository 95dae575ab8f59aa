import type { MarketChannel, PublicSocketCodec } from '@crossbook/venues';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { channelKey } from './channel-key.ts';
import { ChannelRequests } from './channel-requests.ts';

/** A venue that takes at most this many channels a message, and what it believes that we follow. */
class Believer {
  readonly channelsMax: number;
  readonly followed = new Map<string, number>();
  #messages = 0;

  constructor(channelsMax: number) {
    this.channelsMax = channelsMax;
  }

  readonly codec: PublicSocketCodec = {
    url: () => 'ws://venue',
    subscribe: (channels) => `+ ${channels.map((channel) => channelKey(channel)).join(' ')}`,
    unsubscribe: (channels) => `- ${channels.map((channel) => channelKey(channel)).join(' ')}`,
    decode: () => ({ kind: 'ignored' }),
    lifeMillisMax: 1,
  };

  hear(text: string): void {
    this.#messages += 1;
    const names = text.slice(2).split(' ');
    expect(names.length).toBeLessThanOrEqual(this.channelsMax);
    expect(names).not.toContain('');
    for (const name of names) {
      // Remembers which message began it, so that a renewal can be told from nothing.
      if (text.startsWith('+')) this.followed.set(name, this.#messages);
      else this.followed.delete(name);
    }
  }
}

const channel = fc.nat(6).map((at): MarketChannel => ({ kind: 'book', symbol: `A${at}` }));
const steps = fc.array(
  fc.oneof(
    fc.record({ do: fc.constantFrom('want' as const, 'release' as const, 'renew' as const), channel }),
    fc.constant({ do: 'flush' as const }),
    fc.constant({ do: 'reconnect' as const }),
  ),
  { maxLength: 40 },
);

test('in whatever order channels come, go and are renewed, the venue ends up with exactly what is wanted', () => {
  fc.assert(
    fc.property(steps, fc.integer({ min: 1, max: 4 }), (script, channelsMax) => {
      let venue = new Believer(channelsMax);
      const requests = new ChannelRequests({ ...venue.codec, channelsPerRequestMax: channelsMax });
      const wanted = new Map<string, MarketChannel>();
      const renewed = new Map<string, number>();
      const flush = (): void => {
        const { texts } = requests.take();
        expect(texts.length).toBeLessThanOrEqual(2);
        for (const text of texts) venue.hear(text);
      };
      for (const step of script) {
        if (step.do === 'flush') flush();
        else if (step.do === 'reconnect') {
          venue = new Believer(channelsMax);
          renewed.clear();
          requests.restart(wanted.values());
        } else {
          const key = channelKey(step.channel);
          if (step.do === 'want' && !wanted.has(key)) {
            wanted.set(key, step.channel);
            requests.follow(step.channel);
          } else if (step.do === 'release' && wanted.delete(key)) {
            requests.leave(step.channel);
            renewed.delete(key);
          } else if (step.do === 'renew' && wanted.has(key)) {
            requests.renew(step.channel);
            renewed.set(key, venue.followed.get(key) ?? 0);
          }
        }
      }
      for (let count = 0; !requests.isEmpty; count += 1) {
        expect(count).toBeLessThan(100);
        flush();
      }
      expect([...venue.followed.keys()].sort()).toEqual([...wanted.keys()].sort());
      for (const [key, before] of renewed) expect(venue.followed.get(key)).toBeGreaterThan(before);
    }),
    { numRuns: 1_000 },
  );
});
