import { createHmac } from 'node:crypto';

/** Hex HMAC-SHA256, as Binance and Bybit sign (rest-api.md, "Signed endpoint examples"; guide, "Authentication"). */
export function hmacHex(secret: string, payload: string): string {
  return createHmac('sha256', secret).update(payload, 'utf8').digest('hex');
}
