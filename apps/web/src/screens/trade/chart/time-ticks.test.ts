import { describe, expect, test } from 'vitest';
import { createTimeTicks, zoneOffsetMillis } from './time-ticks.ts';

let locale = 'en';
const ticks = createTimeTicks(() => locale);
const MINUTE = 60_000;
const DAY = 1_440 * MINUTE;
const start = Date.UTC(2026, 0, 31, 23, 7);

function texts(bar: number, pixels: number, count: number, timeZone = 'UTC'): string[] {
  return ticks({
    timeAt: (index) => start + index * bar,
    from: 0,
    to: count,
    barPixels: pixels,
    timeZone,
  }).map((tick) => tick.text);
}

describe('time ticks', () => {
  test('stand at round minutes and name the day at midnight', () => {
    expect(texts(MINUTE, 8, 90)).toEqual(['23:15', '23:30', '23:45', 'Feb 1', '00:15', '00:30']);
  });
  test.each([
    ['ja', '2月1日'],
    ['ko', '2월 1일'],
    ['en', 'Feb 1'],
  ])('are written in the language of the page, also once that changes: %s', (spoken, day) => {
    locale = spoken;
    expect(texts(MINUTE, 8, 90)).toContain(day);
  });
  test('are round in the zone that is shown', () => {
    expect(texts(MINUTE, 2, 200, 'Asia/Kolkata')).toEqual(['05:00', '06:00', '07:00']);
    expect(texts(MINUTE, 2, 200, 'UTC')).toEqual(['Feb 1', '01:00', '02:00']);
  });
  test('name days, and the year when it changes', () => {
    expect(texts(DAY, 14, 20).slice(0, 2)).toEqual(['Feb 5', 'Feb 12']);
    expect(texts(30 * DAY, 90, 13)).toContain('2027');
  });
  test('show seconds for second bars', () => {
    expect(texts(1_000, 10, 31)).toEqual(['23:07:15', '23:07:30']);
  });
  test('an empty span has none', () => {
    expect(texts(MINUTE, 8, 0)).toEqual([]);
  });
});

test.each([
  ['UTC', 0],
  ['Asia/Tokyo', 9 * 60 * MINUTE],
  ['Asia/Kolkata', 330 * MINUTE],
  ['America/New_York', -300 * MINUTE],
])('%s is %i ms ahead in January', (zone, offset) => {
  expect(zoneOffsetMillis(start, zone)).toBe(offset);
});
