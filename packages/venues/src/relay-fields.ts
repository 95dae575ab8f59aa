/**
 * One parameter of a relayed call: an instrument that is listed, a number of rows from 1 to the largest that is passed
 * on, a moment (ms), the place of a page as the venue named it, or one of a few words. `and` are words that may stand where an instrument would.
 */
export type RelayField =
  | { readonly kind: 'symbol'; readonly and?: readonly string[] }
  | { readonly kind: 'rows'; readonly max: number; readonly steps?: readonly number[] }
  | { readonly kind: 'moment' }
  | { readonly kind: 'cursor' }
  | { readonly kind: 'word'; readonly words: readonly string[] };

/** The parameters that a call may carry, by their names. */
export type RelayFields = Readonly<Record<string, RelayField>>;

/** What is wrong with a query, in a few words that name the parameter. */
export type QueryProblem = { readonly ok: false; readonly why: string };

const MOMENT = /^[0-9]{1,16}$/;
const CURSOR = /^[A-Za-z0-9%._:=+/~-]{0,300}$/;
const ROWS = /^[0-9]{1,6}$/;
const NAME = /^[A-Za-z0-9_-]{1,40}$/;

/**
 * The one way to write a query: known parameters only, each once, sorted, rows bounded and rounded up to the steps of
 * the call. Two questions that mean the same are then the same question, and none costs the venue more than is meant.
 * @param knows whether an instrument is listed; `undefined` while the lists are not there yet.
 */
export function canonicalQuery(
  fields: RelayFields,
  query: string,
  knows: (symbol: string) => boolean | undefined,
): { readonly ok: true; readonly query: URLSearchParams } | QueryProblem {
  const given = new URLSearchParams(query);
  const pairs: [string, string][] = [];
  for (const name of [...new Set(given.keys())].sort()) {
    const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
    const values = given.getAll(name);
    const [value = ''] = values;
    if (field === undefined) return { ok: false, why: `${label(name)} is not relayed` };
    const written = values.length === 1 ? canonicalValue(field, value, knows) : undefined;
    if (written === undefined) return { ok: false, why: `${label(name)} is not valid` };
    pairs.push([name, written]);
  }
  return { ok: true, query: new URLSearchParams(pairs) };
}

/** Whether a question is one of a few that everybody asks alike, like the list of all tickers. */
export function isCommonQuestion(fields: RelayFields, query: URLSearchParams): boolean {
  return [...query.keys()].every((name) => fields[name]?.kind === 'word');
}

/** Names are shown to whoever asked: those that could be anything are not repeated. */
function label(name: string): string {
  return NAME.test(name) ? `The parameter "${name}"` : 'A parameter';
}

function canonicalValue(
  field: RelayField,
  value: string,
  knows: (symbol: string) => boolean | undefined,
): string | undefined {
  switch (field.kind) {
    case 'symbol':
      if (field.and?.includes(value) === true) return value;
      return NAME.test(value) && knows(value) !== false ? value : undefined;
    case 'rows': {
      if (!ROWS.test(value) || Number(value) < 1) return undefined;
      const rows = Math.min(Number(value), field.max);
      return String(field.steps?.find((step) => step >= rows) ?? rows);
    }
    case 'moment':
      return MOMENT.test(value) ? String(Number(value)) : undefined;
    case 'cursor':
      return CURSOR.test(value) ? value : undefined;
    case 'word':
      return field.words.includes(value) ? value : undefined;
  }
}
