import { AMOUNT_ONE, type Amount, type Instrument, mulDown, ZERO } from '@crossbook/domain';

/**
 * The quantity step of an instrument in base coins: venues that count contracts have `contractValue` coins in each.
 * Sizes of books and tapes are shown with it, so that one reads the same unit at every venue.
 */
export function baseStep(instrument: Pick<Instrument, 'lotSize' | 'contractValue'>): Amount {
  const step = mulDown(instrument.lotSize, instrument.contractValue);
  return step === ZERO ? instrument.lotSize : step;
}

/** Whether the venue counts in contracts that are not one coin each. */
export function countsContracts(instrument: Pick<Instrument, 'symbolType' | 'contractValue'>): boolean {
  return instrument.symbolType === 'SWAP' && instrument.contractValue !== AMOUNT_ONE;
}
