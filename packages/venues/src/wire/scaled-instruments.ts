import { type Instrument, type StepScale, stepScale } from '@crossbook/domain';

/** An instrument with the two scales that turn its decimal strings into ticks and lots. */
export interface ScaledInstrument {
  readonly instrument: Instrument;
  readonly tick: StepScale;
  readonly lot: StepScale;
}

/** Works out the scales once, so that the hot path only looks them up. */
export function scaled(instrument: Instrument): ScaledInstrument {
  return { instrument, tick: stepScale(instrument.tickSize), lot: stepScale(instrument.lotSize) };
}

/** Instruments by the venue's symbol. A message about a symbol that is not here cannot be read: its scale is unknown. */
export class InstrumentTable {
  readonly #bySymbol = new Map<string, ScaledInstrument>();

  constructor(known: readonly Instrument[] = []) {
    this.learn(known);
  }

  /** Adds instruments or replaces what was known of them (a venue may change a tick size). */
  learn(instruments: readonly Instrument[]): void {
    for (const instrument of instruments) this.#bySymbol.set(instrument.symbol, scaled(instrument));
  }

  /** The instrument of a symbol, `undefined` when it was never learnt. */
  find(symbol: string): ScaledInstrument | undefined {
    return this.#bySymbol.get(symbol);
  }
}
