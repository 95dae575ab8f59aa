import { recordOf } from '../../wire/json-text.ts';

/** One WebSocket API request, as sent: numbers keep the digits they were written with, for the signature. */
export interface SocketRequest {
  /** JSON text of the id, to be echoed; `null` when it was absent or unusable. */
  readonly idText: string;
  readonly method: string;
  readonly params: ReadonlyMap<string, string>;
}

/** Why a request could not be read. */
export interface MalformedRequest {
  readonly idText: string;
  readonly problem: string;
}

/** A number with the text it was written as. */
interface RawNumber {
  readonly rawNumber: string;
}

function isRawNumber(value: unknown): value is RawNumber {
  return typeof value === 'object' && value !== null && 'rawNumber' in value;
}

/** JSON.parse that keeps the source text of numbers (ES2026 "JSON.parse source text access", in Node 24). */
function parseKeepingNumbers(text: string): unknown {
  const revive = (_key: string, value: unknown, context?: { source?: string }): unknown =>
    typeof value === 'number' ? { rawNumber: context?.source ?? String(value) } : value;
  try {
    return JSON.parse(text, revive as (key: string, value: unknown) => unknown);
  } catch {
    return undefined;
  }
}

const ID_TEXT = /^[a-zA-Z0-9-_]{1,36}$/;
const ID_NUMBER = /^-?[0-9]{1,19}$/;

function readId(value: unknown): string | undefined {
  if (value === null) return 'null';
  if (isRawNumber(value)) return ID_NUMBER.test(value.rawNumber) ? value.rawNumber : undefined;
  return typeof value === 'string' && ID_TEXT.test(value) ? JSON.stringify(value) : undefined;
}

/** A parameter as the text that a REST client would send; lists of words as their JSON. */
function readParam(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  if (typeof value === 'boolean') return String(value);
  if (isRawNumber(value)) return value.rawNumber;
  const words = Array.isArray(value) && value.every((entry) => typeof entry === 'string');
  return words ? JSON.stringify(value) : undefined;
}

function readParams(value: unknown): Map<string, string> | string {
  const params = new Map<string, string>();
  if (value === undefined) return params;
  const fields = isRawNumber(value) ? undefined : recordOf(value);
  if (fields === undefined) return "Invalid 'params' in JSON request; expected an object.";
  for (const [name, entry] of Object.entries(fields)) {
    if (entry === null) continue;
    const text = readParam(entry);
    if (text === undefined) return `JSON sent for parameter '${name.slice(0, 40)}' is not valid`;
    params.set(name, text);
  }
  return params;
}

/** Reads one request frame. */
export function parseSocketRequest(text: string): SocketRequest | MalformedRequest {
  const parsed = parseKeepingNumbers(text);
  const request = isRawNumber(parsed) ? undefined : recordOf(parsed);
  if (request === undefined) return { idText: 'null', problem: 'Invalid JSON Request' };
  const idText = readId(request.id);
  if (idText === undefined) {
    const problem =
      "Invalid 'id' in JSON request; expected an integer, a string matching '^[a-zA-Z0-9-_]{1,36}$', or null.";
    return { idText: 'null', problem };
  }
  const { method } = request;
  if (typeof method !== 'string' || method === '') {
    return { idText, problem: "Missing or invalid 'method' in JSON request." };
  }
  const params = readParams(request.params);
  return typeof params === 'string' ? { idText, problem: params } : { idText, method, params };
}
