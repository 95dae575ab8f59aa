import { parseJson, recordOf } from '../../wire/json-text.ts';

/** A control message of a stream socket that was understood. */
export type StreamControl =
  | {
      readonly idText: string;
      readonly method: 'SUBSCRIBE' | 'UNSUBSCRIBE';
      readonly names: readonly string[];
    }
  | { readonly idText: string; readonly method: 'LIST_SUBSCRIPTIONS' }
  | { readonly idText: string; readonly method: 'SET_PROPERTY'; readonly combined: boolean }
  | { readonly idText: string; readonly method: 'GET_PROPERTY' };

/** Why one was not (web-socket-streams.md "Error Messages"). */
export interface StreamControlError {
  readonly idText: string | undefined;
  readonly code: number;
  readonly msg: string;
}

const METHODS = 'SUBSCRIBE`, `UNSUBSCRIBE`, `LIST_SUBSCRIPTIONS`, `SET_PROPERTY`, `GET_PROPERTY';
const STREAM_NAME_LENGTH_MAX = 128;

function readId(value: unknown): string | undefined {
  if (value === null) return 'null';
  if (typeof value === 'number') return Number.isSafeInteger(value) ? String(value) : undefined;
  return typeof value === 'string' && /^[a-zA-Z0-9-_]{0,64}$/.test(value) ? JSON.stringify(value) : undefined;
}

/** Reads a control message; garbage gives Binance's error. */
export function parseStreamControl(text: string): StreamControl | StreamControlError {
  const message = parseJson(text);
  if (message === undefined) {
    return { idText: undefined, code: 3, msg: 'Invalid JSON: expected value at line 1 column 1' };
  }
  const invalid = (idText: string | undefined, problem: string): StreamControlError => ({
    idText,
    code: 2,
    msg: `Invalid request: ${problem}`,
  });
  const fields = recordOf(message);
  if (fields === undefined) {
    return invalid(undefined, 'invalid type, expected a map at line 1 column 1');
  }
  const { id, method, params } = fields;
  const idText = readId(id ?? null);
  if (idText === undefined) return invalid(undefined, 'request ID must be an unsigned integer');
  if (id === undefined && method !== undefined && params === undefined) {
    return invalid(undefined, 'missing field `id` at line 1 column 1');
  }
  if (typeof method !== 'string') return invalid(idText, 'missing field `method` at line 1 column 1');
  return readMethod(idText, method, params, invalid);
}

function readMethod(
  idText: string,
  method: string,
  params: unknown,
  invalid: (idText: string, problem: string) => StreamControlError,
): StreamControl | StreamControlError {
  const list: readonly unknown[] = Array.isArray(params) ? params : [];
  if (method === 'SUBSCRIBE' || method === 'UNSUBSCRIBE') {
    const names = list.filter(
      (name): name is string => typeof name === 'string' && name.length <= STREAM_NAME_LENGTH_MAX,
    );
    if (names.length === 0 || names.length !== list.length) {
      return invalid(idText, 'params must be a list of stream names');
    }
    return { idText, method, names };
  }
  if (method === 'LIST_SUBSCRIPTIONS') {
    return list.length > 0 ? invalid(idText, 'too many parameters') : { idText, method };
  }
  if (method === 'SET_PROPERTY' || method === 'GET_PROPERTY') {
    return readProperty(idText, method, list, invalid);
  }
  const shown = method.slice(0, 40).replace(/[^\w]/g, '');
  return invalid(idText, `unknown variant \`${shown}\`, expected one of \`${METHODS}\` at line 1 column 28`);
}

function readProperty(
  idText: string,
  method: 'SET_PROPERTY' | 'GET_PROPERTY',
  list: readonly unknown[],
  invalid: (idText: string, problem: string) => StreamControlError,
): StreamControl | StreamControlError {
  const [name, value] = list;
  if (typeof name !== 'string') return invalid(idText, 'property name must be a string');
  if (name !== 'combined') return { idText, code: 0, msg: 'Unknown property' };
  if (list.length > (method === 'SET_PROPERTY' ? 2 : 1)) return invalid(idText, 'too many parameters');
  if (method === 'GET_PROPERTY') return { idText, method };
  if (typeof value !== 'boolean') return { idText, code: 1, msg: 'Invalid value type: expected Boolean' };
  return { idText, method, combined: value };
}
