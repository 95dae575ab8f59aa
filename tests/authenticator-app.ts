import type { Millis } from '@crossbook/domain';
import { codeOfStep, stepAt } from '../apps/server/src/accounts/factors/totp.ts';

function bytesOfBase32(text: string): Uint8Array {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
  const bits = [...text].map((letter) => alphabet.indexOf(letter).toString(2).padStart(5, '0')).join('');
  return Uint8Array.from(bits.match(/.{8}/g) ?? [], (byte) => Number.parseInt(byte, 2));
}

/** What an authenticator app shows `steps` half-minutes from a moment. */
export function codeShown(secret: string, now: Millis, steps = 0): string {
  return codeOfStep(bytesOfBase32(secret), stepAt(now) + steps);
}
