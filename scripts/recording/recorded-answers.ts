import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { FetchText } from '@crossbook/venues';

/** Parameters that say which of several answers of one path is meant; the others only bound it. */
const TELLING_PARAMETERS = ['category', 'instType', 'symbol', 'instId', 'cursor'];

/**
 * The REST answers of a recording, given to the connectors as if the venue answered: by path and by the parameters
 * that tell answers apart. A recording has them in its lines, or as files in a folder `http` beside it, named after the
 * recording and the address: `OKX.www_okx_com_api_v5_public_instruments_instType_SPOT.json`.
 */
export class RecordedAnswers {
  readonly #byAddress = new Map<string, string>();
  #next: string | undefined;

  /** Takes the answers that lie beside a recording. */
  constructor(file: string) {
    const folder = join(dirname(file), 'http');
    const exchange = `${basename(file).split('.')[0]}.`;
    if (!existsSync(folder)) return;
    for (const name of readdirSync(folder)) {
      if (!name.startsWith(exchange)) continue;
      this.#byAddress.set(flat(name), readFileSync(join(folder, name), 'utf8'));
    }
  }

  /** Takes one answer of the recording itself. */
  add(url: string, text: string): void {
    this.#byAddress.set(flat(url), text);
  }

  /** Lets the next call be answered with this text, whatever it asks. */
  answerNext(text: string): void {
    this.#next = text;
  }

  readonly fetchText: FetchText = async (url) => {
    const next = this.#next;
    this.#next = undefined;
    const text = next ?? this.#find(new URL(url));
    return text === undefined ? { status: 404, text: '' } : { status: 200, text };
  };

  #find(url: URL): string | undefined {
    const telling = TELLING_PARAMETERS.flatMap((name) => {
      const value = url.searchParams.get(name);
      return value === null ? [] : [flat(`_${name}_${value}_`)];
    });
    const wanted = [flat(`${url.pathname}_`), ...telling];
    for (const [address, text] of this.#byAddress) {
      if (wanted.every((needle) => `${address}_`.includes(needle))) return text;
    }
    return undefined;
  }
}

/** An address with everything but letters and digits as `_`, as it is in names of files. */
function flat(address: string): string {
  return address.replace(/\.json$/, '').replace(/[^a-z0-9]+/gi, '_');
}
