import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { RECORDINGS_DIR } from '../../../tests/recordings.ts';
import { startRig } from './dialects/binance/rig.fixture.ts';

const directory = join(RECORDINGS_DIR, 'klines-bybit');
const MINUTE = 60_000;

type Row = readonly (number | string)[];

/** `timestamp,open,high,low,close,volume` lines as numbers, times in milliseconds. */
function readRecording(path: string): readonly (readonly number[])[] {
  const [, ...lines] = readFileSync(path, 'utf8').trim().split('\n');
  return lines.map((line) => {
    const [time = '', ...values] = line.trim().split(',');
    const parsed = /^[0-9]+$/.test(time) ? Number(time) : Date.parse(time.replace(' ', 'T'));
    return [parsed, ...values.map(Number)];
  });
}

async function readBack(
  rig: Awaited<ReturnType<typeof startRig>>,
  span: { from: number; to: number; interval: string },
) {
  const rows: Row[] = [];
  for (let startTime = span.from; startTime <= span.to; ) {
    const params = { symbol: 'BTCUSDT', interval: span.interval, startTime, endTime: span.to, limit: 1000 };
    const answer = await rig.get('/api/v3/klines', params);
    expect(answer.status).toBe(200);
    if (answer.body.length === 0) break;
    rows.push(...answer.body);
    startTime = Number(answer.body.at(-1)[0]) + 1;
  }
  return rows;
}

// Recorded prices have the recording venue's steps, which are those of our market or coarser.
describe.skipIf(!existsSync(directory))('SIM_REPLAY over the wire', () => {
  test('the recorded month is read back by /api/v3/klines, bar for bar', async () => {
    const path = join(directory, 'BTCUSDT_1m.csv');
    const recorded = readRecording(path);
    expect(recorded.length).toBe(43_200);
    const rig = await startRig({
      replay: { path, symbol: 'BTCUSDT' },
      limits: { requestWeightPerMinuteMax: 1e9 },
    });
    const first = recorded[0]?.[0] ?? 0;
    const last = recorded.at(-1)?.[0] ?? 0;
    const rows = await readBack(rig, { from: first, to: last, interval: '1m' });
    expect(rows.length).toBe(recorded.length);
    rows.forEach((row, at) => {
      expect(row.slice(0, 6).map(Number)).toEqual(recorded[at]);
    });
    const hours = await readBack(rig, {
      from: first - (first % (60 * MINUTE)) + 60 * MINUTE,
      to: last - 60 * MINUTE,
      interval: '1h',
    });
    for (const hour of hours) {
      const minutes = rows.filter(
        (row) => Number(row[0]) >= Number(hour[0]) && Number(row[0]) <= Number(hour[6]),
      );
      expect(minutes.length).toBe(60);
      expect(Number(hour[2])).toBe(Math.max(...minutes.map((row) => Number(row[2]))));
      expect(Number(hour[3])).toBe(Math.min(...minutes.map((row) => Number(row[3]))));
      expect([hour[1], hour[4]]).toEqual([minutes[0]?.[1], minutes.at(-1)?.[4]]);
    }
    expect(hours.length).toBeGreaterThan(700);
    await rig.close();
  }, 120_000);
});
