import type { KeyId } from './keys.ts';

/** Keys of the shares, in their order. */
export const PRESET_KEYS = [
  ...(['ticket.size1', 'ticket.size2', 'ticket.size3', 'ticket.size4', 'ticket.size5'] as const),
] satisfies readonly KeyId[];

const DEFAULT: readonly number[] = [10, 25, 50, 75, 100];

/** The kept shares of the largest size, whole percent, 1 to 100; those that come where they are none such. */
export function sizePresets(kept: string): readonly number[] {
  const read = kept.split(',').map(Number);
  const valid = read.every((share) => Number.isInteger(share) && share >= 1 && share <= 100);
  return valid && read.length === DEFAULT.length ? read : DEFAULT;
}

/** The kept shares with one of them changed; what is no share changes nothing. */
export function withPreset(kept: string, at: number, share: number): string {
  const changed = sizePresets(kept).with(at, share).join();
  return sizePresets(changed).join() === changed ? changed : kept;
}

/** Marks of a slider: nothing, and each share. */
export function presetMarks(kept: string): readonly number[] {
  return [...new Set([0, ...sizePresets(kept)])].toSorted((left, right) => left - right);
}
