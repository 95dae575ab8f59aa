import { expect, test } from 'vitest';
import type { SoundName } from '../../../stores/app/notice-events.ts';
import { SoundTurns } from './sound-turns.ts';

/** Asks for sounds at times, ms, each heard for 200 ms. @returns what was heard, and when. */
function heard(asked: readonly (readonly [at: number, sound: SoundName])[], until = 5_000): string[] {
  const said: string[] = [];
  let now = 0;
  let waiting: { at: number; act: () => void }[] = [];
  const turns = new SoundTurns({
    now: () => now,
    after: (millis, act) => {
      const entry = { at: now + millis, act };
      waiting.push(entry);
      return () => {
        waiting = waiting.filter((one) => one !== entry);
      };
    },
    play: (sound) => {
      said.push(`${now} ${sound}`);
      return 200;
    },
  });
  for (; now <= until; now += 10) {
    for (const { act } of waiting.filter(({ at }) => at === now)) act();
    waiting = waiting.filter(({ at }) => at > now);
    for (const [at, sound] of asked) if (at === now) turns.ask(sound);
  }
  return said;
}

test.each<[string, readonly (readonly [number, SoundName])[], readonly string[]]>([
  ['alone', [[0, 'order']], ['0 order']],
  [
    'three fills of an order',
    [
      [0, 'filled'],
      [300, 'filled'],
      [990, 'filled'],
    ],
    ['0 filled'],
  ],
  [
    'a second later',
    [
      [0, 'filled'],
      [1_000, 'filled'],
    ],
    ['0 filled', '1000 filled'],
  ],
  [
    'an order and its fill at once: the fill cuts the order off',
    [
      [0, 'order'],
      [50, 'filled'],
      [100, 'order'],
    ],
    ['0 order', '50 filled'],
  ],
  [
    'an alarm within the second waits, and the lesser ones are lost',
    [
      [0, 'filled'],
      [300, 'fired'],
      [500, 'alarm'],
      [700, 'error'],
    ],
    ['0 filled', '1000 alarm'],
  ],
  [
    'nothing comes in between after what waited',
    [
      [0, 'order'],
      [600, 'error'],
      [1_500, 'filled'],
      [2_100, 'filled'],
    ],
    ['0 order', '1000 error', '2100 filled'],
  ],
])('one sound a second, the gravest: %s', (_, asked, expected) => {
  expect(heard(asked)).toEqual(expected);
});

test('what was not heard takes no turn', () => {
  const played: SoundName[] = [];
  const next = new SoundTurns({
    ...{ now: () => 0, after: () => () => undefined },
    play: (sound) => {
      played.push(sound);
      return played.length > 1 ? 200 : 0;
    },
  });
  next.ask('alarm');
  next.ask('order');
  expect(played).toEqual(['alarm', 'order']);
});
