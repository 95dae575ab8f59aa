import { hash } from 'node:crypto';
import { assert } from '@crossbook/domain';
import type { HoldId, TransferId } from './command.ts';

/** What an id is derived from: platform numbers, order ids, venue trade ids, a word for the leg. */
export type IdentityPart = string | number;

/**
 * SHA-256 over the length-prefixed parts, cut to a UUIDv8 (RFC 9562): the same cause gives the same id on every
 * node and after every crash, and no two lists of parts run together (`['ab','c']` is not `['a','bc']`).
 */
function derive(scope: string, parts: readonly IdentityPart[]): string {
  assert(parts.length > 0, 'an id is derived from something');
  const prefixed = [scope, ...parts].map((part) => `${Buffer.byteLength(String(part))}:${part}`);
  const bytes = hash('sha256', prefixed.join(''), 'buffer').subarray(0, 16);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x80, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  const hex = bytes.toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

/**
 * The id of a movement, from what caused it.
 * @example transferId('fill', platform, symbol, tradeId, 'base')
 */
export function transferId(...parts: readonly IdentityPart[]): TransferId {
  return derive('transfer', parts) as TransferId;
}

/** The id of a hold, from what it is for. @example holdId('order', orderId) */
export function holdId(...parts: readonly IdentityPart[]): HoldId {
  return derive('hold', parts) as HoldId;
}
