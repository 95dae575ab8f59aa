import type { CallResult } from '../../wire/api-client.ts';
import { notify } from '../app/notices.ts';

/** After so long without an answer what became of a request is said to be unknown, though the answer may still come. */
export const ANSWER_AWAITED_MILLIS = 10_000;

/** How it is said that an answer is missing. */
interface Unanswered {
  /** The notice's key: what is known later replaces it. */
  readonly key: string;
  /** The text. */
  readonly id: 'order.unknown' | 'order.cancelUnknown';
  /** Told once, with the notice. */
  readonly onUnknown?: (() => void) | undefined;
}

/**
 * Waits for the answer to what changes something. That its outcome is unknown is said once: when ten seconds are over, or when
 * the answer is lost before. An answer that comes after all takes that notice's place.
 */
export async function sayIfUnknown<Data>(
  asked: Promise<CallResult<Data>>,
  { key, id, onUnknown }: Unanswered,
): Promise<CallResult<Data>> {
  let late = false;
  const say = (): void => {
    notify('error', { id }, key, { event: 'unknown' });
    onUnknown?.();
  };
  const timer = setTimeout(() => {
    late = true;
    say();
  }, ANSWER_AWAITED_MILLIS);
  const answer = await asked.finally(() => clearTimeout(timer));
  if (answer.ok || answer.kind === 'refused') {
    if (late) notify('info', { id: 'order.answered' }, key, { event: 'own' });
  } else if (!late) say();
  return answer;
}
