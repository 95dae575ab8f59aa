/**
 * Loaded before a process of a test (`node --import`): its clock runs `CLOCK_SHIFT_MILLIS` ahead, below zero behind, so that an
 * installation of some day goes on a moment after it was left, whenever the test is.
 */
const shift = Number(process.env.CLOCK_SHIFT_MILLIS ?? 0);
const RealDate = Date;

class ShiftedDate extends RealDate {
  constructor(...given: readonly number[]) {
    super(...((given.length === 0 ? [RealDate.now() + shift] : given) as [number]));
  }

  static override now(): number {
    return RealDate.now() + shift;
  }
}

globalThis.Date = ShiftedDate as DateConstructor;
