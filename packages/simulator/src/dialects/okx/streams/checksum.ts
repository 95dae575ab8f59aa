/** Levels a side that the checksum is made over. */
export const CHECKED_LEVELS = 25;

const CRC_TABLE = Int32Array.from({ length: 256 }, (_entry, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit += 1) value = (value & 1) === 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
  return value;
});

/** CRC-32 (ISO 3309) of ASCII text as a signed 32-bit integer. */
export function crc32(text: string): number {
  let value = -1;
  for (let at = 0; at < text.length; at += 1) {
    value = (CRC_TABLE[(value ^ text.charCodeAt(at)) & 0xff] ?? 0) ^ (value >>> 8);
  }
  return ~value;
}

/**
 * The checksum of a book: `bidPrice:bidSize:askPrice:askSize:…` of the best 25, with the strings that were sent; where
 * one side is short the other goes on alone (OKX v5 guide, "Checksum" of the order book channel).
 */
export function bookChecksum(
  bids: readonly (readonly [string, string])[],
  asks: readonly (readonly [string, string])[],
): number {
  const parts: string[] = [];
  for (let rank = 0; rank < CHECKED_LEVELS; rank += 1) {
    const bid = bids[rank];
    const ask = asks[rank];
    if (bid !== undefined) parts.push(bid[0], bid[1]);
    if (ask !== undefined) parts.push(ask[0], ask[1]);
  }
  return crc32(parts.join(':'));
}
