import { type ChannelArg, type ClientFrame, PUBLIC_CHANNELS } from '@crossbook/contract';

/** Channels one message may name. */
const ARGS_MAX = 100;

function record(value: unknown): Readonly<Record<string, unknown>> | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Readonly<Record<string, unknown>>)
    : undefined;
}

function short(value: unknown, lengthMax: number): string | undefined {
  return typeof value === 'string' && value.length <= lengthMax ? value : undefined;
}

function channelArg(value: unknown): ChannelArg | undefined {
  const row = record(value);
  const ch = PUBLIC_CHANNELS.find((known) => known === row?.ch);
  const s = short(row?.s, 40);
  const m = row?.m;
  if (ch === undefined || s === undefined || (m !== undefined && m !== 2)) return undefined;
  const place = m === undefined ? { s } : { s, m: 2 as const };
  if (ch !== 'candle') return { ch, ...place };
  const i = short(row?.i, 3);
  return i === undefined ? undefined : { ch, ...place, i };
}

/** Reads a client's frame; `undefined` when it is none of ours. */
export function parseClientFrame(text: string): ClientFrame | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  const frame = record(value);
  if (frame?.action === 'login') {
    const args = record(frame.args);
    const [apiKey, timestamp, sign] = [
      short(args?.apiKey, 128),
      short(args?.timestamp, 20),
      short(args?.sign, 256),
    ];
    if (apiKey === undefined || timestamp === undefined || sign === undefined) return undefined;
    return { action: 'login', args: { apiKey, timestamp, sign } };
  }
  if (frame?.action !== 'subscribe' && frame?.action !== 'unsubscribe') return undefined;
  if (!Array.isArray(frame.args) || frame.args.length === 0 || frame.args.length > ARGS_MAX) return undefined;
  const args = frame.args.map(channelArg);
  return args.every((arg) => arg !== undefined) ? { action: frame.action, args } : undefined;
}
