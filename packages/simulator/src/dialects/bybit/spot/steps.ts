import { type Amount, amountToSteps, ok, type Result, refused } from '@crossbook/domain';
import { type BybitError, ERRORS } from '../errors.ts';

/** What is said of an amount between two steps, and of one beyond what can be counted. */
interface StepRefusals {
  readonly between: BybitError;
  readonly beyond: BybitError;
}

/** For prices. */
export const PRICE_STEPS: StepRefusals = { between: ERRORS.priceDecimals, beyond: ERRORS.priceTooHigh };
/** For quantities. */
export const QUANTITY_STEPS: StepRefusals = {
  between: ERRORS.quantityDecimals,
  beyond: ERRORS.quantityTooLarge,
};

/** Counts an amount in steps; what lies between two steps, or beyond what can be counted, has its own refusal each. */
export function countSteps(
  value: Amount | undefined,
  step: Amount,
  refusals: StepRefusals,
): Result<number | undefined, BybitError> {
  if (value === undefined) return ok(undefined);
  const counted = amountToSteps(value, step);
  if (counted !== undefined) return ok(counted);
  return refused(value % step === 0n ? refusals.beyond : refusals.between);
}
