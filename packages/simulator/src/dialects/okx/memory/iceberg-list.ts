import type { AccountNumber } from '../../../exchange.ts';

/** One that is being carried out. */
export interface LiveIceberg {
  readonly account: AccountNumber;
  readonly instId: string;
  /** The core's number of it. */
  readonly algoId: number;
}

/** The icebergs that are being carried out; the core bounds how many an account may have. */
export class IcebergList {
  readonly #live = new Map<string, LiveIceberg>();

  add(iceberg: LiveIceberg): void {
    this.#live.set(keyOf(iceberg), iceberg);
  }

  delete(iceberg: LiveIceberg): void {
    this.#live.delete(keyOf(iceberg));
  }

  all(): readonly LiveIceberg[] {
    return [...this.#live.values()];
  }
}

function keyOf({ instId, algoId }: LiveIceberg): string {
  return `${instId} ${algoId}`;
}
