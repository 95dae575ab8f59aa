import { expect, test } from 'vitest';
import { UNANSWERED_CHECKS_MAX, UNREAD_BYTES_MAX, UnreadMeter } from './unread-meter.ts';

test('a reader that never proves reading has so many bytes, however slowly or fast they leave this process', () => {
  const meter = new UnreadMeter();
  meter.asked('a');
  meter.wrote(UNREAD_BYTES_MAX);
  expect(meter.isFull).toBe(false);
  meter.wrote(1);
  expect(meter.isFull).toBe(true);
});

test('a trickle of answers proves only what was written before each question', () => {
  const meter = new UnreadMeter();
  for (let round = 0; round < 2; round += 1) {
    meter.asked(`${round}`);
    meter.wrote(UNREAD_BYTES_MAX / 2);
    meter.answered(`${round}`);
  }
  expect(meter.isFull).toBe(false);
  meter.asked('late');
  meter.wrote(UNREAD_BYTES_MAX / 2 + 1);
  expect(meter.isFull).toBe(true);
  meter.answered('late');
  expect(meter.isFull).toBe(false);
});

test('a fast reader is asked again as soon as much was written, not only at the next check', () => {
  const meter = new UnreadMeter();
  expect(meter.wrote(1024 * 1024)).toBe(false);
  expect(meter.wrote(1)).toBe(true);
  meter.asked('a');
  expect(meter.wrote(1024 * 1024 * 2)).toBe(false);
});

test('an answer is waited for so many checks; another one than ours is no answer', () => {
  const meter = new UnreadMeter();
  expect(meter.check()).toBe('ask');
  meter.asked('ours');
  meter.answered('theirs');
  for (let check = 0; check < UNANSWERED_CHECKS_MAX; check += 1) expect(meter.check()).toBe('wait');
  expect(meter.check()).toBe('behind');
  meter.answered('ours');
  expect(meter.check()).toBe('ask');
});
