import type { Brand } from './brand.ts';

/** A member's id: a positive integer. Shown to members as the "member ID". */
export type UserId = Brand<number, 'UserId'>;
/** Our order id: UUIDv7 in lower-case canonical form; also the idempotency key of placing it. */
export type OrderId = Brand<string, 'OrderId'>;
/** The id an order carries at the venue: its `OrderId` without hyphens, 32 hex characters (decision 0030.13). */
export type VenueClientId = Brand<string, 'VenueClientId'>;
/** The id the venue gave an order. */
export type VenueOrderId = Brand<string, 'VenueOrderId'>;
/** The id the venue gave one fill; unique only together with platform and symbol. */
export type VenueTradeId = Brand<string, 'VenueTradeId'>;
/** Milliseconds since 1970-01-01 UTC. */
export type Millis = Brand<number, 'Millis'>;

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/** Parses a canonical lower-case UUID given as a client id. */
export function parseOrderId(text: string): OrderId | undefined {
  return UUID.test(text) ? (text as OrderId) : undefined;
}

/** The same id in the alphabet all three venues accept. */
export function venueClientId(id: OrderId): VenueClientId {
  return id.replaceAll('-', '') as VenueClientId;
}

/** The order a venue's client id belongs to; `undefined` when the order was not ours. */
export function orderIdOfVenueClientId(text: string): OrderId | undefined {
  return parseOrderId(
    `${text.slice(0, 8)}-${text.slice(8, 12)}-${text.slice(12, 16)}-${text.slice(16, 20)}-${text.slice(20)}`,
  );
}

const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

/**
 * Builds a UUIDv7 (RFC 9562) from a time and ten random bytes, both handed in so that tests repeat.
 * @param random at least 10 bytes from a secure source.
 */
export function uuidV7(now: Millis, random: Uint8Array): OrderId {
  const time = now.toString(16).padStart(12, '0');
  const bytes = Array.from(random.subarray(0, 10));
  bytes[0] = 0x70 | ((bytes[0] ?? 0) & 0x0f);
  bytes[2] = 0x80 | ((bytes[2] ?? 0) & 0x3f);
  const hex = time + bytes.map((byte) => HEX[byte]).join('');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}` as OrderId;
}
