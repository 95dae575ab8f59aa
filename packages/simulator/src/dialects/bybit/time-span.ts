import type { Millis } from '@crossbook/domain';
import { invalid } from './errors.ts';
import type { ParamReader } from './params.ts';

const SPAN_MILLIS_MAX = 7 * 86_400_000;

interface Span {
  readonly startTime: Millis;
  readonly endTime: Millis;
}

/** Seven days at most. Where an end is missing, so long a span: the last one, that from the start, or that up to the end. */
export function readSpan(reader: ParamReader, now: Millis, unsaidMillis: number = SPAN_MILLIS_MAX): Span {
  const start = reader.integer('startTime');
  const end = reader.integer('endTime');
  if (start !== undefined && end !== undefined) {
    if (end < start || end - start > SPAN_MILLIS_MAX)
      reader.refuse(invalid('the span of startTime and endTime'));
  }
  const startTime = start ?? (end ?? now) - unsaidMillis;
  const endTime = end ?? (start === undefined ? now : start + unsaidMillis);
  return { startTime: startTime as Millis, endTime: endTime as Millis };
}
