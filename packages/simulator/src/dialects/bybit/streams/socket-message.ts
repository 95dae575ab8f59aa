import { parseJson, recordOf } from '../../wire/json-text.ts';

/** A request of a client as it came: nothing in it is believed yet. */
export interface SocketMessage {
  readonly op: string;
  /** Echoed as it came, whether text or number. Public and private sockets call it `req_id`, the trade socket `reqId`. */
  readonly id: string | number | undefined;
  readonly args: readonly unknown[];
  readonly header: Readonly<Record<string, unknown>>;
}

/** One client joins all its topics to an id. */
const ID_LENGTH_MAX = 32_768;

function asId(value: unknown): string | number | undefined {
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  return typeof value === 'string' && value !== '' && value.length <= ID_LENGTH_MAX ? value : undefined;
}

/** Reads one message; `undefined` when it is no JSON object. */
export function parseSocketMessage(text: string, idName: 'req_id' | 'reqId'): SocketMessage | undefined {
  const message = recordOf(parseJson(text));
  if (message === undefined) return undefined;
  return {
    op: typeof message.op === 'string' ? message.op : '',
    // One client says `req_id` when it logs on to the trade socket.
    id: asId(message[idName]) ?? (idName === 'reqId' ? asId(message.req_id) : undefined),
    args: Array.isArray(message.args) ? (message.args as readonly unknown[]) : [],
    header: recordOf(message.header) ?? {},
  };
}

/** The id under its name, where one was given. */
export function idField(
  name: 'req_id' | 'reqId',
  { id }: Pick<SocketMessage, 'id'>,
): Readonly<Record<string, string | number>> {
  return id === undefined ? {} : { [name]: id };
}
