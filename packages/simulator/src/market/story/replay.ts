import { createReadStream } from 'node:fs';
import { basename } from 'node:path';
import { createInterface } from 'node:readline';
import { type Millis, ok, type Result, refused } from '@crossbook/domain';
import { DAY_MILLIS } from '../bars/bars.ts';
import type { ListedMarket } from '../listing/listing.ts';
import type { MarketFiles } from './market-files.ts';
import { parseRecordedTime, parseRecording, type Recording } from './replay-parse.ts';

/**
 * `SIM_REPLAY=<csv>`: a recorded file drives one market.
 * Without `startAt` the recording keeps its own times: it is that market's history, and the seeded price joins it at both ends.
 * With `startAt` (`SIM_REPLAY_START`) the recording is moved by whole days so that the session begins at the recording's
 * `startAt` at the same time of day: the live price then follows the file, and the seeded price continues from its end.
 */
export interface ReplayPlan {
  readonly path: string;
  /** Which market; taken from the file's name when absent (`BTCUSDT-1m-2025-06.csv`, `BTCUSDT_1m.csv`). */
  readonly symbol?: string;
  /** A time inside the recording, ISO 8601 or milliseconds. */
  readonly startAt?: string;
}

/** A recording placed in wall time. */
export interface PlacedRecording {
  readonly recording: Recording;
  /** Wall time minus recorded time: whole days. */
  readonly shiftMillis: number;
}

const FILE = 'replay.json';

function symbolOf(plan: ReplayPlan, markets: readonly ListedMarket[]): ListedMarket | undefined {
  const name = basename(plan.path).toUpperCase();
  const wanted = plan.symbol?.toUpperCase();
  if (wanted !== undefined) return markets.find((market) => market.symbol === wanted);
  return markets.find((market) => new RegExp(`^${market.symbol}([^A-Z0-9]|$)`).test(name));
}

/** The day shift: the one this plan was given when it first ran in this data directory, otherwise one that begins now. */
function shiftOf(
  plan: ReplayPlan,
  startAt: number,
  surroundings: { files: MarketFiles; now: Millis },
): number {
  const key = `${plan.path} ${plan.startAt ?? ''}`;
  const kept = new TextDecoder().decode(surroundings.files.read(FILE) ?? new Uint8Array());
  const [keptKey, keptShift] = kept.split('\n');
  if (keptKey === key && Number.isSafeInteger(Number(keptShift))) return Number(keptShift);
  const shift = Math.floor((surroundings.now - startAt) / DAY_MILLIS) * DAY_MILLIS;
  surroundings.files.replace(FILE, new TextEncoder().encode(`${key}\n${shift}\n`));
  return shift;
}

/** Reads the recording of a plan and places it in time. Refusals are sentences for the operator. */
export async function openRecording(
  plan: ReplayPlan,
  markets: readonly ListedMarket[],
  surroundings: { readonly files: MarketFiles; readonly now: Millis },
): Promise<Result<PlacedRecording, string>> {
  const market = symbolOf(plan, markets);
  if (market === undefined) {
    return refused(
      `${plan.path}: no listed market is named ${plan.symbol ?? 'at the beginning of the file name'}`,
    );
  }
  const input = createReadStream(plan.path, { encoding: 'utf8' });
  try {
    // A file that cannot be read must refuse, not end the process: readline does not forward the stream's error.
    await new Promise((resolve, reject) => input.once('open', resolve).once('error', reject));
    const lines = createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY });
    const parsed = await parseRecording(basename(plan.path), market, lines);
    if (!parsed.ok) return parsed;
    if (plan.startAt === undefined) return ok({ recording: parsed.value, shiftMillis: 0 });
    const startAt = parseRecordedTime(plan.startAt);
    const { start, end } = parsed.value;
    if (startAt === undefined || startAt < start || startAt >= end) {
      const range = `${new Date(start).toISOString()} to ${new Date(end).toISOString()}`;
      return refused(`SIM_REPLAY_START ${plan.startAt} is no time inside the recording (${range})`);
    }
    return ok({ recording: parsed.value, shiftMillis: shiftOf(plan, startAt, surroundings) });
  } catch (failure) {
    return refused(`${plan.path}: ${failure instanceof Error ? failure.message : 'cannot be read'}`);
  } finally {
    input.destroy();
  }
}
