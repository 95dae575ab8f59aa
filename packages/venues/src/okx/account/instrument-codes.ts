import type { SendHttp, Timers } from '../../transport.ts';
import { asCounter, asObject, asText, parseJson } from '../../wire/guards.ts';
import { publicUrl } from '../../wire/query-url.ts';
import { PUBLIC_PATHS } from '../urls.ts';
import { dataOf } from '../wire.ts';

const REFRESH_MILLIS = 3_600_000;
const RETRY_MILLIS = 10_000;
const TIMEOUT_MILLIS = 10_000;

/** What the table needs from outside. */
export interface InstrumentCodesOptions {
  readonly restBase: string;
  readonly sendHttp: SendHttp;
  readonly timers: Timers;
}

/**
 * The numbers by which the private socket knows spot instruments since 2026 (`instIdCode`); REST knows them by name.
 * An order for an instrument that is not here goes by REST.
 */
export class InstrumentCodes {
  readonly #options: InstrumentCodesOptions;
  #codes: ReadonlyMap<string, number> = new Map();
  #cancelTimer: () => void = () => undefined;
  #closed = false;

  constructor(options: InstrumentCodesOptions) {
    this.#options = options;
    void this.#read();
  }

  /** The code of an instrument; `undefined` while it is not known. */
  find(symbol: string): number | undefined {
    return this.#codes.get(symbol);
  }

  close(): void {
    this.#closed = true;
    this.#cancelTimer();
  }

  async #read(): Promise<void> {
    const codes = await this.#fetch();
    if (this.#closed) return;
    if (codes !== undefined) this.#codes = codes;
    const wait = codes === undefined ? RETRY_MILLIS : REFRESH_MILLIS;
    this.#cancelTimer = this.#options.timers.after(wait, () => void this.#read());
  }

  async #fetch(): Promise<ReadonlyMap<string, number> | undefined> {
    const { restBase, sendHttp } = this.#options;
    try {
      const answer = await sendHttp({
        method: 'GET',
        url: publicUrl(restBase, PUBLIC_PATHS.instruments, { instType: 'SPOT' }),
        headers: {},
        timeoutMillis: TIMEOUT_MILLIS,
      });
      const rows = dataOf(parseJson(answer.text));
      if (answer.status !== 200 || rows === undefined) return undefined;
      const codes = new Map<string, number>();
      for (const entry of rows) {
        const row = asObject(entry);
        const symbol = asText(row?.instId);
        const code = asCounter(row?.instIdCode);
        if (symbol !== undefined && code !== undefined) codes.set(symbol, code);
      }
      return codes;
    } catch {
      return undefined;
    }
  }
}
