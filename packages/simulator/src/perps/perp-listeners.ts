import type { PerpListener } from '../perp-exchange.ts';
import type { ContractEvent } from './state/contract-step.ts';

/** Everybody who listens to contracts. A listener that throws is reported and hears the next event all the same. */
export class PerpListeners {
  readonly #all = new Set<PerpListener>();
  readonly #onFault: (fault: unknown) => void;

  constructor(onFault: (fault: unknown) => void) {
    this.#onFault = onFault;
  }

  /** @returns ends the subscription. */
  add(listener: PerpListener): () => void {
    this.#all.add(listener);
    return () => void this.#all.delete(listener);
  }

  tell(events: readonly ContractEvent[]): void {
    for (const event of events) for (const listener of this.#all) this.#tellOne(listener, event);
  }

  #tellOne(listener: PerpListener, { tell, event }: ContractEvent): void {
    try {
      if (tell === 'order') listener.onPerpOrder?.(event);
      else if (tell === 'conditional') listener.onPerpConditional?.(event);
      else if (tell === 'account') listener.onPerpAccount?.(event);
      else listener.onLiquidation?.(event);
    } catch (fault) {
      this.#onFault(fault);
    }
  }
}
