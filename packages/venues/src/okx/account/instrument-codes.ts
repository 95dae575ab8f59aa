import { type Amount, mulDown, type SymbolType } from '@crossbook/domain';
import type { SendHttp, Timers } from '../../transport.ts';
import { asCounter, asObject, asText, parseJson, type WireObject } from '../../wire/guards.ts';
import { asAmount } from '../../wire/numbers.ts';
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
  /** Those whose instruments are traded. */
  readonly symbolTypes: readonly SymbolType[];
}

/** What the list of instruments says of one: its number on the private socket, and base coins of one contract. */
interface Facts {
  readonly code: number | undefined;
  readonly contractValue: Amount | undefined;
}

/**
 * The numbers by which the private socket knows instruments since 2026 (`instIdCode`), while REST knows them by name,
 * and what a contract counts, which messages of the private socket leave out. An order for an instrument that is not
 * here goes by REST.
 */
export class InstrumentCodes {
  readonly #options: InstrumentCodesOptions;
  #facts: ReadonlyMap<string, Facts> = new Map();
  #cancelTimer: () => void = () => undefined;
  #closed = false;

  constructor(options: InstrumentCodesOptions) {
    this.#options = options;
    void this.#read();
  }

  /** The code of an instrument; `undefined` while it is not known. */
  find(symbol: string): number | undefined {
    return this.#facts.get(symbol)?.code;
  }

  /** Base coins of one contract; `undefined` while that is not known. */
  contractValue(symbol: string): Amount | undefined {
    return this.#facts.get(symbol)?.contractValue;
  }

  close(): void {
    this.#closed = true;
    this.#cancelTimer();
  }

  async #read(): Promise<void> {
    const lists = await Promise.all(this.#options.symbolTypes.map((symbolType) => this.#fetch(symbolType)));
    if (this.#closed) return;
    const known = lists.flatMap((list) => list ?? []);
    this.#facts = new Map([...this.#facts, ...known]);
    const wait = lists.includes(undefined) ? RETRY_MILLIS : REFRESH_MILLIS;
    this.#cancelTimer = this.#options.timers.after(wait, () => void this.#read());
  }

  async #fetch(instType: SymbolType): Promise<readonly [string, Facts][] | undefined> {
    const { restBase, sendHttp } = this.#options;
    try {
      const answer = await sendHttp({
        method: 'GET',
        url: publicUrl(restBase, PUBLIC_PATHS.instruments, { instType }),
        headers: {},
        timeoutMillis: TIMEOUT_MILLIS,
      });
      const rows = dataOf(parseJson(answer.text));
      return answer.status === 200 ? rows?.flatMap((entry) => factsOf(asObject(entry))) : undefined;
    } catch {
      return undefined;
    }
  }
}

function factsOf(row: WireObject | undefined): [string, Facts][] {
  const symbol = asText(row?.instId);
  const value = asAmount(row?.ctVal);
  const multiplier = asAmount(row?.ctMult);
  if (symbol === undefined) return [];
  const contractValue =
    value === undefined || multiplier === undefined ? undefined : mulDown(value, multiplier);
  return [[symbol, { code: asCounter(row?.instIdCode), contractValue }]];
}
