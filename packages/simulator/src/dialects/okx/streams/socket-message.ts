import { parseJson } from '../../wire/json-text.ts';
import { bagOf, type ParamBag } from '../params.ts';
import type { ChannelArgument } from './market-channel.ts';

/** Arguments of one request; OKX bounds them by 64 KB of text. */
const ARGUMENTS_MAX = 1_000;
const TEXT_LENGTH_MAX = 64;

/** One request of a client. */
export interface SocketRequest {
  /** JSON text of its `id`, which the answer repeats; `undefined` where it has none. */
  readonly id: string | undefined;
  readonly op: string;
  readonly args: readonly ParamBag[];
  /** The moment after which it must not be carried out. */
  readonly expiry: string;
}

function readId(value: unknown): string | undefined {
  const fits = typeof value === 'string' ? /^[\w-]{1,64}$/.test(value) : Number.isSafeInteger(value);
  return fits ? JSON.stringify(value) : undefined;
}

/** Reads a request; `undefined` when it is none. */
export function parseSocketRequest(text: string): SocketRequest | undefined {
  const message = bagOf(parseJson(text));
  const op = message?.get('op');
  const args = message?.get('args') ?? [];
  if (message === undefined || typeof op !== 'string' || !Array.isArray(args)) return undefined;
  if (args.length > ARGUMENTS_MAX) return undefined;
  const bags = args.map(bagOf).filter((bag) => bag !== undefined);
  if (bags.length !== args.length) return undefined;
  const expiry = message.get('expTime');
  return { id: readId(message.get('id')), op, args: bags, expiry: String(expiry ?? '') };
}

/** Reads what is subscribed to; `undefined` when it names no channel or a field is no text. */
export function readArgument(bag: ParamBag): ChannelArgument | undefined {
  const text = (name: string): string | undefined => {
    const value = bag.get(name);
    return typeof value === 'string' && value !== '' && value.length <= TEXT_LENGTH_MAX ? value : undefined;
  };
  const channel = text('channel');
  if (channel === undefined) return undefined;
  const [instType, instFamily, instId, ccy] = [
    text('instType'),
    text('instFamily') ?? text('uly'),
    text('instId'),
    text('ccy'),
  ];
  return {
    channel,
    ...(instType === undefined ? {} : { instType }),
    ...(instFamily === undefined ? {} : { instFamily }),
    ...(instId === undefined ? {} : { instId }),
    ...(ccy === undefined ? {} : { ccy }),
  };
}
