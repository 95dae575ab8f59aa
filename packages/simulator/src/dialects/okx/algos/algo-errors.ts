import type { NewConditionalLeg } from '../../../perp-conditionals.ts';
import type { PriceKind } from '../../../triggers/trigger.ts';
import { ERRORS, type OkxError } from '../errors.ts';

interface WrongSides {
  readonly profit: { readonly BUY: OkxError; readonly SELL: OkxError };
  readonly loss: { readonly BUY: OkxError; readonly SELL: OkxError };
}

const WRONG_SIDES: Readonly<Record<PriceKind, WrongSides>> = {
  LAST: {
    profit: { BUY: ERRORS.profitAbove, SELL: ERRORS.profitBelow },
    loss: { BUY: ERRORS.lossBelow, SELL: ERRORS.lossAbove },
  },
  MARK: {
    profit: { BUY: ERRORS.profitAboveMark, SELL: ERRORS.profitBelowMark },
    loss: { BUY: ERRORS.lossBelowMark, SELL: ERRORS.lossAboveMark },
  },
  INDEX: {
    profit: { BUY: ERRORS.profitAboveIndex, SELL: ERRORS.profitBelowIndex },
    loss: { BUY: ERRORS.lossBelowIndex, SELL: ERRORS.lossAboveIndex },
  },
};

/** A trigger that its price has reached already: 51277 to 51280 by the last price, 51300 to 51308 by mark and index. */
export function reachedError({ purpose, trigger, sends: { side } }: NewConditionalLeg): OkxError {
  if (purpose === 'TRAILING') return side === 'SELL' ? ERRORS.trailLow : ERRORS.trailHigh;
  return WRONG_SIDES[trigger.by][purpose === 'TAKE_PROFIT' ? 'profit' : 'loss'][side];
}
